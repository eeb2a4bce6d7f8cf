//===- tests/simplify/origin-check.cpp - our answers against upstream's ---===//
//
// origin-check FILE [--split]: asks our OriginAnalysis and upstream's about
// every ordered pair of memrefs of each function and prints each difference.
// Exit status: 0 equal, 1 different, 3 the file does not parse.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/simplify/OriginAnalysis.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace test {
void registerTestDialect(DialectRegistry &registry);
} // namespace test

namespace {

struct Counts {
  unsigned long pairs = 0;
  unsigned long different = 0;
};

std::vector<Value> memrefsOf(Operation *function) {
  std::vector<Value> memrefs;
  auto add = [&](Value value) {
    if (isa<BaseMemRefType>(value.getType()))
      memrefs.push_back(value);
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
  // All pairs of a large function take too long: the first ones will do.
  memrefs.resize(std::min<size_t>(memrefs.size(), 300));
  return memrefs;
}

const char *word(std::optional<bool> same) {
  return !same ? "unknown" : *same ? "same" : "different";
}

void compare(Operation *module, Counts &counts) {
  memreflens::OriginAnalysis ours(module);
  BufferOriginAnalysis upstream(module);
  AsmState state(module);
  module->walk([&](FunctionOpInterface function) {
    std::vector<Value> memrefs = memrefsOf(function);
    for (Value first : memrefs)
      for (Value second : memrefs) {
        ++counts.pairs;
        std::optional<bool> mine = ours.isSameAllocation(first, second).same;
        std::optional<bool> theirs = upstream.isSameAllocation(first, second);
        if (mine == theirs)
          continue;
        ++counts.different;
        llvm::outs() << "@" << function.getName() << ": ";
        first.printAsOperand(llvm::outs(), state);
        llvm::outs() << ", ";
        second.printAsOperand(llvm::outs(), state);
        llvm::outs() << ": ours " << word(mine) << ", upstream " << word(theirs)
                     << "\n";
      }
  });
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  test::registerTestDialect(registry);
  auto buffer = llvm::MemoryBuffer::getFile(argv[1]);
  if (!buffer)
    return 2;
  Counts counts;
  bool parsedAny = false;
  auto run = [&](std::unique_ptr<llvm::MemoryBuffer> chunk,
                 raw_ostream &) -> LogicalResult {
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(chunk->getBuffer(), ParserConfig(&context));
    if (!module)
      return success();
    parsedAny = true;
    compare(*module, counts);
    return success();
  };
  (void)splitAndProcessBuffer(std::move(*buffer), run, llvm::outs());
  llvm::outs() << counts.pairs << " pairs, " << counts.different
               << " different\n";
  if (!parsedAny)
    return 3;
  return counts.different ? 1 : 0;
}
