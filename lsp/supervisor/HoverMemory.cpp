//===- lsp/supervisor/HoverMemory.cpp -------------------------------------===//

#include "lsp/supervisor/HoverMemory.h"

#include <nlohmann/json.hpp>

namespace memreflens::lsp {

/// Of one text; nobody looks at more places before the next edit.
static constexpr size_t mostHovers = 200;

void HoverMemory::forget(const std::string &uri) {
  documents[uri] = {++lastText, {}, false};
}

void HoverMemory::forgetAll() {
  for (auto &[uri, told] : documents)
    told = {++lastText, {}, false};
}

uint64_t HoverMemory::textOf(const std::string &uri) const {
  auto known = documents.find(uri);
  return known == documents.end() ? 0 : known->second.text;
}

HoverMemory::Place HoverMemory::placeIn(const Json &params) {
  const Json &position = member(params, "position");
  return {integerIn(position, "line", -1),
          integerIn(position, "character", -1)};
}

void HoverMemory::note(const std::string &uri, uint64_t text,
                       const Json &params, const Json &hover, bool isWhole) {
  auto known = documents.find(uri);
  if (known == documents.end() || known->second.text != text)
    return;
  auto &hovers = known->second.hovers;
  if (hovers.size() >= mostHovers)
    hovers.clear();
  hovers[placeIn(params)] = hover;
  known->second.hasWhole |= isWhole;
}

Json HoverMemory::toldAt(const std::string &uri, const Json &params) const {
  auto known = documents.find(uri);
  if (known == documents.end())
    return nullptr;
  auto hover = known->second.hovers.find(placeIn(params));
  return hover == known->second.hovers.end() ? Json() : hover->second;
}

bool HoverMemory::hasTold(const std::string &uri) const {
  auto known = documents.find(uri);
  return known != documents.end() && known->second.hasWhole;
}

} // namespace memreflens::lsp
