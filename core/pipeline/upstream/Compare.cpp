//===- core/pipeline/upstream/Compare.cpp ---------------------------------===//

#include "core/pipeline/upstream/Compare.h"
#include "core/trace/Symbol.h"
#include "core/upstream/Defects.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <map>
#include <optional>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;
using Names = std::set<std::string>;

llvm::StringRef verdictText(Verdict verdict) {
  switch (verdict) {
  case Verdict::identical:
    return "identical";
  case Verdict::rejectedAlike:
    return "rejected alike";
  case Verdict::upstreamCrashed:
    return "upstream crashed";
  case Verdict::upstreamTimedOut:
    return "upstream timed out";
  case Verdict::upstreamReadsFreedMemory:
    return "upstream reads freed memory";
  case Verdict::upstreamOrderVaries:
    return "upstream order varies";
  case Verdict::different:
    return "DIFFERENT";
  }
  return "";
}

bool FileComparison::isDifferent() const {
  return llvm::any_of(functions, [](const FunctionVerdict &entry) {
    return entry.verdict == Verdict::different ||
           entry.verdict == Verdict::upstreamTimedOut;
  });
}

namespace {
/// Compares the functions of one chunk.
class ChunkComparison {
public:
  ChunkComparison(const trace::Source &source, const DialectRegistry &registry,
                  const CompareOptions &options, const Analysis &ours, Id chunk)
      : source(source), registry(registry), options(options), ours(ours),
        chunk(chunk) {}
  std::vector<FunctionVerdict> run();

private:
  UpstreamResult upstream(const Names &kept, unsigned perturbation = 0);
  bool upstreamVaries(const Names &kept, const UpstreamResult &theirs);
  bool isInvalidAlike(const std::string &message, int stage);
  std::vector<std::string> oursWith(const Names &kept) const;
  const trace::Function *around(const trace::Function &function) const;
  Names whole(const trace::Function &function) const;
  bool holdsRejected(const trace::Function &function) const;
  void judgeRejected(const trace::Function &function);
  void judgeStale(const trace::Function &function);
  void judgeRest(Names kept);
  void judgeOneByOne(const Names &kept);
  void judgeCopies();
  void judgeTexts(const Names &kept, const UpstreamResult &theirs);
  void set(const std::string &name, Verdict verdict, int stage,
           std::string detail = {});
  void setCrashed(const std::string &name, const UpstreamResult &theirs,
                  bool stale);

  const trace::Source &source;
  const DialectRegistry &registry;
  const CompareOptions &options;
  const Analysis &ours;
  Id chunk;
  /// All functions with a body, in order, and their titles.
  std::vector<const trace::Function *> functions;
  Names all;
  std::map<std::string, FunctionVerdict> verdicts;
  /// Of the last run of upstream's that went on to the pipeline: no stand-in
  /// changes what comes in front of it.
  std::optional<std::vector<std::string>> theirCopies;
};
} // namespace

void ChunkComparison::set(const std::string &name, Verdict verdict, int stage,
                          std::string detail) {
  verdicts[name] = {chunk, name, verdict, stage, {}, std::move(detail)};
}

/// Times that upstream runs at other addresses, where chance has a part.
static constexpr unsigned perturbations = 12;

static const int ownershipStage = trace::stageOf({}, trace::ownershipPass);

//===--- Runs -------------------------------------------------------------===//

static Names without(const Names &all, const Names &kept) {
  Names rest;
  for (const std::string &name : all)
    if (!kept.count(name))
      rest.insert(name);
  return rest;
}

UpstreamResult ChunkComparison::upstream(const Names &kept,
                                         unsigned perturbation) {
  UpstreamRequest request;
  request.perturbation = perturbation;
  request.chunk = chunk;
  request.standIns = without(all, kept);
  request.seconds = options.seconds;
  UpstreamResult result =
      runUpstream(source, registry, options.analysis, request);
  if (!result.texts.empty())
    theirCopies = result.copies;
  return result;
}

