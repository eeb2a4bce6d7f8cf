//===- core/pipeline/host/ToolRun.cpp -------------------------------------===//

#include "core/pipeline/host/ToolRun.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace memreflens {

std::string toBytecode(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(writeBytecodeToFile(op, stream)))
    return {};
  return text;
}

/// Reads what toBytecode wrote; an op that is no module comes in one.
OwningOpRef<ModuleOp> ToolReplay::read(const std::string &bytecode) {
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  ParserConfig config(context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(bytecode, config);
  if (module)
    keys.unify(*module);
  return module;
}

std::unique_ptr<ToolReplay> ToolReplay::open(const ToolRun &run,
                                             MLIRContext *context,
                                             llvm::ArrayRef<ModuleOp> others) {
  std::unique_ptr<ToolReplay> replay(new ToolReplay(run, context));
  for (ModuleOp other : others)
    replay->keys.learn(other);
  replay->current = replay->read(run.input);
  return replay->current ? std::move(replay) : nullptr;
}

static Operation *follow(Operation *op, const OpPath &path) {
  for (unsigned position : path) {
    Operation *found = nullptr;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        if (position-- == 0)
          found = &inner;
    if (!found)
      return nullptr;
    op = found;
  }
  return op;
}

LogicalResult ToolReplay::advance(int stage) {
  const ToolStage &made = run.stages[size_t(stage) - 1];
  previous = OwningOpRef<ModuleOp>();
  if (made.whole.empty() && made.parts.empty())
    return success();
  if (!made.whole.empty()) {
    OwningOpRef<ModuleOp> now = read(made.whole);
    if (!now)
      return failure();
    previous = std::move(current);
    current = std::move(now);
  } else {
    previous = current->clone();
  }
  for (const auto &[path, bytecode] : made.parts) {
    Operation *root =
        run.isModule ? current->getOperation() : &current->getBody()->front();
    Operation *old = follow(root, path);
    OwningOpRef<ModuleOp> part = read(bytecode);
    if (!old || !old->getBlock() || !part)
      return failure();
    // Any op but a module was read within one.
    Operation *now = old->getName() == part.get()->getName()
                         ? part.get().getOperation()
                         : &part->getBody()->front();
    if (now == part.get().getOperation())
      part.release();
    else
      now->remove();
    old->getBlock()->getOperations().insert(old->getIterator(), now);
    old->erase();
  }
  return success();
}

//===--- Comparison -------------------------------------------------------===//

static std::string printed(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(
      stream,
      OpPrintingFlags().useLocalScope().assumeVerified().printGenericOpForm());
  return text;
}

std::string firstDifference(Operation *ours, Operation *tools) {
  // Fast, but it takes a value that is used above its definition for another.
  if (OperationEquivalence::isEquivalentTo(
          ours, tools, OperationEquivalence::IgnoreLocations))
    return {};
  std::string left = printed(ours), right = printed(tools);
  llvm::StringRef leftRest = left, rightRest = right;
  while (!leftRest.empty() || !rightRest.empty()) {
    auto [leftLine, leftTail] = leftRest.split('\n');
    auto [rightLine, rightTail] = rightRest.split('\n');
    if (leftLine != rightLine)
      return ("ours: " + leftLine.trim() + "; the tool's: " + rightLine.trim())
          .str();
    leftRest = leftTail;
    rightRest = rightTail;
  }
  return {};
}

std::string firstDifference(ModuleOp ours, ModuleOp tools,
                            const std::function<bool(Operation *)> &isIgnored) {
  auto left = ours.getBody()->begin(), leftEnd = ours.getBody()->end();
  auto right = tools.getBody()->begin(), rightEnd = tools.getBody()->end();
  for (; left != leftEnd && right != rightEnd; ++left, ++right) {
    if (isIgnored(&*left))
      continue;
    if (std::string apart = firstDifference(&*left, &*right); !apart.empty())
      return apart;
  }
  if (left != leftEnd)
    return "ours: " + llvm::StringRef(printed(&*left)).split('\n').first.str() +
           "; the tool's: nothing more";
  if (right != rightEnd)
    return "ours: nothing more; the tool's: " +
           llvm::StringRef(printed(&*right)).split('\n').first.str();
  if (ours->getAttrDictionary() != tools->getAttrDictionary())
    return "the attributes of the module";
  return {};
}

} // namespace memreflens
