//===- tests/support/Fixtures.h - worked examples as traces ---------------===//
//
// `BranchExample`: an owned and a borrowed buffer meet in a select, which goes
// to one of two blocks, one of which returns a copy. All events are those of
// the ownership pass and the lowering.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_SUPPORT_FIXTURES_H
#define MEMREFLENS_TESTS_SUPPORT_FIXTURES_H

#include "tests/support/TraceBuilder.h"

namespace memreflens::trace::test {

struct BranchExample {
  static constexpr const char *text =
      R"(func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2
^bb1(%x: memref<4xf32>):
  return %x : memref<4xf32>
^bb2:
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}
)";

  TraceBuilder b{text};
  Id entry, bb1, bb2, inner, c, m, a, x, r, branch, return1, return2, yield;
  Id ownX, ownR, fals, tru, freeThen, thenResult, elseCondition, baseA, copy;
  Id allocEvent, thenDealloc, elseDealloc, lowering;

  BranchExample() {
    addProgram();
    addEntryEvents();
    addExitEvents();
  }

  const Trace &trace() const { return b.trace; }

private:
  void addProgram() {
    entry = b.function("f");
    c = b.argument("c", "i1");
    m = b.argument("m");
    a = b.op("memref.alloc", {}, {"a"});
    // The ids of blocks that are opened later.
    branch = b.terminator("cf.cond_br", {c, a}, {entry + 1, entry + 2});
    tru = b.indicator("true", none, 1);
    fals = b.indicator("false", none, 0);
    freeThen = b.indicator("free_a", a);
    elseCondition = b.indicator("free_a_0", a);
    thenResult = b.indicator("own_a", a);
    baseA = b.generated("base_a", a);
    bb1 = b.block("^bb1");
    x = b.argument("x");
    ownX = b.indicator("own_x", x);
    copy = b.generated("owned_x", x);
    return1 = b.terminator("return", {x});
    bb2 = b.block("^bb2");
    r = b.op("scf.if", {c}, {"r"});
    ownR = b.indicator("own_r", r);
    inner = b.beginRegion();
    yield = b.terminator("scf.yield", {m});
    b.endRegion();
    return2 = b.terminator("return", {r});
  }

  void addEntryEvents() {
    Id alloc = b.trace.values[size_t(a)].op;
    LivenessEvent live;
    live.liveOut = {m};
    live.keptAliveBy = {yield};
    b.event(3, live, {.block = entry});
    b.owns(m, fals, OwnershipRule::entryArgument, {.block = entry});
    allocEvent = b.owns(a, tru, OwnershipRule::allocation,
                        {.op = alloc, .block = entry});
    b.event(3, CandidateEvent{}, {.value = a, .op = alloc, .block = entry});
    DeallocEvent dealloc;
    dealloc.dealloc = 0;
    dealloc.edge = 0;
    dealloc.memrefs = {a};
    dealloc.bases = {baseA};
    dealloc.conditions = {freeThen};
    dealloc.retained = {a};
    dealloc.results = {thenResult};
    Id op = b.generatedOp("bufferization.dealloc", branch, {thenResult});
    thenDealloc = b.event(3, dealloc, {.op = op, .block = entry});
    b.event(3,
            RetainEvent{RetainReason::forwardedOperand, bb1, 0, 1, thenDealloc},
            {.value = a, .op = op, .block = entry});
    b.owns(a, thenResult, OwnershipRule::retainedResult,
           {.op = op, .block = entry});
    dealloc.dealloc = 1;
    dealloc.edge = 1;
    dealloc.conditions = {elseCondition};
    dealloc.retained = dealloc.results = {};
    elseDealloc = b.event(
        3, dealloc,
        {.op = b.generatedOp("bufferization.dealloc", branch), .block = entry});
    b.event(3, SignatureEvent{SignaturePart::branchOperand, thenResult, 2, 0},
            {.value = a, .op = branch, .block = entry});
    LoweringEvent lowered;
    lowered.dealloc = 1;
    lowered.lowering = LoweringCase::single;
    lowered.memrefCount = 1;
    lowered.ops = {b.generatedOp("scf.if", branch),
                   b.generatedOp("memref.dealloc", branch)};
    lowered.freed = {baseA};
    lowering = b.event(6, lowered, {.op = op, .block = entry});
  }

  void addExitEvents() {
    b.event(3, SignatureEvent{SignaturePart::blockArgument, ownX, 1, -1},
            {.value = x, .block = bb1});
    Id owned = b.owns(x, ownX, OwnershipRule::blockArgument, {.block = bb1});
    b.event(3,
            CloneEvent{copy,
                       CloneDemand::functionReturn,
                       true,
                       {OwnershipState::unique, ownX},
                       owned},
            {.value = x, .op = return1, .block = bb1});
    Id scfIf = b.trace.values[size_t(r)].op;
    b.owns(m, fals, OwnershipRule::liveInAncestor, {.block = inner});
    CandidateEvent dropped;
    dropped.source = CandidateSource::liveIn;
    dropped.dropped = DropReason::ancestorRegion;
    b.event(3, dropped, {.value = m, .block = inner});
    b.event(3, SignatureEvent{SignaturePart::terminatorOperand, fals, 1, -1},
            {.value = m, .op = yield, .block = inner});
    b.event(3, SignatureEvent{SignaturePart::regionOpResult, ownR, 1, -1},
            {.value = r, .op = scfIf, .block = bb2});
    b.owns(r, ownR, OwnershipRule::regionResult, {.op = scfIf, .block = bb2});
  }
};

} // namespace memreflens::trace::test

#endif // MEMREFLENS_TESTS_SUPPORT_FIXTURES_H
