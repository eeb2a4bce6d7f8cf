//===- viewer/state/State.h - what is shown, as plain data ----------------===//
//
// Where the user is in a program: function, stage, decision, selection, and the
// way that led there. Panels read it and change nothing else; no window.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_STATE_STATE_H
#define MEMREFLENS_VIEWER_STATE_STATE_H

#include "core/execute/KeptRun.h"
#include "core/graph/Theme.h"
#include "core/query/Lookup.h"
#include "core/trace/Plan.h"

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <typeindex>
#include <vector>

namespace memreflens::viewer {

using trace::Id;
using trace::none;

/// A trace with its index; never moved, since the index refers to the trace.
struct Program : std::enable_shared_from_this<Program> {
  explicit Program(trace::Trace read) : trace(std::move(read)), lookup(trace) {}
  Program(const Program &) = delete;
  const trace::Trace trace;
  const Lookup lookup;
  /// Never that of another program of this run, as an address may be.
  const uint64_t serial = ++count();

private:
  static std::atomic<uint64_t> &count() {
    static std::atomic<uint64_t> programs = 0;
    return programs;
  }
};

/// What the history goes back to.
struct Place {
  Id function = none;
  int stage = trace::stageOf({}, trace::ownershipPass);
  Id event = none;
  Id value = none;
  Id block = none;
  /// An op, and bytes of the source to look at, where one of them was selected.
  Id op = none;
  trace::Range mark = {};
  /// An edge of the graph by its key, and the decisions about it.
  std::string edge = {};
  std::vector<Id> edgeEvents = {};
  bool operator==(const Place &) const = default;
};

struct ViewState {
  Place place;
  std::vector<Place> back, forward;
  /// The graph shows the stage's IR instead of the decisions.
  bool showsStageGraph = false;
  /// Whose counts are on the graph of the stage that ran; null for none.
  std::shared_ptr<const execute::KeptRun> run;
  bool isPlaying = false;
  double secondsPerStep = 0.6;
  double sinceStep = 0;
  graph::ThemeName theme = graph::ThemeName::dark;
  char functionFilter[128] = "";
  /// Canvas: screen = point * zoom + pan.
  float zoom = 1, panX = 0, panY = 0;
  bool wantsFit = true;
  /// With it: all of it, however small.
  bool wantsWhole = false;
  /// Set when the event or value changed, so that lists scroll to it.
  bool wantsScroll = false;
  /// What does not touch the selected value fades.
  bool focuses = false;
  /// Chips as they are in the end, not as they are at this moment.
  bool showsOutcome = false;
  bool reducesMotion = false;
  /// The graph also of a function of one block, whose lifetimes say more.
  bool prefersGraph = false;
  /// The list of decisions also has those in which nothing happens.
  bool showsSilent = false;
  /// Keys of clusters of which the graph shows only that they are there.
  std::set<std::string> folded;
  /// Stages that are compared; -1 for the current one and that before it.
  int compareBefore = -1, compareAfter = -1;
  /// Table of facts that comes to the front (Facts.h); -1 for none.
  int wantedFacts = -1;
  /// The most that the reasons needed so far, in pixels: their panel takes no
  /// more than that, and never shrinks under the mouse.
  float reasonsHeight = 0;
  /// What panels worked out for this view; by type, see `cacheOf`.
  std::map<std::type_index, std::shared_ptr<void>> caches;
};

/// A panel's own memory; empty at first.
template <class Cache> Cache &cacheOf(ViewState &state) {
  std::shared_ptr<void> &slot = state.caches[std::type_index(typeid(Cache))];
  if (!slot)
    slot = std::make_shared<Cache>();
  return *static_cast<Cache *>(slot.get());
}

/// The first function that was analysed, with all decisions taken.
void start(ViewState &state, const Program &program);
/// All below remember the place left, for `goBack`.
void selectFunction(ViewState &state, const Program &program, Id function);
void selectStage(ViewState &state, const Program &program, int stage);
/// Whether the function's part of the program has the stage.
bool hasStage(const Program &program, Id function, int stage);
/// The next (+1) or previous (-1) stage; past the ends, none that there is.
int stageBeside(const Program &program, const ViewState &state, int direction);
/// "3"; "tensor-copies" of what has no number.
std::string stageTitle(const Program &program, int stage);
void selectEvent(ViewState &state, const Program &program, Id event);
void selectValue(ViewState &state, const Program &program, Id value);
/// What one-shot-bufferize allocated for a tensor; `none` for all else.
Id memrefOf(const Program &program, Id value);
void selectBlock(ViewState &state, const Program &program, Id block);
void selectEdge(ViewState &state, std::string key, std::vector<Id> events);
/// What stands at a byte of the source, with its function: a value; else an op
/// with its block; else the block.
void selectOffset(ViewState &state, const Program &program, uint32_t offset);
/// The same for a range, which stays marked in the source.
void selectRange(ViewState &state, const Program &program, trace::Range range);
/// A place found elsewhere; what it does not name stays as it is.
void selectPlace(ViewState &state, const Program &program, const Place &place);
void goBack(ViewState &state);
void goForward(ViewState &state);

/// The last decision of the function that is taken at this place: the current
/// one, or where the stage has none, that before it; `none` before all.
Id momentOf(const ViewState &state, const Program &program);

/// The next (+1) or previous (-1) decision of the function; false at the end.
bool step(ViewState &state, const Program &program, int direction);
/// The same, among those that name the selected value.
bool stepValue(ViewState &state, const Program &program, int direction);

/// The same, among those about the block of the current decision.
bool stepBlock(ViewState &state, const Program &program, int direction);
/// The same, among those of the current decision's kind.
bool stepKind(ViewState &state, const Program &program, int direction);

/// Byte at which a line (from 1) begins.
uint32_t offsetOfLine(const trace::Trace &trace, uint32_t line);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_STATE_STATE_H
