//===- core/pipeline/stages/StageRecord.cpp -------------------------------===//

#include "core/pipeline/stages/StageRecord.h"
#include "core/pipeline/stages/StandIn.h"
#include "core/source/IrLister.h"
#include "core/trace/Plan.h"
#include "core/trace/StageTexts.h"

using namespace mlir;

namespace memreflens {

using trace::none;

Named StageRecord::mayBeNamed() {
  isNamed = isNamed || shorthands.mayOccurIn(module);
  return isNamed ? Named::unknown : Named::no;
}

std::string StageRecord::print(bool isVerified) {
  if (options.showStandIns)
    return printAsUpstream(module, {.resources = options.resources});
  // A function as a stage before left it was accepted, but not all were asked.
  const Verified verified = isVerified && skipped.rejected().empty()
                                ? Verified::yes
                                : Verified::unknown;
  return skipped.shown([&] {
    const PrintFacts facts{verified, mayBeNamed(), options.resources};
    return options.text == StageText::upstream
               ? printAsUpstream(module, facts)
               : SourceNames(module, trace, options.start)
                     .putInto(printTagged(module, facts));
  });
}

/// How many functions of the chunk before it have its name.
static unsigned numberOf(const trace::Function &function,
                         const trace::Trace &trace) {
  return unsigned(llvm::count_if(trace.functions, [&](const auto &other) {
    return other.chunk == function.chunk && other.id < function.id &&
           other.name == function.name && other.opName == function.opName;
  }));
}

/// With a comment on each function that is not as the stage left it.
std::string StageRecord::withNotes(std::string text) const {
  for (const Skipped &one : skipped.rejected()) {
    if (options.showStandIns || one.function == none || one.why.empty() ||
        !one.standIn)
      continue;
    std::string comment =
        one.stage == 0
            ? "not analysed: " + one.why
            : "rejected by " +
                  std::string(trace::stageName(trace.options, one.stage)) +
                  ": " + one.why + "; shown as the stage before left it";
    std::replace(comment.begin(), comment.end(), '\n', ' ');
    const trace::Function &function = trace.functions[one.function];
    text = annotateFunction(std::move(text), function.name,
                            numberOf(function, trace), comment);
  }
  return text;
}

trace::Stage StageRecord::entryOf(int stage) const {
  trace::Stage entry;
  entry.number = stage;
  entry.name = std::string(trace::stageName(trace.options, stage));
  return entry;
}

bool StageRecord::isShown(int stage) const {
  return options.text != StageText::none &&
         (!options.lastTextOnly || isLast(stage));
}

bool StageRecord::isLast(int stage) const {
  return stage >= std::min(options.lastStage, trace::lastStage(trace.options));
}

void StageRecord::keep(trace::Stage entry, std::string text) {
  if (options.text == StageText::upstream)
    upstreamTexts.push_back(text);
  else if (entry.changed && options.isBatch)
    entry.text = text;
  else if (entry.changed)
    trace::keepText(entry, previous, text);
  previous = std::move(text);
  put(std::move(entry));
}

void StageRecord::put(trace::Stage entry) {
  if (entry.number > 0)
    recorder.add(nullptr, nullptr, {}, trace::StageEvent{entry.changed});
  trace.chunks[chunk].stages.push_back(std::move(entry));
}

/// A small module is printed sooner than handed over.
static bool isLarge(ModuleOp module) {
  size_t opsLeft = 200;
  return module
      ->walk([&](Operation *) {
        return --opsLeft == 0 ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Ops of a program, copies of which take a few megabytes each.
static constexpr size_t fewOps = 20'000;

/// Begins it at the first stage. What nobody knows to be valid, the printer
/// verifies, and what it says then would be heard here.
bool StageRecord::canPrintBeside(int stage, bool isVerified) {
  if (!isVerified || !skipped.rejected().empty())
    return false;
  if (stage == 0 && options.textsBeside &&
      options.text == StageText::sourceNames && !options.lastTextOnly &&
      !options.showStandIns && isLarge(module)) {
    beside.emplace(*module.getContext(),
                   options.leavesCopies && trace.ops.size() < fewOps,
                   options.resources);
    if (!beside->hasStarted())
      beside.reset();
  }
  return beside.has_value();
}

void StageRecord::printBeside(trace::Stage entry) {
  const Named named = mayBeNamed();
  beside->add(module, isLast(entry.number),
              SourceNames(module, trace, options.start), named, entry);
  // Until it is known.
  entry.changed = true;
  put(std::move(entry));
}

void StageRecord::finish(const std::function<void()> &meanwhile) {
  if (!beside) {
    if (meanwhile)
      meanwhile();
    return;
  }
  std::vector<trace::Stage> made;
  {
    std::optional<DeepThread> other;
    if (meanwhile)
      other.emplace(meanwhile);
    made = beside->take(previous);
    if (other && !other->hasStarted())
      meanwhile();
  }
  std::vector<trace::Stage> &stages = trace.chunks[chunk].stages;
  std::vector<bool> changed(stages.size());
  for (trace::Stage &stage : made) {
    changed[size_t(stage.number)] = stage.changed;
    stages[size_t(stage.number)] = std::move(stage);
  }
  beside.reset();
  for (trace::Event &event : trace.events)
    if (auto *end = std::get_if<trace::StageEvent>(&event.detail);
        end && event.chunk == chunk)
      end->changed = changed[size_t(event.stage)];
}

void StageRecord::add(int stage, bool isVerified,
                      const ToolSide::Verdict &verdict) {
  if (stage == 0)
    recorder.adopt(module);
  trace::Stage entry = entryOf(stage);
  if (canPrintBeside(stage, isVerified))
    return printBeside(std::move(entry));
  finish();
  std::string text = isShown(stage) ? withNotes(print(isVerified)) : "";
  entry.changed = stage == 0 || text != previous;
  if (stage > 0) {
    entry.agreement = verdict.agreement;
    entry.difference = verdict.difference;
  }
  keep(std::move(entry), std::move(text));
}

void StageRecord::addUnchanged(int stage) {
  if (isShown(stage) && previous.empty() && !beside)
    return add(stage, /*isVerified=*/true, {});
  trace::Stage entry = entryOf(stage);
  entry.changed = false;
  if (beside)
    return put(std::move(entry));
  keep(std::move(entry), previous);
}

} // namespace memreflens
