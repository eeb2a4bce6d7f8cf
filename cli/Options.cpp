//===- cli/Options.cpp ----------------------------------------------------===//

#include "cli/Options.h"
#include "core/check/Rules.h"
#include "core/pipeline/placement/Pipelines.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/reduce/Target.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"
#include "core/trace/Sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"

#include <optional>

namespace memreflens {

namespace {
/// One pass over the arguments.
class Parser {
public:
  Parser(int argc, char **argv) : argc(argc), argv(argv) {}
  ParsedOptions run();

private:
  bool parseFlag(llvm::StringRef argument);
  bool parseCommonFlag(llvm::StringRef name,
                       std::optional<llvm::StringRef> value);
  bool parseCommandFlag(llvm::StringRef name,
                        std::optional<llvm::StringRef> value);
  /// The flag's value, from `--flag=value` or the next argument.
  std::optional<std::string> take(llvm::StringRef name,
                                  std::optional<llvm::StringRef> value);
  bool takeSeconds(llvm::StringRef name, std::optional<llvm::StringRef> value,
                   double &target);
  void takePipelines(const std::string &text);
  bool takeOneOf(llvm::StringRef name, std::optional<llvm::StringRef> value,
                 llvm::ArrayRef<llvm::StringRef> words, std::string &target);
  bool parseOutputFlag(llvm::StringRef name,
                       std::optional<llvm::StringRef> value);
  bool parseExportFlag(llvm::StringRef name,
                       std::optional<llvm::StringRef> value);
  bool parseScopesFlag(llvm::StringRef name,
                       std::optional<llvm::StringRef> value);
  bool parseCheckFlag(llvm::StringRef name,
                      std::optional<llvm::StringRef> value);
  bool parseDiffFlag(llvm::StringRef name,
                     std::optional<llvm::StringRef> value);
  bool parseRunFlag(llvm::StringRef name, std::optional<llvm::StringRef> value);
  bool parseWithRun(llvm::StringRef name, std::optional<llvm::StringRef> value);
  bool takeNumber(llvm::StringRef name, std::optional<llvm::StringRef> value,
                  unsigned least, unsigned &target);
  void readExportStage();
  void readStage();
  void takePipeline(const std::string &text);
  void takeRefinement(const std::string &text);
  void takeAssumption(const std::string &text);
  void takeUnregistered(const std::string &text);
  void checkOp();
  void checkExport();
  bool hasJobs() const {
    return is(Command::trace) || is(Command::ir) || is(Command::explain) ||
           is(Command::memory) || is(Command::check);
  }
  bool takeColor(std::optional<llvm::StringRef> value);
  void checkFiles();
  void checkReduce();
  void checkStatements();
  void checkVersions();
  void splitPosition();
  void checkDiff();
  bool fail(const llvm::Twine &message) {
    if (parsed.error.empty())
      parsed.error = message.str();
    return false;
  }
  bool is(Command command) const { return parsed.options.command == command; }

  int argc;
  char **argv;
  int next = 1;
  ParsedOptions parsed;
};
} // namespace

std::optional<std::string> Parser::take(llvm::StringRef name,
                                        std::optional<llvm::StringRef> value) {
  if (value)
    return value->str();
  if (next < argc)
    return std::string(argv[next++]);
  fail("'" + name + "' needs a value");
  return std::nullopt;
}

bool Parser::takeSeconds(llvm::StringRef name,
                         std::optional<llvm::StringRef> value, double &target) {
  std::optional<std::string> text = take(name, value);
  if (!text)
    return false;
  if (llvm::StringRef(*text).getAsDouble(target) || target < 0)
    return fail("'" + name + "' takes a number of seconds, not '" + *text +
                "'");
  return true;
}

bool Parser::takeColor(std::optional<llvm::StringRef> value) {
  std::optional<std::string> text = take("--color", value);
  if (!text)
    return false;
  int mode = llvm::StringSwitch<int>(*text)
                 .Case("auto", 0)
                 .Case("always", 1)
                 .Case("never", 2)
                 .Default(-1);
  if (mode < 0)
    return fail("'--color' takes auto, always or never, not '" + *text + "'");
  parsed.options.color = ColorMode(mode);
  return true;
}

bool Parser::takeOneOf(llvm::StringRef name,
                       std::optional<llvm::StringRef> value,
                       llvm::ArrayRef<llvm::StringRef> words,
                       std::string &target) {
  std::optional<std::string> text = take(name, value);
  if (!text)
    return false;
  if (!llvm::is_contained(words, *text))
    return fail("'" + name + "' takes one of " + llvm::join(words, ", ") +
                ", not '" + *text + "'");
  target = *text;
  return true;
}

void Parser::takePipelines(const std::string &text) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(text).split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names) {
    std::string error;
    if (!parsePlacement(name, error)) {
      fail(error);
      return;
    }
    parsed.options.pipelines.push_back(name.str());
  }
  if (names.empty())
    fail("'--pipelines' takes names, such as 'classic,ownership'");
}

