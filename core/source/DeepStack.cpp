//===- core/source/DeepStack.cpp - room for deeply nested IR --------------===//

#include "core/source/DeepStack.h"

#include <optional>

/// Address space only: the system gives memory as the stack grows.
static constexpr std::optional<unsigned> stackBytes = 256u << 20;

void memreflens::runOnDeepStack(llvm::function_ref<void()> work) {
  threadOnDeepStack([work] { work(); }).join();
}

llvm::thread memreflens::threadOnDeepStack(std::function<void()> work) {
  return llvm::thread(stackBytes, std::move(work));
}
