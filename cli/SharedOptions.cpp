//===- cli/SharedOptions.cpp ----------------------------------------------===//

#include "cli/SharedOptions.h"
#include "cli/OptionActions.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <map>

namespace memreflens {

//===--- Options of the run -----------------------------------------------===//

static std::string takeRunFlag(const OptionUse &use, CliOptions &options) {
  (void)trace::takeArgument(use.name, options.run);
  return {};
}

static std::string takeRunValue(const OptionUse &use, CliOptions &options) {
  (void)trace::takeArgument(use.name + "=" + use.value, options.run);
  return {};
}

static std::string takeFunction(const OptionUse &use, CliOptions &options) {
  options.run.function = use.value.substr(use.value.starts_with("@") ? 1 : 0);
  return {};
}

static std::string takePipeline(const OptionUse &use, CliOptions &options) {
  std::string fault = setPipeline(use.value, options.run);
  return fault.empty() ? fault : "'--pipeline': " + fault;
}

static std::string takeSkip(const OptionUse &use, CliOptions &options) {
  if (trace::takeArgument(use.name + "=" + use.value, options.run))
    return {};
  return "'" + use.name + "' takes a number of ops, not '" + use.value + "'";
}

static std::string takeRefinement(const OptionUse &use, CliOptions &options) {
  if (trace::takeArgument("--refine=" + use.value, options.run))
    return {};
  return "'--refine' takes distinct-objects, not '" + use.value + "'";
}

std::string takeAssumption(const OptionUse &use, CliOptions &options) {
  if (trace::takeArgument("--assume=" + use.value, options.run))
    return {};
  return "'--assume' takes fresh-results=@NAME, keeps-results=@NAME or "
         "no-capture=@NAME, with '*' for any letters, "
         "returns-argument=@NAME:0, "
         "keeps-argument=@NAME:0 or releases-argument=@NAME:0, or a size as "
         "%n=1024, @f:0:1=32 or '!x.tile=2KiB', or 'space[2]=L1,64KiB', not "
         "'" +
         use.value + "'";
}

static std::string takeSpace(const OptionUse &use, CliOptions &options) {
  if (trace::takeArgument("--space=" + use.value, options.run))
    return {};
  return "'--space' takes a memory space with a name, a size or both, as "
         "2=L1,64KiB, not '" +
         use.value + "'";
}

std::string takeUnregistered(const OptionUse &use, CliOptions &options) {
  if (trace::takeArgument("--unregistered=" + use.value, options.run))
    return {};
  return "'--unregistered' takes assume-pure, assume-reads or reject, not '" +
         use.value + "'";
}

//===--- Groups -----------------------------------------------------------===//

const OptionGroup *jobsOptions() {
  static const OptionGroup group{
      "jobs",
      {{.names = "-j, --jobs",
        .value = {" N"},
        .brief = "batches of functions at a time",
        .help =
            "batches of functions that are analysed at a time (default: all "
            "cores); the result is the same",
        .take = takeNumber<&CliOptions::jobs>(1),
        .mayStick = true}}};
  return &group;
}

const OptionGroup *pipelineOptions() {
  static const OptionGroup group{
      "pipeline",
      {{.names = "--pipeline",
        .value = {" PIPELINE",
                  {"classic", "hoist+classic", "ownership", "dynamic",
                   "hoist+ownership", "loop-hoist+ownership", "stack+ownership",
                   "drop-results+ownership", "out-params+ownership",
                   "ownership+liveness", "ownership+last-use",
                   "ownership+idle"}},
        .brief = "another way to deallocate",
        .help =
            "another way to deallocate than MLIR's: classic (the clone-based "
            "pass of LLVM 20) or ownership or dynamic, with hoist, "
            "loop-hoist, stack, drop-results or out-params in front, idle "
            "inside and liveness or last-use behind, joined by '+', as "
            "hoist+classic; or passes as mlir-opt takes them, "
            "'builtin.module(...)'",
        .man = "another way to deallocate than MLIR's: `classic` (the "
               "clone-based pass that MLIR had up to LLVM 20), `ownership` or "
               "`dynamic`, with `hoist`, `loop-hoist`, `stack`, `drop-results` "
               "or `out-params` in front, `idle` inside and `liveness` or "
               "`last-use` behind, joined by `+`, as in `hoist+classic`; or "
               "passes as `mlir-opt` takes them, in `builtin.module(...)`",
        .take = takePipeline},
       {.names = "--assume",
        .value = {" no-capture=@NAME"},
        .help = "for last-use: take the external functions of that name ('*': "
                "any letters) to keep no pointer to what they are passed; may "
                "be repeated"}}};
  return &group;
}

const OptionGroup *aliasOptions() {
  static const OptionGroup group{
      "aliases",
      {{.names = "--aliases",
        .brief = "which memrefs can be one allocation",
        .help = "also which memrefs must alias, may alias or do not, and what "
                "each access may touch",
        .take = [](const OptionUse &, CliOptions &options) -> std::string {
          options.run.aliases = true;
          return {};
        }}}};
  return &group;
}

const OptionGroup *statementOptions() {
  static const OptionGroup group{
      "statements",
      {{.names = "--refine",
        .value = {" distinct-objects", {"distinct-objects"}},
        .brief = "use stated facts",
        .help = "use what memref.distinct_objects states, which MLIR does not, "
                "and tell what that saves",
        .take = takeRefinement},
       {.names = "--assume",
        .value = {" fresh-results=@NAME",
                  {"fresh-results=@", "keeps-results=@", "no-capture=@",
                   "returns-argument=@", "keeps-argument=@",
                   "releases-argument=@"}},
        .brief = "take for true",
        .help = "take memref results of the external functions of that name "
                "('*': any letters) for buffers that nothing else points to, "
                "which MLIR cannot know, and tell what rests on that; may be "
                "repeated",
        .take = takeAssumption,
        .mayBeRepeated = true},
       {.names = "--assume",
        .value = {" keeps-results=@NAME"},
        .help =
            "they keep what they return, and deallocate it; likewise "
            "returns-argument=@NAME:0, keeps-argument=@NAME:0 and "
            "releases-argument=@NAME:0: held against what the pipeline "
            "deallocates. Statements are also read from a file named "
            "memref-lens.assume beside the program or in the nearest folder "
            "above it, one a line",
        .man =
            "they keep what they return, and deallocate it themselves; "
            "likewise `returns-argument=@NAME:0`, `keeps-argument=@NAME:0` "
            "and `releases-argument=@NAME:0`. Held against what the pipeline "
            "deallocates. Statements are also read from a file named "
            "`memref-lens.assume` beside the program or in the nearest folder "
            "above it, one a line, with `#` before a comment; a note reports "
            "it"},
       {.names = "--assume",
        .value = {" SIZE"},
        .help = "in figures of memory, take what the program leaves open: "
                "%n=1024, a scalar by its name; @f:0:1=32, dimension 1 of "
                "argument 0 of @f; '!x.tile=2KiB', an element of that type"},
       {.names = "--space",
        .value = {" SPACE=NAME,SIZE"},
        .brief = "name and size of a memory space",
        .help = "what a memory space is called and how much it holds, as "
                "2=L1,64KiB: check reports what is over, and memory what "
                "would fit; may be repeated. In a memref-lens.assume it is "
                "'space[2]=L1,64KiB'",
        .take = takeSpace,
        .mayBeRepeated = true},
       {.names = "--unregistered",
        .value = {" WHAT", {"assume-pure", "assume-reads", "reject"}},
        .brief = "of ops that are not registered",
        .help =
            "of an op that is not registered: assume-pure or assume-reads "
            "looks past it, as if it allocated and deallocated nothing, and "
            "notes what rests on that; reject (default), as MLIR does",
        .man =
            "of an op that is not registered: `assume-pure` or `assume-reads` "
            "looks past it, as if it allocated and deallocated nothing; "
            "`reject` (default) rejects its function, as MLIR does. What "
            "rests on the assumption is said in a note. An op with regions or "
            "successors, or at the end of a block, is rejected all the same",
        .take = takeUnregistered}}};
  return &group;
}

const OptionGroup *skipOptions() {
  static const OptionGroup group{
      "skip",
      {{.names = "--skip-simplification-over",
        .value = {" OPS"},
        .brief = "leave large functions out of what only simplifies",
        .help = "skip canonicalize, cse and buffer-deallocation-simplification "
                "on functions of more than OPS ops, with a warning: their time "
                "can grow with the square of a function; the IR is then not "
                "what MLIR makes",
        .take = takeSkip}}};
  return &group;
}

static std::string takeColor(const OptionUse &use, CliOptions &options) {
  const std::vector<std::string> &words = use.option.value.words;
  auto word = llvm::find(words, use.value);
  if (word == words.end())
    return "'--color' takes auto, always or never, not '" + use.value + "'";
  options.color = ColorMode(word - words.begin());
  return {};
}

static const std::vector<Option> &runOptions() {
  static const std::vector<Option> options = {
      {.names = "--function",
       .value = {" NAME"},
       .brief = "only this function",
       .take = takeFunction},
      {.names = "--private-function-dynamic-ownership",
       .brief = "private functions return ownership indicators",
       .man = "private functions return an ownership indicator beside each "
              "memref",
       .take = takeRunFlag},
      {.names = "--bufferize",
       .value = {"[=OPTIONS]"},
       .brief = "run one-shot-bufferize first",
       .help = "run one-shot-bufferize first (function boundaries on); OPTIONS "
               "as in its textual form",
       .man =
           "runs one-shot-bufferize first, so that a program on tensors works "
           "too. Function boundaries are bufferized as well unless OPTIONS "
           "(as in the pass's textual form) say otherwise",
       .take = takeRunValue},
      {.names = "--pre",
       .value = {"=PIPELINE",
                 {"lift-cf-to-scf", "func.func(buffer-hoisting)",
                  "func.func(buffer-loop-hoisting)",
                  "func.func(promote-buffers-to-stack)",
                  "func.func(optimize-allocation-liveness)"}},
       .brief = "run this pass pipeline first",
       .help = "run this textual pass pipeline first, for example "
               "--pre='func.func(buffer-hoisting)'",
       .man = "run this textual pass pipeline first, for example "
              "`--pre='func.func(buffer-hoisting)'` or `--pre=lift-cf-to-scf`",
       .take = takeRunValue}};
  return options;
}

/// Plugins were loaded before (Main.cpp); here they are noted only.
static const std::vector<Option> &pluginOptions() {
  static const std::vector<Option> options = {
      {.names = "--load-dialect-plugin",
       .value = {"=LIB", {}, "*.so"},
       .brief = "library with dialects of yours",
       .help =
           "load a shared library with dialects of yours, as mlir-opt does; "
           "may be given several times",
       .man =
           "loads a shared library with dialects of yours, in the form that "
           "`mlir-opt` takes (with the function `mlirGetDialectPluginInfo`), "
           "before anything else is read. May be given several times. No "
           "library that is not named is ever loaded; one that cannot be used "
           "ends the run with status 2",
       .take = takeRunValue,
       .mayBeRepeated = true},
      {.names = "--load-pass-plugin",
       .value = {"=LIB", {}, "*.so"},
       .brief = "library with passes of yours",
       .help = "the same with passes, for --pre and --pipeline",
       .man = "the same with passes, for `--pre` and `--pipeline` (with the "
              "function `mlirGetPassPluginInfo`); it may be the same library",
       .take = takeRunValue,
       .mayBeRepeated = true}};
  return options;
}

static const std::vector<Option> &inputOptions() {
  static const std::vector<Option> options = {
      {.names = "--split-input-file",
       .brief = "accepted; files are always split",
       .help = "accepted; files are always split at '// -----'",
       .man = "accepted for those who come from `mlir-opt`; files are always "
              "split",
       // As mlir-lsp-server does.
       .take = [](const OptionUse &, CliOptions &) { return std::string(); }},
      {.names = "--allow-unregistered-dialect",
       .brief = "accept ops of dialects that are not linked",
       .take = takeRunFlag},
      {.names = "--stage-timeout",
       .value = {" SECONDS"},
       .brief = "longest that one stage may take",
       .help = "longest that one stage may take; 0: no limit",
       .take = takeSeconds<&CliOptions::stageTimeout>()},
      {.names = "--color",
       .value = {" WHEN", {"auto", "always", "never"}},
       .brief = "when to colour",
       .help = "auto, always or never",
       .take = takeColor},
      // The parser knows it before any other.
      {.names = "--help",
       .brief = "this text",
       .man = "print the options of the command; so does `-h`"}};
  return options;
}

const OptionGroup *commonOptions() {
  static const OptionGroup group = [] {
    OptionGroup all{"common", runOptions()};
    llvm::append_range(all.options, pluginOptions());
    llvm::append_range(all.options, inputOptions());
    return all;
  }();
  return &group;
}

std::vector<const OptionGroup *> allOptionGroups() {
  return {jobsOptions(),      pipelineOptions(), aliasOptions(),
          statementOptions(), skipOptions(),     commonOptions()};
}

//===--- Options with a text for each command -----------------------------===//

Option outputOption(std::string help) {
  return {.names = "-o, --output",
          .value = {" OUT", {}, "*"},
          .brief = "write to a file",
          .help = std::move(help),
          .take = [](const OptionUse &use, CliOptions &options) -> std::string {
            options.output = use.value;
            options.hasOutput = true;
            return {};
          }};
}

Option withRunOption(std::string brief, std::string help, std::string man) {
  return {.names = "--with-run",
          .value = {" RUN", {}, "*"},
          .brief = std::move(brief),
          .help = std::move(help) +
                  "; RUN is what 'memref-lens run FILE --format json -o RUN' "
                  "wrote",
          .man = std::move(man) +
                 ". RUN is what `memref-lens run FILE --format "
                 "json -o RUN` wrote; a run of another program "
                 "is rejected",
          .take = [](const OptionUse &use, CliOptions &options) -> std::string {
            options.withRun = options.check.withRun = use.value;
            options.otherInputs.push_back(use.value);
            return {};
          }};
}

Option stageOption(std::string brief, std::string help, std::string man) {
  std::vector<std::string> words;
  for (int stage = 0; stage <= trace::lastStage({}); ++stage)
    words.push_back(std::to_string(stage));
  words.push_back("final");
  // The second one of a name is typed as canonicalize-2.
  std::map<std::string_view, int> seen;
  for (int stage = 1; stage <= trace::lastStage({}); ++stage) {
    const std::string_view name = trace::stageName({}, stage);
    const int number = ++seen[name];
    words.push_back(std::string(name) +
                    (number > 1 ? "-" + std::to_string(number) : ""));
  }
  return {.names = "--stage",
          .value = {" STAGE", std::move(words)},
          .brief = std::move(brief),
          .help = std::move(help),
          .man = std::move(man),
          .take = takeText<&CliOptions::stageText>()};
}

Option rejectedPipeline() {
  return rejectedOption("--pipeline",
                        "'--pipeline' is for trace, ir, explain, memory, run "
                        "and export; ways to free are compared by 'memref-lens "
                        "compare --pipelines'");
}

} // namespace memreflens