void Parser::takePipeline(const std::string &text) {
  if (is(Command::scopes)) {
    fail("'scopes' runs no deallocation pipeline; put one in front with "
         "'--pre'");
    return;
  }
  if (is(Command::check) || is(Command::compare)) {
    fail("'--pipeline' is for trace, ir, explain, memory, run and export; ways "
         "to "
         "free are "
         "compared by 'memref-lens compare --pipelines'");
    return;
  }
  if (std::string fault = setPipeline(text, parsed.options.run); !fault.empty())
    fail("'--pipeline': " + fault);
}

void Parser::takeRefinement(const std::string &text) {
  if (is(Command::scopes))
    fail("'scopes' runs no deallocation pipeline, which '--refine' is for");
  else if (is(Command::compare))
    fail("'--refine' makes other IR than MLIR does; there is nothing to "
         "compare it with");
  else if (!trace::takeArgument("--refine=" + text, parsed.options.run))
    fail("'--refine' takes distinct-objects, not '" + text + "'");
}

void Parser::takeAssumption(const std::string &text) {
  if (is(Command::scopes))
    fail("'scopes' runs no deallocation pipeline, which '--assume' is for");
  else if (is(Command::compare) && !trace::sizeIn(text))
    fail("'--assume' makes other IR than MLIR does; there is nothing to "
         "compare it with");
  else if (!trace::takeArgument("--assume=" + text, parsed.options.run))
    fail(
        "'--assume' takes fresh-results=@NAME, keeps-results=@NAME or "
        "no-capture=@NAME, with '*' for any letters, returns-argument=@NAME:0, "
        "keeps-argument=@NAME:0 or releases-argument=@NAME:0, or a size as "
        "%n=1024 or @f:0:1=32, not '" +
        text + "'");
}

/// What is stated may stand behind the pipeline that reads it.
void Parser::checkStatements() {
  trace::RunOptions &run = parsed.options.run;
  if (run.noCapture.empty())
    return;
  if (trace::stageOf(run, trace::lastUsePass) < 0)
    fail("'--assume no-capture' is read by last-use in '--pipeline' alone, as "
         "--pipeline=ownership+last-use");
  else
    (void)setPipeline(run.pipeline, run);
}

void Parser::takeUnregistered(const std::string &text) {
  trace::RunOptions &run = parsed.options.run;
  if (!trace::takeArgument("--unregistered=" + text, run))
    fail("'--unregistered' takes assume-pure, assume-reads or reject, not '" +
         text + "'");
  else if (is(Command::scopes))
    fail("'scopes' runs no deallocation pipeline, which '--unregistered' is "
         "for");
  else if (is(Command::compare) &&
           run.unregistered != trace::UnregisteredOps::reject)
    fail("MLIR rejects every op that is not registered; with '--unregistered' "
         "there is nothing to compare with");
}

/// `--op` needs no file; `--format` needs `--op`.
void Parser::checkOp() {
  const CliOptions &options = parsed.options;
  if (options.op.empty() && options.explainFormat != "text")
    fail("'--format' of explain goes with '--op'; 'memref-lens trace' writes "
         "all decisions as JSON");
  else if (options.reduce.wanted)
    fail(
        "'--reduce' is about a place in a file, '--op' about an op's name; ask "
        "for one of them");
  else if (options.files.size() > 1)
    fail("one file at a time, please: '" + options.files[1] + "' is too many");
}

