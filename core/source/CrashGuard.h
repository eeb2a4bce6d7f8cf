//===- core/source/CrashGuard.h - MLIR may die on bad input ---------------===//
//
// Some parsers of MLIR's ops read a null attribute after a syntax error, and
// its bytecode reader trusts its input. Here such a crash ends the work at
// hand, not the process: what the work had on its stack leaks.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_CRASHGUARD_H
#define MEMREFLENS_SOURCE_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace memreflens {

/// Runs `work`; false if it crashed. Its results are then whatever it had
/// stored, and nothing that it registered elsewhere may be on its stack. Signal
/// handlers stay in place; outside of `work` they do what others did before.
bool survives(llvm::function_ref<void()> work);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_CRASHGUARD_H
