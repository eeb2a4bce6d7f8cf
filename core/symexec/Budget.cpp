//===- core/symexec/Budget.cpp - when an execution ends early -------------===//

#include "core/symexec/Budget.h"
#include "core/trace/Names.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace memreflens::symexec {

static std::string memory(uint64_t words) {
  const uint64_t kilobytes = words * sizeof(uint64_t) / 1'000;
  return kilobytes < 1'000 ? std::to_string(kilobytes) + " KB"
                           : trace::grouped(kilobytes / 1'000) + " MB";
}

static std::string seconds(double time) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g s", time);
  return text;
}

bool Budget::isOver() {
  auto stop = [&](std::string why) {
    result.stopped = std::move(why);
    return true;
  };
  if (result.faults.size() >= options.maxFaults)
    return stop(trace::grouped(options.maxFaults) + " faults");
  if (result.steps >= options.maxSteps)
    return stop(trace::grouped(options.maxSteps) + " steps");
  if (result.paths + result.merged >= options.maxPaths)
    return stop(trace::grouped(options.maxPaths) + " paths");
  if (words >= options.maxWords)
    return stop(memory(options.maxWords) +
                " of paths' states copied and compared");
  if (waitingWords >= options.maxWaitingWords)
    return stop(memory(options.maxWaitingWords) + " of paths that wait");
  if (result.steps % 256 == 0) {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begun;
    if (spent.count() > options.seconds)
      return stop(seconds(options.seconds));
    if (options.goesOn && !options.goesOn())
      return stop("an interruption");
  }
  return false;
}

} // namespace memreflens::symexec
