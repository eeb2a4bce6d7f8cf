//===- cli/OpCommand.cpp --------------------------------------------------===//

#include "cli/OpCommand.h"
#include "cli/ExitStatus.h"
#include "cli/ExplainOptions.h"
#include "cli/Input.h"
#include "core/explain/OpText.h"
#include "core/pipeline/opneeds/OpNeeds.h"
#include "core/pipeline/run/Analysis.h"
#include "core/text/LineIndex.h"
#include "core/trace/Names.h"

#include "mlir/IR/DialectRegistry.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace mlir;

namespace memreflens {

using Json = nlohmann::ordered_json;
using trace::Answer;
using trace::OpFacts;

namespace {
/// An op of the file.
struct FoundOp {
  OpFacts facts;
  LineColumn place;
};
} // namespace

//===--- JSON -------------------------------------------------------------===//

static const char *nameOf(Answer answer) {
  switch (answer) {
  case Answer::no:
    return "no";
  case Answer::yes:
    return "yes";
  case Answer::depends:
    return "depends";
  }
  return "";
}

static const char *nameOf(trace::OpPlace place) {
  switch (place) {
  case trace::OpPlace::inside:
    return "inside";
  case trace::OpPlace::function:
    return "function";
  case trace::OpPlace::otherFunction:
    return "otherFunction";
  case trace::OpPlace::outside:
    return "outside";
  }
  return "";
}

static const char *nameOf(trace::OpHandling handling) {
  switch (handling) {
  case trace::OpHandling::deallocationModel:
    return "BufferDeallocationOpInterface";
  case trace::OpHandling::memoryEffects:
    return "MemoryEffectOpInterface";
  case trace::OpHandling::regionBranch:
    return "RegionBranchOpInterface";
  case trace::OpHandling::call:
    return "CallOpInterface";
  case trace::OpHandling::branch:
    return "BranchOpInterface";
  case trace::OpHandling::regionTerminator:
    return "RegionBranchTerminatorOpInterface";
  }
  return "";
}

static Json toJson(const std::vector<trace::OpCapability> &all) {
  Json list = Json::array();
  for (const trace::OpCapability &entry : all)
    list.push_back({{"name", entry.name},
                    {"has", entry.has},
                    {"externalModel", entry.attached},
                    {"promised", entry.promised}});
  return list;
}

/// What holds of a name and of one op alike.
static Json toJson(const OpFacts &facts) {
  Json conditions = Json::array(), appended = Json::array(),
       handlings = Json::array();
  for (const trace::OpCondition &condition : facts.conditions)
    conditions.push_back({{"cause", std::string(nameOf(condition.cause))},
                          {"message", condition.message},
                          {"fails", nameOf(condition.fails)},
                          {"asks", conditionName(condition)},
                          {"text", conditionWords(facts, condition)}});
  // A count of null: one for each memref.
  for (const trace::OpAppended &entry : facts.appended)
    appended.push_back(
        {{"to", std::string(nameOf(entry.part))},
         {"count", entry.count < 0 ? Json(nullptr) : Json(entry.count)}});
  for (trace::OpHandling handling : facts.handlings)
    handlings.push_back(nameOf(handling));
  const trace::OpCondition *rejection = rejectionIn(facts);
  return {{"op", facts.name},
          {"verdict", opVerdict(facts)},
          {"rejected", rejection ? Json(rejection->message) : Json(nullptr)},
          // As it was called up to 0.1; deprecated.
          {"refused", rejection ? Json(rejection->message) : Json(nullptr)},
          {"place", nameOf(facts.place)},
          {"passedOver", nameOf(facts.passedOver)},
          {"conditions", conditions},
          {"handledBy", handlings},
          {"appended", appended},
          {"spoiled",
           nameOf(std::max(facts.spoiledOperands, facts.spoiledResults))},
          {"allocated", facts.allocated},
          {"actions", opActions(facts)},
          {"remedies", opRemedies(facts)}};
}

static std::string toText(const OpFacts &facts,
                          const std::vector<FoundOp> &found, bool hasFile) {
  Json root = toJson(facts);
  root["interfaces"] = toJson(facts.interfaces);
  root["traits"] = toJson(facts.traits);
  root["attributes"] = facts.attributes;
  root["madeUp"] = {
      {"asked", facts.probe.wasAsked},  {"operands", facts.probe.operands},
      {"results", facts.probe.results}, {"allocated", facts.probe.allocated},
      {"onStack", facts.probe.onStack}, {"freed", facts.probe.freed}};
  root["snippets"] = Json::array();
  for (const OpSnippet &snippet : opSnippets(facts))
    root["snippets"].push_back({{"title", snippet.title},
                                {"language", snippet.language},
                                {"code", snippet.code}});
  if (hasFile)
    root["ops"] = Json::array();
  for (const FoundOp &one : found) {
    Json entry = toJson(one.facts);
    entry["line"] = one.place.line;
    entry["column"] = one.place.column;
    root["ops"].push_back(std::move(entry));
  }
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

//===--- Of a file --------------------------------------------------------===//

/// Every op of that name, as the program is written (after `--pre`).
static std::vector<FoundOp> findIn(const trace::Source &file,
                                   const CliOptions &options,
                                   MLIRContext &context, trace::Trace &trace) {
  std::vector<FoundOp> found;
  trace.options = options.run;
  ParsedDocument document = parseDocument(file, context, {}, trace);
  LineIndex lines(file.text);
  for (ParsedChunk &chunk : document.chunks) {
    if (!chunk.module)
      continue;
    trace::Problem problem =
        runPrePasses(*chunk.module, chunk.id, options.run, trace);
    if (!problem.message.empty()) {
      trace.problems.push_back(std::move(problem));
      continue;
    }
    chunk.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getName().getStringRef() != options.own<ExplainOptions>().op)
        return;
      FoundOp one{factsOfOp(op), {}};
      trace::Range range;
      if (one.facts.op != trace::none &&
          size_t(one.facts.op) < trace.ops.size())
        range = trace.ops[size_t(one.facts.op)].nameRange;
      if (!range.empty())
        one.place = lines.lineColumn(range.begin);
      found.push_back(std::move(one));
    });
  }
  return found;
}

