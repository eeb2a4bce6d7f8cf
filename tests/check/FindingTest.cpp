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

TEST(Finding, oneOfAQuantityHasWordsOfItsOwn) {
  EXPECT_EQ(wordsOf(Quantity::executedAllocations, 1), "allocation in a call");
  EXPECT_EQ(wordsOf(Quantity::executedAllocations, 2), "allocations in a call");
  for (int i = 0; i <= int(Quantity::loopAllocations); ++i)
    EXPECT_EQ(quantityNamed(wordsOf(Quantity(i))), Quantity(i));
}

/// Something of all that a report may have.
FileReport fullReport() {
  FileReport report = reportOf("memref.alloc %a", "%a is copied");
  auto fix = std::make_shared<TriedRemedy>();
  fix->id = RemedyId::inlineCalls;
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
  report.causes[0].kind = CauseKind::loop;
  report.causes[0].namesPlace = true;
  report.causes[0].costs.clones = 5;
  FunctionCosts &costs = report.costs.emplace_back();
  costs.peak.parts.push_back({"%wide", 64, {9, 1}, "idle", "retained"});
  costs.peak.causes = {{"in use", 32}};
  costs.peak.curve = {0, 64};
  costs.spaces.emplace_back().capacity = 4096;
  costs.aCall.allocations = 9;
  costs.aCall.growth = "allocations grow with the square of %n";
  report.tensors = {"1 copy", "", "", {{"clone", "said", "1 copy", {}, ""}}};
  report.explorations.push_back(
      {"f", false, "no fault", false, {"it"}, {}, {}});
  report.untried = {"another"};
  report.unparsed = 3;
  return report;
}

TEST(Finding, aReportThatIsHandedOnIsTheSame) {
  const FileReport report = fullReport();
  const std::optional<FileReport> read = reportFromBytes(asBytes(report));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(asJson(*read), asJson(report));
  // What is shared stays so.
  EXPECT_EQ(read->findings[0].tried, read->findings[1].tried);
}

TEST(Finding, aReportThatIsReadFromJsonIsTheSame) {
  const FileReport report = fullReport();
  std::string error;
  const auto read = readJsonReports(asJson(report), error);
  ASSERT_TRUE(read.has_value()) << error;
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(asJson(read->front()), asJson(report));
}

TEST(Finding, whatAReportOfAnotherVersionHasMoreOrLessIsLeftOut) {
  std::string text = asJson(fullReport()), error;
  auto replace = [&](const std::string &was, const std::string &is) {
    const size_t at = text.find(was);
    ASSERT_NE(at, text.npos) << was;
    text.replace(at, was.size(), is);
  };
  replace("\"what\": \"clones\"", "\"what\": \"wonders\"");
  replace("\"namesPlace\"", "\"another\"");
  replace("\"id\": \"inline\"", "\"id\": \"unheard-of\"");
  replace("\"oldFingerprint\"", "\"olderFingerprint\"");
  const auto read = readJsonReports(text, error);
  ASSERT_TRUE(read.has_value()) << error;
  const Finding &finding = read->front().findings[0];
  EXPECT_TRUE(finding.tried[0]->changes.empty());
  EXPECT_EQ(finding.tried[0]->id, RemedyId::none);
  EXPECT_EQ(finding.oldFingerprint, finding.fingerprint);
  EXPECT_FALSE(read->front().causes[0].namesPlace);
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
