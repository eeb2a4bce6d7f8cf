//===- core/attach/PassRecorder.cpp ---------------------------------------===//

#include "core/attach/PassRecorder.h"
#include "core/pipeline/stages/StockPasses.h"
#include "core/trace/Plan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Threading.h"

using namespace mlir;

namespace memreflens {

/// MLIR's pass that runs the passes nested in it; its class is not public.
static bool isAdaptor(const Pass *pass) {
  return pass->getName().ends_with("OpToOpPassAdaptor");
}

static std::string printed(Pass *pass) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  pass->printAsTextualPipeline(stream);
  return text;
}

PassRecorder::~PassRecorder() { end(); }

//===--- A run ------------------------------------------------------------===//

static std::string firstFile(Operation *root) {
  std::string file;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    op->getLoc()->walk([&](Location location) {
      auto place = dyn_cast<FileLineColLoc>(location);
      if (!place)
        return WalkResult::advance();
      file = place.getFilename().str();
      return WalkResult::interrupt();
    });
    return file.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return file;
}

/// A module of the op and declarations of what it calls, in which it is a
/// program by itself.
static OwningOpRef<ModuleOp> asModule(Operation *op) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  module->push_back(op->clone());
  llvm::SetVector<Operation *> callees;
  op->walk([&](CallOpInterface call) {
    auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    Operation *callee =
        symbol ? SymbolTable::lookupNearestSymbolFrom(call, symbol) : nullptr;
    if (isa_and_nonnull<FunctionOpInterface>(callee) && callee != op)
      callees.insert(callee);
  });
  for (Operation *callee : callees) {
    Operation *declaration = callee->cloneWithoutRegions();
    // Only a private function may have no body.
    SymbolTable::setSymbolVisibility(declaration,
                                     SymbolTable::Visibility::Private);
    module->push_back(declaration);
  }
  return module;
}

void PassRecorder::begin(Operation *op) {
  root = op;
  run = RecordedRun();
  run.tool.isModule = isa<ModuleOp>(op);
  run.tool.input = toBytecode(run.tool.isModule ? op : *asModule(op));
  run.file = firstFile(op);
  run.allowsUnregistered = op->getContext()->allowsUnregisteredDialects();
  run.registry = std::make_shared<DialectRegistry>();
  op->getContext()->getDialectRegistry().appendTo(*run.registry);
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  manager.printAsTextualPipeline(stream);
  run.passes = passesInPrinted(pipeline);
  run.tool.stages.resize(run.passes.size());
  claimed.assign(run.passes.size(), false);
  failedStages.assign(run.passes.size(), false);
  hasTold = false;
}

/// A stage whose passes had nothing to run on is reached once a later one is.
static void closeGaps(ToolRun &run, const std::vector<bool> &failed) {
  bool isReached = false;
  for (size_t i = run.stages.size(); i-- > 0;) {
    isReached |= run.stages[i].reached;
    run.stages[i].reached = isReached;
  }
  for (size_t i = 0, end = run.stages.size(); i < end; ++i)
    if (failed[i])
      for (; i < end; ++i)
        run.stages[i] = {};
}

void PassRecorder::end() {
  if (!root)
    return;
  closeGaps(run.tool, failedStages);
  sink(run, /*isEnd=*/true);
  root = nullptr;
  run = RecordedRun();
  threads.clear();
  paths.clear();
  running.clear();
  stages.clear();
}

//===--- Where a pass is in the pipeline ----------------------------------===//

/// The threads of nested passes must not count, for siblings change meanwhile.
void PassRecorder::placeChildren(Operation *op) {
  unsigned position = 0;
  const OpPath path = op == root ? OpPath() : paths.lookup(op);
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      OpPath innerPath = path;
      innerPath.push_back(position++);
      paths[&inner] = std::move(innerPath);
    }
}

static bool fits(const NestedPass &pass, Operation *op, Operation *root) {
  for (size_t i = pass.anchors.size(); i-- > 0; op = op->getParentOp()) {
    if (!op || (pass.anchors[i] != "any" && llvm::StringRef(pass.anchors[i]) !=
                                                op->getName().getStringRef()))
      return false;
    if (op == root)
      return i == 0;
  }
  return false;
}

