//===- core/check/Rules.h - what is known of a rule of `memref-lens check` ===//
//
// Rules.def lists them all; each has a page docs/rules/ID.md, held to that list
// by tests/check.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_RULES_H
#define MEMREFLENS_CHECK_RULES_H

#include "core/check/FaultRule.h"
#include "core/check/Measure.h"
#include "core/check/RuleId.h"

#include <span>
#include <string>
#include <string_view>

namespace memreflens {

enum class RuleGroup : uint8_t {
  rejected, ///< the pipeline does not take it, or skips it
  cost,
  unsound
};

/// Which of an editor's settings says how it is shown.
enum class EditorGroup : uint8_t { byFinding, clones, checks };

struct Rule {
  RuleId id;
  RuleGroup group;
  trace::Severity severity;
  std::string_view title;
  /// What a remedy has to lower; null for a rejection.
  uint64_t Measure::*counts = nullptr;
  /// The same by place; null where its ops have none of their own.
  std::map<uint64_t, uint64_t> Measure::*sites = nullptr;
  EditorGroup editorGroup = EditorGroup::byFinding;
};

std::span<const Rule> allRules();
/// Null if there is none of that id.
const Rule *findRule(std::string_view id);
RuleId ruleOf(trace::RejectionCause cause);
/// "docs/rules/ID.md" in the project's tree.
std::string pageOf(const Rule &rule);

/// Whether `wanted` (ids, groups `rejected`, `cost`, `unsound`, or either with
/// a leading `-` to leave it out; empty: all) takes the rule.
bool isWanted(const Rule &rule, std::span<const std::string> wanted);
/// The first of `wanted` that names nothing; empty if all do.
std::string unknownRule(std::span<const std::string> wanted);
std::string_view nameOf(RuleGroup group);
/// Whether it is `refused`, as the group `rejected` was called up to 0.1.
bool isFormerName(std::string_view word);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_RULES_H
