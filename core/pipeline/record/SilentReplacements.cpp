//===- core/pipeline/record/SilentReplacements.cpp ------------------------===//

#include "core/pipeline/record/SilentReplacements.h"
#include "core/pipeline/record/Recorder.h"
#include "core/pipeline/record/TracePart.h"
#include "core/query/Index.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

namespace {

using Incoming = llvm::DenseMap<Id, llvm::SmallVector<Id, 2>>;

class Replacements {
public:
  Replacements(Operation *root, Recorder &recorder);
  void record();

private:
  void readUses(Operation *root);
  void readRewrites();
  void dropBypassed();
  Incoming incomingValues() const;
  void addYielded(const trace::Op &yield, Incoming &incoming) const;
  void add(Id last, Id replacement);
  Id lastSaid(Id value) const;
  Id lastOf(Id value) const;

  Recorder &recorder;
  trace::Trace &trace;
  /// All uses of a memref of the program are this one now; `none` if they
  /// differ.
  llvm::MapVector<Id, Id> now;
  /// The same by the events of rewrites.
  llvm::DenseMap<Id, Id> said;
};

Replacements::Replacements(Operation *root, Recorder &recorder)
    : recorder(recorder), trace(recorder.getTrace()) {
  readUses(root);
  readRewrites();
  dropBypassed();
}

void Replacements::readUses(Operation *root) {
  root->walk([&](Operation *op) {
    const Id user = recorder.findId(op);
    if (user == none || trace.ops[user].generated ||
        trace.ops[user].operands.size() != op->getNumOperands())
      return;
    for (OpOperand &use : op->getOpOperands()) {
      const Id old = trace.ops[user].operands[use.getOperandNumber()];
      if (old == none || !trace.values[old].isMemref)
        continue;
      const Id is = recorder.idOf(use.get());
      auto [known, isNew] = now.insert({old, is});
      if (known->second != is)
        known->second = none;
    }
  });
}

void Replacements::readRewrites() {
  for (const trace::Event &event : trace.events)
    if (const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail))
      for (Id old : rewrite->replaced)
        said.insert({old, trace::replacementOf(*rewrite, old)});
}

Id Replacements::lastSaid(Id value) const {
  for (size_t steps = 0; steps < said.size(); ++steps) {
    auto next = said.find(value);
    if (next == said.end())
      break;
    value = next->second;
  }
  return value;
}

Id Replacements::lastOf(Id value) const {
  value = lastSaid(value);
  auto known = now.find(value);
  return known == now.end() || known->second == none ? value : known->second;
}

/// Adds what a region of an op of which one region is taken, such as scf.if,
/// yields to the op's results.
void Replacements::addYielded(const trace::Op &yield,
                              Incoming &incoming) const {
  const Id parent = trace.blocks[yield.block].parentOp;
  if (parent == none || trace.ops[parent].regions.size() < 2)
    return;
  const trace::Op &around = trace.ops[parent];
  const bool takesNothing =
      llvm::all_of(around.regions, [&](const std::vector<Id> &region) {
        return region.empty() || trace.blocks[region.front()].arguments.empty();
      });
  if (!takesNothing || yield.operands.size() != around.results.size())
    return;
  for (auto [result, operand] : llvm::zip(around.results, yield.operands))
    incoming[result].push_back(operand);
}

/// What the program's branches hand to its block arguments, and the regions of
/// which one is taken to the results of their op.
Incoming Replacements::incomingValues() const {
  Incoming incoming;
  recorder.getPart().eachReadOp([&](const trace::Op &op) {
    if (op.isTerminator)
      addYielded(op, incoming);
    if (op.successors.empty())
      return;
    for (const trace::ForwardedOperand &passed :
         trace::forwardedOperands(trace, op))
      if (passed.operand != passed.argument)
        incoming[passed.argument].push_back(passed.operand);
  });
  return incoming;
}

/// Takes out the block arguments that are another value on an edge that goes
/// past their block now, and the results that are another value out of another
/// region: what took their place did so on the other edges, or in one region,
/// only.
void Replacements::dropBypassed() {
  const Incoming incoming = incomingValues();
  // An argument that nothing uses any more may be one value on all edges.
  auto valueOf = [&](Id value) {
    constexpr int longChain = 64;
    for (int steps = 0; steps < longChain; ++steps) {
      value = lastOf(value);
      auto from = incoming.find(value);
      if (now.contains(value) || from == incoming.end() ||
          !llvm::all_equal(from->second))
        break;
      value = from->second.front();
    }
    return value;
  };
  for (auto &[argument, is] : now)
    if (auto from = incoming.find(argument);
        is != none && is != argument && from != incoming.end() &&
        !llvm::all_equal(from->second) &&
        llvm::any_of(from->second,
                     [&](Id operand) { return valueOf(operand) != is; }))
      is = none;
}

void Replacements::record() {
  for (auto [old, is] : now)
    if (const Id last = lastSaid(old); is != none && last != none &&
                                       is != last &&
                                       trace.values[is].standsFor != last)
      add(last, is);
}

void Replacements::add(Id last, Id replacement) {
  trace::RewriteEvent event;
  event.kind = trace::RewriteKind::difference;
  event.replaced = {last};
  event.replacements = {replacement};
  const trace::Value was = trace.values[last];
  trace::Event &added = recorder.add(nullptr, nullptr, {}, std::move(event));
  added.op = was.op == none && was.block != none
                 ? trace.blocks[was.block].parentOp
                 : was.op;
  added.block = was.block;
  if (was.block != none)
    added.function = trace.blocks[was.block].function;
}

} // namespace

void recordSilentReplacements(Operation *root, Recorder &recorder) {
  if (!recorder.isSilent())
    Replacements(root, recorder).record();
}

} // namespace memreflens