static std::string placeText(const trace::Source &file, LineColumn place) {
  std::string path = file.path == "-" ? "<stdin>" : file.path;
  return place.line == 0 ? path + ": made by a pass in front"
                         : path + ":" + std::to_string(place.line) + ":" +
                               std::to_string(place.column);
}

//===--- The command ------------------------------------------------------===//

int explainOpNamed(const CliOptions &options, const trace::Source *file,
                   const DialectRegistry &registry) {
  std::unique_ptr<MLIRContext> context = makeContext(registry, options.run);
  std::string error;
  std::optional<OpFacts> facts =
      factsOfName(options.own<ExplainOptions>().op, registry, *context, error);
  // Of one that the registry does not have, no more is known than that.
  if (!facts)
    return complain(wrongUsage, error);
  std::vector<FoundOp> found;
  int status = done;
  if (file) {
    trace::Trace trace;
    found = findIn(*file, options, *context, trace);
    printProblems(trace, wantsColor(int(options.color), STDERR_FILENO));
    bool isRead = llvm::any_of(
        trace.chunks, [](const trace::Chunk &chunk) { return chunk.parsed; });
    if (!isRead && !trace.problems.empty())
      return badInput;
  }
  std::string text;
  if (options.own<ExplainOptions>().format == "json")
    text = toText(*facts, found, file != nullptr);
  else
    text = renderOp(*facts);
  if (file && options.own<ExplainOptions>().format != "json") {
    text += "in the file, as it is written\n";
    for (const FoundOp &one : found)
      text += renderOpAt(one.facts, placeText(*file, one.place));
    if (found.empty())
      text += "  there is none\n";
  }
  bool written =
      writeOutput(options.output, [&](std::ostream &out) { out << text; });
  return written ? status : int(badInput);
}

} // namespace memreflens
