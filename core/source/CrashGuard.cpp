//===- core/source/CrashGuard.cpp - MLIR may die on bad input -------------===//

#include "core/source/CrashGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"

bool memreflens::survives(llvm::function_ref<void()> work) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  return guard.RunSafely(work);
}
