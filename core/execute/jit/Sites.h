//===- core/execute/jit/Sites.h - a number on each op ---------------------===//

#ifndef MEMREFLENS_EXECUTE_JIT_SITES_H
#define MEMREFLENS_EXECUTE_JIT_SITES_H

#include "core/execute/jit/Program.h"

namespace memreflens::execute {

/// Numbers each op of the module in its location, from 1; site 0 is what has
/// none.
void numberSites(mlir::ModuleOp module, const trace::Trace &trace,
                 Program &program);
/// Adds a site that no op of the program has, and its location.
mlir::Location addSite(mlir::MLIRContext *context, Site site, Owner owner,
                       uint32_t number, Program &program);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_SITES_H
