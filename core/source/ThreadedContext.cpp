//===- core/source/ThreadedContext.cpp ------------------------------------===//

#include "core/source/ThreadedContext.h"

#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/ThreadPool.h"

namespace memreflens {

namespace {
/// Does at once what it is asked to do. It keeps nothing, so that any number of
/// contexts have the same one.
class CallingThread : public llvm::ThreadPoolInterface {
public:
  void wait() override {}
  void wait(llvm::ThreadPoolTaskGroup &) override {}
  unsigned getMaxConcurrency() const override { return 1; }

private:
  void asyncEnqueue(llvm::unique_function<void()> task,
                    llvm::ThreadPoolTaskGroup *) override {
    task();
  }
};
} // namespace

ThreadedContext::ThreadedContext(mlir::MLIRContext &context)
    : context(context), wasThreaded(context.isMultithreadingEnabled()) {
  static CallingThread pool;
  if (!wasThreaded)
    context.setThreadPool(pool);
}

ThreadedContext::~ThreadedContext() {
  if (!wasThreaded)
    context.disableMultithreading();
}

} // namespace memreflens
