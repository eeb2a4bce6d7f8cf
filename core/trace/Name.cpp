//===- core/trace/Name.cpp ------------------------------------------------===//

#include "core/trace/Name.h"

#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace memreflens::trace {

namespace {
struct Table {
  std::shared_mutex mutex;
  /// A deque, so that texts stay where they are.
  std::deque<std::string> texts = {""};
  std::unordered_map<std::string_view, uint32_t> numbers = {{texts[0], 0}};
};

/// Never destroyed: names may be read while the process ends.
Table &table() {
  static Table &only = *new Table;
  return only;
}
} // namespace

const std::string &Name::str() const {
  Table &names = table();
  std::shared_lock lock(names.mutex);
  return names.texts[number];
}

uint32_t Name::numberOf(std::string_view text) {
  Table &names = table();
  {
    std::shared_lock lock(names.mutex);
    if (auto known = names.numbers.find(text); known != names.numbers.end())
      return known->second;
  }
  std::unique_lock lock(names.mutex);
  if (auto known = names.numbers.find(text); known != names.numbers.end())
    return known->second;
  const std::string &kept = names.texts.emplace_back(text);
  const auto number = static_cast<uint32_t>(names.texts.size() - 1);
  names.numbers.emplace(kept, number);
  return number;
}

} // namespace memreflens::trace
