//===- tests/check/FindingTest.cpp ----------------------------------------===//

#include "core/check/Baseline.h"
#include "core/check/Collect.h"
#include "core/check/Formats.h"
#include "core/check/HandOver.h"

#include <gtest/gtest.h>

namespace memreflens {
namespace {

std::string ruleOfStageProblem(std::string message, bool died) {
  trace::Trace trace;
  trace::Problem problem;
  problem.stage = 2;
  problem.message = std::move(message);
  problem.died = died;
  trace.problems.push_back(problem);
  FileReport report = collectFindings(Lookup(trace), {});
  return report.findings.size() == 1 ? report.findings[0].rule : "";
}

TEST(Finding, aStageThatDiedIsKnownWithoutItsWords) {
  EXPECT_EQ(ruleOfStageProblem("canonicalize: stopped after 2 s", true),
            "stage-crashed");
  EXPECT_EQ(ruleOfStageProblem("'crashed' is no op, and timed out", false),
            "stage-failed");
}

FileReport reportOf(std::string subject, std::string message) {
  Finding finding;
  finding.rule = "clone";
  finding.function = "f";
  finding.subject = std::move(subject);
  finding.message = std::move(message);
  FileReport report;
  report.file = "a.mlir";
  report.findings = {finding, finding};
  report.findings[1].place.line = 7;
  finishReport(report);
  return report;
}

TEST(Finding, fingerprintsAreOfTheThingNotOfTheWords) {
  FileReport was = reportOf("memref.alloc %a", "%a is copied"),
             is = reportOf("memref.alloc %a", "a copy of %a is made"),
             other = reportOf("memref.alloc %b", "%a is copied");
  EXPECT_NE(was.findings[0].fingerprint, was.findings[1].fingerprint);
  BaselineChange same = compareWith({was}, {is});
  EXPECT_EQ(same.unchanged, 2u);
  EXPECT_TRUE(same.added.empty() && same.fixed.empty());
  EXPECT_NE(was.findings[0].fingerprint, other.findings[0].fingerprint);
}

TEST(Finding, aBaselineWithFingerprintsOfTheWordsIsStillRead) {
  FileReport was = reportOf("", "%a_1 is copied (3:4)"),
             is = reportOf("memref.alloc %a", "%a_2 is copied (9:4)");
  for (Finding &finding : was.findings)
    finding.fingerprint = finding.oldFingerprint;
  BaselineChange same = compareWith({was}, {is});
  EXPECT_EQ(same.unchanged, 2u);
  EXPECT_TRUE(same.added.empty() && same.fixed.empty());
}

std::string asJson(const FileReport &report) {
  CheckOutput output;
  output.reports = {report};
  return asJson(output);
}

TEST(Finding, aReportThatIsHandedOnIsTheSame) {
  FileReport report = reportOf("memref.alloc %a", "%a is copied");
  auto fix = std::make_shared<TriedRemedy>();
  fix->remedy = "inline before the pipeline";
  fix->helps = true;
  fix->changes = {{Quantity::clones, 2, 0, "2 -> 0", "0"}};
  fix->acceptance.emplace().clones = 3;
  for (Finding &finding : report.findings)
    finding.tried = {fix};
  report.findings[0].path = {{{1, 2, 3, 4, 5, 6}, "from here"}};
  report.findings[0].remedies = {{"inline it", {RemedyPass::inlineCalls}}};
  report.causes.emplace_back().evidence = {{{7, 8}, "returned"}};
  report.causes[0].run = CauseRun{16, 2};
  FunctionCosts &costs = report.costs.emplace_back();
  costs.peak.parts.push_back({"%wide", 64, {9, 1}, "idle", "retained"});
  costs.peak.causes = {{"in use", 32}};
  costs.peak.curve = {0, 64};
  report.explorations.push_back(
      {"f", false, "no fault", false, {"it"}, {}, {}});
  report.untried = {"another"};
  report.unparsed = 3;
  const std::string bytes = asBytes(report);
  const std::optional<FileReport> read = reportFromBytes(bytes);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(asJson(*read), asJson(report));
  // What is shared stays so.
  EXPECT_EQ(read->findings[0].tried, read->findings[1].tried);
}

TEST(Finding, aReportThatWasCutOffIsNone) {
  const std::string bytes = asBytes(reportOf("memref.alloc %a", "copied"));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(reportFromBytes(bytes.substr(0, size)).has_value()) << size;
    // With an end, too.
    const std::string cut = bytes.substr(0, size) + "\nwhole";
    EXPECT_EQ(reportFromBytes(cut).has_value(), cut == bytes) << size;
  }
}

TEST(Finding, textThatIsNotUtf8IsHandedOnAsTheJsonHasIt) {
  const std::optional<FileReport> read =
      reportFromBytes(asBytes(reportOf("memref.alloc", "a \xff b")));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->findings[0].message, "a \xef\xbf\xbd b");
}

} // namespace
} // namespace memreflens
