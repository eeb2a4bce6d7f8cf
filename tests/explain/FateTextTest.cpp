//===- tests/explain/FateTextTest.cpp - a buffer's fate in words ----------===//

#include "core/explain/FateText.h"
#include "tests/explain/Wording.h"

namespace memreflens {
namespace {

using namespace test;

TEST(FateText, freedOnOneEdgeAndPassedOnTheOther) {
  BranchExample e;
  EXPECT_EQ(
      explainFate(e.trace(), e.a).headline,
      "%a (2:3): deallocated on the edge ^bb0 -> ^bb2 if %free_a_0; passed "
      "to ^bb1 as %x, owned if %own_a");
}

TEST(FateText, argumentIsBorrowed) {
  BranchExample e;
  EXPECT_EQ(explainFate(e.trace(), e.m).headline,
            "%m (1:22): borrowed from the caller, never deallocated here; "
            "yielded to scf.if (7:8)");
}

TEST(FateText, copyIsReturned) {
  BranchExample e;
  FateText fate = explainFate(e.trace(), e.x);
  EXPECT_EQ(fate.headline, "%x (4:6): returned at 5:3, as itself if %own_x, "
                           "else as the clone %owned_x");
  ASSERT_EQ(fate.steps.size(), 2u);
  EXPECT_TRUE(mentions(fate.steps[1].sentence,
                       "%x is cloned to %owned_x unless owned"));
}

TEST(FateText, factsAreStatedOnce) {
  BranchExample e;
  FateText fate = explainFate(e.trace(), e.x);
  std::vector<std::string> texts;
  for (const Explanation &step : fate.steps) {
    texts.push_back(step.sentence);
    for (const Evidence &fact : step.evidence)
      texts.push_back(fact.text);
  }
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end());
}

TEST(FateText, rejectedFunctionFreesNothing) {
  TraceBuilder b{"func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n"
                 "  return\n}\n"};
  b.function("f");
  Id a = b.op("memref.alloc", {}, {"a"});
  b.terminator("return", {});
  b.trace.functions[0].status = trace::FunctionStatus::rejected;
  EXPECT_EQ(explainFate(b.trace, a).headline,
            "%a (2:3): not deallocated: its function is rejected");
}

TEST(FateText, functionThatIsNotProcessed) {
  TraceBuilder b{"func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n"
                 "  return\n}\n"};
  b.function("f");
  Id a = b.op("memref.alloc", {}, {"a"});
  b.terminator("return", {});
  b.trace.functions[0].status = trace::FunctionStatus::notProcessed;
  b.trace.functions[0].opName = "gpu.func";
  EXPECT_TRUE(
      mentions(explainFate(b.trace, a).headline,
               "skipped: the pass runs on func.func only, not on gpu.func"));
}

TEST(FateText, i1HasNone) {
  BranchExample e;
  EXPECT_TRUE(explainFate(e.trace(), e.c).headline.empty());
  EXPECT_TRUE(explainFate(e.trace(), 9999).headline.empty());
  EXPECT_TRUE(explainFate(e.trace(), none).headline.empty());
}

TEST(FateText, buffersAreInSourceOrder) {
  BranchExample e;
  EXPECT_EQ(buffersOf(e.trace(), 0), (std::vector<Id>{e.m, e.a, e.x, e.r}));
}

} // namespace
} // namespace memreflens