/// What `--stage` may be in this run.
static std::string knownStages(const trace::RunOptions &run) {
  return "0 to " + std::to_string(trace::lastStage(run)) +
         ", final, or a stage's name (" +
         std::string(trace::stageName(run, 1)) + ", " +
         std::string(trace::stageName(run, trace::lastStage(run))) + ", ...)";
}

/// `3`, `final`, or two stages as `0..8`.
void Parser::readExportStage() {
  const std::string &text = parsed.options.exports.stageText;
  const trace::RunOptions &run = parsed.options.run;
  if (text.empty())
    return;
  auto [first, second] = llvm::StringRef(text).split("..");
  bool isPair = llvm::StringRef(text).contains("..");
  ExportOptions &exports = parsed.options.exports;
  exports.stage = parseStage(first, run);
  exports.against = isPair ? parseStage(second, run) : -1;
  if (exports.stage < 0 || (isPair && exports.against < 0))
    fail("'--stage' takes " + knownStages(run) +
         ", or two of them as '0..final', not '" + text + "'");
}

void Parser::readStage() {
  CliOptions &options = parsed.options;
  if (options.stageText.empty()) {
    fail("'ir' needs '--stage': " + knownStages(options.run));
    return;
  }
  options.stage = parseStage(options.stageText, options.run);
  // A saved trace has the stages of its own run.
  llvm::StringRef file = options.files.front();
  bool mayBeSaved = file.ends_with(".gz") || file.ends_with(".json");
  if (options.stage < 0 && !mayBeSaved)
    fail("'--stage' takes " + knownStages(options.run) + ", not '" +
         options.stageText + "'");
}

bool Parser::parseOutputFlag(llvm::StringRef name,
                             std::optional<llvm::StringRef> value) {
  if (name != "-o" && name != "--output")
    return false;
  if (auto text = take(name, value))
    parsed.options.output = *text;
  parsed.options.hasOutput = true;
  return true;
}

bool Parser::parseWithRun(llvm::StringRef name,
                          std::optional<llvm::StringRef> value) {
  if (name != "--with-run" || (!is(Command::exportFiles) &&
                               !is(Command::memory) && !is(Command::check)))
    return false;
  if (auto text = take(name, value))
    parsed.options.withRun = parsed.options.check.withRun = *text;
  return true;
}

bool Parser::parseExportFlag(llvm::StringRef name,
                             std::optional<llvm::StringRef> value) {
  ExportOptions &exports = parsed.options.exports;
  if (name == "--format") {
    takeOneOf(name, value, {"dot", "svg", "png", "html", "json", "md"},
              exports.format);
  } else if (name == "--view") {
    takeOneOf(name, value, {"cfg", "lifetimes", "memory", "arena"},
              exports.view);
  } else if (name == "--theme") {
    takeOneOf(name, value, {"light", "dark"}, exports.theme);
  } else if (name == "--detail") {
    takeOneOf(name, value, {"blocks", "ops"}, exports.detail);
  } else if (name == "--highlight") {
    if (auto text = take(name, value))
      exports.highlight = *text;
  } else if (name == "--stage") {
    if (auto text = take(name, value))
      exports.stageText = *text;
  } else if (name == "--no-try") {
    parsed.options.check.triesRemedies = false;
  } else {
    return false;
  }
  return true;
}

bool Parser::takeNumber(llvm::StringRef name,
                        std::optional<llvm::StringRef> value, unsigned least,
                        unsigned &target) {
  std::optional<std::string> text = take(name, value);
  if (!text)
    return false;
  unsigned number = 0;
  if (llvm::StringRef(*text).getAsInteger(10, number) || number < least)
    return fail("'" + name + "' takes a number from " + llvm::Twine(least) +
                ", not '" + *text + "'");
  target = number;
  return true;
}

