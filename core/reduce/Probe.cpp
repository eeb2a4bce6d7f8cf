//===- core/reduce/Probe.cpp ----------------------------------------------===//

#include "core/reduce/Probe.h"
#include "core/explain/PositionText.h"
#include "core/pipeline/upstream/UpstreamRun.h"
#include "core/reduce/Child.h"
#include "core/reduce/Seen.h"

using namespace mlir;

namespace memreflens {

//===--- One text ---------------------------------------------------------===//

/// Where `memref-lens explain` says the choice's sentence.
static trace::Range placeOf(const Lookup &lookup, const Choice &choice) {
  std::vector<trace::Range> places = {choice.range};
  if (const trace::Value *value = lookup.value(choice.target.value))
    places.push_back(value->range);
  for (trace::Id op : choice.ops)
    places.push_back(lookup.rangeOfOp(op));
  for (trace::Range place : places)
    if (!place.empty())
      for (const Explanation &said : explainAt(lookup, place.begin))
        if (said.sentence == choice.words.sentence)
          return place;
  return choice.range;
}

static Shown shownBy(const Lookup &lookup, const Choice &choice) {
  Shown shown;
  shown.found = true;
  shown.readsFreed = choice.target.readsFreed;
  shown.words = choice.words;
  for (const Evidence &fact : shown.words.evidence)
    shown.places.push_back(lookup.position(fact.range));
  if (trace::Range range = placeOf(lookup, choice); !range.empty()) {
    shown.position = lookup.position(range);
    LineColumn place = lookup.getLines().lineColumn(range.begin);
    shown.line = place.line;
    shown.column = place.column;
  }
  return shown;
}

/// Whether MLIR's own pipeline dies on the text. What reads memory that is none
/// may live by chance: some tries, with its objects at other places.
static bool killsUpstream(const trace::Source &source,
                          const ProbeOptions &options) {
  for (unsigned perturbation = 0; perturbation < 8; ++perturbation) {
    UpstreamRequest request;
    request.chunk = 0;
    request.perturbation = perturbation;
    request.seconds = options.seconds / 16;
    if (runUpstream(source, options.registry, options.analysis, request)
            .ending == UpstreamEnding::crashed)
      return true;
  }
  return false;
}

/// MLIR's own pipeline, which may die, run on the text.
static Shown lookAtUpstream(const trace::Source &source, const Lookup &lookup,
                            const Target &target, const ProbeOptions &options) {
  UpstreamRequest request;
  request.chunk = 0;
  request.seconds = options.seconds / 2;
  UpstreamResult result =
      runUpstream(source, options.registry, options.analysis, request);
  if (result.ending != UpstreamEnding::crashed)
    return {};
  Choice choice =
      upstreamCrash(lookup, target.function, result.stage, result.end);
  bool isSame = choice.target.signature == target.signature;
  return isSame ? shownBy(lookup, choice) : Shown{};
}

Shown look(const std::string &text, const Target &target,
           const ProbeOptions &options, int32_t *stage) {
  AnalysisOptions analysis{options.analysis, {}, {}};
  analysis.text = StageText::none;
  analysis.parse.splitInput = false;
  if (stage)
    analysis.onStage = [stage](trace::Id, int number) { *stage = number; };
  Watcher watcher;
  if (target.kind == ReduceKind::finding)
    watcher.addTo(analysis);
  if (target.kind == ReduceKind::rejection)
    analysis.lastStage = std::max(target.stage, 1);
  trace::Source source{"-", text};
  trace::Trace trace = analyse(source, options.registry, analysis).trace;
  if (stage)
    *stage = 0;
  Lookup lookup(trace);
  if (target.function != trace::none && !lookup.function(target.function))
    return {};
  if (target.ofUpstream)
    return lookAtUpstream(source, lookup, target, options);
  CheckInputs seen;
  if (target.kind == ReduceKind::finding)
    seen = watcher.take();
  std::vector<Choice> choices = choicesOf(lookup, seen);
  const Choice *choice = find(target, choices);
  if (choice && target.alsoUpstream && !killsUpstream(source, options))
    return {};
  return choice ? shownBy(lookup, *choice) : Shown{};
}

/// The pipeline died: the very crash that was looked for?
static bool isTheCrash(const ChildResult &child, const Target &target) {
  return target.kind == ReduceKind::crash && !target.ofUpstream && child.died &&
         child.stage == target.stage &&
         target.signature.ends_with(withoutDetails(deathWords(child.end)));
}

Shown lookSafely(const std::string &text, const Target &target,
                 const ProbeOptions &options) {
  ChildResult child = runCandidate(
      [&](Channel &channel, int32_t *stage) {
        Shown shown = look(text, target, options, stage);
        channel.send(shown.words.sentence);
        channel.send(shown.position);
        channel.send(shown.line);
        channel.send(shown.column);
        channel.send(shown.readsFreed);
        channel.send(int64_t(shown.words.evidence.size()));
        for (size_t i = 0; i < shown.words.evidence.size(); ++i) {
          channel.send(shown.words.evidence[i].text);
          channel.send(shown.places[i]);
        }
        return shown.found ? 0 : 1;
      },
      options.seconds);
  Shown shown;
  if (isTheCrash(child, target)) {
    shown.found = true;
    shown.words.sentence =
        std::string(trace::stageName(options.analysis.run, child.stage)) + " " +
        deathWords(child.end) + " on this program";
    return shown;
  }
  if (!child.ended || child.end.status != 0)
    return shown;
  Reader reader(child.sent);
  shown.words.sentence = reader.text();
  shown.position = reader.text();
  shown.line = uint32_t(reader.number());
  shown.column = uint32_t(reader.number());
  shown.readsFreed = reader.number() != 0;
  int64_t count = reader.number();
  for (int64_t i = 0; i < count && reader.isWhole(); ++i) {
    shown.words.evidence.push_back({trace::none, {}, reader.text()});
    shown.places.push_back(reader.text());
  }
  shown.found = reader.isWhole();
  return shown;
}

//===--- One edit ---------------------------------------------------------===//

namespace {
enum Status { holds = 0, gone = 1, notApplicable = 2 };
} // namespace

static void sendTarget(Channel &channel, const Target &target) {
  channel.send(target.op);
  channel.send(target.value);
  channel.send(target.function);
}

static int runProbe(Program &program, const Edit &edit,
                    const ProbeOptions &options, const std::set<size_t> &known,
                    Channel &channel, int32_t *stage) {
  Size before = sizeOf(*program.module, program.text);
  if (!edit(program))
    return notApplicable;
  std::optional<Edited> edited = printEdited(program);
  if (!edited || known.count(std::hash<std::string>()(edited->text)) ||
      !(sizeOf(*program.module, edited->text) < before))
    return notApplicable;
  channel.send(edited->text);
  sendTarget(channel, edited->target);
  Shown shown = look(edited->text, edited->target, options, stage);
  channel.send(shown.readsFreed);
  return shown.found || options.acceptsAll ? holds : gone;
}

ProbeResult probe(Program &program, const Edit &edit,
                  const ProbeOptions &options, const std::set<size_t> &known) {
  ChildResult child = runCandidate(
      [&](Channel &channel, int32_t *stage) {
        return runProbe(program, edit, options, known, channel, stage);
      },
      options.seconds);
  ProbeResult result;
  result.timedOut = child.timedOut;
  Reader reader(child.sent);
  result.text = reader.text();
  result.target = program.target;
  result.target.op = trace::Id(reader.number());
  result.target.value = trace::Id(reader.number());
  result.target.function = trace::Id(reader.number());
  if (!reader.isWhole()) {
    result.text.clear();
    return result;
  }
  // Not there if the pipeline died.
  result.target.readsFreed &= reader.number() != 0 || !reader.isWhole();
  result.holds = (child.ended && child.end.status == holds) ||
                 isTheCrash(child, result.target);
  return result;
}

} // namespace memreflens