std::vector<std::string> ChunkComparison::oursWith(const Names &kept) const {
  AnalysisOptions analysis = options.analysis;
  analysis.text = StageText::upstream;
  for (const std::string &name : without(all, kept)) {
    Quarantined entry;
    entry.chunk = chunk;
    entry.function = name;
    entry.status = trace::FunctionStatus::skipped;
    analysis.quarantine.push_back(entry);
  }
  // Shown as stand-ins too, as upstream prints them.
  analysis.showStandIns = true;
  analysis.onlyChunk = chunk;
  Analysis result = analyse(source, registry, analysis);
  return result.upstreamTexts[chunk];
}

//===--- Rejections and stale reads ---------------------------------------===//

/// Upstream's issue and the change that mended it, where they are known.
static std::string knownFix(int stage, bool stale) {
  if (stale)
    return "; stale liveness, " +
           upstream::mendedText(upstream::DefectId::staleLiveness);
  if (trace::isPass({}, stage, trace::simplificationPass))
    return "; stale origin analysis, " +
           upstream::mendedText(upstream::DefectId::staleOrigins);
  return "";
}

static std::string placeOfCrash(const UpstreamResult &theirs, bool stale) {
  return "in " +
         std::string(trace::stageName({}, std::min(theirs.stage, stageCount))) +
         knownFix(theirs.stage, stale);
}

/// Offset at which our rejection points, as upstream counts it.
static int64_t rejectionOffset(const trace::Trace &trace,
                               const trace::Event &event) {
  Id op = event.op;
  const auto &why = std::get<trace::RejectionEvent>(event.detail);
  if (why.cause == trace::RejectionCause::noUniqueOwnership) {
    const trace::Value &value = trace.values[event.value];
    if (value.op == none)
      return value.range.begin;
    op = value.op;
  }
  while (op != none && trace.ops[op].nameRange.empty() &&
         trace.ops[op].origin != none && trace.ops[op].origin != op)
    op = trace.ops[op].origin;
  return op == none || trace.ops[op].nameRange.empty()
             ? -1
             : int64_t(trace.ops[op].nameRange.begin);
}

static const trace::Event *rejectionOf(const trace::Trace &trace, Id function) {
  for (const trace::Event &event : trace.events)
    if (event.function == function &&
        std::holds_alternative<trace::RejectionEvent>(event.detail))
      return &event;
  return nullptr;
}

void ChunkComparison::setCrashed(const std::string &name,
                                 const UpstreamResult &theirs, bool stale) {
  set(name, Verdict::upstreamCrashed, theirs.stage,
      placeOfCrash(theirs, stale));
  verdicts[name].signal = causeOfDeath(theirs.end);
}

/// Whether upstream makes invalid IR there, too: it says so of the module,
/// which it does not take apart.
bool ChunkComparison::isInvalidAlike(const std::string &message, int stage) {
  Names kept;
  for (const trace::Function *function : functions)
    if (const trace::Event *event = rejectionOf(ours.trace, function->id);
        !event || std::get<trace::RejectionEvent>(event->detail).cause ==
                      trace::RejectionCause::invalidIr)
      kept.insert(function->title());
  const UpstreamResult theirs = upstream(kept);
  return theirs.ending == UpstreamEnding::rejected && theirs.stage == stage &&
         theirs.message == message;
}

/// What ends the whole chunk at a stage: of functions that end there without a
/// rejection of their own; null if nothing does.
static const trace::Problem *problemOfAll(const trace::Trace &trace, Id chunk) {
  auto found = llvm::find_if(trace.problems, [&](const trace::Problem &one) {
    return one.chunk == chunk && one.stage > 0 &&
           one.severity == trace::Severity::error;
  });
  return found == trace.problems.end() ? nullptr : &*found;
}

