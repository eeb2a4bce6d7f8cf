//===- core/symexec/FaultReporter.cpp - faults, with the way there --------===//

#include "core/symexec/FaultReporter.h"
#include "core/source/Document.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace memreflens::symexec {

void FaultReporter::forked(State &state, Operation *op, SymbolicExpr condition,
                           bool truth) {
  log.push_back({state.log, op, -1, condition, truth, nullptr});
  state.log = int32_t(log.size() - 1);
}

void FaultReporter::happened(State &state, Operation *op, const char *verb,
                             int32_t object) {
  log.push_back({state.log, op, int32_t(state.objects[object].serial), noExpr,
                 false, verb});
  state.log = int32_t(log.size() - 1);
}

static bool isIn(trace::Id id, const auto &list) {
  return id >= 0 && size_t(id) < list.size();
}

/// As the user wrote it; the op's name where it has none.
std::string FaultReporter::nameOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    trace::Id id = taggedArgument(argument.getLoc());
    if (isIn(id, trace.values) && !trace.values[id].name.empty())
      return "%" + trace.values[id].name;
    return "argument " + std::to_string(argument.getArgNumber());
  }
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  trace::Id id = taggedOp(op->getLoc());
  if (isIn(id, trace.ops) && number < trace.ops[id].results.size()) {
    const trace::Value &entry = trace.values[trace.ops[id].results[number]];
    if (!entry.name.empty())
      return "%" + entry.name;
  }
  return "the result of " + op->getName().getStringRef().str();
}

std::string FaultReporter::memoryName(const Object &object) {
  if (object.value)
    return nameOf(object.value);
  return object.site ? object.site->getName().getStringRef().str() : "memory";
}

PathStep FaultReporter::stepAt(Operation *op, std::string text) {
  PathStep step;
  step.text = std::move(text);
  if (!op)
    return step;
  step.op = taggedOp(op->getLoc());
  step.offset = offsetOf(op->getLoc(), trace);
  return step;
}

static std::string blockName(Block *block, const trace::Trace &trace) {
  // By the number that the trace gives to the block of one of its ops.
  trace::Id id =
      block->empty() ? trace::none : taggedOp(block->front().getLoc());
  if (isIn(id, trace.ops) && isIn(trace.ops[id].block, trace.blocks))
    return trace.blocks[trace.ops[id].block].name;
  unsigned number = 0;
  for (Block &other : *block->getParent()) {
    if (&other == block)
      break;
    ++number;
  }
  return "^bb" + std::to_string(number);
}

std::string FaultReporter::describe(SymbolicExpr condition, bool truth) {
  const ExprNode &node = exprs[condition];
  std::string value = truth ? " is true" : " is false";
  if (node.source)
    return nameOf(node.source) + value;
  if (node.kind == ExprKind::equal)
    if (auto number = exprs.constantOf(node.arguments[1]);
        number && exprs[node.arguments[0]].source)
      return nameOf(exprs[node.arguments[0]].source) +
             (truth ? " is " : " is not ") + std::to_string(*number);
  if (node.tag.starts_with("same:"))
    return std::string("two buffers from outside are ") +
           (truth ? "" : "not ") + "the same memory";
  if (node.tag == "grows")
    return truth ? "realloc moves the buffer" : "realloc keeps the buffer";
  if (node.tag == "iterates" || node.kind == ExprKind::lessSigned)
    return truth ? "the loop goes on" : "the loop ends";
  return truth ? "this way is taken" : "this way is not taken";
}

/// What was decided, and what happened to the object.
std::vector<PathStep> FaultReporter::pathOf(const State &state,
                                            const Object &object) {
  std::vector<PathStep> path;
  for (int32_t at = state.log; at >= 0; at = log[at].previous) {
    const LogEntry &entry = log[at];
    if (entry.condition == noExpr) {
      if (entry.serial == int32_t(object.serial))
        path.push_back(
            stepAt(entry.op, memoryName(object) + " is " + entry.verb));
      continue;
    }
    std::string text = describe(entry.condition, entry.truth);
    if (auto branch = dyn_cast<cf::CondBranchOp>(entry.op))
      text += ", to " + blockName(entry.truth ? branch.getTrueDest()
                                              : branch.getFalseDest(),
                                  trace);
    path.push_back(stepAt(entry.op, text));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

static std::string verbOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::leak:
    return " is never deallocated";
  case FaultKind::doubleFree:
    return " is deallocated again";
  case FaultKind::useAfterFree:
    return " is used after it was deallocated";
  case FaultKind::freeOfUnowned:
    return " is deallocated, but is not the function's to deallocate";
  case FaultKind::returnedFreed:
    return " is returned after it was deallocated";
  case FaultKind::returnedUnowned:
    return " is returned as if the function owned it";
  case FaultKind::returnedTwice:
    return " is returned twice";
  case FaultKind::escapedFreed:
    return " is deallocated, but can still be reached from outside";
  case FaultKind::indicatorWrong:
    return " is said to be owned, but is not";
  case FaultKind::allocatorMismatch:
    return " is deallocated by another allocator than the one that made it";
  case FaultKind::constantWritten:
    return " is written, but is a constant";
  case FaultKind::lostWrite: // reportLost has the words.
  case FaultKind::outOfBounds:
  case FaultKind::freeOfBorrowed:
  case FaultKind::freeOfUnknown:
    break;
  }
  return {};
}

