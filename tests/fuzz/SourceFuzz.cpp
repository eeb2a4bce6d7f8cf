//===- tests/fuzz/SourceFuzz.cpp - any text through MLIR's parser ---------===//
//
// Reads a text as the product does: chunks, MLIR's parser under its guard,
// names and ranges. Every chunk either parsed or has a problem, all places lie
// in the text, names are those that stand there, and the trace holds together
// and is written and read back. A second reading gives the same bytes.
//
// MLIR itself may crash here, which the guard makes a problem of the chunk;
// then MLIR must crash on the chunk without our code, too.
//
// Input: the text (or bytecode).
//
//===----------------------------------------------------------------------===//

#include "core/source/Chunks.h"
#include "core/source/CrashGuard.h"
#include "core/source/Document.h"
#include "core/trace/Json.h"
#include "core/trace/Validate.h"
#include "tests/fuzz/Fuzz.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <memory>
#include <sstream>

using namespace memreflens;
using fuzz::require;

namespace {

std::unique_ptr<mlir::MLIRContext> freshContext() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::bufferization::BufferizationDialect,
                  mlir::func::FuncDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect>();
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->allowUnregisteredDialects();
  return context;
}

/// Types and attributes pile up in a context, so each serves a while.
struct ContextPool {
  std::unique_ptr<mlir::MLIRContext> context;
  int uses = 0;

  mlir::MLIRContext &get() {
    if (!context || ++uses > 500) {
      context = freshContext();
      uses = 0;
    }
    return *context;
  }
  /// One that MLIR crashed in is not touched again.
  void abandon() { (void)context.release(); }
};

ContextPool pool;

/// Whether MLIR alone, without our code, dies on the text or its verifier does.
bool mlirCrashesOn(std::string text) {
  std::unique_ptr<mlir::MLIRContext> context = freshContext();
  bool survived = survives([&] {
    mlir::ScopedDiagnosticHandler quiet(
        context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text);
    mlir::ParserConfig config(context.get(), /*verifyAfterParse=*/true);
    mlir::Block block;
    if (mlir::isBytecode(*buffer))
      (void)mlir::readBytecodeFile(*buffer, &block, config);
    else
      (void)mlir::parseSourceString(text, &block, config);
  });
  if (!survived)
    (void)context.release();
  return !survived;
}

bool liesIn(trace::Range range, trace::Range around) {
  return around.begin <= range.begin && range.begin <= range.end &&
         range.end <= around.end;
}

/// `%a`, or `%a#1` of the value that is called so; `%a` and `%a#0` are one.
bool isUse(std::string_view use, std::string_view defined,
           std::string_view name) {
  if (!use.starts_with(defined))
    return false;
  use.remove_prefix(defined.size());
  size_t mark = name.find('#');
  std::string_view number =
      mark == name.npos ? std::string_view("0") : name.substr(mark + 1);
  if (use.empty())
    return number == "0";
  // The parser takes zeros in front, too.
  use.remove_prefix(1);
  use.remove_prefix(std::min(use.find_first_not_of('0'), use.size()));
  return use == (number == "0" ? "" : number);
}

void checkNames(const trace::Trace &trace) {
  std::string_view text = trace.source.text;
  trace::Range whole{0, uint32_t(text.size())};
  for (const trace::Value &value : trace.values) {
    require(liesIn(value.range, whole), "a value's range lies in the text");
    if (value.range.empty())
      continue;
    std::string_view there =
        text.substr(value.range.begin, value.range.end - value.range.begin);
    std::string_view name = value.name;
    require(there.starts_with("%") &&
                there.substr(1) == name.substr(0, name.find('#')),
            "a value is called what stands at its range", std::string(there));
    for (trace::Range use : value.uses)
      require(
          liesIn(use, whole) &&
              isUse(text.substr(use.begin, use.end - use.begin), there, name),
          "a use of a value is its name and number", value.name);
  }
  for (const trace::Op &op : trace.ops)
    require(liesIn(op.range, whole) && liesIn(op.nameRange, whole),
            "an op lies in the text");
  for (const trace::Block &block : trace.blocks) {
    require(liesIn(block.range, whole), "a block lies in the text");
    if (!block.nameRange.empty())
      require(text.substr(block.nameRange.begin).starts_with(block.name),
              "a block is called what stands there");
  }
  for (const trace::Function &function : trace.functions)
    require(
        liesIn(function.range, trace.chunks.at(size_t(function.chunk)).range),
        "a function lies in its chunk");
}

std::string written(const trace::Trace &trace) {
  std::ostringstream out;
  trace::writeJson(trace, out);
  return out.str();
}

/// False if MLIR crashed on a chunk.
bool checkProblems(const trace::Trace &trace, std::string_view input) {
  bool crashed = false;
  std::vector<bool> blamed(trace.chunks.size());
  for (const trace::Problem &problem : trace.problems) {
    require(!problem.message.empty(), "a problem has a message");
    require(problem.range.begin <= problem.range.end &&
                problem.range.end <= trace.source.text.size(),
            "a problem lies in the text", problem.message);
    if (problem.severity == trace::Severity::error)
      blamed.at(size_t(problem.chunk)) = true;
    if (problem.message != "MLIR crashed while it read this")
      continue;
    crashed = true;
    trace::Range chunk = trace.chunks[size_t(problem.chunk)].range;
    std::string_view text = trace.source.text;
    require(
        mlirCrashesOn(std::string(
            text.empty() ? input
                         : text.substr(chunk.begin, chunk.end - chunk.begin))),
        "what crashed is MLIR");
  }
  for (const trace::Chunk &chunk : trace.chunks)
    require(chunk.parsed != blamed[size_t(chunk.id)],
            "a chunk parsed, or a problem says why not");
  return !crashed;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  trace::Trace trace;
  ParseOptions options;
  options.maxNesting = 60;
  mlir::MLIRContext &context = pool.get();
  ParsedDocument document =
      parseDocument({"f.mlir", text}, context, options, trace);
  require(document.chunks.size() == trace.chunks.size(), "chunks are listed");
  require(!trace.chunks.empty(), "there is a chunk");
  for (const ParsedChunk &chunk : document.chunks)
    require(bool(chunk.module) == trace.chunks[size_t(chunk.id)].parsed,
            "a chunk that parsed has a module");
  if (!checkProblems(trace, text)) {
    for (ParsedChunk &chunk : document.chunks)
      (void)chunk.module.release();
    pool.abandon();
    return 0;
  }
  checkNames(trace);
  std::optional<std::string> fault = trace::validate(trace);
  require(!fault, "the trace holds together", fault.value_or(""));
  std::string json = written(trace);
  trace::ReadResult again = trace::readJson(json);
  require(again && written(*again.trace) == json, "and is read back",
          again.error);
  if (size % 4 == 0) {
    trace::Trace second;
    parseDocument({"f.mlir", std::move(text)}, context, options, second);
    require(written(second) == json, "a second reading gives equal bytes",
            json + written(second));
  }
  return 0;
}
