#include "tests/deadly/Deadly.h"
#include "tests/source/Parsing.h"

#include "mlir/IR/DialectRegistry.h"

#include <gtest/gtest.h>

#include <chrono>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

using namespace memreflens;
using memreflens::test::Parsed;

static std::string repeat(std::string_view part, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i)
    all += part;
  return all;
}

/// The text is rejected with one clear problem, or parses; it never kills us.
static void checkRejected(std::string text, std::string_view message) {
  Parsed parsed(std::move(text));
  EXPECT_FALSE(parsed.document.anyParsed());
  ASSERT_FALSE(parsed.trace.problems.empty());
  EXPECT_NE(parsed.trace.problems[0].message.find(message), std::string::npos)
      << parsed.trace.problems[0].message;
  EXPECT_EQ(parsed.trace.functions.size(), 0u);
}

static std::string nestedModules(size_t depth) {
  return repeat("module {\n", depth) + repeat("}\n", depth);
}

TEST(Hostile, DeepNestingIsRejectedWithItsPlace) {
  checkRejected(nestedModules(20000),
                "nesting of 20000 levels exceeds the limit of 2500");
  checkRejected("func.func @f() attributes {a = " + repeat("[", 100000) +
                    repeat("]", 100000) + "} { return }",
                "levels exceeds the limit");
  checkRejected("func.func private @f(" + repeat("tuple<", 100000) +
                    repeat(">", 100000) + ")",
                "levels exceeds the limit");
  checkRejected(repeat("(", 100000), "levels exceeds the limit");
  checkRejected("#m = affine_map<(d0) -> (" + repeat("- ", 100000) + "d0)>",
                "levels exceeds the limit");
  checkRejected("#m = affine_map<(d0) -> (d0" + repeat(" + d0 mod 2", 50000) +
                    ")>",
                "levels exceeds the limit");
  Parsed parsed(nestedModules(2501));
  EXPECT_EQ(parsed.problems(),
            "2501:8: nesting of 2501 levels exceeds the limit of 2500\n");
}

TEST(Hostile, NestingUpToTheLimitParses) {
  for (std::string text :
       {nestedModules(2500),
        "func.func @f() attributes {a = " + repeat("[", 2490) +
            repeat("]", 2490) + "} { return }",
        "func.func private @f(" + repeat("tuple<", 2490) + repeat(">", 2490) +
            ")",
        "func.func @f(%c: i1) {" + repeat("scf.if %c {\n", 2490) +
            repeat("}\n", 2490) + "return }"}) {
    Parsed parsed(text);
    EXPECT_EQ(parsed.problems(), "");
    EXPECT_TRUE(parsed.document.anyParsed());
  }
}

TEST(Hostile, AliasesThatExplodeAreRejected) {
  std::string bomb = "!t0 = i1\n";
  for (int i = 0; i < 60; ++i) {
    std::string before = "!t" + std::to_string(i);
    bomb += "!t" + std::to_string(i + 1) + " = tuple<" + before + ", " +
            before + ">\n";
  }
  checkRejected(bomb + "func.func private @f(!t60)\n", "written out");
  std::string chain = "!t0 = i1\n";
  for (int i = 0; i < 20000; ++i)
    chain += "!t" + std::to_string(i + 1) + " = tuple<!t" + std::to_string(i) +
             ">\n";
  checkRejected(chain + "func.func private @f(!t20000)\n", "written out");
  Parsed parsed(chain);
  EXPECT_EQ(parsed.text(parsed.trace.problems[0].range), "!t1000");
}

TEST(Hostile, SharedLocationsTakeLinearTime) {
  std::string text = "func.func private @f() loc(#l60)\n#l0 = loc(\"a\")\n";
  for (int i = 0; i < 60; ++i) {
    std::string before = "#l" + std::to_string(i);
    text += "#l" + std::to_string(i + 1) + " = loc(fused[" + before +
            ", callsite(" + before + " at " + before + ")])\n";
  }
  Parsed parsed(text);
  ASSERT_EQ(parsed.problems(), "");
  mlir::ModuleOp module = *parsed.document.chunks[0].module;
  EXPECT_EQ(offsetOf(module.getBody()->front().getLoc(), parsed.trace), 0);
}

