//===- tests/graph-units/LineDiffTest.cpp ---------------------------------===//
//
// The diff is smallest, and a common subsequence, checked against the textbook
// dynamic programme on seeded random texts.
//
//===----------------------------------------------------------------------===//

#include "core/graph/LineDiff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace memreflens::graph;

using Lines = std::vector<std::string_view>;

static size_t longestCommon(const Lines &first, const Lines &second) {
  std::vector<std::vector<size_t>> best(
      first.size() + 1, std::vector<size_t>(second.size() + 1, 0));
  for (size_t i = first.size(); i-- > 0;)
    for (size_t k = second.size(); k-- > 0;)
      best[i][k] = first[i] == second[k]
                       ? best[i + 1][k + 1] + 1
                       : std::max(best[i + 1][k], best[i][k + 1]);
  return best[0][0];
}

static Lines kept(const Lines &lines, const std::vector<bool> &changed) {
  Lines result;
  for (size_t i = 0; i < lines.size(); ++i)
    if (!changed[i])
      result.push_back(lines[i]);
  return result;
}

static Lines randomLines(std::mt19937 &random, size_t size) {
  static constexpr std::string_view words[] = {"a", "b", "c", "d", "e"};
  Lines lines;
  for (size_t i = 0; i < size; ++i)
    lines.push_back(words[random() % 5]);
  return lines;
}

TEST(LineDiff, keepsALongestCommonSubsequence) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Lines first = randomLines(random, random() % 24);
    Lines second = randomLines(random, random() % 24);
    LineDiff diff = diffLines(first, second);
    Lines left = kept(first, diff.removed), right = kept(second, diff.added);
    ASSERT_EQ(left, right);
    ASSERT_EQ(left.size(), longestCommon(first, second));
  }
}

TEST(LineDiff, isACommonSubsequencePastTheLimit) {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    Lines first = randomLines(random, 40), second = randomLines(random, 40);
    LineDiff diff = diffLines(first, second, /*limit=*/3);
    ASSERT_EQ(kept(first, diff.removed), kept(second, diff.added));
  }
}

TEST(LineDiff, takesEqualAndEmptyTexts) {
  Lines lines = {"x", "y"};
  LineDiff same = diffLines(lines, lines);
  EXPECT_EQ(same.removed, std::vector<bool>({false, false}));
  LineDiff none = diffLines({}, lines);
  EXPECT_TRUE(none.removed.empty());
  EXPECT_EQ(none.added, std::vector<bool>({true, true}));
}
