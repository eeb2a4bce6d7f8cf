//===- core/pipeline/stages/Rewrites.cpp ----------------------------------===//

#include "core/pipeline/stages/Rewrites.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;
using trace::RewriteKind;

//===--- Groups -----------------------------------------------------------===//

void RewriteRecorder::begin() { group = Group(); }

/// Folds and dead code have no pattern around them: each is a group of its own.
void RewriteRecorder::end(RewriteKind kind, llvm::StringRef pattern) {
  if (!group.touched)
    return group.facts.clear();
  bool hasFacts = !group.erased.empty() || !group.inserted.empty() ||
                  !group.replaced.empty() || !group.deallocs.empty();
  if (!hasFacts && pattern.empty())
    return begin();
  trace::RewriteEvent event;
  event.kind = kind;
  event.pattern = pattern.str();
  // MLIR erases an allocation's users in the order of their addresses, and the
  // allocation last; equal input must give equal traces.
  if (pattern.starts_with("SimplifyDeadAlloc<") && group.erased.size() > 2)
    std::sort(group.erased.begin(), group.erased.end() - 1);
  event.erased = std::move(group.erased);
  event.inserted = std::move(group.inserted);
  event.replaced = std::move(group.replaced);
  event.replacements = std::move(group.replacements);
  event.facts = std::move(group.facts);
  for (Id op : group.deallocs) {
    auto number = numbers.find(op);
    if (number != numbers.end() &&
        !llvm::is_contained(event.deallocs, number->second))
      event.deallocs.push_back(number->second);
  }
  trace::Event &added = recorder.add(nullptr, nullptr, {}, std::move(event));
  added.op = group.root;
  added.function = group.function;
  if (group.root != none)
    added.block = recorder.getTrace().ops[group.root].block;
  begin();
}

/// A class's name as a compiler spells it, without namespaces, those of its
/// template's arguments neither: `SimplifyDeadAlloc<AllocOp>`.
static std::string withoutNamespaces(llvm::StringRef name) {
  std::string shorter;
  // Of the identifier that ends at what was read last.
  size_t begin = 0;
  while (!name.empty()) {
    if (name.consume_front("(anonymous namespace)::") ||
        name.consume_front("{anonymous}::"))
      continue;
    if (name.consume_front("::")) {
      shorter.resize(begin);
      continue;
    }
    char next = name.front();
    name = name.drop_front();
    shorter += next;
    if (!llvm::isAlnum(next) && next != '_')
      begin = shorter.size();
  }
  return shorter;
}

void RewriteRecorder::record(llvm::function_ref<void()> rewrite) {
  begin();
  rewrite();
  end(RewriteKind::erased, {});
}

//===--- Listener ---------------------------------------------------------===//

void RewriteRecorder::notifyPatternBegin(const Pattern &, Operation *op) {
  end(RewriteKind::erased, {});
  candidate = op;
}

void RewriteRecorder::notifyPatternEnd(const Pattern &pattern, LogicalResult) {
  candidate = nullptr;
  end(RewriteKind::pattern, group.touched
                                ? withoutNamespaces(pattern.getDebugName())
                                : std::string());
}

/// The op that the pattern was tried on is the event's, whatever is touched
/// first: some patterns of MLIR touch ops in the order of a hash of pointers.
void RewriteRecorder::touch() {
  changed = true;
  if (!std::exchange(group.touched, true) && candidate &&
      !recorder.isIgnored(candidate))
    group.root = recorder.findId(candidate);
}

/// Folds and dead code have no pattern around them: what is touched in another
/// function is another event.
void RewriteRecorder::endAtFunction(Operation *op) {
  if (!candidate && group.touched && recorder.functionOf(op) != group.function)
    end(RewriteKind::erased, {});
}

void RewriteRecorder::noteRoot(Operation *op) {
  endAtFunction(op);
  touch();
  if (group.root == none)
    group.root = recorder.findId(op);
  if (group.function == none)
    group.function = recorder.functionOf(op);
}

void RewriteRecorder::noteDealloc(Id op) {
  if (op != none && numbers.contains(op) &&
      !llvm::is_contained(group.deallocs, op))
    group.deallocs.push_back(op);
}

