//===- core/trace/Name.cpp ------------------------------------------------===//

#include "core/trace/Name.h"

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace memreflens::trace {

namespace {
/// Texts stay where they are, in segments that are never moved: who has a
/// number reads its text without a lock, on which many threads would wait for
/// each other.
class Texts {
public:
  const std::string &operator[](uint32_t number) const {
    return segmentAt(number).load(
        std::memory_order_acquire)[number % segmentSize];
  }
  /// By one thread at a time.
  uint32_t add(std::string_view text) {
    const std::atomic_ref<std::string *> segment = segmentAt(count);
    if (count % segmentSize == 0)
      segment.store(new std::string[segmentSize], std::memory_order_release);
    segment.load(std::memory_order_relaxed)[count % segmentSize] = text;
    return count++;
  }

private:
  static constexpr uint32_t segmentSize = 4096;
  static std::atomic_ref<std::string *> segmentAt(uint32_t number) {
    return std::atomic_ref(segments[number / segmentSize]);
  }

  uint32_t count = 0;
  /// For as many names as there are numbers. Of static memory that is zero from
  /// the start, so that only pages are touched that have some.
  static std::string *segments[(size_t(1) << 32) / segmentSize];
};
std::string *Texts::segments[(size_t(1) << 32) / segmentSize];

struct Table {
  Table() { numbers.emplace(texts[texts.add("")], 0); }
  /// Of the numbers.
  std::shared_mutex mutex;
  Texts texts;
  std::unordered_map<std::string_view, uint32_t> numbers;
};

/// Never destroyed: names may be read while the process ends.
Table &table() {
  static Table &only = *new Table;
  return only;
}
} // namespace

const std::string &Name::str() const { return table().texts[number]; }

uint32_t Name::numberOf(std::string_view text) {
  // A few texts come again and again, on all threads.
  thread_local std::unordered_map<std::string_view, uint32_t> familiar;
  if (auto known = familiar.find(text); known != familiar.end())
    return known->second;
  Table &names = table();
  auto remember = [&](uint32_t number) {
    familiar.emplace(names.texts[number], number);
    return number;
  };
  {
    std::shared_lock lock(names.mutex);
    if (auto known = names.numbers.find(text); known != names.numbers.end())
      return remember(known->second);
  }
  std::unique_lock lock(names.mutex);
  if (auto known = names.numbers.find(text); known != names.numbers.end())
    return remember(known->second);
  const uint32_t number = names.texts.add(text);
  names.numbers.emplace(names.texts[number], number);
  return remember(number);
}

} // namespace memreflens::trace