bool Parser::parseCheckFlag(llvm::StringRef name,
                            std::optional<llvm::StringRef> value) {
  CheckOptions &check = parsed.options.check;
  if (name == "--format") {
    takeOneOf(name, value, {"text", "json", "sarif", "github"}, check.format);
  } else if (name == "--fail-on") {
    takeOneOf(name, value, {"error", "warning", "none"}, check.failOn);
  } else if (name == "--baseline") {
    if (auto text = take(name, value))
      check.baseline = *text;
  } else if (name == "--budget") {
    if (auto text = take(name, value))
      check.budget = *text;
  } else if (name == "--rules") {
    std::string text = take(name, value).value_or("");
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(text).split(words, ',', -1, false);
    for (llvm::StringRef word : words)
      check.rules.push_back(word.trim().str());
    std::string unknown = unknownRule(check.rules);
    if (!unknown.empty())
      fail("'--rules' knows no rule or group '" + unknown +
           "'; docs/rules has a page for each");
  } else if (name == "--no-try") {
    check.triesRemedies = false;
  } else if (name == "--try-ops") {
    unsigned ops = 0;
    takeNumber(name, value, 0, ops);
    check.tryOps = ops;
  } else if (name == "--verbose" || name == "-v") {
    check.verbose = true;
  } else if (name == "--all") {
    check.listsAll = true;
  } else if (name == "--help-uri-base") {
    check.helpUriBase = take(name, value).value_or("");
  } else if (name == "--bound") {
    takeNumber(name, value, 0, check.bound);
  } else if (name == "--path-seconds") {
    takeSeconds(name, value, check.seconds);
  } else {
    return false;
  }
  return true;
}

bool Parser::parseScopesFlag(llvm::StringRef name,
                             std::optional<llvm::StringRef> value) {
  ScopesOptions &scopes = parsed.options.scopes;
  if (name == "--format") {
    takeOneOf(name, value, {"text", "json"}, scopes.format);
  } else if (name == "--emit") {
    takeOneOf(name, value, {"llvm", "marked", "attached"}, scopes.emit);
  } else if (name == "--no-scopes") {
    scopes.withScopes = false;
  } else if (name == "--keep-inlinable") {
    scopes.keepInlinable = true;
  } else {
    return false;
  }
  return true;
}

bool Parser::parseDiffFlag(llvm::StringRef name,
                           std::optional<llvm::StringRef> value) {
  DiffOptions &diff = parsed.options.diff;
  if (name == "--format") {
    takeOneOf(name, value, {"text", "json", "md"}, diff.format);
  } else if (name == "--left") {
    diff.left = take(name, value).value_or("");
  } else if (name == "--right") {
    diff.right = take(name, value).value_or("");
  } else {
    return false;
  }
  return true;
}

bool Parser::parseRunFlag(llvm::StringRef name,
                          std::optional<llvm::StringRef> value) {
  ProgramOptions &program = parsed.options.program;
  std::string error;
  if (name == "--format") {
    takeOneOf(name, value, {"text", "json"}, program.format);
  } else if (name == "--entry") {
    program.entry = take(name, value).value_or("");
    if (llvm::StringRef(program.entry).starts_with("@"))
      program.entry.erase(0, 1);
  } else if (name == "--arg") {
    if (auto spec =
            execute::parseArgument(take(name, value).value_or(""), error))
      program.run.arguments.push_back(std::move(*spec));
  } else if (name == "--stub") {
    if (auto stub = execute::parseStub(take(name, value).value_or(""), error))
      program.run.stubs.push_back(std::move(*stub));
  } else if (name == "--load") {
    program.run.libraries.push_back(take(name, value).value_or(""));
  } else if (name == "--lower") {
    program.run.lowering = take(name, value).value_or("");
  } else if (name == "--seed") {
    unsigned seed = 0;
    takeNumber(name, value, 0, seed);
    program.run.seed = seed;
  } else if (name == "--timeout") {
    takeSeconds(name, value, program.run.seconds);
  } else if (name == "--compile-timeout") {
    takeSeconds(name, value, program.run.compileSeconds);
  } else if (name == "--memory") {
    unsigned mebibytes = 0;
    if (takeNumber(name, value, 1, mebibytes))
      program.run.mostBytes = uint64_t(mebibytes) << 20;
  } else if (name == "--stage") {
    parsed.options.stageText = take(name, value).value_or("");
  } else if (name == "--all") {
    parsed.options.showsAll = true;
  } else {
    return false;
  }
  if (!error.empty())
    fail("'" + name + "' " + error);
  return true;
}

