//===- lsp/analysis/Paths.cpp - what trying paths found, wherever it stands
//---===//

#include "lsp/analysis/Paths.h"

#include <algorithm>

namespace memreflens::lsp {

std::vector<PathFinding>
PathReport::at(const std::map<uint64_t, size_t> &lineOfKey) const {
  auto move = [&](uint32_t &line) {
    if (line == 0)
      return;
    auto after = std::upper_bound(
        lines.begin(), lines.end(), size_t(line - 1),
        [](size_t wanted, const auto &entry) { return wanted < entry.first; });
    if (after == lines.begin())
      return;
    auto found = lineOfKey.find((after - 1)->second);
    if (found != lineOfKey.end())
      line = uint32_t(line - (after - 1)->first + found->second);
  };
  std::vector<PathFinding> moved = findings;
  for (PathFinding &one : moved) {
    move(one.finding.place.line);
    move(one.finding.place.endLine);
    for (auto *notes : {&one.finding.related, &one.finding.path})
      for (FindingNote &note : *notes) {
        move(note.place.line);
        move(note.place.endLine);
      }
  }
  return moved;
}

} // namespace memreflens::lsp
