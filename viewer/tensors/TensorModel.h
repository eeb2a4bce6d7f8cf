//===- viewer/tensors/TensorModel.h - a picture of tensors to point at ----===//
//
// The picture of a function's tensors (core/graph/tensors) with where each
// stroke is, what is under a point, and which memref is whose buffer; no
// window.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_TENSORS_TENSORMODEL_H
#define MEMREFLENS_VIEWER_TENSORS_TENSORMODEL_H

#include "viewer/state/State.h"

#include "core/graph/Layout.h"
#include "core/graph/tensors/TensorPainting.h"

namespace memreflens::viewer {

struct TensorModel {
  TensorModel(const Lookup &lookup, graph::TensorFlow drawn);

  const graph::TensorFlow flow;
  const graph::TensorPainting light, dark;
  /// Around each stroke, and around all strokes of each group.
  std::vector<graph::Box> strokeBoxes, groupBoxes;

  const graph::TensorPainting &in(graph::ThemeName theme) const {
    return theme == graph::ThemeName::dark ? dark : light;
  }
  const graph::TensorGroup &group(int number) const {
    return light.groups[size_t(number)];
  }
  /// The group that is drawn topmost at a point, or no farther from it than
  /// `slack`; -1 for none.
  int groupAt(graph::Point point, double slack) const;
  /// What the group says, or else one around it; empty for nothing.
  const std::string &tooltipOf(int number) const;
  /// The memref that holds the tensor after bufferization; `none` where it is
  /// not one, or not known.
  Id memrefOf(Id tensor) const;

private:
  const graph::TensorChip *chipOf(Id tensor) const;

  std::map<Id, const graph::TensorChip *> chips;
  /// By the number of a buffer, what is allocated for it.
  std::map<int, Id> allocated;
  /// By the tensor that they stand for.
  std::map<Id, Id> standing;
};

/// What of the picture the state has selected.
struct TensorSelection {
  /// Groups; -1 for none.
  int chip = -1, row = -1;
  /// That the selected tensor may be.
  std::vector<int> buffers;

  bool isEmpty() const { return chip < 0 && row < 0; }
  /// Whether the group has to do with a buffer that is selected.
  bool touches(const TensorModel &model, int group) const;
};

TensorSelection selectionOf(const Program &program, const ViewState &state,
                            const TensorModel &model);

/// Goes to what the group is about. A tensor whose memref is known selects
/// that, with the tensor's place in the source.
void selectTensorGroup(const Program &program, ViewState &state,
                       const TensorModel &model, int group);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_TENSORS_TENSORMODEL_H
