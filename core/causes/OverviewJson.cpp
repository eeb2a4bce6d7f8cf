//===- core/causes/OverviewJson.cpp - the overview as data ----------------===//

#include "core/causes/Overview.h"

#include <nlohmann/json.hpp>

namespace memreflens {

using Json = nlohmann::ordered_json;

std::string asJson(const Overview &overview) {
  Json entries = Json::array();
  for (const OverviewEntry &entry : overview.entries) {
    Json fixes = Json::array();
    for (const OverviewFix &fix : entry.fixes)
      fixes.push_back({{"remedy", fix.remedy},
                       {"gain", fix.gain},
                       {"commands", fix.commands},
                       {"code", fix.code},
                       {"edit", fix.edit}});
    entries.push_back(
        {{"sentence", entry.sentence},
         {"line", entry.place.line},
         {"column", entry.place.utf16Column ? entry.place.utf16Column
                                            : entry.place.column},
         {"costs", entry.costs},
         {"run", entry.run},
         {"fixes", std::move(fixes)},
         {"advice", entry.advice},
         {"causes", entry.causes}});
  }
  Json json = {{"tensors", overview.tensors},  {"counts", overview.counts},
               {"peak", overview.peak},        {"aCall", overview.aCall},
               {"slow", overview.slow},        {"bounded", overview.bounded},
               {"entries", std::move(entries)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace memreflens
