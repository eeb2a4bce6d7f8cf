//===- tests/explain/DecisionTest.cpp - one sentence for each decision ----===//

#include "core/explain/DecisionText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/PositionText.h"
#include "core/explain/RejectionText.h"
#include "tests/explain/Wording.h"

namespace memreflens {
namespace {

using namespace test;
using trace::Ownership;
using trace::OwnershipRule;
using trace::OwnershipState;

/// Two buffers, a choice between them, and whatever a test adds.
struct Choice {
  TraceBuilder b{"func.func @f(%c: i1) -> memref<4xf32> {\n"
                 "  %a = memref.alloc() : memref<4xf32>\n"
                 "  %s = memref.alloca() : memref<4xf32>\n"
                 "  %r = arith.select %c, %a, %s : memref<4xf32>\n"
                 "  return %r : memref<4xf32>\n}\n"};
  Id entry, c, a, s, r, ret, tru, fals;

  Choice() {
    entry = b.function("f");
    c = b.argument("c", "i1");
    a = b.op("memref.alloc", {}, {"a"});
    s = b.op("memref.alloca", {}, {"s"});
    r = b.op("arith.select", {c, a, s}, {"r"});
    ret = b.terminator("return", {r});
    tru = b.indicator("true", none, 1);
    fals = b.indicator("false", none, 0);
  }

