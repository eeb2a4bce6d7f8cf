//===- core/trace/StageTexts.cpp ------------------------------------------===//

#include "core/trace/StageTexts.h"
#include "core/trace/Plan.h"

#include <algorithm>
#include <memory_resource>
#include <unordered_map>

namespace memreflens::trace {

//===--- Lines ------------------------------------------------------------===//

/// Each with the line end that it has.
static std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

namespace {
using Lines = std::vector<std::string_view>;

/// Which line of the one text is which of the other; most lines of IR occur
/// once, since they define a name, so those are found first and the rest is
/// what stands beside them.
class Matcher {
public:
  Matcher(const Lines &before, const Lines &after)
      : before(before), after(after), partner(after.size(), unmatched) {}

  std::vector<TextStep> run() {
    matchEnds();
    matchUnique();
    extend();
    return steps();
  }

private:
  static constexpr size_t unmatched = size_t(-1);

  void matchEnds() {
    while (head < before.size() && head < after.size() &&
           before[head] == after[head]) {
      partner[head] = head;
      ++head;
    }
    while (tail < before.size() - head && tail < after.size() - head &&
           before[before.size() - tail - 1] == after[after.size() - tail - 1]) {
      ++tail;
      partner[after.size() - tail] = before.size() - tail;
    }
  }

  /// Pairs of lines that both texts have once, as many as stand in the same
  /// order in both (the longest rising sequence).
  void matchUnique() {
    struct Count {
      unsigned before = 0, after = 0;
      size_t at = 0;
    };
    // All entries in one piece of memory: texts have hundreds of thousands.
    std::pmr::monotonic_buffer_resource memory;
    std::pmr::unordered_map<std::string_view, Count> counts(&memory);
    counts.reserve(before.size() - tail - head);
    for (size_t i = head; i < before.size() - tail; ++i) {
      Count &count = counts[before[i]];
      ++count.before;
      count.at = i;
    }
    std::vector<Count *> countOf(after.size() - tail, nullptr);
    for (size_t i = head; i < countOf.size(); ++i) {
      auto found = counts.find(after[i]);
      if (found == counts.end())
        continue;
      countOf[i] = &found->second;
      ++countOf[i]->after;
    }
    // By length: the last line of the best sequence, and of each line the one
    // before it.
    std::vector<size_t> last, previous(after.size(), unmatched);
    std::vector<size_t> place(after.size(), unmatched);
    for (size_t i = head; i < countOf.size(); ++i) {
      const Count *count = countOf[i];
      if (!count || count->before != 1 || count->after != 1)
        continue;
      place[i] = count->at;
      auto longer = std::lower_bound(
          last.begin(), last.end(), count->at,
          [&](size_t line, size_t at) { return place[line] < at; });
      if (longer != last.begin())
        previous[i] = *(longer - 1);
      if (longer == last.end())
        last.push_back(i);
      else
        *longer = i;
    }
    for (size_t i = last.empty() ? unmatched : last.back(); i != unmatched;
         i = previous[i])
      partner[i] = place[i];
  }

  /// Equal lines beside matched ones belong together, too.
  void extend() {
    size_t next = 0;
    for (size_t i = 0; i < after.size(); ++i) {
      if (partner[i] == unmatched && next < limitAfter(i) &&
          before[next] == after[i])
        partner[i] = next;
      if (partner[i] != unmatched)
        next = partner[i] + 1;
    }
    size_t end = before.size();
    for (size_t i = after.size(); i-- > 0;) {
      if (partner[i] == unmatched && end > limitBefore(i) &&
          before[end - 1] == after[i])
        partner[i] = end - 1;
      if (partner[i] != unmatched)
        end = partner[i];
    }
  }

