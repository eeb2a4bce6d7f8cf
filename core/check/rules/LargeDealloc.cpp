//===- core/check/rules/LargeDealloc.cpp ----------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/Words.h"

namespace memreflens {

using enum RemedyPass;

void addDealloc(FindingMaker &maker, const trace::Event &event,
                const trace::DeallocEvent &dealloc) {
  constexpr size_t many = 64;
  if (dealloc.memrefs.size() < many)
    return;
  Finding &finding = maker.add(
      ruleIds::largeDealloc, event.function, maker.lookup.rangeOfOp(event.op),
      "one dealloc has " + counted(dealloc.memrefs.size(), "buffer") +
          ": its simplification compares each with each");
  finding.event = event.id;
  finding.remedies = {{"deallocate earlier: split the function, or run "
                       "optimize-allocation-liveness where deallocs are there",
                       {allocationLiveness}}};
}

} // namespace memreflens