void Parser::checkDiff() {
  const CliOptions &options = parsed.options;
  bool hasSides = !options.diff.left.empty() || !options.diff.right.empty();
  if (options.files.size() > 2)
    fail("two files are compared: '" + options.files[2] + "' is too many");
  else if (options.files.size() == 1 && !hasSides)
    fail("'diff' takes two files, or one with '--left' or '--right' and the "
         "options of that side");
  else if (options.files.size() == 2 && options.files[0] == "-" &&
           options.files[1] == "-")
    fail("only one of the two files can be standard input");
}

/// The format is that of the output's ending, where none is given.
static void takeEnding(llvm::StringRef output,
                       std::initializer_list<llvm::StringRef> formats,
                       std::string &target) {
  for (llvm::StringRef format : formats)
    if (target.empty() && output.ends_with(("." + format).str()))
      target = format.str();
}

void Parser::checkExport() {
  ExportOptions &exports = parsed.options.exports;
  takeEnding(parsed.options.output, {"dot", "svg", "png", "html", "json", "md"},
             exports.format);
  if (exports.format.empty())
    fail("'export' needs '--format' (dot, svg, png, html, json or md), or an "
         "output that ends in one");
}

bool Parser::parseCommonFlag(llvm::StringRef name,
                             std::optional<llvm::StringRef> value) {
  CliOptions &options = parsed.options;
  auto set = [&](const llvm::Twine &argument) {
    return trace::takeArgument(argument.str(), options.run);
  };
  // Plugins were loaded before (Main.cpp); here they are noted only.
  if (name == "--function" || name == "--pre" ||
      name == "--load-dialect-plugin" || name == "--load-pass-plugin") {
    if (auto text = take(name, value))
      set(name + "=" + *text);
    if (name == "--function" &&
        llvm::StringRef(options.run.function).starts_with("@"))
      options.run.function.erase(0, 1);
  } else if (name == "--private-function-dynamic-ownership" ||
             name == "--allow-unregistered-dialect") {
    set(name);
  } else if (name == "--bufferize") {
    set(name + "=" + value.value_or(""));
  } else if (name == "--pipeline") {
    takePipeline(take(name, value).value_or(""));
  } else if (name == "--aliases" &&
             (is(Command::trace) || is(Command::explain) ||
              is(Command::exportFiles) || is(Command::diff) ||
              is(Command::bundle))) {
    options.run.aliases = true;
  } else if (name == "--refine") {
    takeRefinement(take(name, value).value_or(""));
  } else if (name == "--assume") {
    takeAssumption(take(name, value).value_or(""));
  } else if (name == "--unregistered") {
    takeUnregistered(take(name, value).value_or(""));
  } else if (name == "--skip-simplification-over" &&
             (is(Command::trace) || is(Command::ir) || is(Command::explain) ||
              is(Command::memory) || is(Command::run) ||
              is(Command::exportFiles))) {
    auto text = take(name, value);
    if (text && !set(name + "=" + *text))
      return fail("'" + name.str() + "' takes a number of ops, not '" + *text +
                  "'"),
             true;
  } else if (name == "--split-input-file") {
    // Files are always split, as mlir-lsp-server does; accepted for mlir-opt's
    // users.
  } else if (name == "--color") {
    takeColor(value);
  } else if (name == "--stage-timeout") {
    takeSeconds(name, value, options.stageTimeout);
  } else if (hasJobs() && (name == "--jobs" || name == "-j")) {
    takeNumber(name, value, 1, options.jobs);
  } else if (hasJobs() && name.starts_with("-j") && name.size() > 2 && !value) {
    takeNumber("-j", name.drop_front(2), 1, options.jobs);
  } else {
    return false;
  }
  return true;
}

