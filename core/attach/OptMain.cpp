//===- core/attach/OptMain.cpp --------------------------------------------===//

#include "core/attach/OptMain.h"
#include "core/attach/Attach.h"
#include "core/files/WholeFile.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <optional>
#include <unistd.h>

using namespace mlir;

namespace memreflens {

static int failWriting(const std::string &name, const std::string &why) {
  llvm::errs() << "cannot write '" << name << "': " << why << "\n";
  return EXIT_FAILURE;
}

int optMain(int argc, char **argv, const char *toolName,
            DialectRegistry &registry) {
  registerAttachCLOptions();
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, toolName, registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputName, outputName, registry));
  llvm::InitLLVM initialized(argc, argv);
  // What is larger than may be written is an error like others.
  std::signal(SIGXFSZ, SIG_IGN);

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (!input) {
    llvm::errs() << error << "\n";
    return EXIT_FAILURE;
  }
  // Standard output is written to as mlir-opt does; a file only as a whole.
  std::optional<WholeFile> file;
  if (outputName != "-" && !(file.emplace(outputName).getError().empty()))
    return failWriting(outputName, file->getError());
  llvm::raw_fd_ostream output(file ? file->getDescriptor() : STDOUT_FILENO,
                              /*shouldClose=*/false);
  MlirOptMainConfig inner = config;
  config.setPassPipelineSetupFn([inner](PassManager &passes) {
    applyAttachCLOptions(passes);
    return inner.setupPassPipeline(passes);
  });
  bool isDone =
      succeeded(MlirOptMain(output, std::move(input), registry, config));
  output.flush();
  if (std::error_code problem = output.error()) {
    // Else the stream would end the process.
    output.clear_error();
    return failWriting(outputName, problem.message());
  }
  if (isDone && file && !file->keep())
    return failWriting(outputName, file->getError());
  return isDone ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace memreflens
