//===- core/symexec/StateMerging.cpp --------------------------------------===//

#include "core/symexec/StateMerging.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens::symexec {

unsigned Meetings::addState(const State &state, size_t waiting, uint64_t step) {
  Met &met = states.emplace_back();
  met.serials.reserve(state.objects.size());
  for (const Object &object : state.objects)
    met.serials.push_back(object.serial);
  met.waiting = waiting;
  met.begin = step;
  open.push_back(unsigned(states.size() - 1));
  return open.back();
}

void Meetings::takeNext(size_t waiting, uint64_t step) {
  // The path that is taken waited before they were met, and is none of theirs.
  while (!open.empty() && states[open.back()].waiting > waiting) {
    states[open.back()].end = step;
    open.pop_back();
  }
}

void Meetings::meet(const State &state, unsigned before, uint64_t step) {
  for (auto [object, other] :
       llvm::zip_equal(state.objects, states[before].serials))
    if (object.serial != other && object.isOwned() && !object.freed)
      links.push_back({object.serial, object.value, step, other, before});
}

void Meetings::spread(llvm::function_ref<void(mlir::Value)> found) {
  bool changes = !times.empty();
  while (changes) {
    changes = false;
    llvm::erase_if(links, [&](const Link &link) {
      const Met &met = states[link.state];
      auto known = times.find(link.other);
      if (known == times.end() ||
          llvm::none_of(known->second, [&](uint64_t step) {
            return met.begin <= step && step < met.end;
          }))
        return false;
      found(link.value);
      happens(link.serial, link.step);
      changes = true;
      return true;
    });
  }
}

//===--- States that were met ---------------------------------------------===//

/// A path that is the only one so far can meet itself alone, on a way back.
bool StateMerging::mayMeetAnother(const State &state) const {
  const Scope &scope = state.frames.back().scopes.back();
  return hasForked || scope.iteration > 0 || !scope.visits.empty();
}

/// The path ends here, and does again what one of fewer iterations does.
void StateMerging::noteRepeats(const State &state, ArrayRef<unsigned> before) {
  for (const Frame &frame : state.frames)
    for (const Scope &scope : frame.scopes)
      if (!scope.isCounted) {
        if (before.front() < scope.iteration)
          observer.repeats(scope.parent, before.front(), scope.iteration);
        before = before.drop_front();
      }
}

const LiveContents &StateMerging::liveContents() {
  const bool runsCalls = !options.callsByBoundary;
  std::optional<LiveContents> &known =
      runsCalls ? facts.withCalls : facts.withoutCalls;
  if (!known)
    known.emplace(function, runsCalls, symbols());
  return *known;
}

bool StateMerging::wasHere(State &state, size_t waiting) {
  if (!mayMeetAnother(state))
    return false;
  Normalised now =
      normalise(state, exprs, ir, liveContents(), options.heap != nullptr);
  budget.spend(now.size);
  auto [entry, isNew] = seen.try_emplace(now.key);
  Seen &before = entry->second;
  auto isWithin = [](ArrayRef<unsigned> few, ArrayRef<unsigned> many) {
    return llvm::all_of(llvm::zip_equal(few, many), [](auto pair) {
      return std::get<0>(pair) <= std::get<1>(pair);
    });
  };
  if (!isNew && isWithin(before.iterations, now.iterations)) {
    noteRepeats(state, before.iterations);
    if (!options.tellsSitesApart)
      meetings.meet(state, before.number, result.steps);
    return true;
  }
  if (isNew || isWithin(now.iterations, before.iterations)) {
    before.iterations = std::move(now.iterations);
    if (!options.tellsSitesApart)
      before.number = meetings.addState(state, waiting, result.steps);
  }
  return false;
}

} // namespace memreflens::symexec
