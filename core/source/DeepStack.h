//===- core/source/DeepStack.h - room for deeply nested IR ----------------===//
//
// MLIR's parser, printer and passes recurse over regions, types and attributes.
// Run on a thread with a large stack they take what ParseOptions::maxNesting
// lets through, however small the caller's stack is.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_DEEPSTACK_H
#define MEMREFLENS_SOURCE_DEEPSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace memreflens {

/// Runs `work` on a thread of its own and waits for it.
void runOnDeepStack(llvm::function_ref<void()> work);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_DEEPSTACK_H
