//===- core/reduce/Program.h - the program that is being reduced ----------===//
//
// Text and module of one program, with the names of its values; an edited
// module becomes text again that names what is left as before.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REDUCE_PROGRAM_H
#define MEMREFLENS_REDUCE_PROGRAM_H

#include "core/pipeline/run/Analysis.h"
#include "core/reduce/Target.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace memreflens {

/// A program of one chunk, parsed. Ids of `target` are of `trace`.
struct Program {
  std::string text;
  Target target;
  trace::Trace trace;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  trace::Id functionOp() const;
  /// Ops that must not go: those of the target, and all around them.
  llvm::DenseSet<mlir::Operation *> neededOps() const;
};

/// False if the text does not parse: it came from elsewhere.
bool parseProgram(std::string text, const Target &target,
                  mlir::MLIRContext &context, const AnalysisRequest &request,
                  Program &program);

/// On an op that an edit rebuilt with fewer results: the numbers that those
/// left had before. Never printed.
inline constexpr llvm::StringLiteral keptResultsName = "memref_lens.kept";

/// Text of the edited module, and the target as it is in that text. Nothing if
/// the target is gone or the module is not valid.
struct Edited {
  std::string text;
  Target target;
};
std::optional<Edited> printEdited(Program &program);

/// How large a program is; smaller is better, the first field first.
struct Size {
  uint64_t ops = 0, blocks = 0, values = 0, bytes = 0;
  /// Sizes of all dimensions, summed up.
  uint64_t extent = 0;
  auto operator<=>(const Size &) const = default;
};
Size sizeOf(mlir::ModuleOp module, const std::string &text);

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_PROGRAM_H
