//===- core/reduce/Choose.cpp - which of the things at a place ------------===//

#include "core/check/Rules.h"
#include "core/explain/PositionText.h"
#include "core/query/Fate.h"
#include "core/reduce/Target.h"

#include <algorithm>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

static constexpr std::string_view findingPrefix = "finding:";

std::string faultOfWish(const std::string &kind) {
  if (kind.empty() || kind == "clone" || kind == "check" ||
      kind == "rejection" || kind == "crash")
    return {};
  if (kind.starts_with(findingPrefix)) {
    std::string rule = kind.substr(findingPrefix.size());
    return findRule(rule)
               ? std::string()
               : "knows no rule '" + rule + "'; docs/rules has a page for each";
  }
  return "takes clone, check, rejection, crash or finding:RULE, not '" + kind +
         "'";
}

static bool isWanted(const Target &target, const std::string &kind) {
  if (kind.empty())
    return true;
  if (kind.starts_with(findingPrefix))
    return target.kind == ReduceKind::finding &&
           target.rule == kind.substr(findingPrefix.size());
  return kind == nameOf(target.kind);
}

/// As the user would type it.
static std::string wishFor(const Target &target) {
  if (target.kind == ReduceKind::finding)
    return std::string(findingPrefix) + target.rule;
  return std::string(nameOf(target.kind));
}

/// Larger says more: what is wrong before what costs, errors before notes.
static int weightOf(const Target &target) {
  if (target.kind != ReduceKind::finding)
    return int(target.kind) * 10;
  const Rule *rule = findRule(target.rule);
  if (!rule || rule->severity != trace::Severity::error)
    return -10 + (rule ? int(rule->severity) : 0);
  return int(target.kind) * 10;
}

/// What a decision of the trace says as well: taken if asked for by its rule.
static bool isSaidTwice(const Target &target) {
  const Rule *rule =
      target.kind == ReduceKind::finding ? findRule(target.rule) : nullptr;
  if (!rule)
    return false;
  return target.rule == ruleIds::clone ||
         target.rule == ruleIds::runTimeCheck ||
         target.rule == ruleIds::deallocHelper ||
         (rule->group == RuleGroup::rejected &&
          rule->severity == trace::Severity::error &&
          target.rule != ruleIds::noUniqueOwnership);
}

static bool touches(trace::Range range, trace::Range place) {
  return !range.empty() && range.begin <= place.end && place.begin <= range.end;
}

/// Whether a buffer that is defined at the place is freed by that check.
static bool freesWhatIsAt(const Lookup &lookup, const Choice &choice,
                          trace::Range place) {
  if (choice.target.kind != ReduceKind::check)
    return false;
  for (const trace::Value &value : lookup.getTrace().values)
    if (value.isMemref && !value.generated && touches(value.range, place))
      for (const trace::Freed &freed :
           trace::fateOf(lookup.getIndex(), value.id).frees)
        if (freed.event == choice.event)
          return true;
  return false;
}

/// 0: it is this very thing; 1: the op around; 2: the function; -1: elsewhere.
static int distanceTo(const Lookup &lookup, const Choice &choice,
                      const Wish &wish) {
  const trace::Index &index = lookup.getIndex();
  if (const trace::Value *value = lookup.value(choice.target.value)) {
    if (touches(value->range, wish.place))
      return 0;
    for (trace::Range use : value->uses)
      if (!wish.wholeLine && touches(use, wish.place))
        return 1;
  }
  if (touches(choice.range, wish.place))
    return 0;
  for (Id op : choice.ops)
    if (touches(lookup.rangeOfOp(op), wish.place))
      return 0;
  Id here = wish.wholeLine ? none : index.opAt(wish.place.begin);
  if (here != none &&
      std::find(choice.ops.begin(), choice.ops.end(), here) != choice.ops.end())
    return 1;
  if (freesWhatIsAt(lookup, choice, wish.place))
    return 1;
  const trace::Function *function = lookup.function(choice.target.function);
  if (!function)
    return -1;
  // A function is rejected as a whole, wherever one looks.
  bool isOfAll = choice.target.kind == ReduceKind::rejection ||
                 choice.target.kind == ReduceKind::crash;
  bool isInside = touches(function->range, wish.place);
  bool isOnName = touches(function->nameRange, wish.place);
  return isOnName || (isOfAll && isInside) ? 2 : -1;
}

/// "clone at 7:3, check at 9:3", each kind and place once.
static std::string listOf(const Lookup &lookup,
                          const std::vector<Choice> &choices, Id function) {
  constexpr size_t most = 8;
  std::vector<std::string> items;
  for (const Choice &choice : choices) {
    if ((function != none && choice.target.function != function) ||
        isSaidTwice(choice.target))
      continue;
    std::string item = wishFor(choice.target);
    if (!choice.range.empty())
      item += " at " + lookup.position(choice.range);
    if (std::find(items.begin(), items.end(), item) == items.end())
      items.push_back(std::move(item));
  }
  std::string text;
  for (size_t i = 0; i < items.size() && i < most; ++i)
    text += (i ? ", " : "") + items[i];
  if (items.size() > most)
    text += " and " + std::to_string(items.size() - most) + " more";
  return text;
}

static std::string errorFor(const Lookup &lookup,
                            const std::vector<Choice> &choices,
                            const std::vector<Choice> &here, const Wish &wish) {
  std::string what = wish.kind.empty() ? "nothing to reduce"
                                       : "no " + wish.kind + " to reduce";
  std::string text =
      what + " at " + lookup.position({wish.place.begin, wish.place.begin + 1});
  std::vector<Explanation> said = wish.wholeLine
                                      ? explainAt(lookup, wish.place)
                                      : explainAt(lookup, wish.place.begin);
  if (!said.empty())
    text += "; what is there: " + said.front().sentence;
  if (!here.empty())
    return text + "; there could be chosen: " + listOf(lookup, here, none);
  Id function = lookup.getIndex().functionAt(wish.place.begin);
  std::string inFunction =
      function == none ? "" : listOf(lookup, choices, function);
  if (!inFunction.empty())
    return text + "; in this function: " + inFunction;
  std::string inFile = listOf(lookup, choices, none);
  return text + (inFile.empty() ? "; nor is there anything else in the file"
                                : "; in this file: " + inFile);
}

Chosen choose(const Lookup &lookup, const std::vector<Choice> &choices,
              const Wish &wish) {
  struct Ranked {
    int distance, weight;
    size_t number;
  };
  std::vector<Ranked> ranked;
  std::vector<Choice> here;
  for (size_t i = 0; i < choices.size(); ++i) {
    int distance = distanceTo(lookup, choices[i], wish);
    if (distance < 0)
      continue;
    here.push_back(choices[i]);
    if (isWanted(choices[i].target, wish.kind))
      ranked.push_back({distance, weightOf(choices[i].target), i});
  }
  if (ranked.empty())
    return {nullptr, 0, errorFor(lookup, choices, here, wish)};
  const Ranked &best = *std::min_element(
      ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) {
        if ((a.distance == 2) != (b.distance == 2))
          return b.distance == 2;
        return std::tuple(-a.weight, a.distance, a.number) <
               std::tuple(-b.weight, b.distance, b.number);
      });
  std::set<std::pair<std::string, Id>> others;
  for (const Choice &choice : here)
    if (!isSaidTwice(choice.target))
      others.insert({wishFor(choice.target), choice.event});
  const Target &target = choices[best.number].target;
  others.erase({wishFor(target), choices[best.number].event});
  return {&choices[best.number], others.size(), {}};
}

} // namespace memreflens