void RewriteRecorder::notifyOperationInserted(Operation *op,
                                              OpBuilder::InsertPoint previous) {
  changed = true;
  if (previous.isSet() || recorder.isIgnored(op))
    return;
  endAtFunction(op);
  touch();
  Id id = recorder.generated(op);
  if (group.function == none)
    group.function = recorder.functionOf(op);
  group.inserted.push_back(id);
  group.insertedOps.insert(op);
  if (!isa<bufferization::DeallocOp>(op))
    return;
  // Made in a pattern on another dealloc: the same decision, in another form.
  Id origin = recorder.getTrace().ops[id].origin;
  auto parent = numbers.find(origin);
  if (parent != numbers.end()) {
    Id number = parent->second;
    numbers[id] = number;
  }
  noteDealloc(id);
}

void RewriteRecorder::notifyOperationReplaced(Operation *op,
                                              ValueRange replacement) {
  if (recorder.isIgnored(op))
    return;
  if (!candidate)
    end(RewriteKind::erased, {});
  noteRoot(op);
  noteDealloc(recorder.findId(op));
  for (auto [oldValue, newValue] : llvm::zip(op->getResults(), replacement)) {
    if (!newValue || oldValue.use_empty())
      continue;
    Operation *definer = newValue.getDefiningOp();
    if (definer && group.insertedOps.contains(definer))
      recorder.inheritName(oldValue, newValue);
    group.replaced.push_back(recorder.idOf(oldValue));
    group.replacements.push_back(recorder.idOf(newValue));
  }
  if (!candidate)
    end(RewriteKind::fold, {});
}

void RewriteRecorder::notifyOperationReplaced(Operation *op,
                                              Operation *replacement) {
  notifyOperationReplaced(op, replacement->getResults());
}

void RewriteRecorder::notifyOperationErased(Operation *op) {
  changed = true;
  if (recorder.isIgnored(op))
    return;
  noteRoot(op);
  group.insertedOps.erase(op);
  Id id = recorder.findId(op);
  if (id == none)
    return;
  noteDealloc(id);
  group.erased.push_back(id);
}

void RewriteRecorder::notifyOperationModified(Operation *op) {
  if (recorder.isIgnored(op))
    return;
  noteRoot(op);
  noteDealloc(recorder.findId(op));
}

void RewriteRecorder::notifyBlockErased(Block *block) {
  changed = true;
  recorder.forget(block);
}

//===--- Alias facts ------------------------------------------------------===//

trace::AliasFact RewriteRecorder::toFact(const AliasAnswer &answer) {
  trace::AliasFact fact;
  fact.first = recorder.idOf(answer.first);
  fact.second = recorder.idOf(answer.second);
  fact.answer = !answer.same   ? trace::SameAllocation::unknown
                : *answer.same ? trace::SameAllocation::yes
                               : trace::SameAllocation::no;
  fact.rule = answer.rule;
  fact.firstTerminals = recorder.idsOf(answer.firstTerminals);
  fact.secondTerminals = recorder.idsOf(answer.secondTerminals);
  fact.refined = answer.refined;
  return fact;
}

void RewriteRecorder::onPatternBegin(const Pattern &,
                                     bufferization::DeallocOp op) {
  questioned = recorder.findId(op);
  isOfStandIn = recorder.isIgnored(op);
}

void RewriteRecorder::onPatternEnd(const Pattern &, bool) {
  questioned = none;
  isOfStandIn = false;
}

void RewriteRecorder::onAliasQuery(const AliasAnswer &answer) {
  if (isOfStandIn)
    return;
  if (answer.same) {
    group.facts.push_back(toFact(answer));
    return;
  }
  if (questioned == none)
    return;
  Unanswered &open = unanswered[questioned];
  if (open.asked
          .insert({recorder.idOf(answer.first), recorder.idOf(answer.second)})
          .second)
    open.facts.push_back(toFact(answer));
}

void RewriteRecorder::recordKept(Operation *root) {
  root->walk([&](bufferization::DeallocOp op) {
    auto facts = unanswered.find(recorder.findId(op));
    if (facts == unanswered.end() || facts->second.facts.empty())
      return;
    trace::RewriteEvent event;
    event.pattern = "";
    event.facts = facts->second.facts;
    auto number = numbers.find(recorder.findId(op));
    if (number != numbers.end())
      event.deallocs.push_back(number->second);
    recorder.add(op, op->getBlock(), {}, std::move(event));
  });
}

} // namespace memreflens