TEST(Hostile, JunkIsAProblemAndNoCrash) {
  std::string zeros(4096, '\0');
  std::string all;
  for (int i = 0; i < 4096; ++i)
    all += char(i * 37 % 256);
  for (std::string text :
       {std::string("\xFF\xFE\x00\x01", 4), all,
        std::string("\x7F"
                    "ELF\x02\x01"),
        std::string("func.func @f() { return } \xC3"), std::string("\""),
        std::string("%"), std::string("@"), std::string("\xEF\xBB"),
        std::string("func.func @f(%a: i1) { \"x\"(%a#"), std::string("^bb0:"),
        std::string("{-#"), std::string("\"func.func\"() : () -> ()"),
        std::string("\"func.func\"() ({}) : () -> ()"),
        std::string("\"builtin.module\"() : () -> ()")}) {
    Parsed parsed(text);
    EXPECT_FALSE(parsed.document.anyParsed());
    EXPECT_FALSE(parsed.trace.problems.empty());
  }
  // MLIR's lexer takes NUL for white space.
  Parsed parsed(zeros + "func.func @f() { return }" + zeros);
  EXPECT_EQ(parsed.trace.chunks.size(), 1u);
}

TEST(Hostile, EveryTruncationIsAnswered) {
  std::string text = "// \xC3\xA9\n#m = affine_map<(d0) -> (d0 + 1)>\n"
                     "func.func @f(%c: i1, %m: memref<2xf32>) -> f32 {\n"
                     "  %a:2 = scf.if %c -> (i1, f32) {\n"
                     "    %z = arith.constant 0.5 : f32\n"
                     "    scf.yield %c, %z : i1, f32\n"
                     "  } else {\n    %s = \"x.y\"() {a = [\"s\", #m]} : "
                     "() -> f32\n    scf.yield %c, %s : i1, f32\n  }\n"
                     "  cf.cond_br %a#0, ^one(%a#1 : f32), ^two\n"
                     "^one(%v: f32):\n  return %v : f32\n"
                     "^two:\n  return %a#1 : f32\n}\n";
  auto context = test::makeContext();
  for (size_t length = 0; length <= text.size(); ++length) {
    trace::Trace trace;
    ParsedDocument document =
        parseDocument({"-", text.substr(0, length)}, *context, {}, trace);
    ASSERT_EQ(document.chunks.size(), 1u);
    EXPECT_EQ(document.anyParsed(), trace.problems.empty()) << length;
    for (const trace::Problem &problem : trace.problems)
      EXPECT_LE(problem.range.end, length);
  }
}

TEST(Hostile, ACrashOfMlirsEndsItsChunkOnly) {
#ifdef __SANITIZE_ADDRESS__
  // What the parser held when it crashed is lost.
  __lsan::ScopedDisabler lossIsExpected;
#endif
  mlir::DialectRegistry registry;
  deadly::registerDialect(registry);
  auto context = test::makeContext();
  context->appendDialectRegistry(registry);
  for (const std::string way : {"abort", "signal"}) {
    trace::Trace trace;
    ParsedDocument document =
        parseDocument({"-", "func.func @a() {\n  deadly.read error \"" + way +
                                "\"\n}\n// -----\nfunc.func @b() { return }\n"},
                      *context, {}, trace);
    EXPECT_FALSE(trace.chunks[0].parsed);
    EXPECT_TRUE(trace.chunks[1].parsed);
    ASSERT_GE(trace.problems.size(), 2u);
    const trace::Problem &crash = trace.problems.back();
    EXPECT_EQ(crash.message, "MLIR crashed while it read this");
    EXPECT_EQ(crash.chunk, 0);
    // The place of the last thing that MLIR said.
    EXPECT_EQ(trace.source.text.substr(crash.range.begin, 11), "deadly.read");
    ASSERT_EQ(trace.functions.size(), 1u);
    EXPECT_EQ(trace.functions[0].name, "b");
  }
}

TEST(Hostile, TooLargeIsRejected) {
  ParseOptions options;
  options.maxBytes = 10;
  Parsed parsed("// 01234567890", options);
  EXPECT_FALSE(parsed.document.anyParsed());
  EXPECT_EQ(parsed.problems(),
            "1:1: file of 14 bytes exceeds the limit of 10 bytes\n");
}

TEST(Hostile, ManyChunksTakeLinearTime) {
  auto start = std::chrono::steady_clock::now();
  Parsed parsed(repeat("func.func @f() { return }\n// -----\n", 5000));
  EXPECT_EQ(parsed.trace.functions.size(), 5000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}