/// Its message without the stage's name, which is ours.
static std::string messageOf(const trace::Problem &problem) {
  const std::string stage(trace::stageName({}, problem.stage));
  return llvm::StringRef(problem.message).starts_with(stage + ": ")
             ? problem.message.substr(stage.size() + 2)
             : problem.message;
}

/// The function that it stands in; null for most.
const trace::Function *
ChunkComparison::around(const trace::Function &function) const {
  const trace::Trace &trace = ours.trace;
  const Id block = function.op == none ? none : trace.ops[function.op].block;
  const Id outer = block == none ? none : trace.blocks[block].function;
  return outer == none ? nullptr : &trace.functions[outer];
}

/// With those that it stands in, and those in it that are accepted: to stand in
/// for one of them would change it.
Names ChunkComparison::whole(const trace::Function &function) const {
  Names kept;
  for (const trace::Function *one = &function; one; one = around(*one))
    kept.insert(one->title());
  for (const trace::Function *other : functions)
    for (const trace::Function *one = other;
         one && other->status == trace::FunctionStatus::traced;
         one = around(*one))
      if (one == &function)
        kept.insert(other->title());
  return kept;
}

/// A function in it is rejected, so that it is judged with another body.
bool ChunkComparison::holdsRejected(const trace::Function &function) const {
  return llvm::any_of(functions, [&](const trace::Function *other) {
    if (other == &function || other->status == trace::FunctionStatus::traced)
      return false;
    const trace::Function *one = other;
    while (one && one != &function)
      one = around(*one);
    return one != nullptr;
  });
}

void ChunkComparison::judgeRejected(const trace::Function &function) {
  const std::string name = function.title();
  UpstreamResult theirs = upstream(whole(function));
  // What kills a stage on wild memory may spare it once, by chance.
  bool mayDie = function.status == trace::FunctionStatus::crashedStage;
  for (unsigned seed = 1; mayDie && seed <= perturbations &&
                          theirs.ending == UpstreamEnding::finished;
       ++seed)
    theirs = upstream(whole(function), seed);
  const trace::Event *event = rejectionOf(ours.trace, function.id);
  if (theirs.ending == UpstreamEnding::timedOut)
    return set(name, Verdict::upstreamTimedOut, theirs.stage);
  if (theirs.ending == UpstreamEnding::crashed)
    return setCrashed(name, theirs, false);
  if (const trace::Problem *all = problemOfAll(ours.trace, chunk);
      all && !event && isInvalidAlike(messageOf(*all), all->stage))
    return set(name, Verdict::rejectedAlike, all->stage, messageOf(*all));
  if (!event || theirs.ending != UpstreamEnding::rejected)
    return set(name, Verdict::different, function.lastGoodStage + 1,
               "we reject it, upstream accepts it");
  const auto &why = std::get<trace::RejectionEvent>(event->detail);
  int64_t place = rejectionOffset(ours.trace, *event);
  if (why.message != theirs.message || event->stage != theirs.stage)
    return set(name, Verdict::different, theirs.stage,
               "ours: " + why.message + "\nupstream: " + theirs.message);
  // A later stage's error is ours by running upstream's own pass.
  if (event->stage == ownershipStage &&
      why.cause != trace::RejectionCause::invalidIr && place >= 0 &&
      theirs.offset >= 0 && place != theirs.offset && !holdsRejected(function))
    return set(name, Verdict::different, theirs.stage,
               "same message at another place: " + why.message + " (ours " +
                   std::to_string(place) + ", upstream " +
                   std::to_string(theirs.offset) + ")");
  set(name, Verdict::rejectedAlike, theirs.stage, why.message);
}

void ChunkComparison::judgeStale(const trace::Function &function) {
  const std::string name = function.title();
  UpstreamResult theirs = upstream({name});
  if (theirs.ending == UpstreamEnding::crashed)
    return setCrashed(name, theirs, true);
  if (theirs.ending == UpstreamEnding::timedOut)
    return set(name, Verdict::upstreamTimedOut, theirs.stage);
  set(name, Verdict::upstreamReadsFreedMemory, ownershipStage,
      "its result here is chance" + knownFix(ownershipStage, true));
}

