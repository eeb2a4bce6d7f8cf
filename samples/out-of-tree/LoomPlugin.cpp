//===- samples/out-of-tree/LoomPlugin.cpp ---------------------------------===//
//
// The same dialect, and its pass, as a plugin.
//
//   memref-lens explain --load-dialect-plugin=libLoomPlugin.so loom.mlir
//
//===----------------------------------------------------------------------===//

#include "Register.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "Loom", LLVM_VERSION_STRING,
      [](mlir::DialectRegistry *registry) { loom::registerLoom(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Loom", LLVM_VERSION_STRING,
          [] { loom::registerLoomPasses(); }};
}