bool Parser::parseCommandFlag(llvm::StringRef name,
                              std::optional<llvm::StringRef> value) {
  CliOptions &options = parsed.options;
  if (is(Command::explain) && name == "--reduce") {
    options.reduce.wanted = true;
    options.reduce.kind = value.value_or("").str();
    if (std::string fault = faultOfWish(options.reduce.kind); !fault.empty())
      return fail("'--reduce' " + fault), true;
  } else if (is(Command::explain) && name == "--reduce-seconds") {
    takeSeconds(name, value, options.reduce.seconds);
  } else if (is(Command::trace) && name == "--format") {
    auto text = take(name, value);
    if (text && *text != "json" && *text != "text")
      return fail("'--format' takes json or text, not '" + *text + "'"), true;
    options.format = text.value_or("");
  } else if (is(Command::explain) && name == "--op") {
    options.op = take(name, value).value_or("");
  } else if (is(Command::explain) && name == "--format") {
    takeOneOf(name, value, {"text", "json"}, options.explainFormat);
  } else if (is(Command::memory) && name == "--format") {
    takeOneOf(name, value, {"text", "json", "svg", "png", "html"},
              options.memoryFormat);
  } else if (is(Command::memory) && name == "--all") {
    options.showsAll = true;
  } else if (is(Command::ir) && name == "--stage") {
    auto text = take(name, value);
    options.stageText = text.value_or("");
  } else if (is(Command::ir) && name == "--source-names") {
    options.sourceNames = true;
  } else if (is(Command::compare) && name == "--before") {
    options.compareBefore = take(name, value).value_or("");
  } else if (is(Command::compare) && name == "--after") {
    options.compareAfter = take(name, value).value_or("");
  } else if (is(Command::compare) && name == "--pipelines") {
    takePipelines(take(name, value).value_or(""));
  } else if (is(Command::compare) && name == "--format") {
    takeOneOf(name, value, {"md", "text", "json", "html"},
              options.compareFormat);
  } else if ((is(Command::compare) || is(Command::bundle)) &&
             name == "--timeout") {
    takeSeconds(name, value, options.timeout);
  } else if (is(Command::compare) && (name == "--quiet" || name == "-q")) {
    options.quiet = true;
  } else {
    return false;
  }
  return true;
}

bool Parser::parseFlag(llvm::StringRef argument) {
  auto [name, text] = argument.split('=');
  std::optional<llvm::StringRef> value;
  if (argument.contains('='))
    value = text;
  if (name == "--help" || name == "-h") {
    parsed.options.helpTopic = is(Command::help) ? "" : argv[1];
    parsed.options.command = Command::help;
    return true;
  }
  int first = next - 1;
  bool isCommon = parseCommonFlag(name, value);
  // One function is picked from both traces.
  if (isCommon && is(Command::diff) && name != "--function")
    parsed.options.diff.common.insert(parsed.options.diff.common.end(),
                                      argv + first, argv + next);
  bool isKnown = isCommon || parseOutputFlag(name, value) ||
                 (is(Command::diff) && parseDiffFlag(name, value)) ||
                 (is(Command::exportFiles) && parseExportFlag(name, value)) ||
                 (is(Command::check) && parseCheckFlag(name, value)) ||
                 (is(Command::scopes) && parseScopesFlag(name, value)) ||
                 (is(Command::run) && parseRunFlag(name, value)) ||
                 parseWithRun(name, value) || parseCommandFlag(name, value);
  if (isKnown)
    return parsed.error.empty();
  return fail("unknown option '" + name + "'; see 'memref-lens " + argv[1] +
              " --help'");
}

static std::optional<Command> commandOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Command>>(name)
      .Cases({"help", "--help", "-h"}, Command::help)
      .Cases({"version", "--version"}, Command::version)
      .Case("trace", Command::trace)
      .Case("ir", Command::ir)
      .Case("explain", Command::explain)
      .Case("memory", Command::memory)
      .Case("export", Command::exportFiles)
      .Case("compare", Command::compare)
      .Case("check", Command::check)
      .Case("scopes", Command::scopes)
      .Case("diff", Command::diff)
      .Case("bundle", Command::bundle)
      .Case("run", Command::run)
      .Default(std::nullopt);
}

/// Whether a file stands where a command may.
static bool isInput(llvm::StringRef word) {
  return word == "-" || word.ends_with(".mlir") || word.ends_with(".mlirbc") ||
         llvm::sys::fs::is_regular_file(word);
}

/// `a.mlir:12:3` where no file of that whole name exists.
void Parser::splitPosition() {
  std::string &file = parsed.options.files.front();
  if (llvm::sys::fs::exists(file))
    return;
  llvm::StringRef rest = file;
  unsigned numbers[2] = {0, 0};
  int found = 0;
  while (found < 2) {
    auto [head, tail] = rest.rsplit(':');
    unsigned number = 0;
    if (tail.empty() || tail.getAsInteger(10, number) || number == 0)
      break;
    numbers[found++] = number;
    rest = head;
  }
  if (found == 0)
    return;
  parsed.options.position =
      found == 2 ? Position{numbers[1], numbers[0]} : Position{numbers[0], 0};
  file = rest.str();
}

