//===- cli/commands/Run.cpp - `run`: what really happens ------------------===//

#include "cli/Command.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/ProgramRun.h"
#include "cli/Settling.h"
#include "cli/SharedOptions.h"

namespace memreflens {

static int runRun(const FileRun &run) {
  return runProgram(run.options, run.source, run.registry,
                    analysisOptions(run));
}

//===--- Options ----------------------------------------------------------===//

static execute::RunOptions &programOf(CliOptions &options) {
  return options.own<ProgramOptions>().run;
}

static std::string takeEntry(const OptionUse &use, CliOptions &options) {
  options.own<ProgramOptions>().entry =
      use.value.substr(use.value.starts_with("@") ? 1 : 0);
  return {};
}

static std::string takeProgramArgument(const OptionUse &use,
                                       CliOptions &options) {
  std::string error;
  auto spec = execute::parseArgument(use.value, error);
  if (!spec)
    return "'" + use.name + "' " + error;
  options.otherInputs.push_back(spec->path);
  programOf(options).arguments.push_back(std::move(*spec));
  return {};
}

static std::string takeStub(const OptionUse &use, CliOptions &options) {
  std::string error;
  auto stub = execute::parseStub(use.value, error);
  if (!stub)
    return "'" + use.name + "' " + error;
  programOf(options).stubs.push_back(std::move(*stub));
  return {};
}

static std::string takeLibrary(const OptionUse &use, CliOptions &options) {
  programOf(options).libraries.push_back(use.value);
  return {};
}

static std::string takeLowering(const OptionUse &use, CliOptions &options) {
  programOf(options).lowering = use.value;
  return {};
}

static std::string takeSeed(const OptionUse &use, CliOptions &options) {
  unsigned seed = 0;
  std::string fault = readNumber(use, 0, seed);
  programOf(options).seed = seed;
  return fault;
}

static std::string takeTime(const OptionUse &use, CliOptions &options) {
  return readSeconds(use, use.name == "--timeout"
                              ? programOf(options).seconds
                              : programOf(options).compileSeconds);
}

static std::string takeMemory(const OptionUse &use, CliOptions &options) {
  unsigned mebibytes = 0;
  std::string fault = readNumber(use, 1, mebibytes);
  programOf(options).mostBytes = uint64_t(mebibytes) << 20;
  return fault;
}

/// What the program is given.
static std::vector<Option> argumentOptions() {
  return {
      {.names = "--entry",
       .value = {" @NAME"},
       .brief = "function to run",
       .help = "the function to run (the only public one, or main)",
       .take = takeEntry},
      {.names = "--arg",
       .value = {" ARGUMENT=VALUE"},
       .brief = "value of an argument",
       .help = "of an argument by name or number: a number, or a buffer as "
               "16x16xf32:random, with zeros, iota or a FILE.npy in place of "
               "random; sizes and type may be absent where its type has them",
       .man = "of an argument by name or number: a number, or a buffer as "
              "`16x16xf32:random`, with `zeros`, `iota` or a FILE.npy in place "
              "of `random`; sizes and type may be absent where its type has "
              "them. May be repeated",
       .take = takeProgramArgument,
       .mayBeRepeated = true},
      {.names = "--seed",
       .value = {" N"},
       .brief = "of what nobody gave",
       .help = "of what nobody gave (1)",
       .take = takeSeed},
      {.names = "--stub",
       .value = {" @NAME=WHAT"},
       .brief = "what an external function does",
       .help = "what an external function does ('*': any letters): fresh "
               "(returns buffers of their own; default where it returns any), "
               "kept (returns buffers that stay its own), alias:N (returns its "
               "argument N) or noop",
       .man =
           "what an external function does (`*` stands for any letters): "
           "`fresh` returns buffers of their own and is the default where it "
           "returns any, `kept` returns buffers that stay its own, `alias:N` "
           "returns its argument N, `noop` does nothing. May be repeated",
       .take = takeStub,
       .mayBeRepeated = true},
      {.names = "--load",
       .value = {" LIB", {}, "*.so"},
       .brief = "library with external functions",
       .help = "a shared library that has them; it is trusted",
       .man = "a shared library that has them; it is trusted. May be repeated",
       .take = takeLibrary,
       .mayBeRepeated = true},
      stageOption("after which stage", "the program after this stage (final)"),
      {.names = "--lower",
       .value = {" PIPELINE"},
       .brief = "passes to LLVM",
       .help = "lower to LLVM by these passes in place of ours, with "
               "finalize-memref-to-llvm{use-generic-functions=1}",
       .take = takeLowering}};
}

/// How far it may go, and how it is reported.
static std::vector<Option> limitOptions() {
  return {{.names = "--timeout",
           .value = {" SECONDS"},
           .brief = "longest that it may run",
           .help = "longest that it may run (30)",
           .take = takeTime},
          {.names = "--compile-timeout",
           .value = {" SECONDS"},
           .brief = "longest that lowering and compiling may take",
           .help = "longest that lowering and compiling may take (300)",
           .take = takeTime},
          {.names = "--memory",
           .value = {" MIB"},
           .brief = "most MiB that it may hold",
           .help = "most that it may hold (2048)",
           .take = takeMemory},
          {.names = "--all",
           .brief = "every row",
           .help = "text: every row of each table",
           .take = takeFlag<&ProgramOptions::showsAll>()},
          {.names = "--format",
           .value = {" FORMAT", {"text", "json"}},
           .brief = "form of the report",
           .help = "text (default), or json (docs/run.schema.json)",
           .man = "`text` (the default) or `json` (its schema is installed as "
                  "share/memref-lens/run.schema.json)",
           .take = takeOneOf<&ProgramOptions::format>()},
          outputOption()};
}

static std::vector<Option> programOptions() {
  std::vector<Option> all = argumentOptions();
  for (Option &option : limitOptions())
    all.push_back(std::move(option));
  return all;
}

//===--- The command ------------------------------------------------------===//

static std::string settleProgram(CliOptions &options) {
  if (std::string fault = takeOneFile(options); !fault.empty())
    return fault;
  if (options.stageText.empty())
    options.stageText = "final";
  return settleStage(options);
}

const Command &runCommand() {
  static const Command command{
      .name = "run",
      .takes = "FILE",
      .summary =
          "what really happens: the program runs, with counts of "
          "allocations, deallocations and conditions, and leaks and uses "
          "after free by name and place",
      .brief = "what really happens when the program runs",
      .question = "what really happens when it runs: counts, leaks and uses "
                  "after free, the measured peak",
      .about = R"(usage: memref-lens run [options] FILE

Lowers the program as the pipeline leaves it to LLVM, runs one function of it in a
child process that can reach neither files nor network, and counts what happens at
each op: allocations, deallocations, which conditions were true, which run-time
alias checks ever found the same buffer, live bytes and their peak. Leaks, uses
after free, double frees and accesses out of bounds of the heap are told with the
program's own names and places. Arguments that are not given are small, seeded and
printed. Exit status 1 where something went wrong.
)",
      .options = programOptions(),
      .groups = {pipelineOptions(), statementOptions(), skipOptions(),
                 commonOptions()},
      .settle = settleProgram,
      .runOnFile = runRun};
  return command;
}

} // namespace memreflens
