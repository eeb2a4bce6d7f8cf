//===- core/symexec/SideBySide.h - explorations on several threads --------===//
//
// Functions are explored each by itself, so that several can be at a time. The
// module stays as it is meanwhile, but an exploration may make attributes and
// types: the context is told.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_SIDEBYSIDE_H
#define MEMREFLENS_SYMEXEC_SIDEBYSIDE_H

#include "core/trace/Workers.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace memreflens::symexec {

/// Explores function `number` of the list; nobody else uses the symbols
/// meanwhile.
using ExploreOne =
    std::function<void(size_t number, mlir::SymbolTableCollection &symbols)>;

/// Calls `explore` for each of a module's functions; returns when all is done.
/// Without workers, the calling thread does it all, in the functions' order.
void exploreSideBySide(llvm::ArrayRef<mlir::FunctionOpInterface> functions,
                       const trace::Workers &workers,
                       const ExploreOne &explore);

/// Calls both at a time, on threads; both may explore functions of a module of
/// this context.
void exploreBoth(mlir::MLIRContext &context, const trace::Workers &workers,
                 const std::function<void()> &first,
                 const std::function<void()> &second);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_SIDEBYSIDE_H
