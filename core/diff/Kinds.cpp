//===- core/diff/Kinds.cpp ------------------------------------------------===//

#include "core/diff/Kinds.h"

#include <array>

namespace memreflens::diff {

namespace {
struct Words {
  std::string_view name, one, many;
};
} // namespace

static constexpr std::array<Words, kindCount> words = {{
    {"status", "status", "statuses"},
    {"rejection", "rejection", "rejections"},
    {"warning", "warning", "warnings"},
    {"copy", "copy", "copies"},
    {"buffer", "new buffer", "new buffers"},
    {"clone", "clone", "clones"},
    {"runTimeCheck", "run-time alias check", "run-time alias checks"},
    {"free", "lowered dealloc", "lowered deallocs"},
    {"dealloc", "dealloc", "deallocs"},
    {"retained", "retained entry", "retained entries"},
    {"signature", "ownership indicator", "ownership indicators"},
    {"interface", "call into another dialect", "calls into other dialects"},
    {"move", "placement", "placements"},
    {"critical", "critical alias", "critical aliases"},
    {"alias", "alias", "aliases"},
    {"candidate", "candidate", "candidates"},
    {"ownership", "ownership", "ownerships"},
}};

std::string_view nameOf(DecisionKind kind) { return words[size_t(kind)].name; }

std::string_view wordOf(DecisionKind kind) { return words[size_t(kind)].one; }

std::string_view nameOf(Change change) {
  return change == Change::appeared ? "appeared"
         : change == Change::went   ? "went"
                                    : "changed";
}

std::string countedKind(size_t count, DecisionKind kind) {
  const Words &entry = words[size_t(kind)];
  return std::to_string(count) + " " +
         std::string(count == 1 ? entry.one : entry.many);
}

} // namespace memreflens::diff
