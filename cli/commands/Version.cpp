//===- cli/commands/Version.cpp - `--version` -----------------------------===//

#include "core/Version.h"
#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/Input.h"
#include "cli/SharedOptions.h"

namespace memreflens {

static int printVersion(const CliOptions &, const mlir::DialectRegistry &) {
  return print(std::string("memref-lens ") + toolVersion + " (LLVM/MLIR " +
               llvmVersion + ")\n")
             ? done
             : badInput;
}

/// All that is typed besides is ignored.
static std::string settleNothing(CliOptions &options) {
  options.files.clear();
  options.output = "-";
  return {};
}

const Command &versionCommand() {
  static const Command command{
      .name = "version",
      .alias = "--version",
      .options = {outputOption()},
      .groups = {pipelineOptions(), statementOptions(), commonOptions()},
      .isHidden = true,
      .settle = settleNothing,
      .run = printVersion};
  return command;
}

} // namespace memreflens
