//===- core/execute/jit/Runtime.h - what a running program calls ----------===//

#ifndef MEMREFLENS_EXECUTE_JIT_RUNTIME_H
#define MEMREFLENS_EXECUTE_JIT_RUNTIME_H

#include "core/execute/jit/Program.h"

namespace memreflens::execute {

/// Names that a lowered program calls the runtime by; numbers and truths are
/// `i64`.
namespace hook {
inline constexpr llvm::StringLiteral
    allocate = "memref_lens_allocate", ///< (bytes, alignment, site) -> pointer
    free = "memref_lens_free",         ///< (pointer, site)
    access = "memref_lens_access", ///< (pointer, base, bytes, site, write) ->
                                   ///< pointer
    accessIf = "memref_lens_access_if",  ///< (..., on)
    copy = "memref_lens_copy",           ///< (size, source, target, site)
    condition = "memref_lens_condition", ///< (site, truth)
    decide = "memref_lens_decide",       ///< (site, truth), of a dealloc's own
    compare = "memref_lens_compare",     ///< (site, truth)
    divide = "memref_lens_divide",       ///< (site), which may trap
    call = "memref_lens_call",           ///< (site)
    leave = "memref_lens_leave";         ///< (), behind the call
} // namespace hook

/// A name and its address.
using RuntimeSymbol = std::pair<llvm::StringRef, void *>;

/// Of this process' program, of which there is one.
std::vector<RuntimeSymbol> runtimeSymbols();
/// Where it tells what it does; all must outlive the program.
void beginRuntime(Heap &heap, const SharedCounts &counts,
                  const Program &program, uint64_t seed);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_RUNTIME_H
