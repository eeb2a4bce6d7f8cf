//===- cli/Reduce.cpp -----------------------------------------------------===//

#include "cli/Reduce.h"
#include "cli/ExitStatus.h"
#include "cli/ExplainOptions.h"
#include "cli/FileRun.h"
#include "cli/Workers.h"
#include "core/files/UnnamedFile.h"
#include "core/pipeline/run/Worker.h"
#include "core/pipeline/upstream/UpstreamRun.h"
#include "core/reduce/Child.h"
#include "core/reduce/Header.h"
#include "core/reduce/Seen.h"
#include "core/source/Chunks.h"
#include "core/text/LineIndex.h"

#include "mlir/IR/DialectRegistry.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace mlir;

namespace memreflens {

static volatile std::sig_atomic_t interrupted = 0;

static void onInterrupt(int) { interrupted = 1; }

//===--- The part of the file ---------------------------------------------===//

/// Bytes of the place; nothing, with a message, if the file has none such.
static std::optional<Wish> wishOf(const CliOptions &options,
                                  const trace::Source &source) {
  LineIndex lines(source.text);
  const Position &position = options.own<ExplainOptions>().position;
  if (position.line > lines.lineCount()) {
    complain(wrongUsage, pastTheEnd(position.line, lines));
    return std::nullopt;
  }
  Wish wish;
  wish.kind = options.own<ExplainOptions>().reduce.kind;
  wish.wholeLine = position.column == 0;
  uint32_t begin = lines.offset({position.line, std::max(1u, position.column)});
  uint32_t length =
      wish.wholeLine ? uint32_t(lines.line(position.line).size()) : 0;
  wish.place = {begin, begin + length};
  return wish;
}

/// The part of the file around the place, at its place: all else is blank, so
/// that its lines keep their numbers.
static trace::Source partAt(const trace::Source &source, uint32_t offset) {
  trace::Source part = source;
  trace::Range range = {0, uint32_t(source.text.size())};
  for (trace::Range chunk : splitChunks(source.text))
    if (chunk.begin <= offset)
      range = chunk;
  for (size_t i = 0; i < part.text.size(); ++i)
    if ((i < range.begin || i >= range.end) && part.text[i] != '\n')
      part.text[i] = ' ';
  return part;
}

//===--- What to keep -----------------------------------------------------===//

namespace {
/// What the worker leaves: the target, and how many others there were.
struct Found {
  Target target;
  size_t others = 0;
};
} // namespace

static void store(std::FILE *file, const Found &found) {
  Channel channel(fileno(file));
  const Target &target = found.target;
  channel.send(int64_t(target.kind));
  channel.send(target.rule);
  channel.send(target.signature);
  for (int64_t number :
       {int64_t(target.op), int64_t(target.value), int64_t(target.function),
        int64_t(target.stage), int64_t(target.ofUpstream),
        int64_t(target.alsoUpstream), int64_t(target.readsFreed),
        int64_t(found.others)})
    channel.send(number);
}

static std::optional<Found> load(const std::string &bytes) {
  Reader reader(bytes);
  Found found;
  Target &target = found.target;
  target.kind = ReduceKind(reader.number());
  target.rule = reader.text();
  target.signature = reader.text();
  target.op = trace::Id(reader.number());
  target.value = trace::Id(reader.number());
  target.function = trace::Id(reader.number());
  target.stage = int32_t(reader.number());
  target.ofUpstream = reader.number() != 0;
  target.alsoUpstream = reader.number() != 0;
  target.readsFreed = reader.number() != 0;
  found.others = size_t(reader.number());
  if (!reader.isWhole())
    return std::nullopt;
  return found;
}

/// How MLIR's own pipeline ends on one function.
static UpstreamResult runUpstreamOn(const Lookup &lookup,
                                    const trace::Function &here,
                                    const trace::Source &source,
                                    const DialectRegistry &registry,
                                    const AnalysisRequest &analysis) {
  UpstreamRequest request;
  request.chunk = here.chunk;
  request.seconds = 60;
  for (const trace::Function &function : lookup.getTrace().functions)
    if (function.id != here.id)
      request.standIns.insert(function.name);
  // What reads memory that is none may live by chance.
  UpstreamResult result;
  for (; request.perturbation < 8; ++request.perturbation) {
    result = runUpstream(source, registry, analysis, request);
    if (result.ending != UpstreamEnding::finished)
      break;
  }
  return result;
}

/// It is run only where it is likely to die, or was asked for.
static void addUpstreamCrash(const Lookup &lookup, const Wish &wish,
                             const trace::Source &source,
                             const DialectRegistry &registry,
                             const AnalysisRequest &analysis,
                             std::vector<Choice> &choices) {
  const trace::Function *here =
      lookup.function(lookup.getIndex().functionAt(wish.place.begin));
  bool isLikely = here && (here->upstreamReadsFreedMemory ||
                           here->status == trace::FunctionStatus::crashedStage);
  if (!here || !(wish.kind == "crash" || (isLikely && wish.kind.empty())) ||
      !analysis.run.pipeline.empty())
    return;
  UpstreamResult result =
      runUpstreamOn(lookup, *here, source, registry, analysis);
  if (result.ending != UpstreamEnding::crashed)
    return;
  bool isOurs = false;
  for (Choice &choice : choices)
    if (choice.target.kind == ReduceKind::crash &&
        choice.target.function == here->id)
      isOurs = choice.target.alsoUpstream = true;
  if (!isOurs)
    choices.push_back(
        upstreamCrash(lookup, here->id, result.stage, result.end));
}

static int findTarget(const CliOptions &options, const trace::Source &source,
                      const DialectRegistry &registry,
                      const WorkerRequest &request, const Wish &wish,
                      std::FILE *left) {
  AnalysisOptions analysis;
  analysis.run = options.run;
  analysis.text = StageText::none;
  analysis.quarantine = request.quarantineOf(0);
  analysis.onStage = [&](trace::Id chunk, int stage) {
    request.progress->chunk = chunk;
    request.progress->stage = stage;
  };
  Watcher watcher;
  watcher.addTo(analysis);
  Analysis result = analyse(source, registry, analysis);
  if (!result.trace.chunks.front().parsed) {
    printProblems(result.trace, wantsColor(int(options.color), STDERR_FILENO));
    return badInput;
  }
  Lookup lookup(result.trace);
  std::vector<Choice> choices = choicesOf(lookup, watcher.take());
  addUpstreamCrash(lookup, wish, source, registry, analysis, choices);
  Chosen chosen = choose(lookup, choices, wish);
  if (!chosen.choice)
    return complain(wrongUsage, chosen.error);
  store(left, {chosen.choice->target, chosen.others});
  return done;
}

//===--- The command ------------------------------------------------------===//

static bool showsProgress() {
  return isatty(STDERR_FILENO) || std::getenv("MEMREF_LENS_PROGRESS");
}

static ReduceLimits limitsOf(const CliOptions &options) {
  ReduceLimits limits;
  limits.seconds = options.own<ExplainOptions>().reduce.seconds;
  limits.goesOn = [] { return interrupted == 0; };
  if (showsProgress())
    limits.onProgress = [](const ReduceProgress &progress) {
      std::fprintf(
          stderr, "\r\033[K%llu programs tried, %llu of %llu ops left: %s",
          (unsigned long long)progress.tried, (unsigned long long)progress.ops,
          (unsigned long long)progress.opsAtFirst, progress.step);
      std::fflush(stderr);
    };
  return limits;
}

/// For the commands in the header: without the folder, which is the user's.
static std::string nameInHeader(const std::string &output) {
  size_t slash = output.rfind('/');
  std::string name =
      slash == std::string::npos ? output : output.substr(slash + 1);
  return output == "-" || name.empty() || output.starts_with("/dev/")
             ? "small.mlir"
             : name;
}

static int reduceAndWrite(const CliOptions &options,
                          const trace::Source &source,
                          const DialectRegistry &registry, const Found &found) {
  ProbeOptions probe{
      registry, {}, options.own<ExplainOptions>().reduce.probeSeconds};
  probe.analysis.run = options.run;
  probe.analysis.run.function.clear();
  std::signal(SIGINT, onInterrupt);
  Reduced reduced = reduce(source.text, found.target, probe, limitsOf(options));
  if (showsProgress())
    std::fputs("\r\033[K", stderr);
  if (reduced.text.empty())
    return complain(badInput,
                    "it is not there in a copy of the program, printed and "
                    "read again; nothing can be removed");
  std::string text =
      withHeader(reduced, {nameInHeader(options.output), found.others}, probe);
  if (text.empty())
    return complain(badInput,
                    "the reduced program does not show it every time");
  if (!reduced.stopped.empty())
    tell("memref-lens: note: %s; %llu of %llu ops are left, and the "
         "program may become smaller\n",
         reduced.stopped.c_str(), (unsigned long long)reduced.ops,
         (unsigned long long)reduced.opsAtFirst);
  bool written =
      writeOutput(options.output, [&](std::ostream &out) { out << text; });
  return written ? int(done) : int(badInput);
}

int runReduce(const CliOptions &options, const Input &input,
              const DialectRegistry &registry, const WorkerOptions &worker) {
  const trace::Source &source = input.source;
  if (input.kind == InputKind::bytecode)
    return complain(badInput,
                    "'--reduce' works on text; print the bytecode first, with "
                    "mlir-opt");
  std::optional<Wish> wish = wishOf(options, source);
  if (!wish)
    return wrongUsage;
  trace::Source part = partAt(source, wish->place.begin);
  UnnamedFile left;
  if (!left.isOpen())
    return failTemporary();
  int status = runInWorker(
      [&](const WorkerRequest &request) {
        // To find out which function kills a stage.
        if (request.probe)
          return runInside(
              {options, part, InputKind::program, registry, request});
        return findTarget(options, part, registry, request, *wish,
                          left.getStream());
      },
      worker);
  std::optional<Found> found;
  if (status == done)
    found = load(left.read());
  if (status != done)
    return status;
  if (!found)
    return complain(70, "the analysis left nothing to go on from");
  return reduceAndWrite(options, part, registry, *found);
}

} // namespace memreflens
