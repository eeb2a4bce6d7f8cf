//===- cli/Workers.cpp ----------------------------------------------------===//

#include "cli/Workers.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/Saved.h"
#include "core/pipeline/run/Probe.h"
#include "core/source/Document.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace memreflens {

WorkerOptions workerOptions(const CliOptions &options) {
  WorkerOptions worker;
  worker.stageSeconds = options.stageTimeout;
  worker.run = options.run;
  worker.inProcess = std::getenv("MEMREF_LENS_IN_PROCESS") != nullptr;
  worker.showProgress =
      (isatty(STDERR_FILENO) || std::getenv("MEMREF_LENS_PROGRESS")) &&
      options.command->showsProgress;
  return worker;
}

/// MLIR's bytecode reader trusts its input and may never end on damaged bytes:
/// a child reads them first, with more time than whole files of the size need.
static bool bytecodeCanBeRead(const trace::Source &source,
                              const mlir::DialectRegistry &registry) {
  WorkerOptions trial;
  trial.stageSeconds = 10 + double(source.text.size() >> 20);
  auto read = [&](const WorkerRequest &) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    trace::Trace ignored;
    (void)parseDocument(source, context, {}, ignored);
    return int(done);
  };
  if (runInWorker(read, trial) == done)
    return true;
  tell("memref-lens: error: cannot read '%s': damaged bytecode, on "
       "which MLIR's reader does not end\n",
       source.path.c_str());
  return false;
}

bool canBeRead(const Input &input, const mlir::DialectRegistry &registry,
               const WorkerOptions &worker) {
  return worker.inProcess || input.kind != InputKind::bytecode ||
         bytecodeCanBeRead(input.source, registry);
}

bool isTaken(const CliOptions &options, const Input &input,
             const mlir::DialectRegistry &registry) {
  return !rejectsBundle(options, input) &&
         canBeRead(input, registry, workerOptions(options));
}

int runInside(const FileRun &run) {
  if (!run.request.probe)
    return run.options.command->runOnFile(run);
  runProbe(run.source, run.registry, analysisOptions(run), run.request);
  return done;
}

int runOnFile(const CliOptions &options, const Input &input,
              const mlir::DialectRegistry &registry) {
  if (!isTaken(options, input, registry))
    return badInput;
  return runInWorker(
      [&](const WorkerRequest &request) {
        return runInside(
            {options, input.source, input.kind, registry, request});
      },
      workerOptions(options));
}

int runOnEachFile(const CliOptions &options,
                  const mlir::DialectRegistry &registry) {
  int status = done;
  for (const std::string &file : options.files) {
    std::optional<Input> input = inputOrComplain(file);
    int one = input ? runOnFile(options, *input, registry) : int(badInput);
    // A difference says more than a file that did not parse.
    status = status == findings || one == findings ? int(findings)
                                                   : std::max(status, one);
  }
  return status;
}

} // namespace memreflens
