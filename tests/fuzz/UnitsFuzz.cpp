//===- tests/fuzz/UnitsFuzz.cpp - a text before MLIR sees it --------------===//
//
// Chunks lie between the marker lines and cover the rest; nesting is measured
// alike under every limit; lines and columns are those of a plain model; units
// lie within their chunk in order, and the text that is made of them has each
// at its own line.
//
// Input: one byte of flags, then the text.
//
//===----------------------------------------------------------------------===//

#include "core/source/Chunks.h"
#include "core/text/ItemScanner.h"
#include "core/text/LineIndex.h"
#include "lsp/analysis/Units.h"
#include "tests/fuzz/Fuzz.h"
#include "tests/fuzz/Naive.h"

#include <algorithm>
#include <set>

using namespace memreflens;
using namespace memreflens::lsp;
using fuzz::require;

namespace {

size_t countLines(std::string_view text) {
  return size_t(std::count(text.begin(), text.end(), '\n'));
}

void checkChunks(std::string_view text,
                 const std::vector<trace::Range> &chunks) {
  require(!chunks.empty() && chunks.front().begin == 0 &&
              chunks.back().end == text.size(),
          "the chunks span the text");
  for (size_t i = 0; i < chunks.size(); ++i) {
    require(chunks[i].begin <= chunks[i].end, "a chunk has no negative size");
    if (i == 0)
      continue;
    require(chunks[i - 1].end < chunks[i].begin, "chunks are in order");
    std::string_view between =
        text.substr(chunks[i - 1].end, chunks[i].begin - chunks[i - 1].end);
    require(between.starts_with("// -----") &&
                (between.back() == '\n' || chunks[i].begin == text.size()) &&
                countLines(between) <= 1,
            "only a marker's line lies between two chunks");
  }
}

void checkNesting(std::string_view text, unsigned limit) {
  Nesting whole = measureNesting(text, UINT32_MAX);
  Nesting limited = measureNesting(text, limit);
  require((whole.depth > limit) == (limited.depth > limit),
          "a limit is exceeded if the text nests deeper");
  require(limited.depth <= whole.depth, "no limit makes a text deeper");
  require(limited.depth <= limit ? limited.depth == whole.depth
                                 : limited.exceededAt < text.size(),
          "within the limit the depth is that of the text");
}

void checkLineIndex(std::string_view text) {
  LineIndex index(text);
  std::vector<fuzz::NaiveLine> lines = fuzz::naiveLines(text, /*bareCr=*/false);
  require(index.lineCount() == lines.size(), "as many lines");
  for (uint32_t number = 0; number < lines.size(); ++number) {
    auto [begin, end] = lines[number];
    std::string_view line = text.substr(begin, end - begin);
    require(index.line(number + 1) == line, "a line is its text", {});
    // Some places of a long line, since each is looked for from its begin.
    size_t step = line.size() / 16 + 1, next = 0;
    for (size_t at = 0; at <= line.size();
         at += at < line.size() ? fuzz::naiveCharacter(line.substr(at)) : 1) {
      if (at < next)
        continue;
      next = at + step;
      auto offset = uint32_t(begin + at);
      LineColumn bytes{number + 1, uint32_t(at) + 1};
      require(index.lineColumn(offset) == bytes &&
                  index.offset(bytes) == offset,
              "an offset is at its line and column, and back");
    }
  }
}

/// The text of units of one chunk has each where the user has it.
void checkTextOf(std::string_view text, const std::vector<const Unit *> &some) {
  std::string made = textOfUnits(text, some);
  std::vector<size_t> starts = {0};
  for (size_t at = made.find('\n'); at != made.npos;
       at = made.find('\n', at + 1))
    starts.push_back(at + 1);
  for (const Unit *unit : some) {
    std::string_view own = text.substr(unit->begin, unit->end - unit->begin);
    require(unit->line < starts.size(), "the text reaches a unit's line");
    require(std::string_view(made).substr(starts[unit->line]).starts_with(own),
            "a unit stands at its own line", made);
  }
}

void checkUnits(std::string_view text, const std::vector<trace::Range> &chunks,
                const UnitOptions &options, uint8_t which) {
  std::vector<Unit> units = splitUnits(text, options);
  require(!units.empty() ||
              std::all_of(chunks.begin(), chunks.end(),
                          [](trace::Range chunk) { return chunk.empty(); }),
          "a text that is not empty has a unit");
  std::set<uint64_t> keys;
  size_t before = 0;
  for (const Unit &unit : units) {
    require(before <= unit.begin && unit.begin < unit.end,
            "units are in order and do not overlap");
    before = unit.end;
    trace::Range chunk = chunks.at(size_t(unit.chunk));
    require(chunk.begin <= unit.begin && unit.end <= chunk.end,
            "a unit lies in its chunk");
    require(unit.line == countLines(text.substr(0, unit.begin)),
            "a unit's line is that of its begin");
    require(unit.begin == 0 || text[unit.begin - 1] == '\n',
            "a unit starts a line");
    require(!options.wholeChunks || unit.isChunk, "whole chunks stay whole");
    require(keys.insert(unit.key).second, "units are told apart");
    checkTextOf(text, {&unit});
  }
  // All of each chunk at once, and some of them.
  for (size_t first = 0; first < units.size();) {
    std::vector<const Unit *> all, some;
    size_t last = first;
    for (; last < units.size() && units[last].chunk == units[first].chunk;
         ++last) {
      all.push_back(&units[last]);
      if (which >> (last % 5) & 8)
        some.push_back(&units[last]);
    }
    first = last;
    checkTextOf(text, all);
    checkTextOf(text, some);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Choices choices(data, size);
  uint8_t flags = choices.byte();
  std::string_view text = choices.rest();
  std::vector<trace::Range> chunks = splitChunks(text);
  checkChunks(text, chunks);
  checkNesting(text, 1u << (flags & 3));
  checkLineIndex(text);
  std::string flat = withoutComments(text);
  require(flat.find('\n') == flat.npos && flat.find('\r') == flat.npos,
          "without comments it is one line", flat);
  checkUnits(text, chunks, {.wholeChunks = (flags & 4) != 0, .seed = flags},
             flags);
  return 0;
}
