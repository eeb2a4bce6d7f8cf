//===- lsp/analysis/Batch.cpp ---------------------------------------------===//

#include "lsp/analysis/Batch.h"
#include "core/causes/Causes.h"
#include "core/trace/Pack.h"

#include <algorithm>
#include <utility>

namespace memreflens::lsp {

using trace::Range;

Batch::Batch(trace::Trace trace, std::vector<Place> places, CheckInputs inputs)
    : trace(std::move(trace)), places(std::move(places)),
      inputs(std::move(inputs)), lines(this->trace.source.text) {
  lookup.emplace(this->trace);
}

Batch::~Batch() = default;

/// Records by kind, as `trace::pack` makes them.
struct Batch::Packed {
  std::string functions, blocks, ops, values, events;
};

void Batch::sleep() {
  if (asleep)
    return;
  lookup.reset();
  asleep = std::make_unique<Packed>();
  auto pack = [](auto &records, std::string &into) {
    into = trace::pack(std::span(std::as_const(records)));
    // Not `{}`, which keeps the room.
    records = std::decay_t<decltype(records)>();
  };
  pack(trace.functions, asleep->functions);
  pack(trace.blocks, asleep->blocks);
  pack(trace.ops, asleep->ops);
  pack(trace.values, asleep->values);
  pack(trace.events, asleep->events);
}

void Batch::wake() {
  if (!asleep)
    return;
  trace.functions = trace::unpack<trace::Function>(asleep->functions);
  trace.blocks = trace::unpack<trace::Block>(asleep->blocks);
  trace.ops = trace::unpack<trace::Op>(asleep->ops);
  trace.values = trace::unpack<trace::Value>(asleep->values);
  trace.events = trace::unpack<trace::Event>(asleep->events);
  asleep.reset();
  lookup.emplace(trace);
}

const Batch::Place *Batch::find(uint64_t key) const {
  for (const Place &place : places)
    if (place.key == key)
      return &place;
  return nullptr;
}

bool Batch::isChunkParsed() const {
  return std::all_of(trace.chunks.begin(), trace.chunks.end(),
                     [](const trace::Chunk &chunk) { return chunk.parsed; });
}

const FileReport &Batch::findings() {
  if (!report) {
    wake();
    report = collectFindings(*lookup, inputs);
    addCauses(*report, *lookup);
  }
  return *report;
}

namespace {
class Mover {
public:
  using Pieces = std::vector<std::pair<Range, uint32_t>>;
  explicit Mover(const Pieces &pieces) : pieces(pieces) {}

  void operator()(Range &range) const {
    auto after = std::upper_bound(
        pieces.begin(), pieces.end(), range.begin,
        [](uint32_t at, const auto &piece) { return at < piece.first.begin; });
    bool isInside = after != pieces.begin() &&
                    range.end <= (after - 1)->first.end &&
                    range.begin <= (after - 1)->first.end;
    if (!isInside) {
      range = {};
      return;
    }
    const auto &[from, to] = *(after - 1);
    range = {range.begin - from.begin + to, range.end - from.begin + to};
  }

  void problem(trace::Problem &problem) const {
    (*this)(problem.range);
    for (trace::Problem &note : problem.notes)
      this->problem(note);
  }

private:
  const Pieces &pieces;
};
} // namespace

void moveRanges(trace::Trace &trace,
                const std::vector<std::pair<Range, uint32_t>> &pieces) {
  Mover move(pieces);
  for (trace::Function &function : trace.functions) {
    move(function.nameRange);
    move(function.range);
  }
  for (trace::Block &block : trace.blocks) {
    move(block.nameRange);
    move(block.range);
  }
  for (trace::Op &op : trace.ops) {
    move(op.nameRange);
    move(op.range);
  }
  for (trace::Value &value : trace.values) {
    move(value.range);
    for (Range &use : value.uses)
      move(use);
  }
  for (trace::Problem &problem : trace.problems)
    move.problem(problem);
}

/// In text order of the lines wanted; units that are away come last.
static std::vector<Batch::Place>
placesAt(std::vector<Batch::Place> places,
         const std::map<uint64_t, size_t> &wanted) {
  for (Batch::Place &place : places) {
    auto found = wanted.find(place.key);
    place.isAway = found == wanted.end();
    if (!place.isAway)
      place.line = found->second;
  }
  std::ranges::stable_sort(places, [](const auto &a, const auto &b) {
    return std::pair(a.isAway, a.isAway ? 0 : a.line) <
           std::pair(b.isAway, b.isAway ? 0 : b.line);
  });
  return places;
}

void Batch::move(const std::map<uint64_t, size_t> &wanted) {
  bool moves = std::any_of(places.begin(), places.end(), [&](const Place &at) {
    auto found = wanted.find(at.key);
    return found != wanted.end() && (at.isAway || found->second != at.line);
  });
  if (moves)
    place(wanted);
}

void Batch::putAway() { place({}); }

void Batch::place(const std::map<uint64_t, size_t> &wanted) {
  wake();
  // Functions may change places: text order is that of the new lines, while
  // the pieces are sought by the old ranges.
  places = placesAt(std::move(places), wanted);
  std::string text;
  std::vector<std::pair<Range, uint32_t>> pieces;
  size_t line = 0;
  for (Place &place : places) {
    std::string_view own =
        std::string_view(trace.source.text)
            .substr(place.range.begin, place.range.end - place.range.begin);
    size_t wantedLine = place.isAway ? line + 1 : place.line;
    if (wantedLine > line)
      text.append(wantedLine - line, '\n');
    Range moved{uint32_t(text.size()), uint32_t(text.size() + own.size())};
    text += own;
    line = std::max(line, wantedLine) +
           size_t(std::count(own.begin(), own.end(), '\n'));
    pieces.push_back({place.range, moved.begin});
    place.range = moved;
  }
  std::sort(pieces.begin(), pieces.end(), [](const auto &a, const auto &b) {
    return a.first.begin < b.first.begin;
  });
  moveRanges(trace, pieces);
  for (trace::Chunk &chunk : trace.chunks)
    chunk.range = {0, uint32_t(text.size())};
  trace.source.text = std::move(text);
  lines = Lines(trace.source.text);
  lookup.emplace(trace);
  report.reset();
}

size_t Batch::weight() const {
  auto bytes = [](const auto &list) { return list.size() * sizeof(list[0]); };
  // Texts of stages are kept as they are.
  const size_t packed = asleep
                            ? asleep->functions.size() + asleep->blocks.size() +
                                  asleep->ops.size() + asleep->values.size() +
                                  asleep->events.size()
                            : 0;
  size_t records = bytes(trace.functions) + bytes(trace.blocks) +
                   bytes(trace.ops) + bytes(trace.values) + bytes(trace.events);
  // Names, types and lists inside the records, and the tables of the lookup,
  // take about as much again.
  return 2 * records + packed + trace.source.text.size();
}

} // namespace memreflens::lsp
