#include "core/source/Chunks.h"

#include <gtest/gtest.h>

#include <string>

using namespace memreflens;

/// The chunks of `text`, each in brackets.
static std::string chunksOf(std::string_view text) {
  std::string all;
  for (trace::Range range : splitChunks(text)) {
    all += '[';
    all += text.substr(range.begin, range.end - range.begin);
    all += ']';
  }
  return all;
}

TEST(Chunks, MarkerLinesSplit) {
  EXPECT_EQ(chunksOf("a\n// -----\nb\n"), "[a\n][b\n]");
  EXPECT_EQ(chunksOf("a\r\n// -----\r\nb"), "[a\r\n][b]");
  EXPECT_EQ(chunksOf("// -----\n// -----\n"), "[][][]");
  EXPECT_EQ(chunksOf("a // -----\nb"), "[a ][b]");
}

TEST(Chunks, NoMarkerIsOneChunk) {
  EXPECT_EQ(chunksOf(""), "[]");
  EXPECT_EQ(chunksOf("a"), "[a]");
  EXPECT_EQ(chunksOf("a\n// ----\nb"), "[a\n// ----\nb]");
}

TEST(Chunks, LongerRulesAreComments) {
  EXPECT_EQ(chunksOf("a\n// ------\nb"), "[a\n// ------\nb]");
  EXPECT_EQ(chunksOf("// ---------\n// -----\nb"), "[// ---------\n][b]");
  EXPECT_EQ(chunksOf("a\n// ---------"), "[a\n// ---------]");
}

TEST(Chunks, MarkerAtTheVeryEndIsAComment) {
  EXPECT_EQ(chunksOf("a\n// -----"), "[a\n// -----]");
}

static uint32_t depthOf(std::string_view text) {
  return measureNesting(text, /*limit=*/1000).depth;
}

TEST(Nesting, CountsAllBrackets) {
  EXPECT_EQ(depthOf(""), 0u);
  EXPECT_EQ(depthOf("([{<>}])"), 4u);
  EXPECT_EQ(depthOf("()[]{}<>"), 1u);
}

TEST(Nesting, LeavesOutStringsCommentsAndArrows) {
  EXPECT_EQ(depthOf("\"((((\\\"((((\" ()"), 1u);
  EXPECT_EQ(depthOf("// ((((\n()"), 1u);
  EXPECT_EQ(depthOf("(d0) -> (d0) -> (d0)"), 1u);
  EXPECT_EQ(depthOf("<(d0) : (d0 >= 0, d0 <= 7)>"), 2u);
  // An unclosed string ends with its line.
  EXPECT_EQ(depthOf("\"(\n(())"), 2u);
}

TEST(Nesting, AComparisonDoesNotAddUp) {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "{ a < b }";
  EXPECT_EQ(depthOf(text), 2u);
}

TEST(Nesting, CountsSignsInARow) {
  EXPECT_EQ(depthOf("(- - - - d0)"), 4u);
  EXPECT_EQ(depthOf("{ -1 -1 }"), 1u);
}

TEST(Nesting, CountsTheOperatorsOfOneAffineExpression) {
  EXPECT_EQ(depthOf("(d0 + d1 * 2 + (d2) floordiv 3 mod 4)"), 5u);
  EXPECT_EQ(depthOf("(d0 + d1, d0 + d1, d0 + d1)"), 1u);
  // Signs elsewhere are no operators.
  EXPECT_EQ(depthOf("{ c -1 c -1 c -1 %a-1 %b-1 }"), 1u);
}

TEST(Nesting, SaysWhereTheLimitIsExceeded) {
  Nesting nesting = measureNesting("a ((( ))) ((((", 2);
  EXPECT_EQ(nesting.depth, 3u);
  EXPECT_EQ(nesting.exceededAt, 4u);
}

TEST(Nesting, UnclosedAnglesTakeLinearTime) {
  // Each closer must not look at all openers before it.
  std::string text(900, '<');
  for (int i = 0; i < 2'000'000; ++i)
    text += ")<";
  EXPECT_GE(measureNesting(text, 1000).depth, 900u);
}
