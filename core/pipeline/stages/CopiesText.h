//===- core/pipeline/stages/CopiesText.h - with its copies on tensors -----===//
//
// The text of a program between the steps of one-shot-bufferize: where an
// operand is out of place there is an alloc_tensor, and still no memref.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_COPIESTEXT_H
#define MEMREFLENS_PIPELINE_STAGES_COPIESTEXT_H

#include "core/pipeline/stages/Stages.h"

namespace memreflens {

struct CopiesTextOptions {
  /// Nothing is printed for `StageText::none`.
  StageText text = StageText::none;
  /// As in StageOptions.
  PartStart start;
  mlir::FallbackAsmResourceMap *resources = nullptr;
};

/// With the names of the source the values that are new have names by their
/// role: `%copy_a`, `%new_a`, `%size_a`. Empty for a nested module.
std::string copiesText(mlir::ModuleOp module, const trace::Trace &trace,
                       const CopiesTextOptions &options);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_COPIESTEXT_H
