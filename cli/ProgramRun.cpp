//===- cli/ProgramRun.cpp -------------------------------------------------===//

#include "cli/ProgramRun.h"
#include "cli/ExitStatus.h"
#include "cli/Input.h"
#include "core/Version.h"
#include "core/execute/jit/Run.h"
#include "core/explain/PlainText.h"
#include "core/explain/Words.h"
#include "core/query/Lifetimes.h"
#include "core/symexec/BoundedExploration.h"
#include "core/symexec/HeapPeak.h"
#include "core/text/Bytes.h"
#include "core/text/Fingerprint.h"
#include "core/text/Shell.h"
#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"
#include "core/trace/StageTexts.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <unistd.h>

using namespace mlir;

namespace memreflens {

namespace {
/// One run of one file.
class ProgramRun {
public:
  ProgramRun(const CliOptions &options, const trace::Source &source)
      : options(options), source(source) {}
  /// Runs the chunk's program if the entry is in it.
  void take(trace::Id chunk, ModuleOp module, const trace::Trace &trace);

  std::optional<execute::Record> record;
  /// Why no chunk has the entry.
  std::string error;

private:
  const ProgramOptions &wants() const { return options.own<ProgramOptions>(); }
  bool isFinal(const trace::Trace &trace) const {
    return options.stage == trace::lastStage(trace.options);
  }
  std::string rejectedIn(ModuleOp module, func::FuncOp entry,
                         const trace::Trace &trace) const;
  void hold(const trace::Function &function, const ExploreResult *tries);

  const CliOptions &options;
  const trace::Source &source;
};
} // namespace

//===--- Held against what we say -----------------------------------------===//

static bool isOneOf(FaultKind kind, std::initializer_list<FaultKind> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

/// What the explorer of `check` would have called it.
static bool isFound(FaultKind kind, const ExploreResult &tries) {
  auto any = [&](std::initializer_list<FaultKind> kinds) {
    return std::ranges::any_of(tries.faults, [&](const MemoryFault &fault) {
      return isOneOf(fault.kind, kinds);
    });
  };
  switch (kind) {
  case FaultKind::leak:
    return any({FaultKind::leak});
  case FaultKind::useAfterFree:
    // A path ends at its first fault.
    return any({FaultKind::useAfterFree, FaultKind::doubleFree,
                FaultKind::freeOfUnowned});
  case FaultKind::doubleFree:
    return any({FaultKind::doubleFree, FaultKind::useAfterFree,
                FaultKind::freeOfUnowned});
  case FaultKind::returnedFreed:
    return any({FaultKind::returnedFreed, FaultKind::useAfterFree});
  default:
    return true;
  }
}

void ProgramRun::hold(const trace::Function &function,
                      const ExploreResult *tries) {
  if (function.heap.measured) {
    record->predictedPeak = function.heap.peakBytes;
    record->isPredictionLowerBound = !function.heap.gaps.empty();
    if (function.heap.gaps.empty() &&
        record->totals.peakBytes > function.heap.peakBytes)
      record->contradictions.push_back(
          "memref-lens predicts a peak of " +
          bytesText(uint64_t(function.heap.peakBytes)) +
          " for every path, and this run has " +
          bytesText(uint64_t(record->totals.peakBytes)));
  }
  if (tries)
    for (const MemoryFault &fault : tries->faults)
      if (fault.kind == FaultKind::lostWrite)
        record->changed.push_back(fault.at.text);
  if (tries && tries->comparesPoison) {
    record->restsOnPoison = !record->faults.empty();
    return;
  }
  // A stub, or an access out of bounds, may be behind anything that follows.
  if (!tries || !tries->stopped.empty() || !record->stubs.empty() ||
      record->has(FaultKind::outOfBounds))
    return;
  for (const execute::Fault &fault : record->faults)
    if (!isFound(fault.kind, *tries)) {
      record->contradictions.push_back(
          "memref-lens check tried every path of @" + record->entry +
          " and found no " + std::string(nameOf(fault.kind)) +
          "; this run has one");
      break;
    }
}

/// The function by its name: in the place of one that was set aside stands
/// something else, without its tag.
static const trace::Function *functionNamed(Operation *op,
                                            const trace::Trace &trace) {
  const llvm::StringRef name = cast<FunctionOpInterface>(op).getName();
  for (const trace::Function &function : trace.functions)
    if (function.name == name &&
        function.status != trace::FunctionStatus::traced &&
        function.status != trace::FunctionStatus::declaration)
      return &function;
  return nullptr;
}

/// A function that the entry calls, or the entry, which the pipeline left
/// without deallocations.
std::string ProgramRun::rejectedIn(ModuleOp module, func::FuncOp entry,
                                   const trace::Trace &trace) const {
  SymbolTableCollection symbols;
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (const trace::Function *function = functionNamed(reached[i], trace);
        function && function->status != trace::FunctionStatus::notProcessed)
      return function->title();
    reached[i]->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallableInTable(&symbols))
        if (isa<FunctionOpInterface>(callee))
          reached.insert(callee);
    });
  }
  return {};
}

