//===- core/source/Expansion.h - IR too large or too deep to print --------===//
//
// Aliases let a short text stand for a type of any size (`!b = tuple<!a, !a>`,
// thirty times over); to print it would take for ever. Found here, before that.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_EXPANSION_H
#define MEMREFLENS_SOURCE_EXPANSION_H

#include "llvm/Support/SMLoc.h"

#include <string>

namespace mlir {
class AsmParserState;
class Operation;
} // namespace mlir

namespace memreflens {

struct ExpansionProblem {
  /// The alias's name where it is defined.
  llvm::SMRange place;
  std::string message;
};

/// What is wrong with the chunk's aliases; no message if nothing is.
ExpansionProblem expansionProblem(const mlir::AsmParserState &state);

/// Greatest number of regions around an op under `root`.
unsigned regionDepth(mlir::Operation *root);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_EXPANSION_H
