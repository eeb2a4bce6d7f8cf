//===- core/symexec/StateMerging.cpp --------------------------------------===//

#include "core/symexec/StateMerging.h"

#include "llvm/ADT/STLExtras.h"

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

} // namespace memreflens::symexec
