//===- core/explain/CostText.cpp ------------------------------------------===//

#include "core/explain/CostText.h"
#include "core/trace/Symbol.h"

namespace memreflens {

using namespace trace;

std::string peakText(uint64_t bytes, bool isLowerBound) {
  if (!isLowerBound)
    return bytesText(bytes);
  return bytes == 0 ? "unknown" : "at least " + bytesText(bytes);
}

std::string cloneWords(const Lookup &lookup, Id id) {
  const Op *op = lookup.op(id);
  if (!op || !op->generated || op->name != "bufferization.clone" ||
      op->results.empty())
    return {};
  const Value *cloned = lookup.value(op->results.front());
  while (cloned && cloned->generated && cloned->standsFor != none)
    cloned = lookup.value(cloned->standsFor);
  return !cloned || cloned->generated
             ? std::string()
             : "the clone of " + lookup.name(cloned->id) +
                   lookup.at(lookup.rangeOfValue(cloned->id));
}

std::string gapText(const Lookup &lookup, const PeakGap &gap) {
  const std::string op = lookup.op(gap.op) ? lookup.opAt(gap.op) : "an op";
  switch (gap.kind) {
  case PeakGapKind::unknownSize:
    if (std::string clone = cloneWords(lookup, gap.op); !clone.empty())
      return "the size of " + clone + " is not known";
    return "the size that " + op + " allocates is not known";
  case PeakGapKind::unknownCallee:
    if (const trace::Function *callee = lookup.function(gap.callee))
      return "what " + trace::symbolText(callee->title()) + " holds, which " +
             op + " calls, is not known: it " +
             (callee->status == trace::FunctionStatus::declaration
                  ? "has no body"
              : callee->status == trace::FunctionStatus::rejected
                  ? "is rejected"
                  : "was not analysed");
    return "what " + op + " calls is not known";
  case PeakGapKind::recursion:
    return op + " is a recursive call";
  case PeakGapKind::growth:
    return "each iteration of " + op + " adds to it";
  case PeakGapKind::concurrent:
    return op + " may run at the same time as others of its kind";
  case PeakGapKind::fault:
    return op + " is a use or a deallocation of freed memory";
  case PeakGapKind::notAllPaths:
    return "not all paths were tried";
  }
  return {};
}

std::string spaceWords(const Space &space, std::string_view name) {
  if (!space)
    return {};
  const std::string words =
      space->empty() ? "the default memory space" : "memory space " + *space;
  return words + (name.empty() ? "" : " (" + std::string(name) + ")");
}

} // namespace memreflens
