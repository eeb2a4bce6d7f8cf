//===- core/check/Formats.h -----------------------------------------------===//
//
// Findings as text, JSON, SARIF and annotations.
//
//   a.mlir:9:3: error: %a is freed again [double-free]
//     path  7:3  %c is true
//     help  ...
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_FORMATS_H
#define MEMREFLENS_CHECK_FORMATS_H

#include "core/check/Baseline.h"
#include "core/check/Finding.h"

#include <optional>
#include <string>

namespace memreflens {

/// What to show: with a baseline, only what is new is a finding.
struct CheckOutput {
  std::vector<FileReport> reports;
  std::optional<BaselineChange> change;
  std::string toolVersion;
  /// Text: also what was tried in vain, and the bounds of every function.
  bool verbose = false;
  /// Text: an entry for each finding, not for each cause.
  bool listsAll = false;
  /// JSON: what core/causes makes of each report, as an object; may be empty.
  std::vector<std::string> overviews;
  /// Text: behind each sentence, the line of our source that makes it.
  bool tracksSentences = false;
  /// SARIF: where the rules' pages are, with a '/' at its end.
  std::string helpUriBase;
};

std::string asText(const CheckOutput &output, bool color);
std::string asJson(const CheckOutput &output);
/// SARIF 2.1.0.
std::string asSarif(const CheckOutput &output);
/// Workflow commands that GitHub shows beside the lines.
std::string asGithub(const CheckOutput &output);

/// What `asJson` wrote; nothing, with `error` set, if it is none.
std::optional<std::vector<FileReport>> readJsonReports(const std::string &text,
                                                       std::string &error);

/// How far a function's paths were tried, and what was taken for granted.
std::string boundsLine(const Exploration &exploration);
/// Whether it is to be told without being asked for.
bool isLimited(const Exploration &exploration);

/// What to do, a line each: for formats that have no place for it.
std::string helpfulLines(const Finding &finding);

/// Of a finding of one of the reports; null where none was looked for.
const Cause *causeOf(const CheckOutput &output, const Finding &finding);

/// Findings to show and to judge by: the new ones where there is a baseline.
std::vector<const Finding *> findingsOf(const CheckOutput &output);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_FORMATS_H
