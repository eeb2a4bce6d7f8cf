//===- viewer/state/State.cpp - moves between places of a program ---------===//

#include "viewer/state/State.h"
#include "core/query/Tensors.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens::viewer {

static void leave(ViewState &state, const Place &next) {
  if (next == state.place)
    return;
  if (next.function != state.place.function)
    state.folded.clear();
  state.back.push_back(state.place);
  state.forward.clear();
  if (next.function != state.place.function || next.stage != state.place.stage)
    state.wantsFit |=
        next.function != state.place.function || state.showsStageGraph;
  state.place = next;
  state.wantsScroll = true;
}

void start(ViewState &state, const Program &program) {
  state.place = {};
  state.back.clear();
  state.forward.clear();
  for (const trace::Function &function : program.trace.functions)
    if (!program.lookup.eventsOfFunction(function.id).empty()) {
      selectFunction(state, program, function.id);
      break;
    }
  if (state.place.function == none && !program.trace.functions.empty())
    selectFunction(state, program, 0);
  state.back.clear();
}

void selectFunction(ViewState &state, const Program &program, Id function) {
  if (!program.lookup.function(function))
    return;
  Place next{.function = function, .stage = state.place.stage};
  auto events = program.lookup.eventsOfFunction(function);
  if (!events.empty())
    next.event = events.front();
  // All that the ownership pass decided is shown; who wants to step, steps.
  for (Id event : events)
    if (program.trace.events[event].stage == next.stage)
      next.event = event;
  leave(state, next);
}

bool hasStage(const Program &program, Id function, int stage) {
  const trace::Function *known = program.lookup.function(function);
  return known && known->chunk != none &&
         trace::hasStage(program.trace, known->chunk, stage);
}

int stageBeside(const Program &program, const ViewState &state, int direction) {
  const int stage = state.place.stage;
  const bool isTensors = stage == trace::tensorCopiesStage;
  if (isTensors)
    return direction > 0 ? 0 : stage;
  return stage == 0 && direction < 0 &&
                 hasStage(program, state.place.function,
                          trace::tensorCopiesStage)
             ? trace::tensorCopiesStage
             : stage + direction;
}

std::string stageTitle(const Program &program, int stage) {
  return stage < 0 ? std::string(trace::stageName(program.trace.options, stage))
                   : std::to_string(stage);
}

void selectStage(ViewState &state, const Program &program, int stage) {
  Place next = state.place;
  next.stage =
      hasStage(program, next.function, stage)
          ? stage
          : std::clamp(stage, 0, trace::lastStage(program.trace.options));
  for (Id event : program.lookup.eventsOfFunction(next.function))
    if (program.trace.events[event].stage == next.stage) {
      next.event = event;
      break;
    }
  leave(state, next);
}

void selectEvent(ViewState &state, const Program &program, Id id) {
  const trace::Event *event = program.lookup.event(id);
  if (!event)
    return;
  Place next = state.place;
  next.event = id;
  next.op = none;
  next.mark = {};
  next.stage = event->stage;
  if (event->function != none)
    next.function = event->function;
  leave(state, next);
}

void selectValue(ViewState &state, const Program &program, Id value) {
  Place next = state.place;
  next.value = program.lookup.value(value) ? value : none;
  next.op = none;
  next.mark = {};
  leave(state, next);
}

Id memrefOf(const Program &program, Id value) {
  if (program.trace.bufferizations.empty() || value == none)
    return none;
  const trace::Tensors tensors(program.lookup);
  const trace::TensorCost *cost = tensors.holderOf(value);
  return cost ? tensors.memrefOf(*cost) : none;
}

void selectBlock(ViewState &state, const Program &program, Id block) {
  Place next = state.place;
  next.block = program.lookup.block(block) ? block : none;
  next.op = none;
  next.mark = {};
  next.edge.clear();
  next.edgeEvents.clear();
  leave(state, next);
}

void selectEdge(ViewState &state, std::string key, std::vector<Id> events) {
  Place next = state.place;
  next.block = next.op = none;
  next.mark = {};
  next.edge = std::move(key);
  next.edgeEvents = std::move(events);
  leave(state, next);
}

/// Of the function there, the block and op at a byte.
static Place placeAt(const ViewState &state, const Program &program,
                     uint32_t offset) {
  const trace::Index &index = program.lookup.getIndex();
  Place next = state.place;
  Id function = index.functionAt(offset);
  if (function != none && function != next.function) {
    // Where else in it the user might be, is not known.
    ViewState there;
    there.place.stage = next.stage;
    selectFunction(there, program, function);
    next = there.place;
  }
  next.op = index.opAt(offset);
  next.block = index.blockAt(offset);
  // On a block's name, the innermost op is that around the block.
  const trace::Op *op = program.lookup.op(next.op);
  if (op && next.block != none && op->block != next.block)
    next.op = none;
  else if (op && op->block != none)
    next.block = op->block;
  next.edge.clear();
  next.edgeEvents.clear();
  return next;
}

