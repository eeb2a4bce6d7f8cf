//===- tests/explain/PlacementTextTest.cpp - words for other passes -------===//

#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/query/Totals.h"
#include "core/trace/Names.h"
#include "tests/explain/Wording.h"

#include <set>

namespace memreflens {
namespace {

using namespace test;
using trace::MoveOutcome;
using trace::PlacementWarning;

/// A buffer that a block passes to another one, under the classic pass.
struct Merge {
  TraceBuilder b{"func.func @f(%g: memref<4xf32>) {\n"
                 "  %a = memref.alloc() : memref<4xf32>\n"
                 "  cf.br ^m(%a : memref<4xf32>)\n"
                 "^m(%m: memref<4xf32>):\n"
                 "  memref.copy %m, %g : memref<4xf32> to memref<4xf32>\n"
                 "  return\n}\n"};
  Id entry, g, a, branch;

  Merge() {
    b.trace.options.pipeline = "classic";
    b.trace.options.passes = {"func.func(buffer-deallocation)", "canonicalize"};
    entry = b.function("f");
    g = b.argument("g");
    a = b.op("memref.alloc", {}, {"a"});
    branch = b.terminator("cf.br", {a});
  }

  Id opOf(Id value) const { return b.trace.values[size_t(value)].op; }
  std::string say(Id event) const {
    return wording(b.trace, explainEvent(b.trace, event));
  }
  Id moved(MoveOutcome outcome) {
    trace::MoveEvent move;
    move.outcome = outcome;
    move.to = entry;
    move.because = branch;
    move.becauseValue = g;
    move.bytes = 16;
    move.argument = 1;
    // What is about a result is about no buffer.
    const bool isOfResult = outcome >= MoveOutcome::dropped;
    move.result = isOfResult ? 0 : -1;
    return isOfResult
               ? b.event(1, move, {.op = opOf(a)})
               : b.event(1, move, {.value = a, .op = opOf(a), .block = entry});
  }
};

/// Begins with a name, ends without a gap, and says something behind each
/// colon.
void expectWhole(const std::string &sentence) {
  EXPECT_GT(sentence.size(), 12u) << sentence;
  for (const char *gap : {": \n", ":  ", "; ;", "  ", " ,", ": :", "none"})
    EXPECT_FALSE(mentions(sentence.substr(0, sentence.find('\n')) + "\n", gap))
        << "'" << gap << "' in " << sentence;
}

TEST(PlacementText, everyOutcomeHasWordsOfItsOwn) {
  std::set<std::string> said;
  for (int i = 0; !trace::nameOf(MoveOutcome(i)).empty(); ++i) {
    Merge e;
    std::string sentence = e.say(e.moved(MoveOutcome(i)));
    expectWhole(sentence);
    EXPECT_TRUE(said.insert(sentence).second)
        << trace::nameOf(MoveOutcome(i)) << ": " << sentence;
  }
  EXPECT_GT(said.size(), size_t(MoveOutcome::callUnknownSize));
}

TEST(PlacementText, everyWarningHasWordsOfItsOwn) {
  std::set<std::string> said;
  for (int i = 0; !trace::nameOf(PlacementWarning(i)).empty(); ++i) {
    Merge e;
    trace::WarningEvent warning{PlacementWarning(i), e.branch, 16, 32};
    Id event = e.b.event(1, warning, {.op = e.opOf(e.a), .block = e.entry});
    std::string sentence = e.say(event);
    expectWhole(sentence);
    EXPECT_TRUE(mentions(sentence, "%a")) << sentence;
    EXPECT_TRUE(said.insert(sentence).second)
        << trace::nameOf(PlacementWarning(i)) << ": " << sentence;
  }
  EXPECT_GT(said.size(), size_t(PlacementWarning::upstreamCrashes));
}

TEST(PlacementText, aBufferMayLeaveTheStackItself) {
  Merge e;
  trace::MoveEvent move;
  move.outcome = MoveOutcome::leavesScope;
  move.becauseValue = e.a;
  Id event = e.b.event(1, move, {.value = e.a, .op = e.opOf(e.a)});
  EXPECT_TRUE(mentions(e.say(event),
                       "kept on the heap: it leaves the scope of the stack"))
      << e.say(event);
}

TEST(PlacementText, aCriticalAliasNamesItsGroundAndItsSources) {
  Merge e;
  e.b.event(1, trace::AliasEvent{e.a, trace::AliasLink::branch},
            {.value = e.g, .op = e.branch, .block = e.entry});
  Id event = e.b.event(
      1,
      trace::CriticalEvent{e.a, e.entry, trace::CriticalReason::notDominated},
      {.value = e.g, .block = e.entry});
  std::string sentence = e.say(event);
  EXPECT_TRUE(mentions(sentence, "%g is a critical alias of %a")) << sentence;
  EXPECT_TRUE(mentions(sentence, "does not dominate")) << sentence;
  EXPECT_TRUE(mentions(sentence, "%g may be %a: cf.br")) << sentence;
}

TEST(PlacementText, aFreeNamesTheLastUseAndUnderWhichName) {
  Merge e;
  Id dealloc = e.b.generatedOp("memref.dealloc", e.branch);
  trace::FreeEvent free{e.opOf(e.a), none, dealloc, false};
  Id unused = e.b.event(1, free, {.value = e.a, .block = e.entry});
  EXPECT_TRUE(mentions(e.say(unused), "as nothing there uses it"))
      << e.say(unused);
  free.after = e.branch;
  free.lastAlias = e.a;
  Id used = e.b.event(1, free, {.value = e.a, .block = e.entry});
  EXPECT_TRUE(mentions(e.say(used), "after cf.br (3:3), its last use there"))
      << e.say(used);
  free.moved = true;
  Id moved = e.b.event(1, free, {.value = e.a, .block = e.entry});
  EXPECT_TRUE(mentions(e.say(moved), "deallocated by its own dealloc in "))
      << e.say(moved);
}

TEST(PlacementText, whatALaterStageTakesOutIsSaidAndNotCounted) {
  Merge e;
  Id dealloc = e.b.generatedOp("memref.dealloc", e.branch);
  e.b.event(1, trace::FreeEvent{e.opOf(e.a), e.a, dealloc, false},
            {.value = e.a, .block = e.entry});
  EXPECT_EQ(totalsOf(Lookup(e.b.trace)).frees, 1u);
  trace::RewriteEvent rewrite;
  rewrite.erased = {dealloc};
  e.b.event(2, rewrite, {.op = dealloc, .block = e.entry});
  EXPECT_EQ(totalsOf(Lookup(e.b.trace)).frees, 0u);
  std::string headline = explainFate(Lookup(e.b.trace), e.a).headline;
  EXPECT_TRUE(mentions(headline, "takes the dealloc out again")) << headline;
}

TEST(PlacementText, argumentsAreTheCallers) {
  Merge e;
  std::string headline = explainFate(Lookup(e.b.trace), e.g).headline;
  EXPECT_TRUE(
      mentions(headline, "borrowed from the caller, never deallocated here"))
      << headline;
}

} // namespace
} // namespace memreflens