void Parser::checkReduce() {
  const CliOptions &options = parsed.options;
  if (options.reduce.wanted && options.position.line == 0)
    fail("'--reduce' needs a place: FILE:LINE or FILE:LINE:COL");
  else if (options.reduce.wanted && options.run.aliases)
    fail("'--reduce' writes a program, without '--aliases'");
}

void Parser::checkVersions() {
  CliOptions &options = parsed.options;
  if (!options.pipelines.empty())
    fail(
        "'--pipelines' compares ways to deallocate in one file, '--before' and "
        "'--after' two files: one at a time");
  else if (options.compareFormat == "html")
    fail("a page is made by '--pipelines'; '--before' and '--after' have md, "
         "text and json");
  else if (options.compareBefore.empty() || options.compareAfter.empty())
    fail("'--before' and '--after' name two versions of a file: both are "
         "needed");
  else if (!options.files.empty())
    fail("with '--before' and '--after' no other file is compared: '" +
         options.files.front() + "' is too many");
  else if (options.compareBefore == "-" && options.compareAfter == "-")
    fail("only one of '--before' and '--after' can be standard input");
}

void Parser::checkFiles() {
  CliOptions &options = parsed.options;
  if (is(Command::help) || is(Command::version))
    return;
  if (!options.compareBefore.empty() || !options.compareAfter.empty())
    return checkVersions();
  if (is(Command::explain) &&
      (!options.op.empty() || options.explainFormat != "text"))
    return checkOp();
  if (options.files.empty()) {
    fail(std::string("no input file; use '-' for standard input, or see "
                     "'memref-lens ") +
         argv[1] + " --help'");
    return;
  }
  if (is(Command::diff))
    return checkDiff();
  bool takesMany =
      (is(Command::compare) || is(Command::check)) && options.withRun.empty();
  if (!takesMany && options.files.size() > 1) {
    fail("one file at a time, please: '" + options.files[1] + "' is too many");
    return;
  }
  if (is(Command::run) && options.stageText.empty())
    options.stageText = "final";
  if (is(Command::ir) || is(Command::run))
    readStage();
  if (is(Command::memory))
    takeEnding(options.output, {"svg", "png", "html", "json"},
               options.memoryFormat);
  if (is(Command::exportFiles)) {
    checkExport();
    readExportStage();
  }
  if (is(Command::explain)) {
    splitPosition();
    checkReduce();
  }
}

ParsedOptions Parser::run() {
  if (argc < 2) {
    fail("no command");
    return parsed;
  }
  std::optional<Command> command = commandOf(argv[next++]);
  // Options may stand in front of the file.
  if (!command &&
      (isInput(argv[1]) ||
       (argv[1][0] == '-' && std::any_of(argv + 2, argv + argc, isInput)))) {
    command = Command::check;
    parsed.options.check.format = "overview";
    parsed.options.check.failOn = "none";
    parsed.options.check.stepsAnOp = overviewStepsAnOp;
    parsed.options.check.mostCopies = overviewCopies;
    --next;
  }
  if (!command) {
    fail(std::string("unknown command, or no such file: '") + argv[1] +
         "'; see 'memref-lens --help'");
    return parsed;
  }
  parsed.options.command = *command;
  if (*command == Command::help) {
    parsed.options.helpTopic = next < argc ? argv[next] : "";
    return parsed;
  }
  bool onlyFiles = false;
  while (next < argc && parsed.error.empty()) {
    llvm::StringRef argument = argv[next++];
    if (argument == "--" && !onlyFiles)
      onlyFiles = true;
    else if (!onlyFiles && argument.size() > 1 && argument.starts_with("-")) {
      if (!parseFlag(argument) || is(Command::help))
        return parsed;
    } else
      parsed.options.files.push_back(argument.str());
  }
  if (parsed.error.empty())
    checkStatements();
  if (parsed.error.empty())
    checkFiles();
  return parsed;
}

ParsedOptions parseOptions(int argc, char **argv) {
  return Parser(argc, argv).run();
}

} // namespace memreflens
