//===- tests/query/FateTest.cpp - what becomes of a buffer ----------------===//

#include "core/query/Fate.h"
#include "tests/support/Fixtures.h"

#include <gtest/gtest.h>

namespace memreflens::trace {
namespace {

using test::BranchExample;
using test::TraceBuilder;

Fate fateIn(const Trace &trace, Id value) {
  return fateOf(Index(trace), value);
}

TEST(Fate, allocationIsListedAndFreedOnOneEdge) {
  BranchExample e;
  Fate fate = fateIn(e.trace(), e.a);
  EXPECT_EQ(fate.source, BufferSource::allocation);
  EXPECT_EQ(fate.sourceEvent, e.allocEvent);
  ASSERT_EQ(fate.listed.size(), 2u);
  EXPECT_EQ(fate.listed[0].condition, e.freeThen);
  EXPECT_EQ(fate.listed[1].edge, 1);
  ASSERT_EQ(fate.frees.size(), 1u);
  const Freed &freed = fate.frees[0];
  EXPECT_EQ(freed.event, e.lowering);
  EXPECT_EQ(freed.dealloc, 1);
  EXPECT_EQ(freed.block, e.entry);
  EXPECT_EQ(freed.condition, e.elseCondition);
  ASSERT_EQ(freed.ops.size(), 1u);
  EXPECT_EQ(e.trace().ops[size_t(freed.ops[0])].name, "memref.dealloc");
  EXPECT_FALSE(fate.neverConsidered);
}

TEST(Fate, branchOperandReachesItsBlockArgument) {
  BranchExample e;
  Fate fate = fateIn(e.trace(), e.a);
  ASSERT_EQ(fate.forwarded.size(), 1u);
  EXPECT_EQ(fate.forwarded[0].op, e.branch);
  EXPECT_EQ(fate.forwarded[0].edge, 0);
  EXPECT_EQ(fate.forwarded[0].block, e.bb1);
  EXPECT_EQ(fate.forwarded[0].argument, e.x);
  EXPECT_EQ(fate.retained.size(), 1u);
}

TEST(Fate, eachEdgeHasItsOperands) {
  TraceBuilder b("func.func @h(%c: i1) {\n  %a = memref.alloc()\n"
                 "  cf.cond_br %c, ^bb1(%a, %a), ^bb2(%a)\n^bb1(%x, %y):\n"
                 "  return\n^bb2(%z):\n  return\n}\n");
  Id entry = b.function("h");
  Id c = b.argument("c", "i1"), a = b.op("memref.alloc", {}, {"a"});
  b.terminator("cf.cond_br", {c, a, a, a}, {entry + 1, entry + 2});
  b.block("^bb1");
  Id x = b.argument("x"), y = b.argument("y");
  b.terminator("return", {});
  b.block("^bb2");
  Id z = b.argument("z");
  b.terminator("return", {});
  Fate fate = fateIn(b.trace, a);
  ASSERT_EQ(fate.forwarded.size(), 3u);
  EXPECT_EQ(fate.forwarded[0].argument, x);
  EXPECT_EQ(fate.forwarded[1].argument, y);
  EXPECT_EQ(fate.forwarded[2].argument, z);
  EXPECT_EQ(fate.forwarded[1].edge, 0);
  EXPECT_EQ(fate.forwarded[2].edge, 1);
}

TEST(Fate, copyIsReturnedInPlaceOfTheValue) {
  BranchExample e;
  Fate fate = fateIn(e.trace(), e.x);
  EXPECT_EQ(fate.source, BufferSource::blockArgument);
  ASSERT_EQ(fate.returned.size(), 1u);
  EXPECT_EQ(fate.returned[0].op, e.return1);
  EXPECT_EQ(fate.returned[0].as, e.copy);
  EXPECT_EQ(fate.clones.size(), 1u);
}

TEST(Fate, argumentIsBorrowedAndYielded) {
  BranchExample e;
  Fate fate = fateIn(e.trace(), e.m);
  EXPECT_EQ(fate.source, BufferSource::entryArgument);
  ASSERT_EQ(fate.yielded.size(), 1u);
  EXPECT_EQ(fate.yielded[0].op, e.yield);
  EXPECT_TRUE(fate.returned.empty());
  EXPECT_TRUE(fate.frees.empty());
}

TEST(Fate, i1HasNone) {
  BranchExample e;
  EXPECT_TRUE(fateIn(e.trace(), e.c).events.empty());
  EXPECT_TRUE(fateIn(e.trace(), 9999).events.empty());
  EXPECT_TRUE(fateIn(e.trace(), none).events.empty());
}

/// One allocation, and whatever a test adds.
struct Simple {
  TraceBuilder b{"func.func @g() {\n  %a = memref.alloc() : memref<4xf32>\n"
                 "  %v = memref.subview %a\n  func.call @h(%v)\n"
                 "  scf.for iter_args(%a) {\n  }\n  return\n}\n"};
  Id entry = b.function("g");
  Id a = b.op("memref.alloc", {}, {"a"});
  Id alloc = b.trace.values[size_t(a)].op;
  Id v = b.op("memref.subview", {a}, {"v"});
};

TEST(Fate, usesByCallsRegionsAndViews) {
  Simple s;
  Id call = s.b.op("func.call", {s.v});
  Id loop = s.b.op("scf.for", {s.a});
  s.b.beginRegion();
  s.b.endRegion();
  OwnershipEvent join;
  join.rule = OwnershipRule::defaultJoin;
  join.inputs = {s.a};
  join.inputOwnerships = {{}};
  s.b.event(3, join, {.value = s.v});
  Fate fate = fateIn(s.b.trace, s.a);
  EXPECT_EQ(fate.views, std::vector<Id>{s.v});
  ASSERT_EQ(fate.entering.size(), 1u);
  EXPECT_EQ(fate.entering[0].op, loop);
  fate = fateIn(s.b.trace, s.v);
  EXPECT_EQ(fate.source, BufferSource::view);
  ASSERT_EQ(fate.calls.size(), 1u);
  EXPECT_EQ(fate.calls[0].op, call);
}

TEST(Fate, stackAndManualBuffersAreNotThePasss) {
  for (auto [rule, source] :
       {std::pair(OwnershipRule::stackAllocation, BufferSource::stack),
        std::pair(OwnershipRule::manualDeallocation, BufferSource::manual)}) {
    Simple s;
    s.b.owns(s.a, s.b.indicator("false", none, 0), rule, {.op = s.alloc});
    EXPECT_EQ(fateIn(s.b.trace, s.a).source, source);
  }
}

TEST(Fate, removedByARewrite) {
  Simple s;
  RewriteEvent rewrite;
  rewrite.pattern = "RemoveAllocDeallocPairWhenNoOtherUsers";
  rewrite.erased = {s.alloc};
  Id event = s.b.event(4, rewrite, {});
  EXPECT_EQ(fateIn(s.b.trace, s.a).removedBy, std::vector<Id>{event});
  EXPECT_TRUE(fateIn(s.b.trace, s.v).removedBy.empty());
  rewrite.erased = {};
  rewrite.inserted = {s.alloc};
  s.b.event(4, rewrite, {.op = s.alloc});
  EXPECT_EQ(fateIn(s.b.trace, s.a).removedBy, std::vector<Id>{event});
}

TEST(Fate, neverConsidered) {
  Simple s;
  s.b.trace.functions[0].status = FunctionStatus::notProcessed;
  EXPECT_TRUE(fateIn(s.b.trace, s.a).neverConsidered);
  s.b.trace.functions[0].status = FunctionStatus::traced;
  EXPECT_FALSE(fateIn(s.b.trace, s.a).neverConsidered);
  s.b.trace.blocks[0].reachable = false;
  EXPECT_TRUE(fateIn(s.b.trace, s.a).unreachable);
  EXPECT_TRUE(fateIn(s.b.trace, s.a).neverConsidered);
}

TEST(Fate, libraryFunctionMayFreeWhatIsListed) {
  Simple s;
  Id tru = s.b.indicator("true", none, 1);
  Id fals = s.b.indicator("false", none, 0);
  DeallocEvent dealloc;
  dealloc.dealloc = 0;
  dealloc.memrefs = dealloc.bases = {s.a, s.v};
  dealloc.conditions = {tru, fals};
  s.b.event(3, dealloc, {});
  LoweringEvent lowering;
  lowering.dealloc = 0;
  lowering.lowering = LoweringCase::libraryFunction;
  lowering.ops = {s.b.generatedOp("func.call", s.alloc),
                  s.b.generatedOp("memref.dealloc", s.alloc)};
  lowering.freed = {none};
  s.b.event(6, lowering, {});
  Fate fate = fateIn(s.b.trace, s.a);
  ASSERT_EQ(fate.frees.size(), 1u);
  EXPECT_EQ(fate.frees[0].lowering, LoweringCase::libraryFunction);
  EXPECT_EQ(fate.frees[0].constantCondition, 1);
  // Its condition is false.
  EXPECT_TRUE(fateIn(s.b.trace, s.v).frees.empty());
}

TEST(Fate, libraryFunctionFreesWhatItsLoweringNames) {
  Simple s;
  Id tru = s.b.indicator("true", none, 1);
  DeallocEvent dealloc;
  dealloc.dealloc = 0;
  dealloc.memrefs = dealloc.bases = {s.a, s.v};
  dealloc.conditions = {tru, tru};
  s.b.event(3, dealloc, {});
  LoweringEvent lowering;
  lowering.dealloc = 0;
  lowering.lowering = LoweringCase::libraryFunction;
  lowering.ops = {s.b.generatedOp("memref.dealloc", s.alloc),
                  s.b.generatedOp("memref.dealloc", s.alloc)};
  lowering.freed = {s.v, s.b.generated("temporary", none)};
  lowering.compared = {s.v, s.a};
  s.b.event(6, lowering, {});
  EXPECT_TRUE(fateIn(s.b.trace, s.a).frees.empty());
  Fate fate = fateIn(s.b.trace, s.v);
  ASSERT_EQ(fate.frees.size(), 1u);
  EXPECT_EQ(fate.frees[0].ops, std::vector<Id>{lowering.ops[0]});
  EXPECT_EQ(fate.frees[0].compared, std::vector<Id>{s.a});
}

TEST(Fate, goneBeforeThePass) {
  Simple s;
  EXPECT_FALSE(fateIn(s.b.trace, s.a).goneBeforePass);
  s.b.owns(s.v, s.b.indicator("true", none, 1), OwnershipRule::allocation);
  EXPECT_TRUE(fateIn(s.b.trace, s.a).goneBeforePass);
  EXPECT_FALSE(fateIn(s.b.trace, s.v).goneBeforePass);
}

} // namespace
} // namespace memreflens::trace
