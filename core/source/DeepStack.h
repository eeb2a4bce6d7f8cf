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

#include <functional>
#include <optional>
#include <pthread.h>

namespace memreflens {

/// Runs `work` on a thread of its own and waits for it; ends the process where
/// the system gives none.
void runOnDeepStack(llvm::function_ref<void()> work);

/// The same, and the caller waits when it wants to.
class DeepThread {
public:
  explicit DeepThread(std::function<void()> work);
  /// Waits for it.
  ~DeepThread();
  DeepThread(const DeepThread &) = delete;
  DeepThread &operator=(const DeepThread &) = delete;

  /// False where the system gave no thread, or no room for its stack: then
  /// nothing is done.
  bool hasStarted() const { return thread.has_value(); }

private:
  const std::function<void()> work;
  std::optional<pthread_t> thread;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_DEEPSTACK_H
