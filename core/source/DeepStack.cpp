//===- core/source/DeepStack.cpp - room for deeply nested IR --------------===//

#include "core/source/DeepStack.h"

#include "llvm/Support/thread.h"

#include <optional>

/// Address space only: the system gives memory as the stack grows.
static constexpr std::optional<unsigned> stackBytes = 256u << 20;

void memreflens::runOnDeepStack(llvm::function_ref<void()> work) {
  llvm::thread thread(stackBytes, [work] { work(); });
  thread.join();
}