/// How it can be run with its deallocations, or else without.
static std::string wayToRun(const std::string &function,
                            const trace::Trace &trace) {
  for (const trace::Event &event : trace.events) {
    const auto *rejection = std::get_if<trace::RejectionEvent>(&event.detail);
    if (!rejection || event.function == trace::none ||
        trace.functions[size_t(event.function)].title() != function)
      continue;
    switch (rejection->cause) {
    case trace::RejectionCause::loopInControlFlow:
    case trace::RejectionCause::multipleSuccessors:
    case trace::RejectionCause::multipleSuccessorsWithMemref:
    case trace::RejectionCause::noUniqueOwnership:
      return "with '--pre=lift-cf-to-scf' it may be accepted";
    default:
      break;
    }
  }
  return "'memref-lens check' tells what may help; '--stage 0' runs the "
         "program as written, which deallocates only what it does by itself";
}

void ProgramRun::take(trace::Id chunk, ModuleOp module,
                      const trace::Trace &trace) {
  std::string fault;
  func::FuncOp entry = execute::entryOf(module, wants().entry, fault);
  if (!entry) {
    if (!record)
      error = fault;
    return;
  }
  const trace::Function *function =
      tracedFunction(cast<FunctionOpInterface>(entry.getOperation()), trace);
  const std::string rejected =
      isFinal(trace) ? rejectedIn(module, entry, trace) : std::string();
  if (!rejected.empty()) {
    error = "is not run: the pipeline rejects or skips @" + rejected +
            ", which has no deallocations then; " + wayToRun(rejected, trace);
    return;
  }
  error.clear();
  std::optional<ExploreResult> tries;
  if (isFinal(trace) && trace.options.pipeline.empty()) {
    symexec::ExploreLimits limits;
    limits.seconds = 5;
    tries = symexec::exploreOutput(
        cast<FunctionOpInterface>(entry.getOperation()), trace, limits);
  }
  record = execute::run(module, entry, trace, wants().run);
  record->toolVersion = toolVersion;
  record->file = source.path;
  record->fingerprint = std::to_string(fingerprint(trace.source.text));
  record->stage = std::to_string(options.stage) + ", " +
                  std::string(trace::stageName(trace.options, options.stage));
  record->pipeline = trace.options.pipeline;
  record->stageFingerprint = std::to_string(
      fingerprint(trace::stageText(trace, chunk, options.stage).value_or("")));
  if (function && isFinal(trace) && record->end == execute::RunEnd::returned)
    hold(*function, tries ? &*tries : nullptr);
}

//===--- The command ------------------------------------------------------===//

/// What `--arg` names is read here: the program never sees the files.
static bool readFiles(std::vector<execute::ArgumentSpec> &arguments) {
  for (execute::ArgumentSpec &spec : arguments) {
    if (spec.isScalar || spec.content != execute::Content::file)
      continue;
    std::optional<trace::Source> file = readOrComplain(spec.path);
    if (!file)
      return false;
    const std::vector<int64_t> asked = spec.shape;
    const std::string element = spec.element;
    std::string error;
    if (execute::readNpy(file->text, spec, error) && !asked.empty() &&
        (asked != spec.shape || element != spec.element))
      error = "has other sizes or elements than '" + spec.text + "'";
    if (!error.empty()) {
      tell("memref-lens: error: '%s' %s\n", spec.path.c_str(), error.c_str());
      return false;
    }
  }
  return true;
}

std::optional<execute::KeptRun> openRun(const std::string &path,
                                        const trace::Trace &trace) {
  std::optional<trace::Source> file = readOrComplain(path);
  if (!file)
    return std::nullopt;
  std::string error;
  if (auto record = execute::readRecord(file->text, error)) {
    if (auto kept = execute::keptRun(std::move(*record), trace, error))
      return kept;
    error += "; run it again: memref-lens run";
    for (const std::string &argument : trace::argumentsOf(trace.options))
      error += " " + shellWord(argument);
    error += " " + shellWord(trace.source.path) + " --format json -o " +
             shellWord(path);
  }
  tell("memref-lens: error: '%s' %s\n", path.c_str(), error.c_str());
  return std::nullopt;
}

static std::string advice(const execute::Record &record) {
  if (record.contradictions.empty())
    return {};
  return "  that is a fault of memref-lens: please send what 'memref-lens "
         "bundle " +
         shellWord(record.file) + " -o bundle.tar.gz' writes\n";
}

int runProgram(const CliOptions &given, const trace::Source &source,
               const DialectRegistry &registry, AnalysisOptions analysis) {
  CliOptions options = given;
  ProgramOptions &wants = options.own<ProgramOptions>();
  if (!readFiles(wants.run.arguments))
    return badInput;
  ProgramRun run(options, source);
  analysis.lastStage = options.stage;
  if (options.stage == trace::lastStage(options.run))
    analysis.measure = symexec::addHeapUse;
  analysis.onModule = [&](trace::Id chunk, ModuleOp module, bool isFinal,
                          const trace::Trace &trace) {
    if (isFinal)
      run.take(chunk, module, trace);
  };
  const Analysis result = analyse(source, registry, analysis);
  printProblems(result.trace, wantsColor(int(options.color), STDERR_FILENO));
  if (!run.record) {
    if (!run.error.empty())
      tell("memref-lens: error: '%s' %s\n", source.path.c_str(),
           run.error.c_str());
    return badInput;
  }
  const execute::Record &record = *run.record;
  const bool isText = wants.format == "text";
  const std::string text =
      isText
          ? plainText(execute::textOf(record, wants.showsAll) + advice(record))
          : execute::asJson(record);
  if (!writeOutput(options.output, [&](std::ostream &out) { out << text; }))
    return badInput;
  if (record.end == execute::RunEnd::notRun)
    return badInput;
  return record.isClean() ? done : findings;
}

} // namespace memreflens
