//===- tests/deadly/Plugin.cpp - the dialect and the pass as a plugin -----===//

#include "tests/deadly/Deadly.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Deadly", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            deadly::registerDialect(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Deadly", LLVM_VERSION_STRING,
          [] { deadly::registerPass(); }};
}
