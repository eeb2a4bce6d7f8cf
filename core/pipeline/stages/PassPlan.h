//===- core/pipeline/stages/PassPlan.h - from --pipeline to passes --------===//
//
// What a user may ask for instead of upstream's eight passes: a way to free by
// name (`classic`, `hoist+classic`, `ownership+liveness`), or passes as
// mlir-opt takes them, `builtin.module(...)`.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_PASSPLAN_H
#define MEMREFLENS_PIPELINE_STAGES_PASSPLAN_H

#include "core/trace/Model.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace memreflens {

/// Run by its steps (core/pipeline/bufferize), wherever it is asked for.
inline constexpr std::string_view bufferizePass = "one-shot-bufferize";

/// Sets `run.pipeline` and `run.passes` (and dynamic ownership, where the text
/// has it as an option). On failure what is wrong with the text; else empty.
/// Passes must be registered.
std::string setPipeline(llvm::StringRef text, trace::RunOptions &run);

/// What a pass has between its braces, without them.
llvm::StringRef passOptions(llvm::StringRef pass);
/// Of a pass as mlir-opt takes it: whether it has the option, and not as false.
bool hasOption(llvm::StringRef pass, llvm::StringRef name);
/// The option's number; `byDefault` where it has none.
unsigned numberOption(llvm::StringRef pass, llvm::StringRef name,
                      unsigned byDefault);

/// One pass of a pipeline, and the ops that it is nested in, outermost first.
struct NestedPass {
  std::vector<std::string> anchors;
  /// With all of its options, as MLIR prints it.
  std::string text;
};
/// The passes of a pipeline as MLIR prints it (`printAsTextualPipeline`), or of
/// an element of RunOptions::passes.
std::vector<NestedPass> passesInPrinted(llvm::StringRef pipeline);
/// The elements of a pipeline, passes or anchors with passes inside.
std::vector<std::string> partsOf(llvm::StringRef pipeline);
/// The pass within its anchors.
std::string textOf(const NestedPass &pass);
/// Sets `run.pipeline` and `run.passes` to these, as a user would write them:
/// options at their defaults are left out where the pass is registered.
void setPrintedPasses(const std::vector<NestedPass> &passes,
                      trace::RunOptions &run);

/// Whether the verifier is asked behind a stage where nobody wants to know
/// which one made invalid IR: behind the passes that are known to, those that
/// are not of upstream's eight, and the last. On linear algebra the verifier
/// takes as long as a pass.
bool mayMakeInvalidIr(int stage, int last, const trace::RunOptions &run);

/// What a user may call a stage: a number, a name (the first stage of that
/// name, or `canonicalize-2`), or "final". -1 if the run has none such.
int parseStage(llvm::StringRef text, const trace::RunOptions &run);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_PASSPLAN_H
