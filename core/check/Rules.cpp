//===- core/check/Rules.cpp -----------------------------------------------===//

#include "core/check/Rules.h"
#include "core/upstream/Release.h"

namespace memreflens {

using enum RuleGroup;
using trace::RejectionCause;
using trace::Severity;

static constexpr Rule rules[] = {
#define RULE(name, text, of, level, says, ...)                                 \
  {.id = ruleIds::name,                                                        \
   .group = of,                                                                \
   .severity = Severity::level,                                                \
   .title = says __VA_OPT__(, ) __VA_ARGS__},
#include "core/check/Rules.def"
};

std::span<const Rule> allRules() { return rules; }

const Rule *findRule(std::string_view id) {
  for (const Rule &rule : rules)
    if (rule.id == id)
      return &rule;
  return nullptr;
}

RuleId ruleOf(RejectionCause cause) {
  switch (cause) {
  case RejectionCause::loopInControlFlow:
    return ruleIds::branchLoop;
  case RejectionCause::existingDealloc:
    return ruleIds::existingDealloc;
  case RejectionCause::unknownEffects:
    return ruleIds::unknownEffects;
  case RejectionCause::regionWithoutInterface:
    return ruleIds::regionWithoutInterface;
  case RejectionCause::noTerminatorTrait:
  case RejectionCause::terminatorInterface:
  case RejectionCause::producedOperands:
    return ruleIds::terminator;
  case RejectionCause::multipleSuccessorsWithMemref:
  case RejectionCause::multipleSuccessors:
    return ruleIds::multipleSuccessors;
  case RejectionCause::freeEffect:
    return ruleIds::freeInInput;
  case RejectionCause::noUniqueOwnership:
    return ruleIds::noUniqueOwnership;
  case RejectionCause::returnTypesDiffer:
    return ruleIds::returnTypesDiffer;
  case RejectionCause::inParallelNotEmpty:
    return ruleIds::inParallelNotEmpty;
  case RejectionCause::reduceReturnMemref:
    return ruleIds::reduceMemref;
  case RejectionCause::interfaceProcess:
    return ruleIds::thirdParty;
  case RejectionCause::invalidIr:
    return ruleIds::invalidIr;
  case RejectionCause::stageFailed:
    return ruleIds::stageFailed;
  case RejectionCause::stageCrashed:
  case RejectionCause::stageTimedOut:
    return ruleIds::stageCrashed;
  case RejectionCause::libraryFunction:
    return ruleIds::libraryFunction;
  }
  return ruleIds::stageFailed;
}

std::string pageOf(const Rule &rule) {
  return "docs/rules/" + std::string(rule.id) + ".md";
}

std::string_view nameOf(RuleGroup group) {
  switch (group) {
  case rejected:
    return "rejected";
  case cost:
    return "cost";
  case unsound:
    return "unsound";
  }
  return {};
}

/// What the group of rejections was called up to 0.1: accepted, deprecated.
static constexpr std::string_view formerName = "refused";

static bool names(std::string_view word, RuleGroup group) {
  return word == nameOf(group) || (group == rejected && word == formerName);
}

bool isFormerName(std::string_view word) {
  return word == formerName ||
         (word.starts_with('-') && word.substr(1) == formerName);
}

bool isWanted(const Rule &rule, std::span<const std::string> wanted) {
  bool takesAny = false, taken = false;
  for (std::string_view word : wanted) {
    bool leavesOut = word.starts_with('-');
    if (leavesOut)
      word.remove_prefix(1);
    takesAny |= !leavesOut;
    if (word != rule.id && !names(word, rule.group))
      continue;
    if (leavesOut)
      return false;
    taken = true;
  }
  return taken || !takesAny;
}

std::string unknownRule(std::span<const std::string> wanted) {
  for (const std::string &entry : wanted) {
    std::string_view word = entry;
    if (word.starts_with('-'))
      word.remove_prefix(1);
    if (!findRule(word) && !names(word, rejected) && !names(word, cost) &&
        !names(word, unsound))
      return entry;
  }
  return {};
}

} // namespace memreflens
