//===- core/memory/MemoryText.cpp - in words ------------------------------===//

#include "core/explain/Words.h"
#include "core/memory/Memory.h"

#include <algorithm>

namespace memreflens::memory {

using graph::bytesText;

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
  if (!best)
    return "at least " + bytesText(use.leastArenaBytes) +
           "; not planned, too many buffers live at the same time";
  std::string text =
      bytesText(best->bytes) + ", " + std::string(nameOf(best->planner));
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

/// Why what is idle at the peak is still there, the most bytes first.
static std::string heldText(const MemoryUse &use) {
  std::vector<HeldBytes> held = use.heldAtPeak;
  std::ranges::stable_sort(held, std::ranges::greater(), &HeldBytes::bytes);
  std::string text;
  for (const HeldBytes &one : held)
    text += "  held by            " + padded(bytesText(one.bytes), 10) +
            std::string(wordsOf(one.hold)) + " (" +
            counted(one.buffers, "buffer") + ")\n";
  for (const ElsewhereBytes &one : use.elsewhere)
    text += "  not in the list    " + padded(bytesText(one.bytes), 10) +
            (one.call.empty() ? one.in : one.in + ", called by " + one.call) +
            "\n";
  return text;
}

std::string useText(const Buffer &buffer, uint32_t step) {
  if (buffer.usedBy.empty())
    return "";
  return (!buffer.isLastUseKnown  ? "last use not known behind "
          : buffer.lastUse < step ? "idle since "
                                  : "in use until ") +
         buffer.usedBy;
}

static std::string rowOf(const MemoryUse &use, const Buffer &buffer,
                         size_t nameWidth) {
  std::string text = "  " + padded(bytesText(buffer.bytes), 10) +
                     padded(buffer.name, nameWidth);
  const std::string used = useText(buffer, use.peakStep);
  return text + "  " + used + (used.empty() ? "" : "; ") + buffer.ended;
}

/// "  may be more        ...", a line each, and how many more there are.
static std::string listedReasons(const std::string &label,
                                 const std::vector<std::string> &reasons,
                                 const char *other, size_t most) {
  const std::string indent(21, ' ');
  std::string text;
  for (size_t i = 0; i < std::min(most, reasons.size()); ++i)
    text += "  " + padded(label, 19) + reasons[i] + "\n";
  if (reasons.size() > most)
    text += indent + "and " + counted(reasons.size() - most, other) + "\n";
  return text;
}

std::string textOf(const MemoryUse &use, size_t rows) {
  std::string text = "@" + use.name + ": peak ";
  if (use.peakBytes == 0 && use.gaps.empty())
    return "@" + use.name + ": allocates nothing on the heap\n";
  text += graph::peakText(use.peakBytes, !use.gaps.empty()) +
          (use.peakBytes ? at(use, use.peakStep) : "") + "\n";
  if (!use.alive.empty())
    text += "  alive there        " + counted(use.alive.size(), "buffer") +
            ", " + bytesText(use.aliveBytes) +
            (use.idleBytes ? "; " + bytesText(use.idleBytes) +
                                 " of it idle, past its last use"
                           : "") +
            "\n";
  text += heldText(use);
  if (use.afterLastUse.peakBytes > 0 &&
      use.afterLastUse.peakBytes < use.aliveBytes)
    text += "  after last use     " + bytesText(use.afterLastUse.peakBytes) +
            at(use, use.afterLastUse.peakStep) +
            ", if each is deallocated right after its last use\n";
  if (use.needed.peakBytes > 0 &&
      use.needed.peakBytes < use.afterLastUse.peakBytes)
    text += "  used later         " + bytesText(use.needed.peakBytes) +
            at(use, use.needed.peakStep) +
            ", if each is also allocated right in front of its first use\n";
  if (use.buffers.size() > 1)
    text += "  one arena for all  " + arenaText(use) + "\n";
  if (use.hasBranches)
    text += "  lives              in the order of the text: the function has "
            "branches\n";
  // Of a function whose buffers are not listed, less of the rest, too.
  const size_t mostReasons = rows > 0 ? 3 : 1;
  text += listedReasons("may be more", use.gaps, "other reason", mostReasons);
  text +=
      listedReasons("size not known", use.unknown, "other buffer", mostReasons);
  size_t width = 0;
  const size_t count = std::min(rows, use.alive.size());
  for (size_t i = 0; i < count; ++i)
    width = std::max(width, use.buffers[use.alive[i]].name.size());
  if (count > 0)
    text += "\n";
  uint64_t rest = use.aliveBytes;
  for (size_t i = 0; i < count; ++i) {
    const Buffer &buffer = use.buffers[use.alive[i]];
    text += rowOf(use, buffer, width) + "\n";
    rest -= buffer.bytes;
  }
  if (rows > 0 && use.alive.size() > count)
    text += "  " + padded(bytesText(rest), 10) +
            counted(use.alive.size() - count, "other buffer") + "\n";
  return text;
}

} // namespace memreflens::memory
