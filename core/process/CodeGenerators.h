//===- core/process/CodeGenerators.h - which program runs a pass ----------===//
//
// LLVM's code generators for other machines than this one are a third of the
// bytes of a program that has LLVM inside, and a quarter of the time in which
// it starts. Passes of a few names need them; the program with MLIR inside
// leaves them out and goes on as the one on the shared library where such a
// pass is named.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PROCESS_CODEGENERATORS_H
#define MEMREFLENS_PROCESS_CODEGENERATORS_H

#include <string_view>

namespace memreflens {

/// Whether an argument, a pass pipeline or settings name a pass that may ask
/// for a code generator of any machine. A text may do so and mean something
/// else: the other program answers the same.
bool mayNeedCodeGenerators(std::string_view text);

} // namespace memreflens

#endif // MEMREFLENS_PROCESS_CODEGENERATORS_H