  Id opOf(Id value) const { return b.trace.values[size_t(value)].op; }
  Id join(Id input, Id indicator, Ownership before, Ownership after) {
    trace::OwnershipEvent event;
    event.rule = OwnershipRule::defaultJoin;
    event.before = before;
    event.with = {OwnershipState::unique, indicator};
    event.after = after;
    event.inputs = {input};
    event.inputOwnerships = {event.with};
    return b.event(3, event, {.value = r, .op = opOf(r)});
  }
  std::string say(Id event) const {
    return wording(b.trace, explainEvent(b.trace, event));
  }
};

TEST(DecisionText, allocationIsOwned) {
  Choice e;
  Id event =
      e.b.owns(e.a, e.tru, OwnershipRule::allocation, {.op = e.opOf(e.a)});
  EXPECT_EQ(e.say(event), "%a is owned: memref.alloc allocates it\n");
}

TEST(DecisionText, stackAllocationIsBorrowed) {
  Choice e;
  Id event = e.b.owns(e.s, e.fals, OwnershipRule::stackAllocation,
                      {.op = e.opOf(e.s)});
  EXPECT_EQ(e.say(event), "%s is borrowed: memref.alloca allocates it on the "
                          "stack, which its scope deallocates\n");
}

TEST(DecisionText, joinNamesWhatDiffers) {
  Choice e;
  Ownership owned{OwnershipState::unique, e.tru};
  e.join(e.a, e.tru, {}, owned);
  Id last = e.join(e.s, e.fals, owned, {OwnershipState::unknown, none});
  EXPECT_EQ(e.say(last),
            "%r is of unknown ownership: arith.select joins %a (owned) and %s "
            "(borrowed)\n"
            "  2:3  %a is owned\n"
            "  3:3  %s is borrowed\n");
}

TEST(DecisionText, viewTakesOverOwnership) {
  Choice e;
  Id event = e.join(e.a, e.tru, {}, {OwnershipState::unique, e.tru});
  EXPECT_EQ(e.say(event), "%r is owned: arith.select takes over that of "
                          "%a (owned)\n  2:3  %a is owned\n");
}

TEST(DecisionText, cloneSaysWhatMadeTheOwnershipUnknown) {
  Choice e;
  Ownership owned{OwnershipState::unique, e.tru};
  Ownership unknown{OwnershipState::unknown, none};
  e.join(e.a, e.tru, {}, owned);
  Id because = e.join(e.s, e.fals, owned, unknown);
  Id copy = e.b.generated("clone_r", e.r);
  trace::CloneEvent clone{copy, trace::CloneDemand::functionReturn, false,
                          unknown, because};
  Id event = e.b.event(3, clone, {.value = e.r, .op = e.ret});
  EXPECT_EQ(e.say(event),
            "%r is cloned to %clone_r: the caller must own results, and %r is "
            "of unknown ownership\n"
            "  4:8  %r is of unknown ownership: arith.select joins %a (owned) "
            "and %s (borrowed)\n"
            "  2:3  %a is owned\n"
            "  3:3  %s is borrowed\n");
}

TEST(DecisionText, retainedTwiceNamesBothReasons) {
  BranchExample e;
  TraceBuilder &b = e.b;
  Id op = b.trace.events[size_t(e.thenDealloc)].op;
  b.event(3,
          trace::RetainEvent{trace::RetainReason::liveAcrossEdge, e.bb1, 0, -1,
                             e.thenDealloc},
          {.value = e.a, .op = op, .block = e.entry});
  trace::OwnershipEvent twice;
  twice.rule = OwnershipRule::retainedResult;
  twice.before = {OwnershipState::unique, e.thenResult};
  twice.with = {OwnershipState::unique, e.thenResult};
  twice.after = {OwnershipState::unknown, none};
  Id event = b.event(3, twice, {.value = e.a, .op = op, .block = e.entry});
  std::string text = wording(b.trace, explainEvent(b.trace, event));
  EXPECT_TRUE(mentions(text, "retains it twice")) << text;
  EXPECT_TRUE(mentions(text, "forwarded to ^bb1 as operand 1 of cf.cond_br"))
      << text;
  EXPECT_TRUE(mentions(text, "live-in of ^bb1")) << text;
}

TEST(DecisionText, deallocOnAnEdgeSaysWhatItKeepsAndFrees) {
  BranchExample e;
  EXPECT_EQ(wording(e.trace(), explainEvent(e.trace(), e.thenDealloc)),
            "the edge ^bb0 -> ^bb1 retains %a\n"
            "  2:3  %a is retained: forwarded to ^bb1 as operand 1 of "
            "cf.cond_br\n");
  EXPECT_EQ(wording(e.trace(), explainEvent(e.trace(), e.elseDealloc)),
            "the edge ^bb0 -> ^bb2 deallocates %a if %free_a_0\n");
}

TEST(DecisionText, survivingCheckNamesTheTerminals) {
  Choice e;
  trace::RewriteEvent kept;
  kept.deallocs = {0};
  trace::AliasFact fact;
  fact.first = e.a;
  fact.second = e.r;
  fact.rule = trace::AliasRule::overlappingTerminals;
  fact.firstTerminals = {e.a};
  fact.secondTerminals = {e.a, e.s};
  kept.facts = {fact};
  Id op = e.b.generatedOp("bufferization.dealloc", e.ret);
  Id asked = e.b.event(5, kept, {.op = op});
  EXPECT_TRUE(mentions(e.say(asked), "could not simplify dealloc #0 further"));
  trace::LoweringEvent lowered;
  lowered.dealloc = 0;
  lowered.lowering = trace::LoweringCase::singleRetained;
  lowered.memrefCount = lowered.retainedCount = 1;
  lowered.freed = {e.a};
  lowered.compared = {e.a, e.r};
  Id event = e.b.event(6, lowered, {.op = op});
  EXPECT_EQ(e.say(event),
            "a run-time alias check compares %a with %r\n"
            "  2:3  %a and %r may alias: %r may come from %a or %s\n");
}

TEST(IndicatorText, expressionsAreReadAsWords) {
  Choice e;
  Id own = e.b.indicator("own_a", e.a);
  Id negated = e.b.indicator("not_taken");
  Id xorOp = e.b.generatedOp("arith.xori", e.ret, {negated});
  e.b.trace.ops[size_t(xorOp)].operands = {e.tru, e.c};
  Id free = e.b.indicator("free_a", e.a);
  Id andOp = e.b.generatedOp("arith.andi", e.ret, {free});
  e.b.trace.ops[size_t(andOp)].operands = {own, negated};
  Lookup lookup(e.b.trace);
  EXPECT_EQ(indicatorExpression(lookup, free), "%own_a and not %c");
  EXPECT_EQ(indicatorExpression(lookup, e.tru), "true");
}

TEST(IndicatorText, blockArgumentIsFollowedAlongItsEdges) {
  BranchExample e;
  std::string text = wording(e.trace(), explainIndicator(e.trace(), e.ownX));
  EXPECT_TRUE(mentions(text, "%own_x is a block argument of ^bb1")) << text;
  EXPECT_TRUE(mentions(text, "3:3  %own_a via ^bb0, with %a")) << text;
}

TEST(IndicatorText, falseAndSomethingIsFalse) {
  Choice e;
  Id free = e.b.indicator("free_a", e.a);
  Id andOp = e.b.generatedOp("arith.andi", e.ret, {free});
  e.b.trace.ops[size_t(andOp)].operands = {e.fals, e.c};
  EXPECT_EQ(Lookup(e.b.trace).constantOf(free), 0);
  e.b.trace.ops[size_t(andOp)].operands = {e.tru, e.c};
  EXPECT_EQ(Lookup(e.b.trace).constantOf(free), -1);
}

/// The dealloc of `listed`, owned under `condition`, that retains `retained`.
Id resultOfDealloc(Choice &e, Id listed, Id condition, Id retained) {
  Id result = e.b.indicator("own", retained);
  trace::DeallocEvent dealloc;
  dealloc.dealloc = 0;
  dealloc.memrefs = dealloc.bases = {listed};
  dealloc.conditions = {condition};
  dealloc.retained = {retained};
  dealloc.results = {result};
  e.b.event(3, dealloc, {.op = e.ret});
  return result;
}

TEST(IndicatorText, retainedItselfStaysOwned) {
  Choice e;
  Id own = resultOfDealloc(e, e.a, e.tru, e.a);
  EXPECT_EQ(Lookup(e.b.trace).constantOf(own), 1);
}

TEST(IndicatorText, whatMayBeAnotherBufferIsKnownAtRunTimeOnly) {
  Choice e;
  Id own = resultOfDealloc(e, e.a, e.tru, e.r);
  EXPECT_EQ(Lookup(e.b.trace).constantOf(own), -1);
}

TEST(IndicatorText, simplificationKnowsTheyAreDistinct) {
  Choice e;
  Id own = resultOfDealloc(e, e.a, e.tru, e.s);
  trace::AliasFact fact;
  fact.first = e.s;
  fact.second = e.a;
  fact.answer = trace::SameAllocation::no;
  trace::RewriteEvent rewrite;
  rewrite.facts = {fact};
  e.b.event(5, rewrite, {});
  EXPECT_EQ(Lookup(e.b.trace).constantOf(own), 0);
}

TEST(RejectionText, namesCauseWitnessesAndRemedy) {
  Choice e;
  trace::RejectionEvent rejection;
  rejection.cause = trace::RejectionCause::unknownEffects;
  rejection.message = "ops with unknown memory side effects are not supported";
  rejection.witnesses = {e.opOf(e.r)};
  rejection.remedies = {"implement MemoryEffectOpInterface"};
  Id event = e.b.event(3, rejection, {.op = e.opOf(e.r)});
  EXPECT_EQ(
      wording(e.b.trace, explainRejection(e.b.trace, event)),
      "@f is rejected: the memory effects of arith.select "
      "are unknown\n"
      "  4:8  upstream's error: ops with unknown memory side effects are not "
      "supported\n"
      "  remedy: implement MemoryEffectOpInterface\n");
  EXPECT_TRUE(explainRejection(e.b.trace, 999).empty());
}

TEST(PositionText, blockNameTellsWhatComesIn) {
  BranchExample e;
  auto all = explainAt(e.trace(), e.b.offsetOf("^bb1(%x"));
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].sentence, "^bb1 takes %own_x, the ownership of its "
                             "argument %x");
}

TEST(PositionText, nothingWhereNothingStands) {
  BranchExample e;
  EXPECT_TRUE(explainAt(e.trace(), 1000000u).empty());
}

} // namespace
} // namespace memreflens
