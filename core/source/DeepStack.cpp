//===- core/source/DeepStack.cpp - room for deeply nested IR --------------===//

#include "core/source/DeepStack.h"

#include "llvm/Support/ErrorHandling.h"

/// Address space only: the system gives memory as the stack grows.
static constexpr size_t stackBytes = size_t(256) << 20;

void memreflens::runOnDeepStack(llvm::function_ref<void()> work) {
  const DeepThread thread([work] { work(); });
  if (!thread.hasStarted())
    llvm::report_fatal_error("no thread, or no room for its stack");
}

/// Not llvm::thread, which ends the process where there is none.
memreflens::DeepThread::DeepThread(std::function<void()> job)
    : work(std::move(job)) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return;
  auto run = [](void *self) -> void * {
    static_cast<DeepThread *>(self)->work();
    return nullptr;
  };
  pthread_t made;
  if (pthread_attr_setstacksize(&attributes, stackBytes) == 0 &&
      pthread_create(&made, &attributes, run, this) == 0)
    thread = made;
  pthread_attr_destroy(&attributes);
}

memreflens::DeepThread::~DeepThread() {
  if (thread)
    pthread_join(*thread, nullptr);
}
