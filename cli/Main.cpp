//===- cli/Main.cpp -------------------------------------------------------===//

#include "cli/Main.h"
#include "cli/Check.h"
#include "cli/Commands.h"
#include "cli/Diff.h"
#include "cli/Input.h"
#include "cli/OpCommand.h"
#include "cli/Pipelines.h"
#include "cli/Reduce.h"
#include "cli/Saved.h"
#include "core/Version.h"
#include "core/check/Rules.h"
#include "core/explain/PlainText.h"
#include "core/files/UnnamedFile.h"
#include "core/pipeline/run/Plugins.h"
#include "core/pipeline/upstream/PassNames.h"
#include "core/source/Document.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace memreflens {

static int printVersion() {
  return print(std::string("memref-lens ") + toolVersion + " (LLVM/MLIR " +
               llvmVersion + ")\n")
             ? done
             : badInput;
}

static int failUsage(const std::string &error) {
  complain(wrongUsage, error);
  if (error == "no command")
    std::fputs(
        "usage: memref-lens "
        "trace|ir|explain|memory|run|export|check|compare|scopes|diff|bundle "
        "[options] FILE; "
        "see 'memref-lens --help'\n",
        stderr);
  return wrongUsage;
}

static bool isBytecode(const trace::Source &source) {
  return mlir::isBytecode(llvm::MemoryBufferRef(source.text, ""));
}

