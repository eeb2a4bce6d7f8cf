//===- core/check/rules/PathFaults.cpp ------------------------------------===//
//
// What the path explorer finds: a rule for each kind of fault.
//
//===----------------------------------------------------------------------===//

#include "core/check/FaultRule.h"
#include "core/check/rules/Finders.h"

#include <algorithm>

namespace memreflens {

using trace::Id;

/// Of deallocs by hand; in a function that the pass rejects for them, one more
/// helps nobody.
static std::vector<Advice> remediesAsWritten(FaultKind kind, bool isRejected) {
  const char *leaveIt =
      "remove the deallocs of the input, and let the pipeline place them";
  switch (kind) {
  case FaultKind::leak:
    return isRejected ? std::vector<Advice>{leaveIt}
                      : std::vector<Advice>{"deallocate it on this path, too",
                                            leaveIt};
  case FaultKind::doubleFree:
  case FaultKind::useAfterFree:
  case FaultKind::returnedFreed:
  case FaultKind::escapedFreed:
    return {leaveIt};
  default:
    return {};
  }
}

/// Of what a call returned, which bears no attribute for the pass.
static std::vector<Advice> remediesForResult(FaultKind kind) {
  switch (kind) {
  case FaultKind::leak:
    return {"call the function outside of what the pass does not look into"};
  case FaultKind::doubleFree:
  case FaultKind::useAfterFree:
    return {"let the pipeline alone deallocate it: the pass deallocates what "
            "calls return"};
  case FaultKind::freeOfUnowned:
  case FaultKind::returnedUnowned:
  case FaultKind::escapedFreed:
    return {"the pass deallocates what calls return: let it be passed in, or "
            "stored into a memref of memrefs that is passed"};
  default:
    return {};
  }
}

static std::vector<Advice> remediesFor(FaultKind kind, bool isInput,
                                       bool isRejected, bool isResult) {
  if (kind == FaultKind::constantWritten)
    return {"write into a copy of the constant; of a tensor, "
            "bufferization.alloc_tensor() copy(...) makes one"};
  if (isInput && kind != FaultKind::allocatorMismatch)
    return remediesAsWritten(kind, isRejected);
  if (std::vector<Advice> lines;
      isResult && !(lines = remediesForResult(kind)).empty())
    return lines;
  switch (kind) {
  case FaultKind::leak:
    return {"deallocate it by hand, with bufferization.manual_deallocation on "
            "the allocation and on the dealloc",
            "allocate it outside of what the pass does not look into, where "
            "its iterations or threads may share it"};
  case FaultKind::doubleFree:
  case FaultKind::useAfterFree:
    return {
        "put bufferization.manual_deallocation on the allocation and on "
        "every dealloc by hand, and deallocate it once, after its last use"};
  case FaultKind::freeOfUnowned:
    return {
        "leave it to its owner: deallocate only what the function allocates "
        "or what a call returns"};
  case FaultKind::returnedFreed:
  case FaultKind::returnedUnowned:
    return {"return a clone (bufferization.clone)"};
  case FaultKind::allocatorMismatch:
    return {"deallocate it with the op of its own dialect; put "
            "bufferization.manual_deallocation on both"};
  case FaultKind::escapedFreed:
    return {"put bufferization.manual_deallocation on the allocation, and "
            "deallocate "
            "it where it is no longer reachable"};
  case FaultKind::returnedTwice:
    return {"return it once, or return a clone: a caller deallocates both "
            "results"};
  case FaultKind::lostWrite:
    return {"use one of the two memrefs for reads and writes alike, as the "
            "pass takes what a function returns for a buffer of its own"};
  default:
    return {};
  }
}

bool Explored::hasRuleFor(FaultKind kind) const {
  return !isInput || (kind != FaultKind::freeOfUnowned &&
                      kind != FaultKind::returnedUnowned &&
                      kind != FaultKind::returnedTwice);
}

/// Whether the program as written has the same fault, which is told there.
static bool isAsWritten(const CheckInputs &inputs, Id function,
                        const MemoryFault &fault) {
  for (const Explored &other : inputs.explored) {
    if (!other.isInput || other.function != function ||
        !other.hasRuleFor(fault.kind))
      continue;
    for (const MemoryFault &same : other.result.faults)
      if (same.kind == fault.kind &&
          same.allocation.op == fault.allocation.op &&
          (fault.kind == FaultKind::leak || same.at.op == fault.at.op))
        return true;
  }
  return false;
}

/// Whether what bufferization made of the tensors says it, and why.
static bool isSaidOfTensors(FindingMaker &maker, const MemoryFault &fault) {
  if (fault.kind != FaultKind::constantWritten || fault.at.offset < 0)
    return false;
  const Place at = maker.placeAt(fault.at.offset);
  return std::ranges::any_of(
      maker.report.findings, [&](const Finding &finding) {
        return finding.rule == ruleIds::constantOverwritten &&
               finding.place.line == at.line &&
               finding.place.column == at.column;
      });
}

void addFaults(FindingMaker &maker, const CheckInputs &inputs) {
  for (const Explored &explored : inputs.explored) {
    const trace::Function *function = maker.lookup.function(explored.function);
    // A stage may have died after the function was looked at.
    if (!function || (!explored.isInput &&
                      function->status != trace::FunctionStatus::traced &&
                      function->status != trace::FunctionStatus::notProcessed))
      continue;
    maker.report.explorations.push_back(
        {function->title(), explored.isInput,
         (explored.isInput ? "as written: " : "") + boundsText(explored.result),
         explored.result.stopped.empty(), explored.result.assumed,
         explored.result.unfollowed, maker.placeOf(function->nameRange)});
    for (const MemoryFault &fault : explored.result.faults) {
      if (!explored.hasRuleFor(fault.kind) ||
          (!explored.isInput && isAsWritten(inputs, function->id, fault)) ||
          isSaidOfTensors(maker, fault))
        continue;
      Finding &finding =
          maker.add(ruleOf(fault.kind), explored.function, {},
                    fault.at.text + (explored.isInput ? " (as written)" : ""));
      if (!fault.isSure)
        finding.severity = trace::Severity::warning;
      // A leak is shown at what leaks, all else where it happens.
      const PathStep &place =
          fault.kind == FaultKind::leak && fault.allocation.offset >= 0
              ? fault.allocation
              : fault.at;
      if (place.offset >= 0)
        finding.place = maker.placeAt(place.offset);
      for (const PathStep &step : fault.path)
        finding.path.push_back({maker.placeAt(step.offset), step.text});
      const trace::Op *origin = maker.lookup.op(fault.allocation.op);
      finding.remedies = remediesFor(
          fault.kind, explored.isInput,
          function->status == trace::FunctionStatus::rejected,
          origin && std::string_view(origin->name).ends_with("call"));
    }
  }
}

} // namespace memreflens
