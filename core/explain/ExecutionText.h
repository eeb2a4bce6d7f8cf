//===- core/explain/ExecutionText.h - how often a cost is paid, as text ---===//

#ifndef MEMREFLENS_EXPLAIN_EXECUTIONTEXT_H
#define MEMREFLENS_EXPLAIN_EXECUTIONTEXT_H

#include "core/query/Executions.h"

#include <string>

namespace memreflens {

/// "33", "1 + 4 * (%n / 2)", "1, and 4 in each iteration of scf.while (5:3)",
/// "at most 2".
std::string timesText(const Lookup &lookup, trace::Id function,
                      const CostSum &sum);
/// The same of bytes: "512 KiB", "16 KiB * %n".
std::string bytesText(const Lookup &lookup, trace::Id function,
                      const CostSum &sum);

/// How much of what a call costs is told: all; or allocations and copies, and
/// of the rest what is more than the text has, without long sums of bytes.
enum class CallDetail : uint8_t { all, brief };

/// What one call costs: "33 allocations, 512 KiB; 32 copies, 384 KiB". Empty
/// where it costs nothing.
std::string callCostText(const Lookup &lookup, trace::Id function,
                         const CallCosts &costs, CallDetail detail);
/// Whether that is other than what the text has: a loop goes round, or a callee
/// costs something, too.
bool differsFromText(const trace::Function &function, const CallCosts &costs);

/// What grows with the square of a number, or a higher power, because loops do:
/// "allocations grow with the square of %n". Empty for nothing.
std::string growthText(const Lookup &lookup, trace::Id function,
                       const CallCosts &costs);

/// How often the loops around run what is in them: "in each iteration of
/// scf.for (12:3), 16 times", "in each iteration of scf.while (5:3)". Empty
/// outside of loops.
std::string loopsText(const Lookup &lookup, Executions &executions,
                      trace::Id function, const trace::CostSite &site);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_EXECUTIONTEXT_H
