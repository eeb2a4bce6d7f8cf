//===- tests/bufferize/bufferize-tool.cpp - tensors to buffers, held ------===//
//
// bufferize-tool [--replay] OPTIONS FILE...: runs core/pipeline/bufferize over
// each file, with --replay by our own analysis wherever that can, and prints a
// line of JSON with its IR, where a decision is not that of upstream's
// `test-analysis-only`, reasons by kind, and by what its allocations and copies
// came about.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/bufferize/Origins.h"
#include "core/pipeline/bufferize/Steps.h"
#include "core/source/Document.h"
#include "core/source/Identity.h"
#include "core/source/TraceIr.h"
#include "core/trace/Names.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace memreflens;
using trace::TensorPlacement;

namespace {

ParseOptions asMlirOpt() {
  ParseOptions options;
  options.splitInput = false;
  return options;
}

/// One file, parsed for itself: ids are the same each time.
struct Program {
  Program(StringRef path, const DialectRegistry &registry)
      : context(registry, MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
          message.empty()) {
        message = diagnostic.str();
        if (auto at =
                diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
          place = std::to_string(at.getLine()) + ":" +
                  std::to_string(at.getColumn());
      }
      return success();
    });
    auto text = llvm::MemoryBuffer::getFile(path);
    if (text)
      document = parseDocument({path.str(), (*text)->getBuffer().str()},
                               context, asMlirOpt(), trace);
  }
  ModuleOp module() {
    return document.chunks.empty() ? ModuleOp()
                                   : document.chunks.front().module.get();
  }

  MLIRContext context;
  ParsedDocument document;
  trace::Trace trace;
  /// The first error, and its line and column.
  std::string message, place;
};

/// By op and operand: whether upstream's analysis calls it in place.
std::map<std::pair<trace::Id, int>, std::string>
upstreamDecisions(StringRef path, const DialectRegistry &registry,
                  StringRef options) {
  std::map<std::pair<trace::Id, int>, std::string> decisions;
  Program program(path, registry);
  PassManager passes(&program.context);
  const std::string pipeline =
      ("one-shot-bufferize{test-analysis-only " + options + "}").str();
  if (failed(parsePassPipeline(pipeline, passes)) ||
      failed(passes.run(program.module())))
    return decisions;
  program.module()->walk([&](Operation *op) {
    auto words = op->getAttrOfType<ArrayAttr>("__inplace_operands_attr__");
    if (!words)
      return;
    for (auto [number, word] : llvm::enumerate(words))
      if (StringRef text = cast<StringAttr>(word).getValue(); text != "none")
        decisions[{taggedOp(op->getLoc()), int(number)}] = text.str();
  });
  return decisions;
}

/// "upstream says true of operand 1 of op 7, we say false".
llvm::json::Array
differences(std::map<std::pair<trace::Id, int>, std::string> upstream,
            const trace::Bufferization &record) {
  llvm::json::Array found;
  for (const trace::TensorOperand &entry : record.operands) {
    const char *ours =
        entry.placement == TensorPlacement::inPlace ? "true" : "false";
    auto theirs = upstream.find({entry.op, entry.operand});
    const std::string said =
        theirs == upstream.end() ? "nothing" : theirs->second;
    if (said != ours)
      found.push_back("upstream says " + said + " of operand " +
                      std::to_string(entry.operand) + " of op " +
                      std::to_string(entry.op) + ", we say " + ours);
    if (theirs != upstream.end())
      upstream.erase(theirs);
  }
  for (const auto &[place, word] : upstream)
    found.push_back("we say nothing of operand " +
                    std::to_string(place.second) + " of op " +
                    std::to_string(place.first));
  return found;
}

void addCounts(const trace::Bufferization &record, llvm::json::Object &out) {
  std::map<std::string, int64_t> reasons, origins;
  int64_t outOfPlace = 0, several = 0;
  for (const trace::TensorOperand &entry : record.operands) {
    if (entry.placement != TensorPlacement::outOfPlace)
      continue;
    ++outOfPlace;
    several += entry.reasonCount > 1;
    if (!entry.reasons.empty())
      ++reasons[std::string(nameOf(entry.reasons.front().kind)) + "/" +
                std::string(nameOf(entry.reasons.front().readOnly))];
  }
  for (const trace::TensorCost &cost : record.costs)
    if (cost.now != trace::none)
      ++origins[(cost.isCopy ? "copy " : "alloc ") +
                std::string(nameOf(cost.origin)) +
                (cost.isOntoItself ? " onto itself" : "") +
                (cost.op == trace::none ? " without op" : "")];
  out["operands"] = int64_t(record.operands.size());
  out["outOfPlace"] = outOfPlace;
  out["several"] = several;
  out["overwrites"] = int64_t(record.overwrites.size());
  llvm::json::Object reasonCounts, originCounts;
  for (const auto &[name, count] : reasons)
    reasonCounts[name] = count;
  for (const auto &[name, count] : origins)
    originCounts[name] = count;
  out["reasons"] = std::move(reasonCounts);
  out["origins"] = std::move(originCounts);
}

/// Allocations and copies of the IR that no entry of the record is about.
int64_t countUnlinked(ModuleOp module, const trace::Bufferization &record) {
  std::map<trace::Id, int> entries;
  for (const trace::TensorCost &cost : record.costs)
    ++entries[cost.now];
  int64_t unlinked = 0;
  module->walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::CopyOp>(op) &&
        entries[taggedOp(op->getLoc())] != 1)
      ++unlinked;
  });
  return unlinked;
}

llvm::json::Object look(StringRef path, const DialectRegistry &registry,
                        StringRef options, bufferize::AnalysisBy by) {
  llvm::json::Object out{{"file", path}};
  Program program(path, registry);
  ModuleOp module = program.module();
  if (!module) {
    out["message"] = program.message.empty() ? "not read" : program.message;
    return out;
  }
  trace::Bufferization record;
  record.chunk = 0;
  record.options = options.str();
  // A pass manager verifies what a pass leaves.
  if (failed(bufferize::bufferize(module, program.trace, record, by)) ||
      failed(verify(module))) {
    out["message"] = program.message;
    out["place"] = program.place;
    return out;
  }
  out["replayed"] = record.isReplayed;
  out["differences"] =
      differences(upstreamDecisions(path, registry, options), record);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  addIrToTrace(module, 0, program.trace, /*tagged=*/true);
  program.trace.bufferizations.push_back(std::move(record));
  bufferize::linkCosts(module, program.trace);
  addCounts(program.trace.bufferizations.front(), out);
  out["unlinked"] = countUnlinked(module, program.trace.bufferizations.front());
  out["ir"] = std::move(text);
  return out;
}

} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  bufferization::registerBufferizationPasses();
  llvm::ArrayRef<const char *> words(argv + 1, size_t(argc - 1));
  auto by = bufferize::AnalysisBy::upstream;
  if (!words.empty() && StringRef(words.front()) == "--replay") {
    by = bufferize::AnalysisBy::replay;
    words = words.drop_front();
  }
  if (words.size() < 2)
    return 2;
  for (const char *path : words.drop_front())
    llvm::outs() << llvm::json::Value(look(path, registry, words.front(), by))
                 << "\n";
  return 0;
}
