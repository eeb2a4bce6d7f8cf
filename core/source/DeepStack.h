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
#include "llvm/Support/thread.h"

#include <functional>

namespace memreflens {

/// Runs `work` on a thread of its own and waits for it.
void runOnDeepStack(llvm::function_ref<void()> work);
/// The same, and the caller waits when it wants to.
llvm::thread threadOnDeepStack(std::function<void()> work);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_DEEPSTACK_H
