//===- lsp/analysis/Requests.cpp - who answers which request --------------===//
//
// And the answers to our own requests, which PROTOCOL.md describes. They are
// JSON at once: most of it comes from the writers of core/graph and core/trace.
//
//===----------------------------------------------------------------------===//

#include "core/graph/GraphJson.h"
#include "lsp/analysis/Features.h"
#include "lsp/analysis/Protocol.h"
#include "lsp/wire/OwnMethods.h"

#include "core/execute/KeptRun.h"
#include "core/explain/DecisionText.h"
#include "core/explain/PositionText.h"
#include "core/graph/Draw.h"
#include "core/graph/StagePicture.h"
#include "core/memory/Memory.h"
#include "core/pipeline/stages/PassPlan.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"
#include "core/trace/Plan.h"
#include "core/trace/StageTexts.h"

#include <nlohmann/json.hpp>
#include <sstream>

namespace memreflens::lsp {

using namespace trace;

bool ensureTraces(Request &request, size_t first, size_t last) {
  std::vector<const Unit *> units;
  for (size_t i = first; i < last; ++i)
    units.push_back(&request.document->units[i]);
  if (request.analyst.scheduler.ensure(*request.document, units,
                                       request.isWanted))
    return true;
  request.error = "the document has changed, or the request was cancelled";
  request.code = contentModified;
  return false;
}

static const Unit *unitNamed(Request &request, const std::string &name) {
  request.analyst.documents.refresh(*request.document);
  const Unit *unit = unitNamed(request.document->units, name);
  if (!unit)
    request.error = "no function of that name";
  return unit;
}

/// Unit by `function`, or else around `position`.
static const Unit *unitOf(Request &request) {
  if (member(request.params, "function").is_string())
    return unitNamed(request, stringIn(request.params, "function"));
  return request.analyst.documents.unitAt(*request.document,
                                          request.position.line);
}

static Id functionNamed(const Trace &trace, const std::string &name) {
  for (const Function &function : trace.functions)
    if (name.empty() || function.isCalled(name))
      return function.id;
  return none;
}

/// Trace of the unit asked about, with the text of each stage; null without a
/// unit.
static std::shared_ptr<const Batch> batchAsked(Request &request) {
  const Unit *unit = unitOf(request);
  return unit ? request.analyst.soloRuns.keptTrace(*request.document, *unit)
              : nullptr;
}

static Json traceAnswer(Request &request) {
  std::shared_ptr<const Batch> batch = batchAsked(request);
  if (!batch)
    return nullptr;
  std::ostringstream text;
  writeJson(batch->getTrace(), text);
  request.rawMembers = R"("trace":)" + std::move(text).str();
  return Json::object();
}

static Json stagesAnswer(Request &request) {
  std::shared_ptr<const Batch> batch = batchAsked(request);
  if (!batch)
    return nullptr;
  Json stages = Json::array();
  const Trace &trace = batch->getTrace();
  for (const Chunk &chunk : trace.chunks)
    if (trace::hasTensorCopies(trace, chunk.id))
      stages.push_back({{"number", trace::tensorCopiesStage},
                        {"name", std::string(trace::tensorCopies)},
                        {"changed", true}});
  for (const Chunk &chunk : trace.chunks)
    for (const Stage &stage : chunk.stages)
      stages.push_back({{"number", stage.number},
                        {"name", stage.name},
                        {"changed", stage.changed}});
  return {{"stages", stages}};
}

/// The chunk around a unit, as a unit of its own.
static Unit chunkOf(Request &request, const Unit &unit) {
  UnitOptions whole;
  whole.wholeChunks = true;
  for (const Unit &chunk : splitUnits(request.document->text, whole))
    if (chunk.chunk == unit.chunk)
      return chunk;
  return unit;
}

static Json stageTextAnswer(Request &request) {
  const Unit *unit = unitOf(request);
  if (!unit)
    return nullptr;
  const Json &wanted = member(request.params, "stage");
  int stage = wanted.is_number_integer()
                  ? int(wanted.get<int64_t>())
                  : parseStage(stringIn(request.params, "stage"),
                               request.analyst.options.run);
  const int last = trace::lastStage(request.analyst.options.run);
  if (stringIn(request.params, "stage") == trace::tensorCopies)
    stage = trace::tensorCopiesStage;
  if ((stage < 0 && stage != trace::tensorCopiesStage) || stage > last) {
    request.error = "no such stage";
    return nullptr;
  }
  bool isFunction = member(request.params, "function").is_string();
  std::shared_ptr<const Batch> batch = request.analyst.soloRuns.keptTrace(
      *request.document, isFunction ? *unit : chunkOf(request, *unit));
  for (const Chunk &chunk : batch->getTrace().chunks)
    if (auto text = stageText(batch->getTrace(), chunk.id, stage))
      return {
          {"stage", stage},
          {"name",
           std::string(trace::stageName(batch->getTrace().options, stage))},
          {"lastStage", chunk.stages.empty() ? 0 : chunk.stages.back().number},
          {"text", std::string(*text)}};
  request.error = "the chunk does not parse";
  return nullptr;
}

namespace {
struct AskedFunction {
  /// Null where there is no such function; the request has the error.
  std::shared_ptr<const Batch> batch;
  Id function = none;
};
} // namespace

static AskedFunction functionAsked(Request &request) {
  AskedFunction asked{batchAsked(request), none};
  if (!asked.batch)
    return asked;
  asked.function = functionNamed(asked.batch->getTrace(),
                                 stringIn(request.params, "function"));
  if (asked.function == none) {
    request.error = "no such function, or it does not parse";
    asked.batch = nullptr;
  }
  return asked;
}

/// Of the run that the user names, if the stage's program ran. The record does
/// not say of which part of the file it is.
static std::optional<RunCounts>
countsAt(Request &request, const trace::Function &function, int64_t stage) {
  std::string why;
  const execute::Record *record = request.analyst.runOf(*request.document, why);
  const auto &units = request.document->units;
  const bool isOnePart = std::ranges::all_of(
      units, [&](const Unit &unit) { return unit.chunk == units[0].chunk; });
  if (!record || !isOnePart || execute::stageOf(*record) != stage ||
      function.title() != function.name)
    return std::nullopt;
  return execute::countsOf(*record, function.name);
}

static Json cfgAnswer(Request &request) {
  const auto [batch, function] = functionAsked(request);
  if (!batch)
    return nullptr;
  const Lookup &lookup = batch->getLookup();
  int64_t stage = integerIn(request.params, "stage", -1);
  graph::PictureOptions wanted;
  if (stringIn(request.params, "detail") == "blocks")
    wanted.detail = graph::Detail::blocks;
  const std::optional<RunCounts> counts =
      countsAt(request, batch->getTrace().functions[size_t(function)], stage);
  graph::Picture picture =
      (stage < 0 && stage != trace::tensorCopiesStage) ||
              stage > trace::lastStage(batch->getTrace().options)
          ? graph::ownershipPicture(lookup, function, wanted)
          : graph::stagePicture(lookup, function, int(stage), wanted,
                                counts ? &*counts : nullptr);
  std::string format = stringIn(request.params, "format");
  if (format == "data")
    return {{"picture", Json(graph::graphJson(picture))}};
  graph::DotOptions dot;
  if (stringIn(request.params, "theme") == "dark")
    dot.theme = graph::ThemeName::dark;
  bool isDot = format == "dot";
  graph::Image image = graph::draw(
      picture, dot, isDot ? graph::ImageFormat::dot : graph::ImageFormat::svg);
  request.error = image.error;
  return {{isDot ? "dot" : "svg", image.bytes}, {"note", image.note}};
}

/// The trace of the unit asked about, seen in the client's positions. Ids in
/// it are those of `memrefLens/trace` and `memrefLens/cfg`.
class Asked {
public:
  explicit Asked(Request &request) : request(request) {
    const Unit *unit = unitOf(request);
    if (!unit)
      return;
    batch = request.analyst.soloRuns.keptTrace(*request.document, *unit);
    if (const Batch::Place *place = batch->find(unit->key))
      view.emplace(request.document->uri, *batch, request.analyst.options,
                   place->range);
  }

