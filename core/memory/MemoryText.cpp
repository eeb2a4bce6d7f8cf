//===- core/memory/MemoryText.cpp - in words ------------------------------===//

#include "core/explain/CostText.h"
#include "core/explain/Words.h"
#include "core/memory/Memory.h"

#include <algorithm>
#include <cstring>

namespace memreflens::memory {

static std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

static std::string at(const MemoryUse &use, uint32_t step) {
  return step < use.places.size() && !use.places[step].empty()
             ? " at " + use.places[step]
             : "";
}

/// One arena, by the best planner, and the others.
static std::string arenaText(const MemoryUse &use) {
  const ArenaPlan *best = smallestOf(use.plans);
  if (!use.several.empty())
    return "none, since " + severalText(use);
  if (!best)
    return "at least " + bytesText(use.leastArenaBytes) +
           "; not planned, too many buffers live at the same time";
  std::string text = bytesText(best->bytes) + ", " +
                     std::string(nameOf(best->planner)) +
                     (use.unknown.empty() ? "" : ", of what has a known size");
  std::string others;
  for (const ArenaPlan &plan : use.plans)
    if (plan.bytes != best->bytes)
      others += (others.empty() ? "" : ", ") +
                std::string(nameOf(plan.planner)) + " " + bytesText(plan.bytes);
  if (best->bytes == use.leastArenaBytes)
    return text + ", which is the least" +
           (others.empty() ? "" : "; " + others);
  return text + (others.empty() ? "" : "; " + others) + "; at least " +
         bytesText(use.leastArenaBytes) + " live at once, " +
         bytesText(best->bytes - use.leastArenaBytes) + " are gaps";
}

std::string severalText(const MemoryUse &use) {
  if (use.several.empty())
    return {};
  const size_t others = use.several.size() - 1;
  return "rounds of a loop have several of " + use.several.front() +
         (others ? " and of " + counted(others, "other") : "") + " at once";
}

bool gainsAfterLastUse(const MemoryUse &use) {
  return use.several.empty() && use.afterLastUse.peakBytes > 0 &&
         use.afterLastUse.peakBytes < use.aliveBytes;
}

static std::string wordsOf(const ElsewhereBytes &one) {
  return one.call.empty() ? one.in : one.in + ", called by " + one.call;
}

/// Why what is idle at the peak is still there, the most bytes first.
static std::string heldText(const MemoryUse &use) {
  std::vector<HeldBytes> held = use.heldAtPeak;
  std::ranges::stable_sort(held, std::ranges::greater(), &HeldBytes::bytes);
  std::string text;
  for (const HeldBytes &one : held)
    text += "  held by            " + padded(bytesText(one.bytes), 10) +
            std::string(wordsOf(one.hold)) + " (" +
            counted(one.buffers, "buffer") + ")\n";
  constexpr size_t clonesTold = 3;
  size_t clones = 0;
  uint64_t otherClones = 0, otherBytes = 0;
  for (const ElsewhereBytes &one : use.elsewhere) {
    if (one.clones > 0 && ++clones > clonesTold) {
      otherClones += one.clones;
      otherBytes += one.bytes;
      continue;
    }
    text += "  " +
            padded(one.clones > 0       ? "in a clone"
                   : one.callee == none ? "not in the list"
                                        : "in a callee",
                   19) +
            padded(bytesText(one.bytes), 10) + wordsOf(one) +
            (one.clones > 1 ? " (" + counted(one.clones, "buffer") + ")" : "") +
            "\n";
  }
  if (otherClones > 0)
    text += "  in other clones    " + padded(bytesText(otherBytes), 10) +
            counted(otherClones, "buffer") + "\n";
  return text;
}

/// "4 KiB     apart from the heap (2 buffers)"; what is not known is told.
static std::string apartText(const std::string &label,
                             const std::vector<ApartBuffer> &buffers,
                             const char *noun) {
  if (buffers.empty())
    return {};
  uint64_t bytes = 0;
  size_t unknown = 0;
  for (const ApartBuffer &one : buffers) {
    bytes += one.bytes.value_or(0);
    unknown += !one.bytes;
  }
  std::string text = "  " + padded(label, 19) +
                     padded(peakText(bytes, unknown > 0), 10) +
                     " apart from the heap (" + counted(buffers.size(), noun);
  if (unknown > 0)
    text += ", the size of " + std::to_string(unknown) + " not known";
  auto round = std::ranges::find_if(
      buffers, [](const auto &one) { return !one.eachRoundOf.empty(); });
  if (round != buffers.end())
    text += "; " + round->name + " anew in each round of " +
            round->eachRoundOf + ", until the function returns";
  uint64_t aRound = 0;
  const ApartBuffer *inRound = nullptr;
  for (const ApartBuffer &one : buffers)
    if (!one.givenBackBy.empty() &&
        (!inRound || inRound->givenBackBy == one.givenBackBy)) {
      inRound = &one;
      aRound += one.bytes.value_or(0);
    }
  if (inRound)
    text += "; " + bytesText(aRound) +
            " of it taken and given back in each "
            "round of " +
            inRound->givenBackBy;
  return text + ")\n";
}

std::string textOf(const UnknownBuffer &buffer) {
  return buffer.name + (buffer.at.empty() ? "" : " (" + buffer.at + ")") +
         (buffer.symbolic.empty() ? "" : ", " + buffer.symbolic + " B");
}

std::string useText(const Buffer &buffer, uint32_t step) {
  if (buffer.usedBy.empty())
    return buffer.isNeverUsed ? "never used" : "";
  return (!buffer.isLastUseKnown  ? "last use not known behind "
          : buffer.lastUse < step ? "idle since "
                                  : "in use until ") +
         buffer.usedBy;
}

static std::string rowOf(const Buffer &buffer, uint32_t step,
                         size_t nameWidth) {
  std::string text =
      padded(bytesText(buffer.bytes), 10) + padded(buffer.name, nameWidth);
  const std::string used = useText(buffer, step);
  return text + "  " + used + (used.empty() ? "" : "; ") + buffer.ended +
         (buffer.isAssumed ? "; assumed to be as large as its type" : "");
}

/// What callees have there, each below its call.
static std::string calleeRows(const ElsewhereBytes &one, size_t rows,
                              size_t depth) {
  const std::string indent(2 * depth, ' ');
  const size_t count = std::min(rows, one.buffers.size());
  std::string text =
      indent + padded(bytesText(one.bytes), 10) + wordsOf(one) +
      (one.calleeBytes > one.bytes
           ? " (of " + bytesText(one.calleeBytes) + " there; the rest is above)"
           : "") +
      "\n";
  size_t width = 0;
  for (size_t i = 0; i < count; ++i)
    width = std::max(width, one.buffers[i].name.size());
  uint64_t rest = 0;
  for (size_t i = 0; i < one.buffers.size(); ++i)
    if (i < count)
      text += indent + "  " + rowOf(one.buffers[i], one.step, width) + "\n";
    else
      rest += one.buffers[i].bytes;
  if (one.buffers.size() > count)
    text += indent + "  " + padded(bytesText(rest), 10) +
            counted(one.buffers.size() - count, "other buffer") + "\n";
  for (const ElsewhereBytes &below : one.below)
    text += calleeRows(below, rows, depth + 1);
  return text;
}

/// Names of symbols that no size is stated for: "--assume %n=1024 states one".
static std::string symbolHint(const MemoryUse &use) {
  for (const UnknownBuffer &one : use.unknown)
    if (!one.symbols.empty())
      return "  sizes              --assume '" + one.symbols.front() +
             "=1024' states one\n";
  return {};
}

/// "  may be more        ...", a line each; the last tells how many more there
/// are.
static std::string listedReasons(const std::string &label,
                                 const std::vector<std::string> &reasons,
                                 const char *other, size_t most) {
  std::string text;
  for (size_t i = 0; i < std::min(most, reasons.size()); ++i) {
    text += "  " + padded(label, 19) + reasons[i];
    if (i + 1 == most && reasons.size() > most)
      text += ", and " + counted(reasons.size() - most, other);
    text += "\n";
  }
  return text;
}

/// "224 B at %mixed (23:7)"; of a run that did not end, until when.
static std::string peakOf(const MeasuredUse &run) {
  return bytesText(run.peakBytes) +
         (run.peakAt.empty() ? "" : " at " + run.peakAt) +
         (run.until.empty() ? "" : ", until " + run.until);
}

std::string measuredWords(const MeasuredUse &run) {
  return peakOf(run) +
         (run.isOfAllSpaces ? ", in all memory spaces together" : "") +
         ", in one run: " + run.call;
}

std::string headlineOf(const MeasuredUse &run) {
  return "one run: peak " + peakOf(run) +
         (run.isOfAllSpaces ? " in all memory spaces together" : "") + "; " +
         run.call;
}

static std::string measuredText(const MemoryUse &use) {
  return use.measured
             ? "  measured           " + measuredWords(*use.measured) + "\n"
             : std::string();
}

std::string titleOf(const MemoryUse &use) {
  const std::string space = spaceWords(use.space, use.spaceName);
  return "@" + use.name + (space.empty() ? "" : ", " + space);
}

std::string capacityText(const MemoryUse &use) {
  if (!use.capacity)
    return {};
  const std::string holds =
      bytesText(*use.capacity) +
      (use.globalBytes > 0
           ? ", of which globals hold " + bytesText(use.globalBytes)
           : "");
  return use.overflow
             ? ", " + bytesText(use.overflow->bytes) + " more than its " + holds
             : ", of its " + holds;
}

/// "%a (16 KiB), %b (8 KiB) and 2 other buffers".
static std::string namesOf(const MemoryUse &use,
                           const std::vector<size_t> &buffers) {
  constexpr size_t mostNames = 4;
  std::string words;
  for (size_t i = 0; i < std::min(buffers.size(), mostNames); ++i) {
    const Buffer &buffer = use.buffers[buffers[i]];
    words += (words.empty() ? "" : ", ") + buffer.name + " (" +
             bytesText(buffer.bytes) + ")";
  }
  if (buffers.size() > mostNames)
    words += " and " + counted(buffers.size() - mostNames, "other buffer");
  return words;
}

/// "; placed in 33 KiB, greedy by size"; where no placement was found in the
/// space, that.
static std::string placedText(const ArenaPlan &plan, uint64_t room) {
  const std::string where =
      bytesText(plan.bytes) + ", " + std::string(nameOf(plan.planner));
  return plan.bytes <= room
             ? "; placed in " + where
             : "; but the smallest placement found takes " + where;
}

std::vector<std::string> fitLines(const MemoryUse &use) {
  if (!use.capacity)
    return {};
  const uint64_t room =
      *use.capacity - std::min(*use.capacity, use.globalBytes);
  if (!use.overflow) {
    const ArenaPlan *best = smallestOf(use.plans);
    const bool isWhole = best && use.aliveBytes >= use.peakBytes &&
                         use.unknown.empty() && use.gaps.empty();
    return isWhole ? std::vector{"fits as it is" + placedText(*best, room)}
                   : std::vector<std::string>();
  }
  const Overflow &overflow = *use.overflow;
  std::string words;
  if (overflow.fitsAfterLastUse)
    words = "fits if each is deallocated right after its last use";
  else if (overflow.fitsAsNeeded)
    words = "fits if each is allocated right in front of its first use, and "
            "deallocated right after its last one";
  if (!words.empty())
    return {words +
            (overflow.placed ? placedText(*overflow.placed, room) : "")};
  if (overflow.spilled.empty())
    return {};
  std::vector<std::string> lines = {
      "does not fit by any order: " + namesOf(use, overflow.spilled) +
      (overflow.spilled.size() > 1 ? " have" : " has") +
      " to be elsewhere, or smaller"};
  if (!overflow.halved.empty())
    lines.push_back("fits if " + namesOf(use, overflow.halved) +
                    (overflow.halved.size() > 1 ? " are" : " is") +
                    " half as large, and each is in memory from its first to "
                    "its last use");
  return lines;
}

static std::string overflowText(const MemoryUse &use) {
  std::string text;
  for (const std::string &line : fitLines(use)) {
    const size_t label = std::string_view(line).starts_with("does")
                             ? strlen("does not fit")
                             : strlen("fits");
    text += "  " + padded(line.substr(0, label), 19) + line.substr(label + 1) +
            "\n";
  }
  return text;
}

std::string textOf(const MemoryUse &use, const NeedlessPair &pair) {
  const Buffer &first = use.buffers[pair.first],
               &second = use.buffers[pair.second];
  const std::string &place = use.places[second.firstUse];
  return first.name + " is last used by " + first.usedBy + ", and " +
         second.name + " first " +
         (place.empty() ? "after that" : "at " + place) +
         ": let them be one buffer, or " +
         (second.begin <= first.lastUse ? "allocate " + second.name
                                        : "deallocate " + first.name) +
         " in between";
}

/// Who is alive together, and never needed together.
static std::string needlessPairsText(const MemoryUse &use) {
  constexpr size_t most = 3;
  std::string text;
  for (size_t i = 0; i < std::min(use.needless.size(), most); ++i)
    text += "  needless overlap   " +
            padded(bytesText(use.needless[i].bytes), 10) +
            textOf(use, use.needless[i]) + "\n";
  if (use.needless.size() > most)
    text += "                     " +
            counted(use.needless.size() - most, "other pair") + "\n";
  return text;
}

/// ": %right (8 KiB) is alive there and not needed", of the lower bound.
static std::string needlessText(const MemoryUse &use) {
  constexpr size_t mostNames = 3;
  const uint32_t step = use.needed.peakStep;
  std::string names;
  size_t count = 0;
  for (size_t index : aliveAt(use, step)) {
    const Buffer &buffer = use.buffers[index];
    if (buffer.firstUse <= step && step <= buffer.lastUse)
      continue;
    if (count++ < mostNames)
      names += (names.empty() ? ": " : ", ") + buffer.name + " (" +
               bytesText(buffer.bytes) + ")";
  }
  if (count == 0)
    return {};
  return names +
         (count > mostNames ? " and " + counted(count - mostNames, "other")
                            : "") +
         (count == 1 ? " is" : " are") + " alive there, and not needed";
}

std::string originsText(const MemoryUse &use, OriginBy by, size_t rows) {
  const std::vector<Origin> &origins = use.origins[size_t(by)];
  if (origins.empty())
    return {};
  std::string text = "\n  at the peak, by " + std::string(nameOf(by)) + "\n";
  uint64_t rest = 0;
  size_t width = 0;
  const size_t count = std::min(rows, origins.size());
  for (size_t i = 0; i < count; ++i)
    width = std::max(width, origins[i].name.size());
  for (size_t i = 0; i < origins.size(); ++i)
    if (i < count)
      text +=
          "  " + padded(bytesText(origins[i].bytes), 10) +
          padded(origins[i].name, width) +
          (origins[i].buffers > 0 ? "  " + counted(origins[i].buffers, "buffer")
                                  : "") +
          "\n";
    else
      rest += origins[i].bytes;
  if (count < origins.size())
    text += "  " + padded(bytesText(rest), 10) +
            counted(origins.size() - count, "other") + "\n";
  return text;
}

std::string textOf(const MemoryUse &use, size_t rows) {
  std::string text = titleOf(use) + ": peak ";
  const std::string apart = apartText("on the stack", use.stack, "buffer") +
                            apartText("in globals", use.globals, "global");
  const std::string measured = measuredText(use);
  if (use.peakBytes == 0 && use.gaps.empty())
    return titleOf(use) + ": allocates nothing on the heap\n" + measured +
           apart;
  text += peakText(use.peakBytes, !use.gaps.empty()) +
          (use.peakBytes ? at(use, use.peakStep) : "") + capacityText(use) +
          "\n" + measured;
  if (!use.expression.empty())
    text += "  with its sizes     " + use.expression + "\n";
  if (!use.alive.empty())
    text += "  alive there        " + counted(use.alive.size(), "buffer") +
            ", " + bytesText(use.aliveBytes) +
            (use.idleBytes ? "; " + bytesText(use.idleBytes) +
                                 " of it idle, past its last use"
                           : "") +
            "\n";
  text += heldText(use);
  if (gainsAfterLastUse(use))
    text += "  after last use     " + bytesText(use.afterLastUse.peakBytes) +
            at(use, use.afterLastUse.peakStep) +
            ", if each is deallocated right after its last use\n";
  if (use.needed.peakBytes > 0 &&
      use.needed.peakBytes < use.afterLastUse.peakBytes && use.several.empty())
    text += "  used later         " + bytesText(use.needed.peakBytes) +
            at(use, use.needed.peakStep) +
            ", if each is also allocated right in front of its first use" +
            needlessText(use) + "\n";
  text += overflowText(use) + needlessPairsText(use);
  if (!use.aCall.empty())
    text += "  a call             " + use.aCall + "\n";
  if (use.measured && use.measured->allocations > 0) {
    constexpr size_t most = 3;
    text += "  allocated          " +
            counted(use.measured->allocations, "buffer") + ", " +
            bytesText(use.measured->allocatedBytes) + ", in that run";
    const std::vector<std::string> &rounds = use.measured->rounds;
    for (size_t i = 0; i < std::min(rounds.size(), most); ++i)
      text += (i ? ", " : ": ") + rounds[i];
    text += "\n";
  }
  if (!use.growth.empty())
    text += "  growth             " + use.growth + "\n";
  if (use.buffers.size() > 1)
    text += "  one arena for all  " + arenaText(use) + "\n";
  if (use.hasBranches)
    text += "  lives              in the order of the text: the function has "
            "branches\n";
  text += apart;
  // Of a function whose buffers are not listed, less of the rest, too.
  const size_t mostReasons = rows > 0 ? 2 : 1;
  text += listedReasons("may be more", use.gaps, "other reason", mostReasons);
  std::vector<std::string> unknown;
  for (const UnknownBuffer &one : use.unknown)
    unknown.push_back(textOf(one));
  if (rows > 0 || use.gaps.empty())
    text +=
        listedReasons("size not known", unknown, "other buffer", mostReasons);
  if (rows > 0)
    text += symbolHint(use);
  if (!use.assumed.empty() &&
      std::ranges::any_of(use.buffers, [](const Buffer &buffer) {
        return !buffer.symbolic.empty();
      })) {
    std::string sizes;
    for (const std::string &size : use.assumed)
      sizes += (sizes.empty() ? "" : ", ") + size;
    text += "  assumed            " + sizes + "\n";
  }
  size_t width = 0;
  const size_t count = std::min(rows, use.alive.size());
  for (size_t i = 0; i < count; ++i)
    width = std::max(width, use.buffers[use.alive[i]].name.size());
  const bool hasCallees =
      rows > 0 && std::ranges::any_of(use.elsewhere, [](const auto &one) {
        return one.callee != none;
      });
  if (count > 0 || hasCallees)
    text += "\n";
  uint64_t rest = use.aliveBytes;
  for (size_t i = 0; i < count; ++i) {
    const Buffer &buffer = use.buffers[use.alive[i]];
    text += "  " + rowOf(buffer, use.peakStep, width) + "\n";
    rest -= buffer.bytes;
  }
  if (rows > 0 && use.alive.size() > count)
    text += "  " + padded(bytesText(rest), 10) +
            counted(use.alive.size() - count, "other buffer") + "\n";
  for (const ElsewhereBytes &one : use.elsewhere)
    if (rows > 0 && one.callee != none)
      text += calleeRows(one, rows == SIZE_MAX ? rows : 3, 1);
  return text;
}

} // namespace memreflens::memory
