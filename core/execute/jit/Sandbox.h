//===- core/execute/jit/Sandbox.h - a thread that may only compute --------===//

#ifndef MEMREFLENS_EXECUTE_JIT_SANDBOX_H
#define MEMREFLENS_EXECUTE_JIT_SANDBOX_H

namespace memreflens::execute {

/// From here on this thread can ask the system for memory and to end, and for
/// nothing else; with `mayWrite` also to write to what is open. False if the
/// system cannot do that.
bool enterSandbox(bool mayWrite);

/// Ends the process, with all it has.
[[noreturn]] void leaveAtOnce();

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_SANDBOX_H