  /// The partner of the next matched line, or the end.
  size_t limitAfter(size_t i) {
    if (i >= limitLine) {
      limitLine = i;
      while (limitLine < after.size() && partner[limitLine] == unmatched)
        ++limitLine;
    }
    return limitLine < after.size() ? partner[limitLine] : before.size();
  }
  /// One past the partner of the matched line before, or the begin.
  size_t limitBefore(size_t i) {
    if (i <= floorLine && floorLine != unmatched) {
      floorLine = i;
      while (floorLine != unmatched && partner[floorLine] == unmatched)
        --floorLine;
    }
    return floorLine == unmatched ? 0 : partner[floorLine] + 1;
  }

  std::vector<TextStep> steps() const {
    std::vector<TextStep> steps;
    size_t done = 0;
    auto dropTo = [&](size_t line) {
      if (line == done)
        return;
      if (steps.empty())
        steps.emplace_back();
      steps.back().drop += int32_t(line - done);
      done = line;
    };
    for (size_t i = 0; i < after.size(); ++i) {
      if (partner[i] == unmatched) {
        if (steps.empty())
          steps.emplace_back();
        steps.back().add += after[i];
        continue;
      }
      dropTo(partner[i]);
      if (steps.empty() || steps.back().drop || !steps.back().add.empty())
        steps.emplace_back();
      ++steps.back().keep;
      ++done;
    }
    // What is left is left out by not being kept.
    return steps;
  }

  const Lines &before, &after;
  /// By line of the text after: its line in the text before.
  std::vector<size_t> partner;
  size_t head = 0, tail = 0;
  size_t limitLine = 0, floorLine = unmatched - 1;
};
} // namespace

std::vector<TextStep> textSteps(std::string_view before,
                                std::string_view after) {
  Lines from = linesOf(before), to = linesOf(after);
  return Matcher(from, to).run();
}

std::string applySteps(std::string_view before,
                       const std::vector<TextStep> &steps) {
  std::string text;
  auto take = [&](int32_t count) {
    size_t end = 0;
    for (; count > 0 && end < before.size(); --count)
      end = std::min(before.find('\n', end), before.size() - 1) + 1;
    std::string_view taken = before.substr(0, end);
    before.remove_prefix(end);
    return taken;
  };
  for (const TextStep &step : steps) {
    text += take(step.keep);
    take(step.drop);
    text += step.add;
  }
  return text;
}

void keepText(Stage &stage, std::string_view before, std::string text) {
  stage.delta = textSteps(before, text);
  // As much as a step costs in a file, roughly.
  constexpr size_t stepCost = 32;
  size_t cost = 0;
  for (const TextStep &step : stage.delta)
    cost += stepCost + step.add.size();
  if (cost < text.size())
    return;
  stage.delta.clear();
  stage.text = std::move(text);
}

//===--- Stages -----------------------------------------------------------===//

std::optional<std::string_view> StageTexts::get(Id chunk, int number) {
  if (number == tensorCopiesStage) {
    for (auto run = trace.bufferizations.rbegin();
         run != trace.bufferizations.rend(); ++run)
      if (run->chunk == chunk && !run->copiesText.empty())
        return run->copiesText;
    return std::nullopt;
  }
  if (chunk < 0 || size_t(chunk) >= trace.chunks.size() || number < 0)
    return std::nullopt;
  const std::vector<Stage> &stages = trace.chunks[size_t(chunk)].stages;
  if (size_t(number) >= stages.size())
    return std::nullopt;
  // The stages to go through, last first.
  std::vector<int> steps;
  std::string_view text;
  for (;; --number) {
    const Stage &stage = stages[size_t(number)];
    if (auto known = made.find({chunk, number}); known != made.end()) {
      text = known->second;
      break;
    }
    if (!stage.delta.empty()) {
      steps.push_back(number);
    } else if (stage.changed || number == 0) {
      text = stage.text;
      break;
    }
    if (number == 0)
      break;
  }
  for (; !steps.empty(); steps.pop_back())
    text = made[{chunk, steps.back()}] =
        applySteps(text, stages[size_t(steps.back())].delta);
  return text;
}

std::optional<std::string> stageText(const Trace &trace, Id chunk, int number) {
  StageTexts texts(trace);
  std::optional<std::string_view> text = texts.get(chunk, number);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

} // namespace memreflens::trace