//===--- Texts ------------------------------------------------------------===//

static std::string firstDifference(llvm::StringRef mine,
                                   llvm::StringRef theirs) {
  llvm::SmallVector<llvm::StringRef> mineLines, theirLines;
  mine.split(mineLines, '\n');
  theirs.split(theirLines, '\n');
  size_t line = 0;
  while (line < mineLines.size() && line < theirLines.size() &&
         mineLines[line] == theirLines[line])
    ++line;
  std::string text = "line " + std::to_string(line + 1) + "\n";
  for (size_t next = line; next < line + 3; ++next) {
    if (next < mineLines.size())
      text += "- ours:     " + mineLines[next].str() + "\n";
    if (next < theirLines.size())
      text += "+ upstream: " + theirLines[next].str() + "\n";
  }
  return text;
}

/// Whether upstream's own result of the ownership pass changes with the
/// addresses of its objects, so that it is no reference.
bool ChunkComparison::upstreamVaries(const Names &kept,
                                     const UpstreamResult &theirs) {
  const size_t stage = size_t(ownershipStage);
  for (unsigned seed = 1; seed <= perturbations; ++seed) {
    UpstreamResult again = upstream(kept, seed);
    if (again.texts.size() > stage && theirs.texts.size() > stage &&
        again.texts[stage] != theirs.texts[stage])
      return true;
  }
  return false;
}

void ChunkComparison::judgeTexts(const Names &kept,
                                 const UpstreamResult &theirs) {
  std::vector<std::string> mine =
      kept == all ? ours.upstreamTexts[chunk] : oursWith(kept);
  int stage = 0;
  while (stage <= stageCount && size_t(stage) < mine.size() &&
         size_t(stage) < theirs.texts.size() &&
         mine[stage] == theirs.texts[stage])
    ++stage;
  if (stage > stageCount) {
    for (const std::string &name : kept)
      set(name, Verdict::identical, stageCount);
    return;
  }
  if (kept.size() > 1)
    return judgeOneByOne(kept);
  if (stage == ownershipStage && upstreamVaries(kept, theirs)) {
    for (const std::string &name : kept)
      set(name, Verdict::upstreamOrderVaries, stage,
          "its own result changes from run to run: it orders live values by "
          "address where block arguments have equal numbers");
    return;
  }
  std::string mineText = size_t(stage) < mine.size() ? mine[stage] : "";
  std::string theirText =
      size_t(stage) < theirs.texts.size() ? theirs.texts[stage] : "";
  for (const std::string &name : kept)
    set(name, Verdict::different, stage, firstDifference(mineText, theirText));
}

/// Between the steps of one-shot-bufferize: what differs there differs for all
/// functions of the module.
void ChunkComparison::judgeCopies() {
  std::vector<std::string> mine;
  for (const trace::Bufferization &run : ours.trace.bufferizations)
    if (run.chunk == chunk && run.stage == 0 && !run.copiesText.empty())
      mine.push_back(run.copiesText);
  if (!theirCopies || mine == *theirCopies)
    return;
  size_t run = 0;
  while (run < mine.size() && run < theirCopies->size() &&
         mine[run] == (*theirCopies)[run])
    ++run;
  const std::string difference =
      firstDifference(run < mine.size() ? mine[run] : "",
                      run < theirCopies->size() ? (*theirCopies)[run] : "");
  for (const trace::Function *function : functions)
    set(function->title(), Verdict::different, trace::tensorCopiesStage,
        difference);
}

void ChunkComparison::judgeOneByOne(const Names &kept) {
  for (const std::string &name : kept)
    judgeRest({name});
  bool allAgree = llvm::all_of(kept, [&](const std::string &name) {
    return verdicts[name].verdict == Verdict::identical;
  });
  if (!allAgree)
    return;
  // Only together are they different: that is a difference all the same.
  for (const std::string &name : kept)
    set(name, Verdict::different, stageCount,
        "identical alone, different beside the other functions");
}

