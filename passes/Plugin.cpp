//===- passes/Plugin.cpp --------------------------------------------------===//
//
// The passes for compilers that have been built already.
//
//   mlir-opt --load-pass-plugin=libMemrefLensPasses.so --pass-pipeline=...
//
//===----------------------------------------------------------------------===//

#include "core/Version.h"
#include "passes/LensPasses.h"

#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "memref-lens", memreflens::toolVersion,
          [] { memreflens::registerLensPasses(); }};
}
