//===- cli/Verdicts.cpp ---------------------------------------------------===//

#include "cli/Verdicts.h"
#include "core/explain/PlainText.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens {

std::string verdictLine(const std::string &path, const trace::RunOptions &run,
                        const FunctionVerdict &entry) {
  std::string line = path + ": @" + plainWord(entry.function) + ": " +
                     verdictText(entry.verdict).str();
  if (entry.verdict != Verdict::identical)
    line += " (stage " + std::to_string(entry.stage) + ", " +
            std::string(trace::stageName(
                run, std::min(entry.stage, trace::lastStage({})))) +
            ")";
  if (entry.verdict == Verdict::different)
    line += "\n" + entry.detail;
  else if (!entry.detail.empty())
    line +=
        ": " + (entry.signal.empty() ? "" : entry.signal + " ") + entry.detail;
  return line + "\n";
}

} // namespace memreflens
