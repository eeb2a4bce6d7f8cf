//===- tests/graph-units/TextTest.cpp -------------------------------------===//

#include "core/graph/LineText.h"
#include "core/query/Lifetimes.h"
#include "core/report/Markdown.h"
#include "core/text/Bytes.h"

#include <gtest/gtest.h>

using namespace memreflens;
using namespace memreflens::graph;

TEST(Shortened, cutsTypesBeforeTheTail) {
  EXPECT_EQ(shortened("short", 10), "short");
  EXPECT_EQ(shortened("%a = memref.alloc() : memref<4x8x16x32xf32>", 32),
            "%a = memref.alloc() : memref<…>");
  EXPECT_EQ(shortened("abcdefgh", 4), "abc…");
}

TEST(Shortened, countsCharactersNotBytes) {
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");
  EXPECT_EQ(shortened("äöüßé", 4), "äöü…");
}

/// The text that a picture has for an op of that name where the file has
/// `text`.
static std::string lineFor(const std::string &name, const std::string &text) {
  trace::Trace trace;
  trace.source.text = text;
  trace::Op op;
  op.id = 0;
  op.name = name;
  op.range = {0, uint32_t(text.size())};
  trace.ops.push_back(op);
  return lineOf(trace, op, 80).text;
}

TEST(LineOf, isTheTextOfTheOp) {
  EXPECT_EQ(lineFor("scf.for", "scf.for %i = %a to %b"),
            "scf.for %i = %a to %b");
  EXPECT_EQ(lineFor("func.return", "return %a : i32"), "return %a : i32");
  EXPECT_EQ(lineFor("cf.br", "\"cf.br\"()[^bb1] : () -> ()"),
            "\"cf.br\"()[^bb1] : () -> ()");
}

TEST(LineOf, isNotTheTextOfTheOpThatAPassReplaced) {
  EXPECT_EQ(lineFor("scf.yield", "cf.br ^head(%i : index)"), "scf.yield");
  EXPECT_EQ(lineFor("scf.for", "scf.forall (%i) in (4)"), "scf.for");
  EXPECT_EQ(lineFor("func.call", "call_indirect %f()"), "func.call");
}

TEST(BytesOf, readsStaticShapes) {
  EXPECT_EQ(bytesOf("memref<4x8xf32>"), 128u);
  EXPECT_EQ(bytesOf("memref<f64>"), 8u);
  EXPECT_EQ(bytesOf("memref<10xi1>"), 10u);
  EXPECT_EQ(bytesOf("memref<3xindex>"), 24u);
  EXPECT_EQ(bytesOf("memref<2xcomplex<f32>>"), 16u);
  EXPECT_EQ(bytesOf("memref<2xvector<4xf16>>"), 16u);
  EXPECT_EQ(bytesOf("memref<4xf32, 1>"), 16u);
  EXPECT_EQ(bytesOf("memref<0x8xf32>"), 0u);
}

TEST(BytesOf, knowsWhatItDoesNotKnow) {
  EXPECT_FALSE(bytesOf("memref<?xf32>"));
  EXPECT_FALSE(bytesOf("memref<*xf32>"));
  EXPECT_FALSE(bytesOf("memref<4xf32, strided<[2]>>"));
  EXPECT_FALSE(bytesOf("memref<4x!my.type>"));
  EXPECT_FALSE(bytesOf("tensor<4xf32>"));
  EXPECT_FALSE(bytesOf("memref<9999999999x9999999999xf32>"));
}

TEST(BytesText, choosesTheUnit) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(1536), "1.5 KiB");
  EXPECT_EQ(bytesText(uint64_t(1) << 30), "1 GiB");
}

TEST(Markdown, leavesNothingThatIsMarkup) {
  std::string escaped =
      report::markdownEscaped("<script>|`*_[x](y)&amp;\"\n\\");
  EXPECT_EQ(escaped.find_first_of("<>|`*_[]()\"\n\\"), std::string::npos);
  EXPECT_EQ(report::markdownEscaped("@f %a.1"), "@f %a.1");
}

TEST(Mermaid, leavesNothingThatEndsALabel) {
  std::string escaped = report::mermaidEscaped("a\"]--><b>`{}#;");
  EXPECT_EQ(escaped.find_first_of("\"[]<>`{}"), std::string::npos);
}
