//===- core/explain/AliasText.h - same buffer, or not, and who says so ----===//
//
// The alias view (core/trace/Aliases.h) in words: for two memrefs whether they
// are one allocation and by what, for a load or store what it may touch, and a
// function's matrix.
//
//   %a and %v are the same allocation: %v is a view of %a
//     BufferOriginAnalysis: same; LocalAliasAnalysis: MustAlias
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_ALIASTEXT_H
#define MEMREFLENS_EXPLAIN_ALIASTEXT_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

/// Whether two memrefs are one allocation.
enum class AliasVerdict : uint8_t { must, may, never };

/// By the analysis that can tell. Where BufferOriginAnalysis and
/// LocalAliasAnalysis contradict each other, by the first: it decides what the
/// pipeline does. A clone or realloc may be the buffer that it is made of,
/// though both analyses say that it is not.
AliasVerdict verdictOf(const trace::FunctionAliases &view,
                       const trace::AliasPair &pair);
/// Whether one of the two knows what the other does not, or they contradict
/// each other.
bool differ(const trace::FunctionAliases &view, const trace::AliasPair &pair);
/// "must", "may", "never".
std::string_view nameOf(AliasVerdict verdict);

/// The view of a function; null if the trace has none of it.
const trace::FunctionAliases *aliasesOf(const trace::Trace &trace,
                                        trace::Id function);
/// Of two of its memrefs, in either order; null if they are equal.
const trace::AliasPair *pairOf(const trace::FunctionAliases &view,
                               uint32_t first, uint32_t second);

Explanation explainPair(const Lookup &lookup,
                        const trace::FunctionAliases &view,
                        const trace::AliasPair &pair);
/// What one memref must, may and never be, one sentence each; empty if the view
/// does not list it.
Explanation explainAliases(const Lookup &lookup,
                           const trace::FunctionAliases &view,
                           trace::Id memref);
/// Where the memory that an op reads or writes comes from, and which other
/// accesses may touch it; empty if it is no access of the view.
Explanation explainAccess(const Lookup &lookup,
                          const trace::FunctionAliases &view, trace::Id op);

/// The memref at a byte of the source against each other one, and what the load
/// or store there may touch; empty where neither stands there.
std::vector<Explanation> explainAliasesAt(const Lookup &lookup,
                                          uint32_t offset);

/// Names of a matrix's rows, and its cells: '=' must, '.' never, '?' may; '!'
/// where the two analyses contradict each other.
struct AliasMatrix {
  std::vector<trace::Id> memrefs;
  std::vector<std::string> cells;
  std::string note;
};
AliasMatrix aliasMatrix(const trace::FunctionAliases &view);

/// All functions of a trace as lines of text: matrix, differences, accesses.
std::string renderAliases(const Lookup &lookup, const std::string &function);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_ALIASTEXT_H
