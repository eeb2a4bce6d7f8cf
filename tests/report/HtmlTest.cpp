//===- tests/report/HtmlTest.cpp ------------------------------------------===//

#include "core/report/Html.h"
#include "core/report/HtmlColors.h"
#include "core/report/HtmlData.h"
#include "core/report/Sha256.h"
#include "tests/support/Fixtures.h"

#include <gtest/gtest.h>

using namespace memreflens;
using namespace memreflens::report;

TEST(Sha256, givesThePublishedDigests) {
  EXPECT_EQ(sha256Base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(sha256Base64("abc"),
            "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(sha256Base64("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopn"
                         "opq"),
            "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
}

TEST(Embeddable, leavesNothingThatEndsTheElement) {
  std::string out = embeddable(R"({"a":"</script><!--]]>&\""})");
  EXPECT_EQ(out.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(out, "{\"a\":\"\\u003c/script\\u003e\\u003c!--]]\\u003e\\u0026"
                 "\\\"\"}");
}

TEST(Recolorable, replacesColorsOfAttributesOnly) {
  EXPECT_EQ(recolorable("<?xml?><svg fill=\"#0072b2\"><text stroke=\"#123456\">"
                        "#0072b2</text></svg>"),
            "<svg fill=\"var(--owned-line)\"><text stroke=\"#123456\">#0072b2"
            "</text></svg>");
  EXPECT_EQ(recolorable("nothing"), "");
}

TEST(Recolorable, setsEveryVariableInBothThemes) {
  std::string light = themeVariables(graph::ThemeName::light);
  std::string dark = themeVariables(graph::ThemeName::dark);
  EXPECT_NE(light, dark);
  EXPECT_EQ(std::count(light.begin(), light.end(), ';'),
            std::count(dark.begin(), dark.end(), ';'));
  EXPECT_NE(light.find("--owned-if-fill:#fdf1d8;"), std::string::npos);
}

TEST(HtmlReport, isTheSameTwice) {
  trace::test::BranchExample example;
  Lookup first(example.trace()), second(example.trace());
  EXPECT_EQ(htmlReport(first, {}), htmlReport(second, {}));
}

TEST(HtmlReport, namesItsScriptAndStyleInThePolicy) {
  trace::test::BranchExample example;
  Lookup lookup(example.trace());
  std::string html = htmlReport(lookup, {});
  auto between = [&](std::string_view begin, std::string_view end) {
    size_t from = html.rfind(begin);
    EXPECT_NE(from, std::string::npos);
    from += begin.size();
    return html.substr(from, html.find(end, from) - from);
  };
  EXPECT_NE(
      html.find("'sha256-" + sha256Base64(between("<script>", "</script>"))),
      std::string::npos);
  EXPECT_NE(
      html.find("'sha256-" + sha256Base64(between("<style>", "</style>"))),
      std::string::npos);
}

TEST(HtmlReport, opensWithTheThemeAskedFor) {
  trace::test::BranchExample example;
  Lookup lookup(example.trace());
  HtmlOptions options;
  EXPECT_NE(htmlReport(lookup, options).find("<html lang=\"en\">"),
            std::string::npos);
  options.theme = graph::ThemeName::dark;
  EXPECT_NE(htmlReport(lookup, options)
                .find("<html lang=\"en\" data-theme=\"dark\">"),
            std::string::npos);
}

TEST(HtmlReport, saysWhatDrawsAGraphThatItDoesNotHold) {
  trace::test::BranchExample example;
  Lookup lookup(example.trace());
  HtmlOptions options;
  EXPECT_EQ(htmlReport(lookup, options).find("Not drawn"), std::string::npos);
  const size_t whole = htmlReport(lookup, options).size();
  options.mostGraphs = 0;
  std::string html = htmlReport(lookup, options);
  EXPECT_NE(html.find("Not drawn: this report has 0 graphs"),
            std::string::npos);
  EXPECT_NE(html.find("-o graph.svg draws it."), std::string::npos);
  EXPECT_LT(html.size(), whole);
}

TEST(HtmlReport, isTheSameWithAnyNumberOfThreads) {
  trace::test::BranchExample example;
  Lookup lookup(example.trace());
  HtmlOptions options;
  const std::string alone = htmlReport(lookup, options);
  std::vector<size_t> told;
  options.onProgress = [&](size_t done, size_t) { told.push_back(done); };
  options.workers = [](size_t count, const std::function<void(size_t)> &work) {
    // The last first: what is written keeps the functions' order.
    for (size_t i = count; i-- > 0;)
      work(i);
  };
  EXPECT_EQ(htmlReport(lookup, options), alone);
  EXPECT_FALSE(told.empty());
}

TEST(HtmlReport, holdsOnlyTheFunctionAskedFor) {
  trace::test::BranchExample example;
  Lookup lookup(example.trace());
  HtmlOptions options;
  EXPECT_NE(htmlReport(lookup, options).find("id=\"function-0\""),
            std::string::npos);
  options.function = 7;
  EXPECT_EQ(htmlReport(lookup, options).find("id=\"function-0\""),
            std::string::npos);
}