void FaultReporter::fault(State &state, FaultKind kind, Operation *op,
                          const Object &object) {
  if (!reported
           .insert({kind, kind == FaultKind::leak ? nullptr : op,
                    object.site ? object.site : nullptr})
           .second)
    return;
  MemoryFault fault;
  fault.kind = kind;
  fault.memory = memoryName(object);
  bool isStack =
      kind == FaultKind::returnedUnowned && object.kind == ObjectKind::stack;
  fault.at = stepAt(op, fault.memory +
                            (isStack ? " is returned, but is stack memory that "
                                       "ends with the function"
                                     : verbOf(kind)));
  fault.allocation = stepAt(object.site, fault.memory + " is allocated");
  if (object.value) {
    if (auto argument = dyn_cast<BlockArgument>(object.value))
      fault.value = taggedArgument(argument.getLoc());
    else if (isIn(fault.allocation.op, trace.ops)) {
      unsigned number = cast<OpResult>(object.value).getResultNumber();
      const auto &results = trace.ops[fault.allocation.op].results;
      if (number < results.size())
        fault.value = results[number];
    }
  }
  fault.path = pathOf(state, object);
  fault.path.push_back(fault.at);
  result.faults.push_back(std::move(fault));
  faultSites.push_back(object.site);
}

//===--- Writes that copies do not see ------------------------------------===//

void FaultReporter::lostWrite(const LostWrite &lost, Operation *op,
                              const Twin &twin, bool isSure) {
  if (!lostReported.insert({op, lost.write}).second)
    return;
  MemoryFault fault;
  fault.kind = FaultKind::lostWrite;
  fault.memory = twin.value ? nameOf(twin.value) : "memory";
  fault.isSure = isSure;
  fault.isOfCopy = lost.isOfCopy;
  fault.copy = stepAt(lost.copy, fault.memory + " is cloned");
  fault.write = stepAt(
      lost.write, (lost.isOfCopy ? fault.memory : "its clone") + " is written");
  const bool isEnd = op->hasTrait<OpTrait::IsTerminator>();
  const bool isCall = isa<CallOpInterface>(op);
  const std::string who = isEnd ? "the caller gets "
                          : isCall
                              ? "the callee gets "
                              : op->getName().getStringRef().str() + " reads ";
  const std::string read =
      who + (lost.isOfCopy ? "a clone of " : "") + fault.memory;
  fault.path = {fault.copy, fault.write, stepAt(op, read)};
  fault.at =
      stepAt(op, read + ", but " + lost.write->getName().getStringRef().str() +
                     (isSure ? " wrote to " : " may have written to ") +
                     (lost.isOfCopy ? fault.memory : "a clone of it") +
                     "; as written, the two are one memory");
  result.faults.push_back(std::move(fault));
  faultSites.push_back(nullptr);
}

//===--- Uses that are not followed ---------------------------------------===//

/// Of the function in which an op makes the value; null for others.
EscapeFinder *FaultReporter::escapesAround(Value value) {
  Operation *site = value ? value.getDefiningOp() : nullptr;
  auto scope = site ? site->getParentOfType<FunctionOpInterface>()
                    : FunctionOpInterface();
  if (!scope)
    return nullptr;
  return &facts.escapes
              .try_emplace(scope.getOperation(), scope.getOperation(),
                           symbols())
              .first->second;
}

/// Where a buffer has left what can be followed, what comes behind its free may
/// use it.
bool FaultReporter::mayBeUsedUnseen(Value buffer, Operation *release) {
  auto [known, isNew] = facts.usedUnseen.try_emplace({buffer, release}, false);
  EscapeFinder *finder = isNew ? escapesAround(buffer) : nullptr;
  if (!finder)
    return known->second;
  const EscapeAt escape = finder->find(buffer);
  return known->second =
             escape.op && (!finder->scope()->isAncestor(release) ||
                           finder->unseenUsesBehind(release, escape) > 0);
}

void FaultReporter::noteUnfollowed(Value buffer) {
  EscapeFinder *finder = escapesAround(buffer);
  Operation *by = finder ? finder->find(buffer).op : nullptr;
  if (by)
    unfollowed.insert(nameOf(buffer) + " by way of " +
                      by->getName().getStringRef().str());
}

void FaultReporter::deallocated(State &state, int32_t number, Operation *op) {
  const Object &object = state.objects[number];
  // A realloc hands its buffer on rather than ending it.
  if (!isa<memref::ReallocOp>(op))
    freedSites.insert(object.site);
  happened(state, op, "deallocated", number);
  if (!mayBeUsedUnseen(object.value, op))
    return;
  noteUnfollowed(object.value);
  if (!options.tellsSitesApart)
    meetings.happens(object.serial, result.steps);
}

void FaultReporter::finish() {
  for (size_t i = 0; i < faultSites.size(); ++i)
    result.faults[i].isFreedElsewhere = freedSites.contains(faultSites[i]);
  meetings.spread([&](Value buffer) { noteUnfollowed(buffer); });
  result.unfollowed.assign(unfollowed.begin(), unfollowed.end());
}

} // namespace memreflens::symexec