void selectOffset(ViewState &state, const Program &program, uint32_t offset) {
  Id value = program.lookup.getIndex().valueAt(offset);
  Place next = placeAt(state, program, offset);
  if (value != none) {
    next.value = value;
    next.op = next.block = none;
    next.mark = {};
    return leave(state, next);
  }
  next.mark = {};
  if (const trace::Op *op = program.lookup.op(next.op))
    next.mark = op->nameRange;
  else if (const trace::Block *block = program.lookup.block(next.block))
    next.mark = block->nameRange;
  // What was decided about the op at this stage, or else at all.
  Id first = none, here = none;
  for (Id id : program.lookup.eventsOfOp(next.op)) {
    first = first == none ? id : first;
    if (program.trace.events[size_t(id)].stage == next.stage && here == none)
      here = id;
  }
  if (here != none || first != none) {
    next.event = here != none ? here : first;
    next.stage = program.trace.events[size_t(next.event)].stage;
  }
  leave(state, next);
}

void selectRange(ViewState &state, const Program &program, trace::Range range) {
  Place next = placeAt(state, program, range.begin);
  next.mark = range;
  Id value = program.lookup.getIndex().valueAt(range.begin);
  if (value != none)
    next.value = value;
  leave(state, next);
}

void selectPlace(ViewState &state, const Program &program, const Place &place) {
  Place next = place;
  if (!program.lookup.function(place.function))
    next.function = state.place.function;
  if (!program.lookup.event(place.event))
    next.event =
        next.function == state.place.function ? state.place.event : none;
  leave(state, next);
}

void goBack(ViewState &state) {
  if (state.back.empty())
    return;
  state.forward.push_back(state.place);
  state.wantsFit |= state.back.back().function != state.place.function;
  state.place = state.back.back();
  state.back.pop_back();
  state.wantsScroll = true;
}

void goForward(ViewState &state) {
  if (state.forward.empty())
    return;
  state.back.push_back(state.place);
  state.wantsFit |= state.forward.back().function != state.place.function;
  state.place = state.forward.back();
  state.forward.pop_back();
  state.wantsScroll = true;
}

Id momentOf(const ViewState &state, const Program &program) {
  const trace::Event *event = program.lookup.event(state.place.event);
  if (event && event->stage == state.place.stage)
    return event->id;
  // Stage by stage, as they happened.
  auto events = program.lookup.eventsOfFunction(state.place.function);
  auto behind =
      std::ranges::upper_bound(events, state.place.stage, {}, [&](Id id) {
        return program.trace.events[size_t(id)].stage;
      });
  return behind == events.begin() ? none : *std::prev(behind);
}

/// `events` in the order in which they happened.
static bool stepAmong(ViewState &state, const Program &program,
                      std::span<const Id> events, int direction) {
  auto isHere = [&](Id id) {
    return program.trace.events[size_t(id)].function == state.place.function;
  };
  auto next = std::ranges::upper_bound(events, state.place.event);
  auto before = std::ranges::lower_bound(events, state.place.event);
  while (direction > 0 && next != events.end() && !isHere(*next))
    ++next;
  while (direction < 0 && before != events.begin() && !isHere(*(before - 1)))
    --before;
  if (direction > 0 ? next == events.end() : before == events.begin())
    return false;
  selectEvent(state, program, direction > 0 ? *next : *(before - 1));
  return true;
}

bool step(ViewState &state, const Program &program, int direction) {
  return stepAmong(state, program,
                   program.lookup.eventsOfFunction(state.place.function),
                   direction);
}

bool stepValue(ViewState &state, const Program &program, int direction) {
  return stepAmong(
      state, program,
      program.lookup.getIndex().eventsNamingValue(state.place.value),
      direction);
}

bool stepBlock(ViewState &state, const Program &program, int direction) {
  const trace::Event *event = program.lookup.event(state.place.event);
  Id block = state.place.block != none ? state.place.block
             : event                   ? event->block
                                       : none;
  return stepAmong(state, program, program.lookup.eventsOfBlock(block),
                   direction);
}

bool stepKind(ViewState &state, const Program &program, int direction) {
  const trace::Event *event = program.lookup.event(state.place.event);
  if (!event)
    return false;
  std::vector<Id> same;
  for (Id id : program.lookup.eventsOfFunction(state.place.function))
    if (program.trace.events[id].detail.index() == event->detail.index())
      same.push_back(id);
  return stepAmong(state, program, same, direction);
}

uint32_t offsetOfLine(const trace::Trace &trace, uint32_t line) {
  size_t offset = 0;
  for (; line > 1; --line) {
    size_t end = trace.source.text.find('\n', offset);
    if (end == std::string::npos)
      break;
    offset = end + 1;
  }
  return uint32_t(offset);
}

} // namespace memreflens::viewer