  explicit operator bool() const { return view.has_value(); }
  const View *operator->() const { return &*view; }
  const View &operator*() const { return *view; }
  /// The position of the request, in the trace's text.
  uint32_t offset() const { return view->offsetOf(request.position); }

private:
  Request &request;
  std::shared_ptr<const Batch> batch;
  std::optional<View> view;
};

static Json eventJson(const View &view, Id id) {
  const Event &event = *view.lookup().event(id);
  Json made = {{"event", id},
               {"stage", event.stage},
               {"kind", std::string(kindOf(event))},
               {"sentence", explainEvent(view.lookup(), id).sentence}};
  if (event.block != none)
    made["block"] = event.block;
  Range range = rangeOfEvent(view.lookup(), event);
  if (!range.empty() && view.range.contains(range.begin))
    made["range"] = view.toRange(range);
  return made;
}

static Json eventsJson(const View &view, std::span<const Id> events) {
  Json all = Json::array();
  for (Id id : events)
    all.push_back(eventJson(view, id));
  return all;
}

/// All events of a function, in the order in which they were recorded.
static Json eventsAnswer(Request &request) {
  Asked asked(request);
  if (!asked)
    return nullptr;
  Id function =
      functionNamed(asked->trace(), stringIn(request.params, "function"));
  if (function == none) {
    request.error = "no such function, or it does not parse";
    return nullptr;
  }
  return {{"events",
           eventsJson(*asked, asked->lookup().eventsOfFunction(function))}};
}

/// Events of the value or op under the cursor.
static Json eventsAtAnswer(Request &request) {
  Asked asked(request);
  if (!asked)
    return nullptr;
  const Index &index = asked->lookup().getIndex();
  if (Id value = index.valueAt(asked.offset()); value != none)
    return {{"about", asked->lookup().name(value)},
            {"events", eventsJson(*asked, index.eventsNamingValue(value))}};
  if (Id op = index.opAt(asked.offset()); op != none)
    return {{"about", asked->lookup().opName(op)},
            {"events", eventsJson(*asked, index.eventsNamingOp(op))}};
  return {{"about", ""}, {"events", Json::array()}};
}

/// Where an event of a function is.
static Json placeAnswer(Request &request) {
  Asked asked(request);
  Id id = Id(integerIn(request.params, "event", none));
  if (!asked || !asked->lookup().event(id)) {
    request.error = "no such event";
    return nullptr;
  }
  return eventJson(*asked, id);
}

static Json explainAnswer(Request &request) {
  Asked asked(request);
  if (!asked)
    return nullptr;
  Json all = Json::array();
  for (const Explanation &found : explainAt(asked->lookup(), asked.offset())) {
    Json evidence = Json::array();
    for (const Evidence &fact : found.evidence) {
      Json one = {{"text", fact.text}};
      if (!fact.range.empty() && asked->range.contains(fact.range.begin))
        one["range"] = asked->toRange(fact.range);
      evidence.push_back(std::move(one));
    }
    Json remedies = Json::array();
    for (const Advice &remedy : found.remedies)
      remedies.push_back(remedy.words);
    all.push_back({{"sentence", found.sentence},
                   {"evidence", evidence},
                   {"remedies", remedies}});
  }
  return {{"explanations", all}};
}

/// What is alive when in a function, as `memref-lens memory` tells it. Nothing
/// in it is told by the ids of the trace that the other answers are of.
static Json memoryAnswer(Request &request) {
  const Unit *unit = unitOf(request);
  if (!unit)
    return nullptr;
  const auto batch =
      request.analyst.soloRuns.keptMeasured(*request.document, *unit);
  std::string name = stringIn(request.params, "function");
  if (name.empty() && !unit->isChunk)
    name = bareName(*unit);
  const Id function = functionNamed(batch->getTrace(), name);
  if (function == none) {
    request.error = "no such function, or it does not parse";
    return nullptr;
  }
  request.rawMembers =
      R"("memory":)" +
      memory::asJson(memory::MemoryReader(batch->getLookup()).usesOf(function));
  return Json::object();
}

/// What `memref-lens check` says of the saved file, remedies tested.
static Json causesAnswer(Request &request) {
  const Document &document = *request.document;
  const TestedRemedies *tested = document.tested.get();
  Json answer = {
      {"state", std::string(request.analyst.remedyTests.stateOf(document))},
      {"problem", tested ? tested->problem : ""},
      {"isOfThisText", tested && tested->hash == document.hash()}};
  if (tested && !tested->report.empty())
    request.rawMembers = R"("report":)" + tested->report;
  return answer;
}

static Json statusAnswer(Request &request) {
  const Analyst &analyst = request.analyst;
  Json documents = Json::array();
  for (const auto &[uri, document] : analyst.documents.all())
    documents.push_back(
        {{"uri", uri},
         {"version", document.version},
         {"bytes", document.text.size()},
         {"hash", document.hash()},
         {"units", document.units.size()},
         {"traces", document.traces.size()},
         {"reported", document.isReported},
         {"explored", document.isExplored},
         {"remedies", std::string(analyst.remedyTests.stateOf(document))},
         {"paths", document.paths.size()}});
  const Tally &done = analyst.state.tally;
  Json seconds = {{"cutting", done.cutting},
                  {"parsing", done.parsing},
                  {"stages", done.stages}};
  Json work = {{"analysed", done.analysed},
               {"explored", done.explored},
               {"takenBack", done.takenBack},
               {"dropped", done.dropped},
               {"shelved", analyst.cache.getShelf().size()},
               {"traceBytes", done.held},
               {"seconds", std::move(seconds)}};
  return {{"documents", documents}, {"work", std::move(work)}};
}

//===--- Routing ----------------------------------------------------------===//

template <auto feature> static Json answerOf(Request &request) {
  const auto found = feature(request);
  if constexpr (requires { found.has_value(); })
    return found ? Json(*found) : Json();
  else
    return found;
}

static Json codeLensAnswer(Request &request) {
  bool isPartial = request.params.contains("partialResultToken");
  return onCodeLens(request,
                    isPartial ? SendLenses(request.sendPart) : nullptr);
}

static Json codeActionAnswer(Request &request) {
  const Json &context = member(request.params, "context");
  Json found = Json::array();
  for (const CodeAction &one : onCodeAction(request, contextIn(context)))
    found.push_back(actionJson(one, context));
  return found;
}

/// The action as it came, with its edit if there is one.
static Json resolveAnswer(Request &request) {
  Json action = request.params;
  Rewrite rewrite = rewriteIn(member(action, "data"));
  if (std::optional<TextEdit> edit =
          onResolveCodeAction(request.analyst, rewrite))
    action["edit"] = editJson(rewrite.uri, *edit);
  return action;
}

namespace {
/// What an answer is about.
enum class About {
  server,
  document, ///< Null where it is not open.
  version ///< Of a document, named by the answer; an error where none is open.
};

struct Feature {
  About about;
  Json (*answer)(Request &);
};
} // namespace

Json answer(const std::string &method, Request &request) {
  static const std::map<std::string, Feature> features = {
      {"textDocument/hover", {About::document, answerOf<onHover>}},
      {"textDocument/documentHighlight",
       {About::document, answerOf<onHighlight>}},
      {"textDocument/inlayHint", {About::document, answerOf<onInlayHint>}},
      {"textDocument/codeLens", {About::document, codeLensAnswer}},
      {"textDocument/codeAction", {About::document, codeActionAnswer}},
      {"codeAction/resolve", {About::server, resolveAnswer}},
      {ownMethods::trace, {About::version, traceAnswer}},
      {ownMethods::stages, {About::version, stagesAnswer}},
      {ownMethods::stageText, {About::version, stageTextAnswer}},
      {ownMethods::cfg, {About::version, cfgAnswer}},
      {ownMethods::events, {About::version, eventsAnswer}},
      {ownMethods::eventsAt, {About::version, eventsAtAnswer}},
      {ownMethods::eventPlace, {About::version, placeAnswer}},
      {ownMethods::explain, {About::version, explainAnswer}},
      {ownMethods::memory, {About::version, memoryAnswer}},
      {ownMethods::causes, {About::version, causesAnswer}},
      {ownMethods::status, {About::server, statusAnswer}},
  };
  auto found = features.find(method);
  if (found == features.end()) {
    request.error = "unknown method " + method;
    return nullptr;
  }
  const auto &[about, feature] = found->second;
  if (about != About::server) {
    request.document = request.analyst.documents.find(
        stringIn(member(request.params, "textDocument"), "uri"));
    if (!request.document) {
      if (about == About::version)
        request.error = "the document is not open";
      return nullptr;
    }
  }
  request.position = positionIn(request.params);
  request.range = rangeIn(request.params);
  Json made = feature(request);
  if (about == About::version && made.is_object())
    made["version"] = request.document->version;
  return made;
}

} // namespace memreflens::lsp
