//===- tests/graph/EscapeTest.cpp - text of the user's as characters ------===//

#include "core/text/Escape.h"

#include <gtest/gtest.h>

using namespace memreflens;

namespace {

TEST(Escape, MakesMarkupText) {
  EXPECT_EQ(escapedXml("<script>\"a\" & 'b' ]]>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39; ]]&gt;");
}

TEST(Escape, ShowsWhatCannotBeSeen) {
  EXPECT_EQ(visibleText("a\nb\tc"), "a b c");
  EXPECT_EQ(visibleText(std::string_view("\0\x1b\x7f", 3)), "␀␛␡");
  EXPECT_EQ(visibleText("a\u202eb\u2066"), "a⟨U+202E⟩b⟨U+2066⟩");
  EXPECT_EQ(visibleText("a\u200bb\ufeff"), "a⟨U+200B⟩b⟨U+FEFF⟩");
  EXPECT_EQ(visibleText("größe 値 𝛼"), "größe 値 𝛼");
}

TEST(Escape, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(visibleText("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(visibleText("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(visibleText("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(visibleText("\xef\xbf\xbe"), "\xef\xbf\xbd");
}

} // namespace
