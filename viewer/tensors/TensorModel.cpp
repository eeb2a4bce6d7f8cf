//===- viewer/tensors/TensorModel.cpp -------------------------------------===//

#include "viewer/tensors/TensorModel.h"

#include "core/graph/tensors/TensorPlaces.h"

#include <algorithm>
#include <cmath>

namespace memreflens::viewer {

using graph::Box;
using graph::Point;
using graph::TensorGroup;
using graph::TensorPart;
using graph::TensorStroke;
using graph::TensorStrokeKind;
using graph::ThemeName;

static Box boxOf(const TensorStroke &stroke) {
  const double x = stroke.x, y = stroke.y;
  switch (stroke.kind) {
  case TensorStrokeKind::open:
  case TensorStrokeKind::close:
    break;
  case TensorStrokeKind::rect:
    return {x, y, x + stroke.wide, y + stroke.high};
  case TensorStrokeKind::dot:
    return {x - graph::tensorDotRadius, y - graph::tensorDotRadius,
            x + graph::tensorDotRadius, y + graph::tensorDotRadius};
  case TensorStrokeKind::text: {
    const int size = stroke.size ? stroke.size : graph::tensorTextSize;
    return {x, y - size, x + graph::widthOf(stroke.words, size), y + size / 4.};
  }
  case TensorStrokeKind::path: {
    if (stroke.steps.empty())
      break;
    Box box{1e9, 1e9, -1e9, -1e9};
    const double half = std::max(1, stroke.width) / 2.;
    for (const graph::TensorStep &step : stroke.steps) {
      box.left = std::min(box.left, step.x - half);
      box.top = std::min(box.top, step.y - half);
      box.right = std::max(box.right, step.x + half);
      box.bottom = std::max(box.bottom, step.y + half);
    }
    return box;
  }
  }
  return {};
}

static bool isNothing(const Box &box) {
  return box.width() <= 0 && box.height() <= 0;
}

TensorModel::TensorModel(const Lookup &lookup, graph::TensorFlow drawn)
    : flow(std::move(drawn)), light(paintTensors(flow, ThemeName::light)),
      dark(paintTensors(flow, ThemeName::dark)),
      groupBoxes(light.groups.size()) {
  for (const TensorStroke &stroke : light.strokes) {
    const Box box = boxOf(stroke);
    strokeBoxes.push_back(box);
    if (isNothing(box))
      continue;
    for (int i = stroke.group; i >= 0; i = group(i).around) {
      Box &all = groupBoxes[size_t(i)];
      all = isNothing(all)
                ? box
                : Box{std::min(all.left, box.left), std::min(all.top, box.top),
                      std::max(all.right, box.right),
                      std::max(all.bottom, box.bottom)};
    }
  }
  for (const graph::TensorRow &row : flow.rows)
    for (const graph::TensorChip &chip : row.chips) {
      chips.emplace(chip.value, &chip);
      if (chip.memref != none && chip.buffers.size() == 1)
        allocated.emplace(chip.buffers.front(), chip.memref);
    }
  for (const trace::Value &value : lookup.getTrace().values)
    if (value.isMemref && chips.contains(value.standsFor))
      standing.emplace(value.standsFor, value.id);
}

//===--- What is under a point --------------------------------------------===//

static double distanceToBox(const Box &box, Point point) {
  const double x = std::max({box.left - point.x, 0., point.x - box.right});
  const double y = std::max({box.top - point.y, 0., point.y - box.bottom});
  return std::max(x, y);
}

static double distanceToLine(const graph::TensorStep &from,
                             const graph::TensorStep &to, Point point) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double length = dx * dx + dy * dy;
  const double along = ((point.x - from.x) * dx + (point.y - from.y) * dy) /
                       std::max(length, 1e-9);
  const double share = std::clamp(along, 0., 1.);
  return std::hypot(from.x + share * dx - point.x,
                    from.y + share * dy - point.y);
}

static double distanceTo(const TensorStroke &stroke, const Box &box,
                         Point point) {
  const double toBox = distanceToBox(box, point);
  if (stroke.kind != TensorStrokeKind::path || toBox > 1e3)
    return toBox;
  double least = 1e9;
  for (size_t i = 1; i < stroke.steps.size(); ++i)
    if (stroke.steps[i].letter != 'M')
      least = std::min(
          least, distanceToLine(stroke.steps[i - 1], stroke.steps[i], point));
  return least - stroke.width / 2.;
}

int TensorModel::groupAt(Point point, double slack) const {
  int nearest = -1, around = -1;
  double least = slack;
  for (size_t i = light.strokes.size(); i-- > 0;) {
    const TensorStroke &stroke = light.strokes[i];
    if (stroke.group < 0 || isNothing(strokeBoxes[i]))
      continue;
    const TensorPart part = group(stroke.group).part;
    if (part == TensorPart::legend)
      continue;
    const double distance = distanceTo(stroke, strokeBoxes[i], point);
    // A frame is the ground of all that is in it.
    if (part == TensorPart::frame) {
      if (distance <= 0 && around < 0)
        around = stroke.group;
      continue;
    }
    if (distance <= 0)
      return stroke.group;
    if (distance < least) {
      least = distance;
      nearest = stroke.group;
    }
  }
  return nearest >= 0 ? nearest : around;
}

