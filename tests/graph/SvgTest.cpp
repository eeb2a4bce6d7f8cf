//===- tests/graph/SvgTest.cpp - SVG and PNG of pictures ------------------===//

#include "core/graph/Draw.h"
#include "core/graph/Graphviz.h"
#include "tests/graph/GraphFamilies.h"

#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <thread>

using namespace memreflens::graph;

namespace {

constexpr std::string_view hostile =
    "<script>alert(1)</script> \"q\" 'a' & &lt; &#60; {b|c} ]]> \\N \\n "
    "größe 値 \u202egnp javascript:x";
constexpr std::string_view hostileShown =
    "&lt;script&gt;alert(1)&lt;/script&gt;";

std::string svgOf(const Picture &picture, ThemeName theme = ThemeName::light) {
  DotOptions options;
  options.theme = theme;
  Image image = draw(picture, options, ImageFormat::svg);
  EXPECT_EQ(image.error, "");
  return image.bytes;
}

/// Each tag is closed, in order; attributes are quoted; entities are known.
void checkWellFormed(const std::string &svg) {
  static const std::regex tag(
      R"(<(/?)([a-z]+)((?:\s+[a-zA-Z0-9:-]+="[^"<]*")*)(/?)>)");
  std::vector<std::string> open;
  size_t at = 0;
  while ((at = svg.find('<', at)) != std::string::npos) {
    size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    std::string text = svg.substr(at, end + 1 - at);
    std::smatch match;
    ASSERT_TRUE(std::regex_match(text, match, tag)) << text;
    if (match[1].length()) {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), match[2].str());
      open.pop_back();
    } else if (!match[4].length()) {
      open.push_back(match[2].str());
    }
    at = end;
  }
  ASSERT_TRUE(open.empty());
  static const std::regex entity("&(?!(amp|lt|gt|quot|apos|#[0-9]+);)");
  ASSERT_FALSE(std::regex_search(svg, entity));
}

Picture hostilePicture() {
  Picture picture = diamonds(4);
  std::string text(hostile);
  picture.title = picture.subtitle = text;
  for (Node &node : picture.nodes) {
    node.title = node.note = node.tooltip = text;
    node.lines.push_back({text, text + " tip", Meaning::plain, 1});
    node.bottom[0].label = text;
    node.bottom[0].chips.push_back({Meaning::freed, text, text, 7, 8});
  }
  for (Edge &edge : picture.edges) {
    edge.label = edge.tooltip = text;
    edge.chips.push_back({Meaning::retained, text, text, 7, 8});
  }
  picture.clusters.push_back({"c0", -1, 5, text, text});
  picture.nodes[1].cluster = 0;
  return picture;
}

TEST(Svg, HostileTextStaysText) {
  std::string svg = svgOf(hostilePicture());
  checkWellFormed(svg);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("href"), std::string::npos);
  EXPECT_EQ(svg.find("\u202e"), std::string::npos);
  EXPECT_NE(svg.find(hostileShown), std::string::npos);
  EXPECT_NE(svg.find("größe 値"), std::string::npos);
  // What looks like an entity or an escape is shown as it was written.
  // In a drawn label too, which Graphviz writes, not only in our tooltip.
  size_t label = svg.find("<text");
  ASSERT_NE(label, std::string::npos);
  bool isInLabel = false;
  for (; label != std::string::npos; label = svg.find("<text", label + 1))
    isInLabel |= svg.substr(label, svg.find("</text>", label) - label)
                     .find("&amp;lt; &amp;#60;") != std::string::npos;
  EXPECT_TRUE(isInLabel);
  EXPECT_NE(svg.find("\\N \\n"), std::string::npos);
}

TEST(Svg, ElementsCanBeStyledAndScripted) {
  Picture picture = diamonds(4);
  picture.clusters.push_back({"c0", -1, 5, "scf.if", "an if"});
  picture.nodes[1].cluster = 0;
  picture.nodes[2].reachable = false;
  std::string svg = svgOf(picture);
  checkWellFormed(svg);
  for (std::string_view part :
       {"<g id=\"c.owned.0.v1.e2\" class=\"chip owned\" data-value=\"1\" "
        "data-event=\"2\"><title>owned</title>",
        "<g id=\"l.0.o0\" class=\"line\" data-op=\"0\">",
        "<g id=\"b3\" class=\"node block\" data-block=\"3\">",
        "<g id=\"b2\" class=\"node block unreachable\" data-block=\"2\">",
        "<g id=\"c0\" class=\"cluster region\" data-op=\"5\">",
        "<g id=\"e0\" class=\"edge branch\" data-from=\"b0\" data-to=\"b1\">",
        "role=\"img\"", "<title>@function</title>", "<desc>",
        "font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\""})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(Svg, ATooltipIsNeverAnInternalKey) {
  std::string svg = svgOf(diamonds(4));
  EXPECT_EQ(svg.find("<title>b3</title>"), std::string::npos);
  EXPECT_EQ(svg.find("<title>b0&#45;&gt;b1</title>"), std::string::npos);
}

TEST(Svg, BearsNoVersionAndNoLink) {
  std::string svg = svgOf(diamonds(4));
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_EQ(svg.find("<!--"), std::string::npos);
  EXPECT_EQ(svg.find("<a "), std::string::npos);
  EXPECT_EQ(svg.find(graphvizVersion()), std::string::npos);
}

TEST(Svg, IdsAreUnique) {
  std::string svg = svgOf(nest(5));
  static const std::regex id(" id=\"([^\"]*)\"");
  std::set<std::string> met;
  for (std::sregex_iterator it(svg.begin(), svg.end(), id), end; it != end;
       ++it)
    EXPECT_TRUE(met.insert((*it)[1]).second) << (*it)[1];
  EXPECT_GT(met.size(), 30u);
}

TEST(Draw, TwoRunsGiveEqualBytes) {
  for (ImageFormat format :
       {ImageFormat::dot, ImageFormat::svg, ImageFormat::png}) {
    Picture picture = nest(4);
    EXPECT_EQ(draw(picture, {}, format).bytes, draw(picture, {}, format).bytes);
  }
  EXPECT_NE(svgOf(nest(2), ThemeName::light), svgOf(nest(2), ThemeName::dark));
}

TEST(Draw, AnyThreadMayDraw) {
  std::string expected = svgOf(nest(4));
  std::vector<std::string> drawn(4);
  std::vector<std::thread> threads;
  for (std::string &bytes : drawn)
    threads.emplace_back([&bytes] { bytes = svgOf(nest(4)); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &bytes : drawn)
    EXPECT_EQ(bytes, expected);
}

uint32_t bigEndian(const std::string &bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

TEST(Png, IsAnImageOfBoundedSize) {
  Image small = draw(diamonds(4), {}, ImageFormat::png);
  ASSERT_TRUE(small.bytes.starts_with("\x89PNG")) << small.error;
  EXPECT_EQ(small.note, "");
  Image large = draw(diamonds(1000), {}, ImageFormat::png);
  ASSERT_TRUE(large.bytes.starts_with("\x89PNG")) << large.error;
  EXPECT_NE(large.note.find("dots an inch"), std::string::npos);
  EXPECT_LE(bigEndian(large.bytes, 20), 32767u);
  EXPECT_LE(uint64_t(bigEndian(large.bytes, 16)) * bigEndian(large.bytes, 20),
            45000000u);
}

} // namespace