/// MLIR's bytecode reader trusts its input and may never end on damaged bytes:
/// a child reads them first, with more time than whole files of the size need.
static bool canBeRead(const trace::Source &source,
                      const mlir::DialectRegistry &registry) {
  if (!isBytecode(source))
    return true;
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

static WorkerOptions workerOptions(const CliOptions &options) {
  WorkerOptions worker;
  worker.stageSeconds = options.stageTimeout;
  worker.run = options.run;
  worker.inProcess = std::getenv("MEMREF_LENS_IN_PROCESS") != nullptr;
  worker.showProgress =
      (isatty(STDERR_FILENO) || std::getenv("MEMREF_LENS_PROGRESS")) &&
      options.command != Command::compare;
  return worker;
}

static int runOn(const CliOptions &options,
                 const std::vector<trace::Source> &sources,
                 const mlir::DialectRegistry &registry) {
  WorkerOptions worker = workerOptions(options);
  for (const trace::Source &source : sources)
    if (rejectsBundle(options, source))
      return badInput;
  if (!worker.inProcess)
    for (const trace::Source &source : sources)
      if (!canBeRead(source, registry))
        return badInput;
  if (options.reduce.wanted)
    return runReduce(options, sources.front(), registry, worker);
  return runInWorker(
      [&](const WorkerRequest &request) {
        return runCommand(options, sources, registry, request);
      },
      worker);
}

/// In a process of its own.
static int checkFile(const CliOptions &options, const std::string &file,
                     const mlir::DialectRegistry &registry) {
  std::optional<trace::Source> source = readOrComplain(file);
  if (!source)
    return badInput;
  UnnamedFile measures;
  if (!measures.isOpen())
    return failTemporary();
  CliOptions one = options;
  one.measuresPath = measures.getPath();
  // What the other files leave.
  size_t files = options.files.empty() ? 2 : options.files.size();
  one.jobs = unsigned(std::max<size_t>(options.jobs / files, 1));
  std::optional<FileTrials> trials;
  if (options.check.triesRemedies)
    trials.emplace(one, *source, registry, /*goesAhead=*/!isBytecode(*source));
  int status = runOn(one, {*source}, registry);
  // Of what is not bufferized, one-shot-bufferize may be told another way.
  if (trials && (status == done || (status == badInput && bufferizes(one.run))))
    trials->add();
  return status;
}

/// `compare --pipelines`.
static int runPipelines(const CliOptions &options,
                        const mlir::DialectRegistry &registry) {
  WorkerOptions worker = workerOptions(options);
  PipelineTable table{options.pipelines, {}};
  int status = done;
  for (const std::string &file : options.files) {
    std::optional<trace::Source> source = readOrComplain(file);
    bool isReadable =
        source && (worker.inProcess || canBeRead(*source, registry));
    status =
        std::max(status, isReadable ? comparePipelines(options, *source,
                                                       registry, worker, table)
                                    : int(badInput));
  }
  // A table that lacks what was not run would be taken for the whole.
  if (status == noResources || status > 128)
    return status;
  std::ostringstream text;
  printTable(table, options.compareFormat, text);
  bool written = writeOutput(
      options.output, [&](std::ostream &out) { out << plainText(text.str()); });
  return written ? status : int(badInput);
}

/// `explain --op`, with a file or without.
static int runOp(const CliOptions &options,
                 const mlir::DialectRegistry &registry) {
  std::optional<trace::Source> source;
  if (!options.files.empty() &&
      !(source = readOrComplain(options.files.front())))
    return badInput;
  WorkerOptions worker = workerOptions(options);
  if (source && !worker.inProcess && !canBeRead(*source, registry))
    return badInput;
  return runInWorker(
      [&](const WorkerRequest &request) {
        return request.probe
                   ? int(done)
                   : explainOpNamed(options, source ? &*source : nullptr,
                                    registry);
      },
      worker);
}

/// All files that the user names to be read.
static std::vector<std::string> inputsOf(const CliOptions &options) {
  std::vector<std::string> inputs = options.files;
  for (const std::string *one :
       {&options.compareBefore, &options.compareAfter, &options.withRun,
        &options.check.withRun, &options.check.baseline, &options.check.budget})
    inputs.push_back(*one);
  for (const execute::ArgumentSpec &argument : options.program.run.arguments)
    inputs.push_back(argument.path);
  return inputs;
}

/// Before all else: names of passes are looked up while options are parsed.
static std::string loadPlugins(int argc, char **argv,
                               mlir::DialectRegistry &registry) {
  std::vector<std::string> words(argv, argv + argc);
  PluginPaths plugins = takePlugins(words);
  std::string problem = tryPlugins(plugins, registry);
  if (problem.empty())
    problem = loadPassPlugins(plugins);
  return problem.empty() ? loadDialectPlugins(plugins, registry) : problem;
}

int memrefLensMain(int argc, char **argv, mlir::DialectRegistry &registry) {
  // What is larger than may be written is an error like others; and whoever
  // ignores his children may have started us so.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  registerPipelinePasses();
  if (std::string problem = loadPlugins(argc, argv, registry); !problem.empty())
    return failUsage(problem);
  ParsedOptions parsed = parseOptions(argc, argv);
  if (!parsed.error.empty())
    return failUsage(parsed.error);
  const CliOptions &options = parsed.options;
  if (options.command == Command::version)
    return printVersion();
  if (options.command == Command::help)
    return print(helpText(options.helpTopic)) ? done : badInput;
  if (std::ranges::any_of(options.check.rules, isFormerName))
    tell("memref-lens: warning: --rules: 'refused' is deprecated; the group is "
         "'rejected'\n");
  protectInputs(inputsOf(options));
  if (std::string why = whyNotWritten(options.output); !why.empty())
    return complain(badInput, "cannot write '" + options.output + "': " + why);
  bool comparesVersions = !options.compareBefore.empty();
  auto checkOne = [&](const std::string &file, const std::string &reportPath) {
    CliOptions one = options;
    one.command = Command::check;
    one.reportPath = reportPath;
    one.check.describes = comparesVersions;
    one.check.triesRemedies &= !comparesVersions;
    return checkFile(one, file, registry);
  };
  if (options.command == Command::check)
    return runCheck(options, checkOne);
  if (comparesVersions)
    return runVersions(options, checkOne);
  if (options.command == Command::diff)
    return runDiff(options,
                   [&](const CliOptions &one, const trace::Source &source) {
                     return runOn(one, {source}, registry);
                   });
  if (!options.pipelines.empty())
    return runPipelines(options, registry);
  if (!options.op.empty())
    return runOp(options, registry);
  int status = done;
  for (const std::string &file : options.files) {
    std::optional<trace::Source> source = readOrComplain(file);
    int one = source ? runOn(options, {*source}, registry) : int(badInput);
    status = status == findings || one == findings ? int(findings)
                                                   : std::max(status, one);
  }
  return status;
}

} // namespace memreflens