const std::string &TensorModel::tooltipOf(int number) const {
  for (; number >= 0; number = group(number).around)
    if (!group(number).tooltip.empty())
      return group(number).tooltip;
  static const std::string nothing;
  return nothing;
}

//===--- Tensors and memrefs ----------------------------------------------===//

const graph::TensorChip *TensorModel::chipOf(Id tensor) const {
  auto found = chips.find(tensor);
  return found == chips.end() ? nullptr : found->second;
}

Id TensorModel::memrefOf(Id tensor) const {
  const graph::TensorChip *chip = chipOf(tensor);
  if (!chip)
    return none;
  if (chip->memref != none)
    return chip->memref;
  if (auto found = standing.find(tensor); found != standing.end())
    return found->second;
  if (chip->buffers.size() != 1)
    return none;
  auto found = allocated.find(chip->buffers.front());
  return found == allocated.end() ? none : found->second;
}

static bool sharesOne(const std::vector<int> &some,
                      const std::vector<int> &others) {
  return std::ranges::any_of(some, [&](int number) {
    return std::ranges::find(others, number) != others.end();
  });
}

bool TensorSelection::touches(const TensorModel &model, int number) const {
  if (number < 0 || isEmpty())
    return true;
  for (int i = number; i >= 0; i = model.group(i).around)
    if (i == row || i == chip)
      return true;
  const TensorGroup &group = model.group(number);
  switch (group.part) {
  case TensorPart::chip:
  case TensorPart::lane:
    return sharesOne(group.buffers, buffers);
  case TensorPart::use:
  case TensorPart::reason:
    return row >= 0 && group.op == model.group(row).op;
  case TensorPart::frame:
  case TensorPart::legend:
    return true;
  case TensorPart::row:
  case TensorPart::allocation:
    return false;
  }
  return false;
}

/// The chip that was clicked; else that of the tensor for which the selected
/// value stands; else the one that it was allocated for.
static int selectedChip(const Program &program, const ViewState &state,
                        const TensorModel &model) {
  const Place &place = state.place;
  if (place.value == none)
    return -1;
  const trace::Value *value = program.lookup.value(place.value);
  const Id tensor = value && value->standsFor != none ? value->standsFor : none;
  int named = -1, standing = -1, made = -1;
  for (size_t i = 0; i < model.light.groups.size(); ++i) {
    const TensorGroup &group = model.light.groups[i];
    if (group.part == TensorPart::allocation && group.value == place.value)
      // Its chip is drawn right before it.
      made = int(i) - 1;
    if (group.part != TensorPart::chip)
      continue;
    if (group.value == place.value)
      named = int(i);
    if (group.value == tensor)
      standing = int(i);
    if (!place.mark.empty() && model.memrefOf(group.value) == place.value &&
        program.lookup.rangeOfValue(group.value) == place.mark)
      return int(i);
  }
  return named >= 0 ? named : made >= 0 ? made : standing;
}

TensorSelection selectionOf(const Program &program, const ViewState &state,
                            const TensorModel &model) {
  TensorSelection selection;
  selection.chip = selectedChip(program, state, model);
  if (selection.chip >= 0)
    selection.buffers = model.group(selection.chip).buffers;
  if (state.place.op == none)
    return selection;
  for (size_t i = 0; i < model.light.groups.size(); ++i)
    if (const TensorGroup &group = model.light.groups[i];
        group.part == TensorPart::row && group.op == state.place.op) {
      selection.row = int(i);
      break;
    }
  return selection;
}

//===--- Clicks -----------------------------------------------------------===//

static void selectTensor(const Program &program, ViewState &state,
                         const TensorModel &model, Id tensor) {
  const Id memref = model.memrefOf(tensor);
  Place next = state.place;
  next.value = memref != none ? memref : tensor;
  next.op = next.block = none;
  next.edge.clear();
  next.edgeEvents.clear();
  next.mark = program.lookup.rangeOfValue(tensor);
  selectPlace(state, program, next);
}

static void selectOp(const Program &program, ViewState &state, Id op) {
  const trace::Range range = program.lookup.rangeOfOp(op);
  if (range.empty())
    return;
  Place next = state.place;
  next.op = op;
  next.value = none;
  next.mark = range;
  if (const trace::Op *known = program.lookup.op(op))
    next.block = known->block;
  next.edge.clear();
  next.edgeEvents.clear();
  selectPlace(state, program, next);
}

void selectTensorGroup(const Program &program, ViewState &state,
                       const TensorModel &model, int number) {
  if (number < 0)
    return;
  const TensorGroup &group = model.group(number);
  switch (group.part) {
  case TensorPart::chip:
  case TensorPart::lane:
    return selectTensor(program, state, model, group.value);
  case TensorPart::allocation:
    return selectValue(state, program, group.value);
  case TensorPart::row:
  case TensorPart::use:
  case TensorPart::reason:
  case TensorPart::frame:
    return selectOp(program, state, group.op);
  case TensorPart::legend:
    return;
  }
}

} // namespace memreflens::viewer
