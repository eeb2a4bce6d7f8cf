//===- core/text/Sentence.cpp ---------------------------------------------===//

#include "core/text/Sentence.h"

#include <mutex>
#include <set>

namespace memreflens {

SentencePlace::SentencePlace(const std::source_location &where)
    : file(where.file_name()), line(where.line()) {}

SentencePlace SentencePlace::of(const std::string &file, uint32_t line) {
  static std::mutex mutex;
  static std::set<std::string> files;
  std::lock_guard lock(mutex);
  SentencePlace place;
  place.file = files.insert(file).first->c_str();
  place.line = line;
  return place;
}

std::string SentencePlace::text() const {
  return std::string(file) + ":" + std::to_string(line);
}

} // namespace memreflens
