//===- core/check/Collect.cpp ---------------------------------------------===//

#include "core/check/Collect.h"
#include "core/check/Rules.h"
#include "core/check/rules/Finders.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

//===--- Places -----------------------------------------------------------===//

static uint64_t keyOf(trace::Range range) {
  return uint64_t(range.begin) << 32 | range.end;
}

FindingMaker::FindingMaker(const Lookup &lookup, FileReport &report)
    : lookup(lookup), trace(lookup.getTrace()), report(report) {
  for (const trace::Op &op : trace.ops)
    if (!op.generated)
      opsAt.try_emplace(keyOf(lookup.rangeOfOp(op.id)), op.id);
  for (const trace::Value &value : trace.values)
    if (!value.generated)
      valuesAt.try_emplace(keyOf(value.range), value.id);
}

Place placeOf(const Lookup &lookup, trace::Range range) {
  std::string_view text = lookup.getTrace().source.text;
  const LineIndex &lines = lookup.getLines();
  auto find = [&](uint32_t offset, uint32_t &line, uint32_t &column,
                  uint32_t &utf16) {
    LineColumn at = lines.lineColumn(offset);
    line = at.line;
    column = at.column;
    utf16 = utf16Length(text.substr(lines.startOf(line), column - 1)) + 1;
  };
  Place place;
  find(range.begin, place.line, place.column, place.utf16Column);
  find(std::max(range.begin, range.end), place.endLine, place.endColumn,
       place.utf16EndColumn);
  return place;
}

Place FindingMaker::placeAt(int64_t offset) const {
  if (offset < 0)
    return {};
  return placeOf({uint32_t(offset), uint32_t(offset)});
}

std::string FindingMaker::subjectAt(trace::Range range) const {
  auto nameOf = [&](Id value) {
    return withoutValueNumbers(lookup.name(value));
  };
  if (auto at = opsAt.find(keyOf(range)); at != opsAt.end()) {
    const trace::Op &op = *lookup.op(at->second);
    return op.results.empty() ? op.name.str()
                              : op.name + " " + nameOf(op.results.front());
  }
  auto at = valuesAt.find(keyOf(range));
  return at == valuesAt.end() ? std::string() : nameOf(at->second);
}

std::string FindingMaker::opAt(trace::Range range) const {
  for (const trace::Op &op : trace.ops)
    if (!op.generated && op.nameRange.begin == range.begin)
      return std::string(std::string_view(op.name));
  return {};
}

Finding &FindingMaker::add(RuleId rule, Id function, trace::Range range,
                           Sentence message) {
  Finding finding;
  finding.rule = rule;
  finding.severity = findRule(rule)->severity;
  finding.message = std::move(message);
  if (const trace::Function *known = lookup.function(function)) {
    finding.function = known->title();
    finding.chunk = known->chunk;
    if (range.empty())
      range = known->nameRange;
  }
  finding.place = placeOf(range);
  finding.subject = subjectAt(range);
  report.findings.push_back(std::move(finding));
  return report.findings.back();
}

void FindingMaker::relate(Finding &finding, trace::Range range,
                          Sentence text) const {
  finding.related.push_back(
      {range.empty() ? Place() : placeOf(range), std::move(text)});
}

//===--- All rules --------------------------------------------------------===//

static constexpr void (*programFinders[])(FindingMaker &,
                                          const CheckInputs &) = {
#define FIND_IN_PROGRAM(function) function,
#include "core/check/Rules.def"
};
static constexpr void (*functionFinders[])(FindingMaker &,
                                           const trace::Function &) = {
#define FIND_IN_FUNCTION(function) function,
#include "core/check/Rules.def"
};
static constexpr void (*opFinders[])(FindingMaker &, const trace::Op &) = {
#define FIND_AT_OP(function) function,
#include "core/check/Rules.def"
};

FileReport collectFindings(const Lookup &lookup, const CheckInputs &inputs) {
  FileReport report;
  report.file = lookup.getTrace().source.path;
  FindingMaker maker(lookup, report);
  for (auto *find : programFinders)
    find(maker, inputs);
  for (const trace::Function &function : maker.trace.functions)
    if (function.status != trace::FunctionStatus::declaration)
      for (auto *find : functionFinders)
        find(maker, function);
  for (const trace::Op &op : maker.trace.ops)
    if (!op.generated)
      for (auto *find : opFinders)
        find(maker, op);
  report.releases = releasesIn(maker, inputs);
  addCosts(maker, inputs);
  addFaults(maker, inputs);
  finishReport(report);
  return report;
}

} // namespace memreflens
