//===- cli/driver/memref-lens.cpp - the program, with all of MLIR ---------===//
//
// The command line, and the language server where its name says so: it ends in
// lsp-server, as that of a link to memref-lens-lsp-server may, too. Where files
// have no second name, its first argument is --lsp-server. One file of which
// both are made starts fast, since MLIR is inside, and lies on the disk once.
//
//===----------------------------------------------------------------------===//

#include "cli/Input.h"
#include "cli/Main.h"
#include "core/dialect/ProjectDialects.h"
#include "core/pipeline/run/Plugins.h"
#include "core/process/Child.h"
#include "core/process/CodeGenerators.h"
#include "lsp/Main.h"
#include "lsp/supervisor/Settings.h"
#include "passes/LensPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

static bool isServer(const fs::path &program) {
  return program.filename().string().ends_with("lsp-server");
}

#ifdef MEMREF_LENS_WITH_PLUGINS
/// A plugin is linked to libMLIR.so, and two MLIRs in one process know nothing
/// of each other's dialects: the same program on that library takes over, as it
/// does where code for another machine is to be generated.
static bool needsTheOther(std::vector<std::string> words) {
  return std::ranges::any_of(words, memreflens::mayNeedCodeGenerators) ||
         std::ranges::count(words, memreflens::lsp::codeGeneratorsFlag) > 0 ||
         !memreflens::takePlugins(words).empty();
}

/// It comes back where that cannot be started, and then goes on itself if only
/// code generators are missed: the pass that wants one says so.
static int becomeTheOther(std::vector<std::string> words) {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path other =
      program.parent_path().parent_path() / MEMREF_LENS_WITH_PLUGINS;
  std::vector<std::string> rest = words;
  const bool isForPlugins = !memreflens::takePlugins(rest).empty();
  memreflens::becomeProgram(other.string(), std::move(words));
  memreflens::tell(
      "memref-lens: %s: plugins and code for other machines "
      "need '%s', which cannot be started: %s; it is in Debian's package, and "
      "for other places in memref-lens-plugins-VERSION-linux-x86_64.tar.xz, "
      "to be unpacked over the folder of the programs (docs/install.md)\n",
      isForPlugins ? "error" : "warning", other.c_str(), std::strerror(errno));
  return isForPlugins ? 2 : 0;
}
#endif

int main(int argc, char **argv) {
  std::string path;
  if (argc > 1 && argv[1] == std::string_view("--lsp-server")) {
    path = fs::path(argv[0]).replace_filename("memref-lens-lsp-server");
    argv[1] = path.data();
    ++argv, --argc;
  }
#ifdef MEMREF_LENS_WITH_PLUGINS
  if (needsTheOther({argv, argv + argc}))
    if (int status = becomeTheOther({argv, argv + argc}))
      return status;
#endif
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  memreflens::registerProjectDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
#ifndef MEMREF_LENS_WITH_PLUGINS
  // For who has code generators, as mlir-opt does.
  mlir::registerAllGPUToLLVMIRTranslations(registry);
#endif
  if (argc > 0 && isServer(argv[0]))
    return memreflens::memrefLensLspServerMain(argc, argv, registry);
  memreflens::registerLensPasses();
  return memreflens::memrefLensMain(argc, argv, registry);
}
