//===- core/diff/Diff.cpp -------------------------------------------------===//

#include "core/diff/Diff.h"
#include "core/diff/Decisions.h"
#include "core/diff/Digest.h"
#include "core/explain/DecisionText.h"
#include "core/explain/Words.h"
#include "core/trace/Names.h"
#include "core/trace/RunArguments.h"

#include <algorithm>
#include <optional>

namespace memreflens::diff {

using trace::Id;
using trace::none;

namespace {

class Differ {
public:
  Differ(const Lookup &before, const Lookup &after)
      : a(before), b(after), tensorsA(a), tensorsB(b),
        alignment(align(a.getTrace(), b.getTrace())),
        fromA(a.getTrace(), alignment.before, false, interner),
        fromB(b.getTrace(), alignment.after, true, interner) {}

  TraceDifference run(const std::string &only);

private:
  void compareFunctions(const FunctionPair &pair);
  void addLone(const trace::Function &function, Change change);
  void compare(FunctionDifference &found, const FunctionPair &pair);
  void compareProblems();
  void compareSides();

  const Lookup &a, &b;
  const TensorText tensorsA, tensorsB;
  Alignment alignment;
  Interner interner;
  Canonical fromA, fromB;
  TraceDifference result;
};

/// Decisions about one thing, on both sides; positions in the lists.
struct Group {
  std::vector<size_t> before, after;
};

} // namespace

//===--- Decisions --------------------------------------------------------===//

static Told told(const Lookup &lookup, const TensorText &tensors, Id function,
                 const Decision &decision) {
  Told words{"", sentenceOf(lookup, tensors, function, decision),
             decision.event};
  if (decision.cost)
    words.place = lookup.position(lookup.rangeOfOp(decision.cost->op));
  if (const trace::Event *event = lookup.event(decision.event))
    words.place = lookup.position(rangeOfEvent(lookup, *event));
  return words;
}

/// Takes out of a group what is equal on both sides.
static void dropEqual(Group &group, const std::vector<Decision> &before,
                      const std::vector<Decision> &after) {
  std::erase_if(group.before, [&](size_t i) {
    auto same =
        std::find_if(group.after.begin(), group.after.end(), [&](size_t j) {
          return before[i].content == after[j].content;
        });
    if (same == group.after.end())
      return false;
    group.after.erase(same);
    return true;
  });
}

void Differ::compare(FunctionDifference &found, const FunctionPair &pair) {
  std::vector<Decision> was = decisionsOf(a, tensorsA, pair.before, fromA);
  std::vector<Decision> is = decisionsOf(b, tensorsB, pair.after, fromB);
  std::map<std::pair<DecisionKind, Number>, Group> groups;
  for (size_t i = 0; i < was.size(); ++i)
    groups[{was[i].kind, was[i].subject}].before.push_back(i);
  for (size_t j = 0; j < is.size(); ++j)
    groups[{is[j].kind, is[j].subject}].after.push_back(j);
  // By kind, then by place in the second list; what went follows.
  std::map<std::pair<DecisionKind, size_t>, DecisionDifference> ordered;
  for (auto &[key, group] : groups) {
    DecisionKind kind = key.first;
    dropEqual(group, was, is);
    size_t both = std::min(group.before.size(), group.after.size());
    for (size_t n = 0; n < group.after.size(); ++n) {
      DecisionDifference entry{kind, Change::appeared, {}, {}};
      entry.after = told(b, tensorsB, pair.after, is[group.after[n]]);
      if (n < both) {
        entry.change = Change::changed;
        entry.before = told(a, tensorsA, pair.before, was[group.before[n]]);
        if (entry.before.sentence == entry.after.sentence)
          entry.after.sentence += "; by other facts";
      }
      ordered.emplace(std::pair(kind, group.after[n]), std::move(entry));
    }
    for (size_t n = both; n < group.before.size(); ++n)
      ordered.emplace(std::pair(kind, is.size() + group.before[n]),
                      DecisionDifference{
                          kind,
                          Change::went,
                          told(a, tensorsA, pair.before, was[group.before[n]]),
                          {}});
  }
  for (auto &[key, entry] : ordered)
    found.decisions.push_back(std::move(entry));
}

//===--- Functions --------------------------------------------------------===//

void Differ::addLone(const trace::Function &function, Change change) {
  // Nothing is decided about a declaration.
  if (function.status == trace::FunctionStatus::declaration)
    return;
  FunctionDifference found;
  found.change = change;
  found.name = function.name;
  result.functions.push_back(std::move(found));
}

void Differ::compareFunctions(const FunctionPair &pair) {
  const trace::Function *was = a.function(pair.before);
  const trace::Function *is = b.function(pair.after);
  if (!was)
    return addLone(*is, Change::appeared);
  if (!is)
    return addLone(*was, Change::went);
  FunctionDifference found;
  found.name = is->name;
  if (was->name != is->name)
    found.oldName = was->name;
  compare(found, pair);
  if (!found.decisions.empty() || !found.oldName.empty())
    result.functions.push_back(std::move(found));
  else if (is->status != trace::FunctionStatus::declaration)
    ++result.equal;
}

//===--- The sides --------------------------------------------------------===//

void Differ::compareProblems() {
  auto listOf = [](const trace::Trace &trace) {
    std::multimap<std::string, const trace::Problem *> list;
    for (const trace::Problem &problem : trace.problems)
      if (problem.function == none &&
          problem.severity >= trace::Severity::warning)
        list.emplace(std::string(trace::nameOf(problem.severity)) +
                         withoutNames(problem.message),
                     &problem);
    return list;
  };
  auto words = [](const Lookup &lookup, const trace::Problem &problem) {
    return Told{lookup.position(problem.range),
                std::string(trace::nameOf(problem.severity)) + ": " +
                    problem.message,
                none};
  };
  auto was = listOf(a.getTrace()), is = listOf(b.getTrace());
  for (auto &[key, problem] : is) {
    if (auto same = was.find(key); same != was.end()) {
      was.erase(same);
      continue;
    }
    result.problems.push_back(
        {DecisionKind::status, Change::appeared, {}, words(b, *problem)});
  }
  for (auto &[key, problem] : was)
    result.problems.push_back(
        {DecisionKind::status, Change::went, words(a, *problem), {}});
}

void Differ::compareSides() {
  const trace::Trace &was = a.getTrace(), &is = b.getTrace();
  auto add = [&](std::string what, std::string before, std::string after) {
    if (before != after)
      result.sides.push_back(
          {std::move(what), std::move(before), std::move(after)});
  };
  add("memref-lens", was.toolVersion, is.toolVersion);
  add("LLVM", was.llvmVersion, is.llvmVersion);
  std::map<std::string, SideDifference> options;
  auto list = [&](const trace::RunOptions &run,
                  std::string SideDifference::*side) {
    for (const auto &[flag, value] : trace::runArguments(run)) {
      std::string &text = options[flag].*side;
      text += (text.empty() ? "" : ", ") + (value.empty() ? "on" : value);
    }
  };
  list(was.options, &SideDifference::before);
  list(is.options, &SideDifference::after);
  for (auto &[flag, values] : options)
    add(flag, values.before, values.after);
}

TraceDifference Differ::run(const std::string &only) {
  result.before = a.getTrace().source.path;
  result.after = b.getTrace().source.path;
  compareSides();
  auto isNamed = [&](const trace::Function *function) {
    return function && function->name == only;
  };
  for (const FunctionPair &pair : alignment.functions)
    if (only.empty() || isNamed(a.function(pair.before)) ||
        isNamed(b.function(pair.after)))
      compareFunctions(pair);
  compareProblems();
  return std::move(result);
}

TraceDifference differenceOf(const Lookup &before, const Lookup &after,
                             const std::string &only) {
  return Differ(before, after).run(only);
}

//===--- In numbers -------------------------------------------------------===//

Counts countsOf(const FunctionDifference &function) {
  Counts counts{};
  for (const DecisionDifference &decision : function.decisions)
    ++counts[size_t(decision.kind)][size_t(decision.change)];
  return counts;
}

std::string countsText(const Counts &counts) {
  std::vector<std::string> parts;
  for (size_t kind = 0; kind < kindCount; ++kind)
    for (Change change : {Change::appeared, Change::went, Change::changed})
      if (size_t count = counts[kind][size_t(change)])
        parts.push_back(countedKind(count, DecisionKind(kind)) + " " +
                        std::string(nameOf(change)));
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string summaryOf(const TraceDifference &difference) {
  Counts all{};
  size_t appeared = 0, went = 0, changed = 0, renamed = 0;
  for (const FunctionDifference &function : difference.functions) {
    appeared += function.change == Change::appeared;
    went += function.change == Change::went;
    changed += !function.decisions.empty();
    renamed += !function.oldName.empty();
    Counts own = countsOf(function);
    for (size_t kind = 0; kind < kindCount; ++kind)
      for (size_t i = 0; i < 3; ++i)
        all[kind][i] += own[kind][i];
  }
  std::string text;
  auto add = [&](size_t count, const std::string &what) {
    if (count)
      text += (text.empty() ? "" : "; ") + counted(count, "function") + what;
  };
  add(changed, " changed: " + countsText(all));
  add(appeared, " appeared");
  add(went, " went");
  add(renamed, " renamed");
  if (!difference.problems.empty())
    text += (text.empty() ? "" : "; ") +
            counted(difference.problems.size(), "problem") +
            " not on both sides";
  const std::string equal = std::to_string(difference.equal) + " equal";
  if (text.empty())
    return "no difference: " + equal;
  return difference.equal > 0 ? text + "; " + equal : text;
}

} // namespace memreflens::diff
