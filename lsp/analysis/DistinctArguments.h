//===- lsp/analysis/DistinctArguments.h - arguments stated to be distinct -===//
//
// "Declare %a and %b of @f distinct": memref.distinct_objects at the head of a
// function, and every use of the arguments after it by its results.
//
//   func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
//     %a_distinct, %b_distinct = memref.distinct_objects %a, %b : ...
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_DISTINCTARGUMENTS_H
#define MEMREFLENS_LSP_ANALYSIS_DISTINCTARGUMENTS_H

#include "lsp/analysis/Analyst.h"
#include "lsp/analysis/View.h"

namespace memreflens::lsp {

/// Numbers of the memref arguments of a function that a range of its text
/// names; of all if it names fewer than two. Fewer than two if there are not
/// more, or the function has no body.
std::vector<uint32_t> argumentsIn(const View &view, trace::Id function,
                                  trace::Range range);

/// The document's text with these arguments of the function stated to be
/// distinct; empty where that is not possible, or would not parse.
std::string withDistinctArguments(Analyst &analyst, const Document &document,
                                  const Unit &unit, const std::string &function,
                                  const std::vector<uint32_t> &arguments);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_DISTINCTARGUMENTS_H
