//===- tests/graph/ThemeTest.cpp - text that can be read ------------------===//

#include "core/graph/Theme.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace memreflens::graph;

namespace {

/// Relative luminance, as WCAG 2 defines it.
double luminance(std::string_view color) {
  double sum = 0;
  constexpr double share[] = {0.2126, 0.7152, 0.0722};
  for (size_t i = 0; i < 3; ++i) {
    double part =
        std::stoi(std::string(color.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    sum += share[i] * (part <= 0.03928 ? part / 12.92
                                       : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(std::string_view a, std::string_view b) {
  double high = luminance(a), low = luminance(b);
  if (high < low)
    std::swap(high, low);
  return (high + 0.05) / (low + 0.05);
}

TEST(Theme, TextStandsOutFromItsGround) {
  ASSERT_NEAR(contrast("#ffffff", "#000000"), 21, 0.01);
  for (ThemeName name : {ThemeName::light, ThemeName::dark}) {
    const Theme &theme = themeOf(name);
    for (int i = 0; i < meaningCount; ++i) {
      const Accent &accent = theme.accents[i];
      EXPECT_GE(contrast(accent.text, accent.fill), 4.5) << i;
      // Words of a rejection stand on their own ground only.
      bool isOnNode = Meaning(i) != Meaning::rejected;
      EXPECT_GE(contrast(accent.text, isOnNode ? theme.node : accent.fill), 4.5)
          << i;
    }
    for (const Accent &buffer : theme.buffers) {
      EXPECT_GE(contrast(buffer.text, buffer.fill), 4.5) << buffer.fill;
      EXPECT_GE(contrast(buffer.line, theme.ground), 3) << buffer.line;
      EXPECT_NE(buffer.line, theme.reason.line);
    }
    EXPECT_GE(contrast(theme.reason.line, theme.ground), 4.5);
    for (std::string_view ground :
         {theme.node, theme.ground, theme.title, theme.clusterFill}) {
      EXPECT_GE(contrast(theme.text, ground), 4.5);
      EXPECT_GE(contrast(theme.dimText, ground), 4.5);
    }
  }
}

TEST(Theme, EachMeaningHasAWordOrASign) {
  for (int i = 1; i < meaningCount; ++i)
    EXPECT_FALSE(wordOf(Meaning(i)).empty()) << i;
}

} // namespace
