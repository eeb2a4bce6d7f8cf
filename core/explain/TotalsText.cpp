//===- core/explain/TotalsText.cpp ----------------------------------------===//

#include "core/explain/TotalsText.h"
#include "core/explain/Words.h"

namespace memreflens {

static std::string withPart(std::string text, size_t part,
                            std::string_view which) {
  if (part > 0)
    text += " (" + std::to_string(part) + " " + std::string(which) + ")";
  return text;
}

/// What there is none of is not told.
static std::vector<std::string> partsOf(const Totals &totals) {
  std::vector<std::string> parts;
  auto add = [&](size_t count, std::string_view noun, size_t conditional) {
    if (count > 0)
      parts.push_back(
          withPart(counted(count, noun), conditional, "conditional"));
  };
  add(totals.allocations, "allocation", 0);
  add(totals.frees, "dealloc", totals.conditionalFrees);
  add(totals.clones, "clone", totals.conditionalClones);
  add(totals.runTimeChecks, "run-time alias check", 0);
  add(totals.helperCalls, "dealloc_helper call", 0);
  return parts;
}

Sentence totalsLine(const Totals &totals) {
  std::vector<std::string> parts = partsOf(totals);
  parts.insert(parts.begin(), withPart(counted(totals.functions, "function"),
                                       totals.rejectedFunctions, "rejected"));
  return listed(parts, "and");
}

std::string buffersLine(const Totals &totals) {
  const std::vector<std::string> parts = partsOf(totals);
  return parts.empty() ? "no buffers" : listed(parts, "and");
}

} // namespace memreflens
