//===- cli/commands/Scopes.cpp - `scopes`: alias scopes of accesses -------===//
//
// Which loads and stores can never touch the same memory, as alias scopes: in
// words, as JSON, or on the program in the LLVM dialect.
//
//   memref-lens scopes FILE
//   memref-lens scopes FILE --emit=llvm | mlir-translate --mlir-to-llvmir
//
//===----------------------------------------------------------------------===//

#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/ScopesReport.h"
#include "cli/SharedOptions.h"
#include "core/explain/PlainText.h"
#include "core/pipeline/aliasing/LlvmScopes.h"
#include "core/pipeline/aliasing/ScopeMarks.h"
#include "core/pipeline/run/Analysis.h"
#include "core/source/Identity.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <unistd.h>

using namespace mlir;

namespace memreflens {

using namespace aliasing;

namespace {
struct ScopesOptions {
  /// text or json.
  std::string format = "text";
  /// llvm, marked or attached; empty: what is known, in words.
  std::string emit;
  /// Of a program that is printed: with scopes, and only with those that allow
  /// to inline every function.
  bool withScopes = true;
  bool keepInlinable = false;
};
} // namespace

//===--- The program ------------------------------------------------------===//

static void stripTags(ModuleOp module) {
  module->walk([](Operation *op) {
    op->setLoc(stripTag(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(stripTag(argument.getLoc()));
  });
}

/// The program in the form that was asked for; why not, in `problem`.
static std::string emitted(ModuleOp module, const ScopesOptions &options,
                           std::string &problem) {
  OpPrintingFlags flags;
  stripTags(module);
  const AttachOptions attach{options.keepInlinable};
  if (options.emit == "llvm") {
    problem = lowerToLlvm(module, options.withScopes ? std::optional(attach)
                                                     : std::nullopt);
  } else if (options.emit == "marked") {
    if (options.withScopes)
      markScopes(module);
    else
      removeLensOps(module);
    // That is where the marks are.
    flags.enableDebugInfo(true, /*prettyForm=*/false);
  } else if (options.withScopes) {
    attachScopes(module, attach);
  }
  if (options.emit == "attached" && !options.withScopes)
    removeMarks(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (problem.empty())
    module->print(stream, flags);
  return text + "\n";
}

static trace::Problem problemOf(const trace::Trace &trace, trace::Id chunk,
                                const std::string &message) {
  trace::Problem problem;
  problem.chunk = chunk;
  problem.range = {trace.chunks[chunk].range.begin,
                   trace.chunks[chunk].range.begin};
  problem.message = "cannot be lowered to the LLVM dialect: " + message;
  return problem;
}

namespace {
struct Output {
  std::string text;
  bool isWhole = true;
  bool knowsFunction = false;
};
} // namespace

static Output outputOf(const CliOptions &options,
                       const ParsedDocument &document, trace::Trace &trace) {
  const ScopesOptions &wants = options.own<ScopesOptions>();
  Output output;
  ScopesReport report(trace, options.run.function);
  for (const ParsedChunk &chunk : document.chunks) {
    if (!chunk.module)
      continue;
    trace::Problem problem =
        runPrePasses(*chunk.module, chunk.id, options.run, trace);
    if (!problem.message.empty()) {
      trace.problems.push_back(problem);
      output.isWhole = false;
      continue;
    }
    if (wants.emit.empty()) {
      report.add(*chunk.module);
      continue;
    }
    std::string why;
    const std::string text = emitted(*chunk.module, wants, why);
    if (why.empty())
      output.text += (output.text.empty() ? "" : "// -----\n") + text;
    else
      trace.problems.push_back(problemOf(trace, chunk.id, why));
    output.isWhole &= why.empty();
  }
  output.knowsFunction = !report.functions.empty();
  if (wants.emit.empty())
    output.text = wants.format == "json"
                      ? scopesToJson(report.functions)
                      : plainText(scopesToText(report.functions));
  return output;
}

static int runScopes(const FileRun &run) {
  const CliOptions &options = run.options;
  const trace::Source &source = run.source;
  DialectRegistry withLens;
  run.registry.appendTo(withLens);
  registerLensDialect(withLens);
  std::unique_ptr<MLIRContext> context = makeContext(withLens, options.run);
  trace::Trace trace;
  ParsedDocument document = parseDocument(source, *context, {}, trace);
  const Output output = outputOf(options, document, trace);
  printProblems(trace, wantsColor(int(options.color), STDERR_FILENO));
  const bool anyParsed = document.anyParsed() || trace.problems.empty();
  if (!anyParsed || (!output.isWhole && output.text.empty()))
    return badInput;
  if (!options.run.function.empty() &&
      options.own<ScopesOptions>().emit.empty() && !output.knowsFunction) {
    tell("memref-lens: error: no function '@%s' in '%s'\n",
         options.run.function.c_str(), source.path.c_str());
    return wrongUsage;
  }
  if (!writeOutput(options.output,
                   [&](std::ostream &out) { out << output.text; }))
    return badInput;
  return output.isWhole ? int(done) : int(badInput);
}

//===--- The command ------------------------------------------------------===//

static std::string notOf(const std::string &flag) {
  return "'scopes' runs no deallocation pipeline, which '" + flag + "' is for";
}

static std::string rejectUnregistered(const OptionUse &use,
                                      CliOptions &options) {
  std::string fault = takeUnregistered(use, options);
  return fault.empty() ? notOf("--unregistered") : fault;
}

static std::vector<Option> scopesOptions() {
  Option unregistered = rejectedOption("--unregistered", {});
  unregistered.take = rejectUnregistered;
  return {{.names = "--format",
           .value = {" FORMAT", {"text", "json"}},
           .brief = "form of the list",
           .help = "text (default) or json",
           .take = takeOneOf<&ScopesOptions::format>()},
          {.names = "--emit",
           .value = {" FORM", {"llvm", "marked", "attached"}},
           .brief = "print the program",
           .help = R"(print the program instead:
llvm: lowered to the LLVM dialect by MLIR's passes, with alias_scopes and noalias_scopes
marked: with the scopes in its locations, for passes of yours (keep them: --mlir-print-debuginfo)
attached: of a marked program that is in the LLVM dialect by now, with the scopes put in place)",
           .take = takeOneOf<&ScopesOptions::emit>()},
          {.names = "--no-scopes",
           .brief = "print it without scopes",
           .help = "print that program without scopes, to compare",
           .take = takeFlag<&ScopesOptions::withScopes, false>()},
          {.names = "--keep-inlinable",
           .brief = "only scopes that hold between all calls",
           .help = "only scopes that hold between all calls; else a function "
                   "with others is not inlined by LLVM",
           .take = takeFlag<&ScopesOptions::keepInlinable>()},
          outputOption(),
          rejectedOption("--pipeline",
                         "'scopes' runs no deallocation pipeline; put one in "
                         "front with '--pre'"),
          rejectedOption("--refine", notOf("--refine")),
          rejectedOption("--assume", notOf("--assume")),
          unregistered};
}

const Command &scopesCommand() {
  static const Command command{
      .name = "scopes",
      .takes = "FILE",
      .summary = "which loads and stores never touch the same memory, as alias "
                 "scopes; and the program for LLVM with them",
      .brief = "which loads and stores never touch the same memory",
      .question =
          "which loads and stores never touch the same memory, for LLVM",
      .about = R"(usage: memref-lens scopes [options] FILE

Lists the loads, stores and copies of each function with their alias scopes and
the scopes whose memory they never touch: by where memory comes from, and by what
the program states in memref.distinct_objects and in the dialect lens. What is
said holds within one call of the function; of allocations and globals, between
all calls. docs/aliasing.md says how, and what is bounded.
)",
      .options = scopesOptions(),
      .groups = {commonOptions()},
      .runOnFile = runScopes};
  return command;
}

} // namespace memreflens