/// Passes that print alike are in the order in which they first run.
int PassRecorder::stageOf(Pass *pass, Operation *op) {
  auto [entry, isNew] =
      stages.try_emplace(pass->getThreadingSiblingOrThis(), -1);
  if (!isNew)
    return entry->second;
  std::string text = printed(pass);
  for (size_t i = 0; i < run.passes.size(); ++i)
    if (!claimed[i] && run.passes[i].text == text &&
        fits(run.passes[i], op, root)) {
      claimed[i] = true;
      return entry->second = int(i) + 1;
    }
  return -1;
}

bool PassRecorder::isDynamic(uint64_t thread) const {
  auto stack = threads.find(thread);
  if (stack == threads.end() || stack->second.empty())
    return false;
  const Frame &top = stack->second.back();
  return top.isDynamic || (top.pass && !isAdaptor(top.pass));
}

void PassRecorder::runBeforePipeline(std::optional<OperationName>,
                                     const PipelineParentInfo &parent) {
  bool dynamic = parent.parentPass && (!isAdaptor(parent.parentPass) ||
                                       isDynamic(parent.parentThreadID));
  threads[llvm::get_threadid()].push_back({nullptr, dynamic});
}

void PassRecorder::runAfterPipeline(std::optional<OperationName>,
                                    const PipelineParentInfo &) {
  Stack &stack = threads[llvm::get_threadid()];
  // A pipeline that failed does not end; its frame is still there.
  while (!stack.empty() && stack.back().pass)
    stack.pop_back();
  if (!stack.empty())
    stack.pop_back();
}

/// A pass may kill the tool. What comes up to the ownership pass is told
/// before, unless a pass in between is one that only the tool can run.
void PassRecorder::tellEarly() {
  if (!tellsEarly || hasTold)
    return;
  // The stage that begins: all before it are taken.
  size_t next = llvm::find(claimed, false) - claimed.begin();
  for (size_t i = next; i < run.passes.size(); ++i) {
    if (!isMadeHere(run.passes[i].text))
      return;
    if (trace::passName(run.passes[i].text) == trace::ownershipPass)
      break;
  }
  hasTold = true;
  RecordedRun soFar = run;
  closeGaps(soFar.tool, failedStages);
  sink(soFar, /*isEnd=*/false);
}

void PassRecorder::runBeforePass(Pass *pass, Operation *op) {
  uint64_t thread = llvm::get_threadid();
  bool dynamic = isDynamic(thread);
  threads[thread].push_back({pass, dynamic});
  if (dynamic)
    return;
  if (!root)
    begin(op);
  if (op == root)
    tellEarly();
  if (isAdaptor(pass)) {
    placeChildren(op);
    return;
  }
  int stage = stageOf(pass, op);
  if (stage < 0)
    return;
  running.try_emplace({pass, op}, stage, OperationFingerPrint(op));
}

bool PassRecorder::leave(Pass *pass) {
  Stack &stack = threads[llvm::get_threadid()];
  while (!stack.empty() && stack.back().pass != pass)
    stack.pop_back();
  if (stack.empty())
    return false;
  bool isOwn = !stack.back().isDynamic;
  stack.pop_back();
  return isOwn;
}

void PassRecorder::runAfterPass(Pass *pass, Operation *op) {
  if (!leave(pass))
    return;
  keep(pass, op);
  // MLIR does not tell of the end of the outermost pipeline.
  if (op == root && pass == &*std::prev(manager.end()))
    end();
}

void PassRecorder::keep(Pass *pass, Operation *op) {
  auto before = running.find({pass, op});
  if (before == running.end())
    return;
  auto [stage, print] = before->second;
  running.erase(before);
  ToolStage &made = run.tool.stages[size_t(stage) - 1];
  made.reached = true;
  if (print == OperationFingerPrint(op))
    return;
  if (op == root && run.tool.isModule)
    made.whole = toBytecode(op);
  else
    made.parts[paths.lookup(op)] = toBytecode(op);
}

void PassRecorder::runAfterPassFailed(Pass *pass, Operation *op) {
  if (!leave(pass))
    return;
  auto before = running.find({pass, op});
  if (before != running.end()) {
    failedStages[size_t(before->second.first) - 1] = true;
    running.erase(before);
  }
  if (op == root)
    end();
}

} // namespace memreflens
