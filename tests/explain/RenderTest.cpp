//===- tests/explain/RenderTest.cpp - the report as text ------------------===//

#include "core/query/Totals.h"
#include "tests/explain/Wording.h"

namespace memreflens {
namespace {

using namespace test;

/// The free and the copy as the last stage has them: each in an scf.if.
static void putUnderConditions(BranchExample &e) {
  trace::Trace &trace = e.b.trace;
  auto &lowered =
      std::get<trace::LoweringEvent>(trace.events[size_t(e.lowering)].detail);
  trace::Block then = trace.blocks[size_t(e.entry)];
  then.id = trace::Id(trace.blocks.size());
  then.parentOp = lowered.ops.front();
  then.ops = {lowered.ops.back()};
  trace.ops[size_t(lowered.ops.back())].block = then.id;
  trace.blocks.push_back(then);
  e.b.generatedOp("scf.if", e.return1, {e.copy});
}

TEST(Render, reportHasFunctionsBuffersAndTotals) {
  BranchExample e;
  putUnderConditions(e);
  std::string report = renderReport(e.trace(), {});
  EXPECT_TRUE(mentions(report, "@f (1:11)\n")) << report;
  EXPECT_TRUE(mentions(report, "\n  %a (2:3): deallocated")) << report;
  EXPECT_TRUE(report.ends_with(
      "1 function, 1 allocation, 1 dealloc (1 conditional) and 1 clone (1 "
      "conditional)\n"))
      << report;
}

TEST(Render, onlyTheFunctionAskedFor) {
  BranchExample e;
  ReportOptions options;
  options.function = "other";
  std::string report = renderReport(e.trace(), options);
  EXPECT_FALSE(mentions(report, "%a")) << report;
  EXPECT_TRUE(report.ends_with("0 functions\n")) << report;
}

TEST(Render, aFunctionOfTensorsSaysWhatIsMissing) {
  TraceBuilder b("func.func @f(%t: tensor<4xf32>) {\n  return\n}");
  b.function("f");
  b.argument("t", "tensor<4xf32>");
  b.op("return");
  std::string report = renderReport(b.trace, {});
  EXPECT_TRUE(mentions(report,
                       "  %t is a tensor: only buffers are deallocated\n"
                       "    remedy: bufferize first: --bufferize runs "
                       "one-shot-bufferize\n"
                       "  no buffers\n"))
      << report;
}

TEST(Render, aTensorInARegionCountsToo) {
  TraceBuilder b("func.func @f() {\n  scf.if {\n    %t = tensor.empty\n  }\n  "
                 "return\n}");
  b.function("f");
  b.op("scf.if");
  b.beginRegion();
  b.op("tensor.empty", {}, {"t"}, "tensor<4xf32>");
  b.endRegion();
  b.op("return");
  EXPECT_TRUE(mentions(renderReport(b.trace, {}), "  %t is a tensor:"));
}

TEST(Render, problemsComeWithPlaceRemedyAndNotes) {
  BranchExample e;
  trace::Problem problem;
  problem.message = "expected ':'";
  problem.range = {uint32_t(e.b.offsetOf("cf.cond_br")),
                   uint32_t(e.b.offsetOf("cf.cond_br")) + 1};
  problem.remedy = "add it";
  trace::Problem note;
  note.severity = trace::Severity::note;
  note.message = "see here";
  problem.notes.push_back(note);
  e.b.trace.problems.push_back(problem);
  EXPECT_TRUE(mentions(renderReport(e.trace(), {}),
                       "problems\n  3:3: error: expected ':'\n"
                       "    remedy: add it\n    note: see here\n"));
}

TEST(Render, controlCharactersCannotReachTheTerminal) {
  BranchExample e;
  Explanation explanation{"bell \x07, escape \x1b[31m, C1 \xc2\x9b", {}, {}};
  EXPECT_EQ(wording(e.trace(), explanation),
            "bell \\x07, escape \\x1b[31m, C1 \\xc2\\x9b\n");
  explanation.sentence = "umlaut \xc3\xbc stays";
  EXPECT_EQ(wording(e.trace(), explanation), "umlaut \xc3\xbc stays\n");
}

TEST(Render, colorsOnlyIfAskedFor) {
  BranchExample e;
  ReportOptions options;
  EXPECT_FALSE(mentions(renderReport(e.trace(), options), "\x1b["));
  options.color = true;
  EXPECT_TRUE(mentions(renderReport(e.trace(), options), "\x1b[1m@f (1:11)"));
}

} // namespace
} // namespace memreflens
