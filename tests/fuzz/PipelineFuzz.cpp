//===- tests/fuzz/PipelineFuzz.cpp - the pipeline on any program ----------===//
//
// The bytes are decisions of a generator of valid programs (Program.h). Each is
// analysed: the trace holds together, is written and read back, every query is
// answered, every stage's text parses and verifies, a second run gives equal
// bytes. A program that MLIR's pipeline takes for sure gives the IR that MLIR's
// gives.
//
// In one process, without the guard of a worker: what dies, dies here.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/run/Analysis.h"
#include "core/query/Fate.h"
#include "core/trace/Json.h"
#include "core/trace/Text.h"
#include "core/trace/Validate.h"
#include "tests/fuzz/Dialects.h"
#include "tests/fuzz/Program.h"

#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <sstream>

using namespace memreflens;
using fuzz::require;

namespace {

std::string written(const trace::Trace &trace) {
  std::ostringstream out;
  trace::writeJson(trace, out);
  return out.str();
}

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

void askEverything(const trace::Trace &trace) {
  trace::Index index(trace);
  require(!trace::toText(trace).empty(), "a trace has a text");
  for (const trace::Value &value : trace.values) {
    require(trace::fateOf(index, value.id).value == value.id,
            "a value has a fate");
    trace::ownershipAt(index, value.id, value.range.end);
  }
}

void checkTrace(const trace::Trace &trace, const std::string &json,
                const std::string &program) {
  std::optional<std::string> fault = trace::validate(trace);
  require(!fault, "the trace holds together", fault.value_or("") + program);
  trace::ReadResult again = trace::readJson(json);
  require(again.trace.has_value(), "and is read back", again.error + program);
  require(written(*again.trace) == json, "with equal bytes", program);
  askEverything(trace);
  for (const trace::Function &function : trace.functions)
    require(function.status != trace::FunctionStatus::traced ||
                function.lastGoodStage == 8,
            "a function that was traced came to the end", program);
  for (const trace::Problem &problem : trace.problems)
    require(problem.range.end <= trace.source.text.size() &&
                !problem.message.empty(),
            "a problem has a place and a message", program);
}

mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text,
                                        mlir::MLIRContext &context) {
  return mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context, /*verifyAfterParse=*/true));
}

void checkStages(const Analysis &analysis, mlir::MLIRContext &context,
                 const std::string &program) {
  for (const std::string &text : analysis.upstreamTexts.at(0))
    require(bool(parse(text, context)), "the IR of a stage is valid",
            text + program);
  std::string_view before;
  for (const trace::Stage &stage : analysis.trace.chunks.at(0).stages) {
    require(stage.changed || stage.text.empty() || stage.number == 0,
            "a stage that changed nothing has no text", program);
    if (!stage.text.empty())
      require(stage.text != before, "a stage that changed has another",
              program);
    before = stage.text.empty() ? before : stage.text;
  }
}

/// Types pile up in a context, and to make one takes long; so a few serve all.
mlir::MLIRContext &contextForParsing(const mlir::DialectRegistry &registry,
                                     const trace::RunOptions &run) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static int uses = 0;
  if (!context || ++uses % 100 == 0)
    context = makeContext(registry, run);
  return *context;
}

/// What MLIR's own pipeline makes of the program; empty if it rejects it.
std::string upstreamOf(const std::string &text, mlir::MLIRContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(text, context);
  mlir::PassManager passes(&context, "builtin.module");
  mlir::bufferization::buildBufferDeallocationPipeline(passes, {});
  return failed(passes.run(*module)) ? "" : printed(*module);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Choices choices(data, size);
  AnalysisOptions options;
  options.text = StageText::upstream;
  options.run.allowUnregisteredDialect = true;
  options.run.privateFunctionDynamicOwnership = choices.chance(25);
  fuzz::Program program = fuzz::makeProgram(choices);
  if (std::getenv("MEMREF_LENS_FUZZ_PRINT"))
    std::fputs(program.text.c_str(), stdout);
  const mlir::DialectRegistry &registry = fuzz::everyDialect();
  mlir::MLIRContext &context = contextForParsing(registry, options.run);
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  require(bool(parse(program.text, context)), "the program is valid",
          program.text);
  Analysis analysis = analyse({"f.mlir", program.text}, registry, options);
  require(analysis.trace.chunks.at(0).parsed, "it parses", program.text);
  std::string json = written(analysis.trace);
  checkTrace(analysis.trace, json, program.text);
  checkStages(analysis, context, program.text);
  if (size % 4 == 0) {
    Analysis second = analyse({"f.mlir", program.text}, registry, options);
    require(written(second.trace) == json, "a second run gives equal bytes",
            program.text);
  }
  if (!program.isPlain || options.run.privateFunctionDynamicOwnership)
    return 0;
  std::string upstream = upstreamOf(program.text, context);
  require(!upstream.empty(), "MLIR takes the program", program.text);
  mlir::OwningOpRef<mlir::ModuleOp> last =
      parse(analysis.upstreamTexts[0].back(), context);
  require(printed(*last) == upstream, "the IR is MLIR's",
          program.text + upstream + printed(*last));
  return 0;
}
