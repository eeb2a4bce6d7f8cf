//===- core/check/PeakCosts.cpp -------------------------------------------===//

#include "core/check/PeakCosts.h"
#include "core/check/Collect.h"
#include "core/memory/Columns.h"
#include "core/memory/Memory.h"
#include "core/memory/Origins.h"
#include "core/text/Bytes.h"

#include <algorithm>
#include <map>

namespace memreflens {

/// A report has a line for each; a page is no wider than the columns.
static constexpr size_t mostParts = 40, mostColumns = 60, mostLines = 12;

static std::string wordsOf(const memory::ElsewhereBytes &one) {
  return one.call.empty() ? one.in : one.in + ", called by " + one.call;
}

/// Allocated, and not used yet; the peak may be where it is allocated.
static bool waits(const memory::MemoryUse &use, const memory::Buffer &buffer) {
  return buffer.begin < use.peakStep && buffer.firstUse > use.peakStep;
}

static PeakPart partOf(const Lookup &lookup, const memory::MemoryUse &use,
                       const memory::Buffer &buffer) {
  PeakPart part;
  part.name = buffer.name;
  part.bytes = buffer.bytes;
  part.place = placeOf(lookup, buffer.range);
  part.use = useText(buffer, use.peakStep);
  if (buffer.lastUse < use.peakStep)
    part.why = wordsOf(buffer.hold);
  else if (waits(use, buffer))
    part.why = "allocated before its first use";
  return part;
}

PeakCosts peakCostsOf(const Lookup &lookup, const Lifetimes &lifetimes) {
  PeakCosts costs;
  const bool isOpen =
      std::ranges::any_of(lifetimes.gaps, [](const trace::PeakGap &gap) {
        return gap.kind == trace::PeakGapKind::unknownSize;
      });
  if (lifetimes.peakBytes == 0 && !isOpen)
    return costs;
  const memory::MemoryUse use = memory::peakOf(lookup, lifetimes);
  if (use.peakStep < use.places.size())
    costs.at = use.places[use.peakStep];
  for (const memory::ElsewhereBytes &one : use.elsewhere) {
    PeakPart part;
    part.name = wordsOf(one);
    part.bytes = one.bytes;
    if (use.peakStep < use.steps.size())
      part.place = placeOf(lookup, lookup.rangeOfOp(use.steps[use.peakStep]));
    costs.parts.push_back(std::move(part));
  }
  for (size_t index : use.alive)
    costs.parts.push_back(partOf(lookup, use, use.buffers[index]));
  std::ranges::stable_sort(costs.parts, std::ranges::greater(),
                           &PeakPart::bytes);
  for (size_t i = mostParts; i < costs.parts.size(); ++i) {
    ++costs.others;
    costs.otherBytes += costs.parts[i].bytes;
  }
  costs.parts.resize(std::min(costs.parts.size(), mostParts));
  auto cause = [&](std::string words, uint64_t bytes) {
    if (bytes > 0)
      costs.causes.push_back({std::move(words), bytes});
  };
  uint64_t waiting = 0;
  for (size_t index : use.alive)
    if (waits(use, use.buffers[index]))
      waiting += use.buffers[index].bytes;
  cause("in use", use.aliveBytes - use.idleBytes - waiting);
  cause("allocated before its first use", waiting);
  for (const memory::HeldBytes &held : use.heldAtPeak)
    cause("idle: " + std::string(memory::wordsOf(held.hold)), held.bytes);
  for (const memory::ElsewhereBytes &one : use.elsewhere)
    cause(one.in, one.bytes);
  costs.origin = memory::leadingOrigin(lookup, use);
  costs.expression = use.expression;
  for (const memory::Column &column : memory::columnsOf(use, mostColumns))
    costs.curve.push_back(column.asIs);
  return costs;
}

std::string textOf(const PeakPart &part) {
  std::string text = part.name + ", " + bytesText(part.bytes);
  if (!part.use.empty())
    text += ": " + part.use;
  if (!part.why.empty())
    text += (part.use.empty() ? ": " : "; ") + part.why;
  return text;
}

namespace {
using Sums = std::map<std::string, std::pair<uint64_t, uint64_t>>;
} // namespace

/// Those that differ, the largest difference first.
static std::vector<std::string> differences(const Sums &sums) {
  struct Line {
    std::string name;
    uint64_t was, is;
    uint64_t size() const { return was > is ? was - is : is - was; }
  };
  std::vector<Line> lines;
  for (const auto &[name, both] : sums)
    if (both.first != both.second)
      lines.push_back({name, both.first, both.second});
  std::ranges::stable_sort(lines, std::ranges::greater(), &Line::size);
  std::vector<std::string> text;
  for (const Line &line : lines) {
    if (text.size() == mostLines)
      return text;
    text.push_back(
        line.was == 0  ? "new " + bytesText(line.is) + ": " + line.name
        : line.is == 0 ? "gone " + bytesText(line.was) + ": " + line.name
                       : bytesText(line.was) + " -> " + bytesText(line.is) +
                             ": " + line.name);
  }
  return text;
}

std::vector<std::string> peakChangeLines(const PeakCosts &before,
                                         const PeakCosts &after) {
  Sums causes, buffers;
  for (const auto &[words, bytes] : before.causes)
    causes[words].first += bytes;
  for (const auto &[words, bytes] : after.causes)
    causes[words].second += bytes;
  auto add = [&](const PeakCosts &costs, uint64_t Sums::mapped_type::*side) {
    for (const PeakPart &part : costs.parts)
      // A callee's are told as a cause.
      if (part.name.starts_with("%"))
        buffers[withoutValueNumbers(part.name)].*side += part.bytes;
  };
  add(before, &Sums::mapped_type::first);
  add(after, &Sums::mapped_type::second);
  std::vector<std::string> lines = differences(causes);
  for (std::string &line : differences(buffers))
    lines.push_back(std::move(line));
  return lines;
}

std::string peakChart(const std::string &function, const PeakCosts &before,
                      const PeakCosts &after) {
  auto most = [](const PeakCosts &costs) {
    return costs.curve.empty() ? uint64_t(0)
                               : *std::ranges::max_element(costs.curve);
  };
  const uint64_t top = std::max(most(before), most(after));
  if (top == 0)
    return {};
  uint64_t unit = 1;
  while (top / unit >= 10240)
    unit *= 1024;
  // In a title nothing but plain letters is safe.
  std::string name;
  for (unsigned char letter : function)
    name +=
        isalnum(letter) || letter == '_' || letter == '.' ? char(letter) : '?';
  std::string text =
      "~~~mermaid\nxychart-beta\n  title \"live bytes of " + name +
      ", before and after\"\n  x-axis \"program\" 0 --> 100\n  y-axis \"" +
      bytesText(unit).substr(2) + "\" 0 --> " + std::to_string(top / unit + 1) +
      "\n";
  for (const PeakCosts *costs : {&before, &after}) {
    // Both go from the first op to the last.
    std::string line;
    for (size_t i = 0; i < mostColumns; ++i) {
      const size_t count = costs->curve.size();
      const uint64_t bytes =
          count == 0 ? 0 : costs->curve[i * count / mostColumns];
      line += (i ? ", " : "") + std::to_string(bytes / unit);
    }
    text += "  line [" + line + "]\n";
  }
  return text + "~~~\n";
}

} // namespace memreflens
