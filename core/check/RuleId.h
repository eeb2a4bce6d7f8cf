//===- core/check/RuleId.h - the rules' ids, each once --------------------===//
//
// A rule is named by one of these, so that no id can be mistyped:
// `ruleIds::leak`. Rules.def lists them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_RULEID_H
#define MEMREFLENS_CHECK_RULEID_H

#include <string>
#include <string_view>

namespace memreflens {

/// The id of a rule, as users write it; only those below can be made.
class RuleId {
public:
  constexpr std::string_view text() const { return id; }
  operator std::string() const { return std::string(id); }
  constexpr operator std::string_view() const { return id; }
  friend constexpr bool operator==(std::string_view text, RuleId rule) {
    return text == rule.id;
  }

private:
  explicit constexpr RuleId(std::string_view id) : id(id) {}
  friend struct ruleIds;
  std::string_view id;
};

struct ruleIds {
#define RULE(name, id, ...) static constexpr RuleId name{id};
#include "core/check/Rules.def"
};

} // namespace memreflens

#endif // MEMREFLENS_CHECK_RULEID_H
