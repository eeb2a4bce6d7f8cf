//===- core/trace/Names.h - enumerators as words --------------------------===//
//
// The one spelling of each enumerator, used by the JSON form, the text form and
// every front end: `nameOf(OwnershipRule::callResult)` is "callResult".
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_NAMES_H
#define MEMREFLENS_TRACE_NAMES_H

#include "core/trace/Event.h"
#include "core/trace/Model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace memreflens::trace {

std::string_view nameOf(Severity);
std::string_view nameOf(ValueKind);
std::string_view nameOf(FunctionStatus);
std::string_view nameOf(OwnershipState);
std::string_view nameOf(OwnershipRule);
std::string_view nameOf(CandidateSource);
std::string_view nameOf(DropReason);
std::string_view nameOf(RetainReason);
std::string_view nameOf(CloneDemand);
std::string_view nameOf(SignaturePart);
std::string_view nameOf(RejectionCause);
std::string_view nameOf(SameAllocation);
std::string_view nameOf(AliasRule);
std::string_view nameOf(RewriteKind);
std::string_view nameOf(LoweringCase);
std::string_view nameOf(InterfaceCall);
std::string_view nameOf(UnregisteredOps);
std::string_view nameOf(Agreement);
std::string_view nameOf(PeakGapKind);
std::string_view nameOf(CostKind);
std::string_view nameOf(Escape);
std::string_view nameOf(AliasLink);
std::string_view nameOf(CriticalReason);
std::string_view nameOf(MoveOutcome);
std::string_view nameOf(PlacementWarning);
std::string_view nameOf(LocalAlias);
std::string_view nameOf(SourceKind);
std::string_view nameOf(Separation);
std::string_view nameOf(StatedFact);
std::string_view nameOf(TensorPlacement);
std::string_view nameOf(TensorReasonKind);
std::string_view nameOf(TensorReadOnly);
std::string_view nameOf(TensorCostOrigin);

/// "ownership", "dealloc", ...: which decision an event is about.
std::string_view kindOf(const Event &event);
/// The kind's name by the alternative's index in `Event::detail`.
std::string_view kindName(size_t alternative);

/// "1,234,567".
std::string grouped(uint64_t number);

/// The enumerator with that name, if there is one.
template <class Enum>
std::optional<Enum> enumeratorNamed(std::string_view name) {
  for (int i = 0;; ++i) {
    std::string_view known = nameOf(Enum(i));
    if (known.empty())
      return std::nullopt;
    if (known == name)
      return Enum(i);
  }
}

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_NAMES_H
