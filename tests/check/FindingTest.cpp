//===- tests/check/FindingTest.cpp ----------------------------------------===//

#include "core/check/Baseline.h"
#include "core/check/Collect.h"

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

} // namespace
} // namespace memreflens
