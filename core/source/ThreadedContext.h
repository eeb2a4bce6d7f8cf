//===- core/source/ThreadedContext.h - a context for several threads ------===//

#ifndef MEMREFLENS_SOURCE_THREADEDCONTEXT_H
#define MEMREFLENS_SOURCE_THREADEDCONTEXT_H

#include "mlir/IR/MLIRContext.h"

namespace memreflens {

/// While it lives, several threads may make attributes and types. Passes and
/// the verifier stay on the thread that calls them.
class ThreadedContext {
public:
  explicit ThreadedContext(mlir::MLIRContext &context);
  ~ThreadedContext();
  ThreadedContext(const ThreadedContext &) = delete;
  ThreadedContext &operator=(const ThreadedContext &) = delete;

private:
  mlir::MLIRContext &context;
  const bool wasThreaded;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_THREADEDCONTEXT_H
