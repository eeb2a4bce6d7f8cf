//===- core/reduce/Reduce.cpp ---------------------------------------------===//

#include "core/reduce/Reduce.h"
#include "core/reduce/Edits.h"

#include "mlir/IR/MLIRContext.h"

#include <chrono>

using namespace mlir;

namespace memreflens {

namespace {
using Clock = std::chrono::steady_clock;

/// Tries edits until none is left that can be made.
class Reducer {
public:
  Reducer(const ProbeOptions &options, const ReduceLimits &limits)
      : options(options), limits(limits),
        context(makeContext(options.registry, options.analysis.run)) {}
  Reduced run(const std::string &text, const Target &target);

private:
  bool start(const std::string &text, const Target &target);
  bool sweep(const EditKind &kind);
  bool tryEdit(const EditKind &kind, size_t begin, size_t end);
  bool goesOn();
  void tell(const EditKind &kind);

  const ProbeOptions &options;
  const ReduceLimits &limits;
  Clock::time_point begun = Clock::now();
  std::unique_ptr<MLIRContext> context;
  Program program;
  Reduced reduced;
  /// Texts that were tried, or came before.
  std::set<size_t> known;
};
} // namespace

bool Reducer::goesOn() {
  if (!reduced.stopped.empty())
    return false;
  double spent = std::chrono::duration<double>(Clock::now() - begun).count();
  if (limits.seconds > 0 && spent > limits.seconds)
    reduced.stopped =
        "stopped after " + std::to_string(int(limits.seconds)) + " s";
  else if (limits.goesOn && !limits.goesOn())
    reduced.stopped = "interrupted";
  return reduced.stopped.empty();
}

void Reducer::tell(const EditKind &kind) {
  if (limits.onProgress)
    limits.onProgress(
        {kind.name, reduced.tried, reduced.ops, reduced.opsAtFirst});
}

/// The edit, if the target stays.
bool Reducer::tryEdit(const EditKind &kind, size_t begin, size_t end) {
  ++reduced.tried;
  tell(kind);
  ProbeResult result = probe(
      program, [&](Program &copy) { return kind.apply(copy, begin, end); },
      options, known);
  reduced.tooSlow += result.timedOut;
  if (!result.text.empty())
    known.insert(std::hash<std::string>()(result.text));
  if (!result.holds || !parseProgram(result.text, result.target, *context,
                                     options.analysis, program))
    return false;
  ++reduced.kept;
  reduced.text = program.text;
  reduced.target = program.target;
  reduced.ops = sizeOf(*program.module, program.text).ops;
  return true;
}

/// Large parts first, from the end, where nothing is used any more.
bool Reducer::sweep(const EditKind &kind) {
  bool changed = false;
  size_t count = kind.count(program);
  for (size_t part = count; part > 0; part /= 2) {
    size_t end = kind.count(program);
    while (end > 0 && goesOn()) {
      size_t begin = end > part ? end - part : 0;
      changed |= tryEdit(kind, begin, end);
      end = std::min(begin, kind.count(program));
    }
  }
  return changed;
}

/// The first program is printed and parsed like all others, so that places in
/// it are those of our own text.
bool Reducer::start(const std::string &text, const Target &target) {
  if (!parseProgram(text, target, *context, options.analysis, program))
    return false;
  reduced.opsAtFirst = reduced.ops = sizeOf(*program.module, program.text).ops;
  std::optional<Edited> printed = printEdited(program);
  if (!printed || !parseProgram(printed->text, printed->target, *context,
                                options.analysis, program))
    return false;
  reduced.text = program.text;
  reduced.target = program.target;
  return lookSafely(program.text, program.target, options).found;
}

Reduced Reducer::run(const std::string &text, const Target &target) {
  if (!start(text, target)) {
    reduced.text.clear();
    return std::move(reduced);
  }
  bool changed = true;
  while (changed && goesOn()) {
    changed = false;
    for (const EditKind &kind : allEdits())
      changed |= sweep(kind);
  }
  return std::move(reduced);
}

Reduced reduce(const std::string &text, const Target &target,
               const ProbeOptions &options, const ReduceLimits &limits) {
  return Reducer(options, limits).run(text, target);
}

} // namespace memreflens
