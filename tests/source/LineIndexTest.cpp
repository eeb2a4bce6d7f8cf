#include "core/text/LineIndex.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

using memreflens::LineColumn;
using memreflens::LineIndex;

namespace memreflens {
void PrintTo(const LineColumn &at, std::ostream *os) {
  *os << at.line << ":" << at.column;
}
} // namespace memreflens

TEST(LineIndex, CountsBytesFromOne) {
  LineIndex lines("ab\ncd\n");
  EXPECT_EQ(lines.lineColumn(0), (LineColumn{1, 1}));
  EXPECT_EQ(lines.lineColumn(2), (LineColumn{1, 3}));
  EXPECT_EQ(lines.lineColumn(3), (LineColumn{2, 1}));
  EXPECT_EQ(lines.lineColumn(6), (LineColumn{3, 1}));
  EXPECT_EQ(lines.lineColumn(99), (LineColumn{3, 1}));
  EXPECT_EQ(lines.lineCount(), 3u);
}

TEST(LineIndex, OffsetsAreClampedToTheLine) {
  LineIndex lines("ab\r\ncd");
  EXPECT_EQ(lines.offset({1, 1}), 0u);
  EXPECT_EQ(lines.offset({1, 99}), 2u);
  EXPECT_EQ(lines.offset({2, 2}), 5u);
  EXPECT_EQ(lines.offset({3, 1}), 6u);
  EXPECT_EQ(lines.offset({0, 0}), 0u);
}

TEST(LineIndex, LinesComeWithoutTheirEnds) {
  LineIndex lines("ab\r\n\ncd");
  EXPECT_EQ(lines.line(1), "ab");
  EXPECT_EQ(lines.line(2), "");
  EXPECT_EQ(lines.line(3), "cd");
  EXPECT_EQ(lines.line(4), "");
  EXPECT_EQ(lines.line(0), "");
}

TEST(LineIndex, OffsetsSurviveTheRoundTrip) {
  std::string text = "func \xE2\x82\xAC\r\n\n\xF0\x9F\x98\x80 x\nend";
  LineIndex lines(text);
  for (uint32_t at = 0; at <= text.size(); ++at) {
    bool insideEnd = at > 0 && text[at - 1] == '\r' && text[at] == '\n';
    if (insideEnd)
      continue;
    EXPECT_EQ(lines.offset(lines.lineColumn(at)), at);
  }
}

TEST(LineIndex, EmptyTextHasOneLine) {
  LineIndex lines("");
  EXPECT_EQ(lines.lineCount(), 1u);
  EXPECT_EQ(lines.lineColumn(0), (LineColumn{1, 1}));
  EXPECT_EQ(lines.offset({1, 1}), 0u);
}
