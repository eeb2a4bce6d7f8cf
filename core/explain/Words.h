//===- core/explain/Words.h - the small words that sentences are made of --===//

#ifndef MEMREFLENS_EXPLAIN_WORDS_H
#define MEMREFLENS_EXPLAIN_WORDS_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"
#include "core/trace/Names.h"
#include "core/upstream/Release.h"

#include <span>

namespace memreflens {

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string> &items,
                   std::string_view last = "and");
/// Names of the values, each once, listed.
std::string names(const Lookup &lookup, std::span<const trace::Id> values,
                  std::string_view last = "and");
/// Of more than eight only the first seven, and how many others there are.
std::string listedFew(std::vector<std::string> items,
                      std::string_view last = "and");
/// Names of the values so: for sentences of which each of many values has one.
std::string fewNames(const Lookup &lookup, std::span<const trace::Id> values,
                     std::string_view last = "and");
/// The same of many values, of which `distinct` are different ones.
std::string fewNames(const Lookup &lookup, std::span<const trace::Id> values,
                     size_t distinct, std::string_view last = "and");
/// Of a function on which MLIR's own pass is not to be compared with.
inline constexpr const char *readsFreedWords =
    "LLVM " MEMREF_LENS_UPSTREAM_RELEASE
    " reads freed memory on this function (its liveness is stale)";
using trace::grouped;
/// "1 memref", "2,061 memrefs".
std::string counted(size_t count, std::string_view noun);

/// "owned", "borrowed", "owned if %own_a", "of unknown ownership".
std::string ownershipWords(const Lookup &lookup,
                           const trace::Ownership &ownership);
/// "edge ^bb0 -> ^bb1", with its number where both edges have one target.
std::string edgeWords(const Lookup &lookup, trace::Id from, trace::Id to,
                      int32_t edge);
/// "via ^bb0 -> ^reuse": the same without where it leads.
std::string viaWords(const Lookup &lookup, trace::Id from, trace::Id to,
                     int32_t edge);

/// Adds the fact unless it is there already.
void addEvidence(Explanation &explanation, Evidence evidence);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_WORDS_H
