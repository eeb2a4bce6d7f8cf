//===- core/check/Remedies.cpp --------------------------------------------===//

#include "core/check/Remedies.h"
#include "core/check/RuleId.h"

#include <initializer_list>
#include <vector>

namespace memreflens {

using Rules = std::set<std::string>;

static const std::vector<KnownRemedy> &table() {
  const Rules acceptanceRules = {ruleIds::branchLoop,
                                 ruleIds::multipleSuccessors,
                                 ruleIds::noUniqueOwnership,
                                 ruleIds::upstreamReadsFreed,
                                 ruleIds::regionWithoutInterface,
                                 ruleIds::terminator};
  const Rules checkRules = {ruleIds::runTimeCheck, ruleIds::deallocHelper};
  const Rules cloneRules = {ruleIds::clone, ruleIds::lostWrite};
  auto joined = [](std::initializer_list<Rules> parts) {
    Rules all;
    for (const Rules &part : parts)
      all.insert(part.begin(), part.end());
    return all;
  };
  static const std::vector<KnownRemedy> remedies = {
      {},
#define REMEDY(name, id, ...) {__VA_ARGS__},
#include "core/check/Remedies.def"
  };
  return remedies;
}

const KnownRemedy &knownRemedy(RemedyId id) { return table()[size_t(id)]; }

static constexpr std::string_view remedyNames[] = {
    "",
#define REMEDY(name, id, ...) id,
#include "core/check/Remedies.def"
};

std::string_view nameOf(RemedyId id) { return remedyNames[size_t(id)]; }

RemedyId remedyNamed(std::string_view name) {
  for (size_t id = 0; id < std::size(remedyNames); ++id)
    if (remedyNames[id] == name)
      return RemedyId(id);
  return RemedyId::none;
}

} // namespace memreflens
