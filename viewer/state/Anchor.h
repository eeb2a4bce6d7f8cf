//===- viewer/state/Anchor.h - a place by its names -----------------------===//
//
// Ids change with each run; names mostly stay. After a reload, and in the file
// of bookmarks, a place is found again by the names of what stands there.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_STATE_ANCHOR_H
#define MEMREFLENS_VIEWER_STATE_ANCHOR_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

struct Anchor {
  std::string function;
  /// Which of several functions of that name, from 0.
  int functionCopy = 0;
  int stage = trace::stageOf({}, trace::ownershipPass);
  /// `%a`; empty for none.
  std::string value;
  int valueCopy = 0;
  /// "ownership %a ^bb1"; empty for none.
  std::string event;
  /// Which of several such events of the function, from 0.
  int eventCopy = 0;
  bool operator==(const Anchor &) const = default;
};

Anchor anchorOf(const Program &program, const Place &place);
/// What of the anchor is still there; `none` for what is not.
Place placeOf(const Program &program, const Anchor &anchor);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_STATE_ANCHOR_H