void ChunkComparison::judgeRest(Names kept) {
  if (kept.empty())
    return;
  UpstreamResult theirs = upstream(kept);
  if (theirs.ending == UpstreamEnding::finished)
    return judgeTexts(kept, theirs);
  if (kept.size() == 1) {
    const std::string &name = *kept.begin();
    if (theirs.ending == UpstreamEnding::timedOut)
      return set(name, Verdict::upstreamTimedOut, theirs.stage,
                 "stopped after " + std::to_string(int(options.seconds)) +
                     " s");
    if (theirs.ending == UpstreamEnding::crashed)
      return setCrashed(name, theirs, false);
    return set(name, Verdict::different, theirs.stage,
               "upstream rejects it, we accept it: " + theirs.message);
  }
  Names survivors;
  for (const std::string &name : kept) {
    judgeRest({name});
    if (verdicts[name].verdict == Verdict::identical)
      survivors.insert(name);
  }
  if (survivors.size() < kept.size())
    return judgeRest(survivors);
  // What came from outside does not come again.
  theirs = upstream(kept);
  if (theirs.ending == UpstreamEnding::finished)
    return judgeTexts(kept, theirs);
  for (const std::string &name : kept)
    set(name, Verdict::different, theirs.stage,
        "upstream fails only on the functions together: " +
            (theirs.ending == UpstreamEnding::crashed
                 ? causeOfDeath(theirs.end) + " " + placeOfCrash(theirs, false)
                 : theirs.message));
}

std::vector<FunctionVerdict> ChunkComparison::run() {
  for (Id id : ours.trace.chunks[chunk].functions) {
    const trace::Function &function = ours.trace.functions[id];
    if (function.status == trace::FunctionStatus::declaration ||
        function.status == trace::FunctionStatus::notProcessed ||
        function.opName != "func.func")
      continue;
    functions.push_back(&function);
    all.insert(function.title());
  }
  Names rest;
  for (const trace::Function *function : functions) {
    const trace::Function *outer = around(*function);
    while (outer && outer->status == trace::FunctionStatus::traced)
      outer = around(*outer);
    if (outer && function->status == trace::FunctionStatus::traced)
      set(function->title(), Verdict::rejectedAlike, ownershipStage,
          "it is a part of " + trace::symbolText(outer->title()) +
              ", which is rejected");
    else if (function->upstreamReadsFreedMemory)
      judgeStale(*function);
    else if (function->status == trace::FunctionStatus::rejected ||
             function->status == trace::FunctionStatus::crashedStage)
      judgeRejected(*function);
    else if (function->status == trace::FunctionStatus::traced)
      rest.insert(function->title());
  }
  judgeRest(rest);
  judgeCopies();
  std::vector<FunctionVerdict> result;
  for (const trace::Function *function : functions)
    if (auto found = verdicts.find(function->title()); found != verdicts.end())
      result.push_back(found->second);
  return result;
}

FileComparison compareFile(const trace::Source &source,
                           const DialectRegistry &registry,
                           const CompareOptions &options) {
  CompareOptions current = options;
  current.analysis.text = StageText::upstream;
  current.analysis.copiesText = true;
  Analysis ours = analyse(source, registry, current.analysis);
  FileComparison comparison;
  for (const trace::Chunk &chunk : ours.trace.chunks) {
    if (!chunk.parsed)
      continue;
    std::vector<FunctionVerdict> verdicts =
        ChunkComparison(source, registry, current, ours, chunk.id).run();
    comparison.functions.insert(comparison.functions.end(), verdicts.begin(),
                                verdicts.end());
  }
  comparison.trace = std::move(ours.trace);
  return comparison;
}

} // namespace memreflens
