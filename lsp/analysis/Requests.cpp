//===- lsp/analysis/Requests.cpp - our own requests -----------------------===//
//
// PROTOCOL.md describes them. Each answer names the version that it is of.
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/Features.h"
#include "lsp/analysis/PictureJson.h"

#include "core/explain/DecisionText.h"
#include "core/explain/PositionText.h"
#include "core/graph/Draw.h"
#include "core/graph/StagePicture.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"

#include <sstream>

namespace memreflens::lsp {

using namespace trace;

std::optional<View> viewOf(Analyst &analyst, Document &document,
                           const Unit &unit) {
  const Batch *batch = analyst.traceOf(document, unit);
  const Batch::Place *place = batch ? batch->find(unit.key) : nullptr;
  if (!place)
    return std::nullopt;
  return View{document.uri, *batch, analyst.options, place->range};
}

namespace {
/// A request about one document, and what it asks for.
struct Request {
  Analyst &analyst;
  Document &document;
  const Json &params;
  std::string &error;
};
} // namespace

static const Unit *unitNamed(Request &request, const std::string &name) {
  request.analyst.refresh(request.document);
  const Unit *chunk = nullptr;
  for (const Unit &unit : request.document.units) {
    if (unit.name == "@" + name)
      return &unit;
    if (unit.isChunk && !chunk)
      chunk = &unit;
  }
  if (!chunk)
    request.error = "no function of that name";
  return chunk;
}

/// Unit by `function`, or else around `position`.
static const Unit *unitOf(Request &request) {
  if (member(request.params, "function").is_string())
    return unitNamed(request, stringIn(request.params, "function"));
  Position at = toPosition(member(request.params, "position"));
  return request.analyst.unitAt(request.document, at.line);
}

static Id functionNamed(const Trace &trace, const std::string &name) {
  for (const Function &function : trace.functions)
    if (function.name == name || name.empty())
      return function.id;
  return none;
}

static Json traceAnswer(Request &request) {
  const Unit *unit = unitOf(request);
  if (!unit)
    return nullptr;
  Trace trace = request.analyst.wholeTrace(
      request.document, *unit, request.analyst.options.run, stageCount);
  std::ostringstream text;
  writeJson(trace, text);
  return {{"trace", Json::parse(text.str(), nullptr, false)}};
}

static Json stagesAnswer(Request &request) {
  const Unit *unit = unitOf(request);
  if (!unit)
    return nullptr;
  Trace trace = request.analyst.wholeTrace(
      request.document, *unit, request.analyst.options.run, stageCount);
  Json stages = Json::array();
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
  for (const Unit &chunk : splitUnits(request.document.text, whole))
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
                  : parseStage(stringIn(request.params, "stage"));
  if (stage < 0 || stage > stageCount) {
    request.error = "no such stage";
    return nullptr;
  }
  bool isFunction = member(request.params, "function").is_string();
  Trace trace = request.analyst.wholeTrace(
      request.document, isFunction ? *unit : chunkOf(request, *unit),
      request.analyst.options.run, stage);
  for (const Chunk &chunk : trace.chunks)
    if (auto text = stageText(trace, chunk.id, stage))
      return {
          {"stage", stage},
          {"name", std::string(stageName(stage))},
          {"lastStage", chunk.stages.empty() ? 0 : chunk.stages.back().number},
          {"text", std::string(*text)}};
  request.error = "the chunk does not parse";
  return nullptr;
}

static Json cfgAnswer(Request &request) {
  const Unit *unit = unitOf(request);
  if (!unit)
    return nullptr;
  Trace trace = request.analyst.wholeTrace(
      request.document, *unit, request.analyst.options.run, stageCount);
  Id function = functionNamed(trace, stringIn(request.params, "function"));
  if (function == none) {
    request.error = "no such function, or it does not parse";
    return nullptr;
  }
  Lookup lookup(trace);
  int64_t stage = integerIn(request.params, "stage", -1);
  graph::PictureOptions wanted;
  if (stringIn(request.params, "detail") == "blocks")
    wanted.detail = graph::Detail::blocks;
  graph::Picture picture =
      stage < 0 || stage > stageCount
          ? graph::ownershipPicture(lookup, function, wanted)
          : graph::stagePicture(lookup, function, int(stage), wanted);
  std::string format = stringIn(request.params, "format");
  if (format == "data")
    return {{"picture", toJson(picture)}};
  graph::DotOptions dot;
  if (stringIn(request.params, "theme") == "dark")
    dot.theme = graph::ThemeName::dark;
  bool isDot = format == "dot";
  graph::Image image = graph::draw(
      picture, dot, isDot ? graph::ImageFormat::dot : graph::ImageFormat::svg);
  request.error = image.error;
  return {{isDot ? "dot" : "svg", image.bytes}, {"note", image.note}};
}

/// View of the unit asked about; nothing if it has no trace.
static std::optional<View> viewAsked(Request &request) {
  const Unit *unit = unitOf(request);
  if (!unit)
    return std::nullopt;
  return viewOf(request.analyst, request.document, *unit);
}

static Json eventJson(const View &view, Id id) {
  const Event &event = *view.lookup().event(id);
  Json made = {{"event", id},
               {"stage", event.stage},
               {"kind", std::string(kindOf(event))},
               {"sentence", explainEvent(view.lookup(), id).sentence}};
  Range range = rangeOfEvent(view.lookup(), event);
  if (!range.empty() && view.range.contains(range.begin))
    made["range"] = view.toRange(range);
  return made;
}

/// Events of the value, op or block under the cursor.
static Json eventsAnswer(Request &request) {
  std::optional<View> view = viewAsked(request);
  if (!view)
    return nullptr;
  uint32_t offset =
      view->offsetOf(toPosition(member(request.params, "position")));
  const Index &index = view->lookup().getIndex();
  Json events = Json::array();
  std::string about;
  std::span<const Id> found;
  if (Id value = index.valueAt(offset); value != none) {
    about = view->lookup().name(value);
    found = index.eventsNamingValue(value);
  } else if (Id op = index.opAt(offset); op != none) {
    about = view->lookup().opName(op);
    found = index.eventsNamingOp(op);
  }
  for (Id id : found)
    events.push_back(eventJson(*view, id));
  return {{"about", about}, {"events", events}};
}

/// Where an event of a function is.
static Json placeAnswer(Request &request) {
  std::optional<View> view = viewAsked(request);
  Id id = Id(integerIn(request.params, "event", none));
  if (!view || !view->lookup().event(id)) {
    request.error = "no such event";
    return nullptr;
  }
  return eventJson(*view, id);
}

static Json explainAnswer(Request &request) {
  std::optional<View> view = viewAsked(request);
  if (!view)
    return nullptr;
  uint32_t offset =
      view->offsetOf(toPosition(member(request.params, "position")));
  Json all = Json::array();
  for (const Explanation &found : explainAt(view->lookup(), offset)) {
    Json evidence = Json::array();
    for (const Evidence &fact : found.evidence) {
      Json one = {{"text", fact.text}};
      if (!fact.range.empty() && view->range.contains(fact.range.begin))
        one["range"] = view->toRange(fact.range);
      evidence.push_back(std::move(one));
    }
    all.push_back({{"sentence", found.sentence},
                   {"evidence", evidence},
                   {"remedies", found.remedies}});
  }
  return {{"explanations", all}};
}

std::optional<Json> answerOwn(Analyst &analyst, const std::string &method,
                              const Json &params, std::string &error) {
  using Answer = Json (*)(Request &);
  static const std::map<std::string, Answer> answers = {
      {"memrefLens/trace", traceAnswer},
      {"memrefLens/stages", stagesAnswer},
      {"memrefLens/stageText", stageTextAnswer},
      {"memrefLens/cfg", cfgAnswer},
      {"memrefLens/eventsAt", eventsAnswer},
      {"memrefLens/eventPlace", placeAnswer},
      {"memrefLens/explain", explainAnswer},
  };
  auto found = answers.find(method);
  if (found == answers.end())
    return std::nullopt;
  Document *document =
      analyst.find(stringIn(member(params, "textDocument"), "uri"));
  if (!document) {
    error = "the document is not open";
    return Json();
  }
  Request request{analyst, *document, params, error};
  Json answer = found->second(request);
  if (answer.is_object())
    answer["version"] = document->version;
  return answer;
}

} // namespace memreflens::lsp
