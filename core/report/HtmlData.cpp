//===- core/report/HtmlData.cpp - what a page shows of a function ---------===//
//
// Keys are short, since a large function has ten thousand events; what each
// holds is said where it is written.
//
//===----------------------------------------------------------------------===//

#include "core/report/HtmlData.h"

#include "core/explain/AliasText.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/explain/TotalsText.h"
#include "core/explain/Words.h"
#include "core/graph/Draw.h"
#include "core/graph/LifetimesSvg.h"
#include "core/graph/LineDiff.h"
#include "core/graph/OwnershipPicture.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/graph/tensors/TensorSvg.h"
#include "core/memory/Memory.h"
#include "core/report/HtmlColors.h"
#include "core/report/RunData.h"
#include "core/text/Escape.h"
#include "core/text/Shell.h"
#include "core/trace/Names.h"
#include "core/trace/Plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace memreflens::report {

using Json = nlohmann::ordered_json;
using namespace trace;

namespace {

/// Makes every string such that nothing in it moves what stands around it.
void makeVisible(Json &json) {
  if (json.is_string())
    json = visibleText(json.get_ref<const std::string &>());
  else if (json.is_structured())
    for (Json &part : json)
      makeVisible(part);
}

std::string visibleJson(Json json) {
  makeVisible(json);
  return json.dump();
}

const char *statusWord(FunctionStatus status) {
  static constexpr const char *words[] = {"traced",        "declaration",
                                          "not func.func", "rejected",
                                          "stage crashed", "skipped"};
  return words[static_cast<size_t>(status)];
}

/// A text's lines, without their ends.
std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
  }
  return lines;
}

class FunctionData {
public:
  FunctionData(const Lookup &lookup, PageSources &by, Id function, bool isDrawn,
               const HtmlOptions &options)
      : lookup(lookup), trace(lookup.getTrace()), by(by),
        function(*lookup.function(function)), isDrawn(isDrawn),
        options(options) {}

  Json write() {
    Json json;
    json["id"] = function.id;
    json["name"] = function.name;
    json["status"] = statusWord(function.status);
    json["totals"] = totalsLine(totalsOf(lookup, function.id));
    writeSource(json);
    json["values"] = values();
    json["blocks"] = blocks();
    json["events"] = events();
    writeGraph(json);
    Lifetimes lifetimes = lifetimesOf(lookup, function.id);
    if (options.run)
      options.run->addTo(lifetimes, lookup);
    json["lifetimes"] = recolorable(
        graph::lifetimesSvg(lookup, lifetimes, graph::ThemeName::light));
    if (function.status == FunctionStatus::traced)
      writeMemory(json);
    if (options.run && options.run->has(function))
      json["run"] = Json::parse(
          runOfFunction(lookup, *options.run, function.id, pictureOptions()));
    json["stages"] = stages();
    if (trace::hasTensorCopies(trace, function.chunk)) {
      std::lock_guard lock(by.readingStages);
      json["copies"] =
          by.stages.find(function.id, trace::tensorCopiesStage).lines;
    }
    if (const graph::TensorFlow flow = by.tensors.of(function.id);
        !flow.empty())
      json["tensors"] =
          recolorable(graph::tensorSvg(flow, graph::ThemeName::light));
    if (const FunctionAliases *view = aliasesOf(trace, function.id))
      json["aliases"] = aliases(*view);
    return json;
  }

private:
  const Lookup &lookup;
  const Trace &trace;
  PageSources &by;
  const Function &function;
  const bool isDrawn;
  const HtmlOptions &options;

  uint32_t lineOf(Range range) const {
    if (range.empty())
      return 0;
    return static_cast<uint32_t>(std::atoi(lookup.position(range).c_str()));
  }

  /// "first": number of the first line; "lines": each a list of plain texts and
  /// of pairs [text, value].
  void writeSource(Json &json) const {
    std::string_view text = trace.source.text;
    Range range = function.range;
    if (range.empty() || range.end > text.size())
      return;
    size_t lineBegin = text.rfind('\n', range.begin);
    lineBegin = lineBegin == std::string_view::npos ? 0 : lineBegin + 1;
    json["first"] = lineOf(range);
    std::vector<std::pair<Range, Id>> marks = sourceMarks();
    auto mark = marks.begin();
    Json lines = Json::array();
    size_t at = lineBegin;
    for (std::string_view line :
         linesOf(text.substr(lineBegin, range.end - lineBegin))) {
      lines.push_back(segments(line, at, mark, marks.end()));
      at += line.size() + 1;
    }
    json["lines"] = std::move(lines);
  }

  std::vector<std::pair<Range, Id>> sourceMarks() const {
    std::vector<std::pair<Range, Id>> marks;
    for (Id id : by.values[static_cast<size_t>(function.id)]) {
      const Value &value = *lookup.value(id);
      if (!value.range.empty())
        marks.emplace_back(value.range, id);
      for (Range use : value.uses)
        marks.emplace_back(use, id);
    }
    std::sort(marks.begin(), marks.end(), [](const auto &a, const auto &b) {
      return std::pair(a.first.begin, a.first.end) <
             std::pair(b.first.begin, b.first.end);
    });
    return marks;
  }

  template <typename Mark>
  static Json segments(std::string_view line, size_t begin, Mark &mark,
                       const Mark &end) {
    Json out = Json::array();
    size_t at = 0;
    auto addPlain = [&](size_t to) {
      if (to > at)
        out.push_back(line.substr(at, to - at));
      at = std::max(at, to);
    };
    for (; mark != end && mark->first.begin < begin + line.size(); ++mark) {
      auto [range, value] = *mark;
      if (range.begin < begin + at || range.end > begin + line.size())
        continue;
      addPlain(range.begin - begin);
      out.push_back({line.substr(at, range.end - range.begin), value});
      at += range.end - range.begin;
    }
    addPlain(line.size());
    return out;
  }

  /// To an object that has no such key: to look for it takes as long as the
  /// object.
  static void add(Json &object, Id key, Json value) {
    object.get_ref<Json::object_t &>().emplace_back(std::to_string(key),
                                                    std::move(value));
  }

  /// "n": name; "t": type; "l": line; "m": is a memref; "s": stands for;
  /// "f": its fate in words.
  Json values() const {
    Json json = Json::object();
    for (Id id : by.values[static_cast<size_t>(function.id)]) {
      const Value &value = *lookup.value(id);
      Json entry;
      entry["n"] = lookup.name(id);
      entry["t"] = value.type;
      if (uint32_t line = lineOf(lookup.rangeOfValue(id)))
        entry["l"] = line;
      if (value.generated)
        entry["g"] = true;
      if (value.standsFor != none)
        entry["s"] = value.standsFor;
      if (value.isMemref) {
        entry["m"] = true;
        std::string fate = explainFate(lookup, id).headline;
        if (!fate.empty())
          entry["f"] = fate;
      }
      add(json, id, std::move(entry));
    }
    return json;
  }

  /// [name, line], by id; nested ones included.
  Json blocks() const {
    Json json = Json::object();
    for (Id id : by.blocks[static_cast<size_t>(function.id)]) {
      const Block &block = *lookup.block(id);
      add(json, id,
          {lookup.blockName(id),
           lineOf(block.nameRange.empty() ? block.range : block.nameRange)});
    }
    return json;
  }

  static bool isChange(const Event &event) {
    if (const auto *ownership = std::get_if<OwnershipEvent>(&event.detail))
      return !(ownership->before == ownership->after);
    if (const auto *stage = std::get_if<StageEvent>(&event.detail))
      return stage->changed;
    return !std::holds_alternative<LivenessEvent>(event.detail) &&
           !std::holds_alternative<CandidateEvent>(event.detail) &&
           !std::holds_alternative<RetainEvent>(event.detail);
  }

  const char *meaningOf(const Ownership &ownership) const {
    if (ownership.state == OwnershipState::uninitialized)
      return "plain";
    if (ownership.state == OwnershipState::unknown)
      return "unknown";
    int constant = lookup.constantOf(ownership.indicator);
    return constant < 0 ? "owned-if" : constant ? "owned" : "borrowed";
  }

  static Json linesOfWords(const Explanation &words) {
    Json lines = Json::array({words.sentence});
    for (const Evidence &fact : words.evidence)
      lines.push_back(fact.text);
    return lines;
  }

  /// "memrefs": [value, words about it]; "cells": a letter a pair
  /// (AliasText.h); "pairs": [row, column, words]; "accesses": [line, words].
  /// Of many memrefs only the pairs about which the analyses differ have words.
  Json aliases(const FunctionAliases &view) const {
    constexpr size_t fewMemrefs = 24;
    AliasMatrix matrix = aliasMatrix(view);
    Json json;
    json["memrefs"] = Json::array();
    for (Id memref : matrix.memrefs)
      json["memrefs"].push_back(
          {memref, linesOfWords(explainAliases(lookup, view, memref))});
    json["cells"] = matrix.cells;
    json["pairs"] = Json::array();
    for (const AliasPair &pair : view.pairs)
      if (view.memrefs.size() <= fewMemrefs || differ(view, pair))
        json["pairs"].push_back(
            {pair.first, pair.second,
             linesOfWords(explainPair(lookup, view, pair))});
    json["accesses"] = Json::array();
    Id last = none;
    for (const Access &access : view.accesses)
      if (std::exchange(last, access.op) != access.op)
        json["accesses"].push_back(
            {lineOf(lookup.rangeOfOp(access.op)),
             linesOfWords(explainAccess(lookup, view, access.op))});
    json["note"] = matrix.note;
    return json;
  }

  /// "i": id; "s": stage; "k": kind; "b": block; "v": value; "l": line; "c": it
  /// changed something; "w": why; "e": evidence, each [text, line, place,
  /// event]; "r": remedies; "o": [class, words] of the ownership after it; "n":
  /// all values that it names.
  Json events() const {
    std::map<Id, Lookup::Ids> named;
    for (Id value : by.values[static_cast<size_t>(function.id)])
      for (Id event : lookup.getIndex().eventsNamingValue(value))
        named[event].push_back(value);
    Json json = Json::array();
    for (Id id : by.events[static_cast<size_t>(function.id)])
      json.push_back(event(*lookup.event(id), named[id]));
    return json;
  }

  Json event(const Event &event, const Lookup::Ids &named) const {
    // Those of the trace, but for "clone": in a page all copies look alike.
    const std::string_view kind =
        kindOf(event) == "clone" ? "copy" : kindOf(event);
    Json json;
    json["i"] = event.id;
    json["s"] = event.stage;
    json["k"] = kind;
    if (event.block != none)
      json["b"] = event.block;
    if (event.value != none)
      json["v"] = event.value;
    if (uint32_t line = lineOf(rangeOfEvent(lookup, event)))
      json["l"] = line;
    if (isChange(event))
      json["c"] = 1;
    Explanation why = explainEvent(lookup, event.id);
    json["w"] = why.sentence;
    for (const Evidence &evidence : why.evidence)
      json["e"].push_back({evidence.text, lineOf(evidence.range),
                           lookup.position(evidence.range), evidence.event});
    for (const Advice &remedy : why.remedies)
      json["r"].push_back(remedy.words);
    if (const auto *ownership = std::get_if<OwnershipEvent>(&event.detail))
      json["o"] = {meaningOf(ownership->after),
                   ownershipWords(lookup, ownership->after)};
    if (!named.empty())
      json["n"] = named;
    return json;
  }

  void writeMemory(Json &json) const {
    std::vector<memory::MemoryUse> uses = by.memory.usesOf(function.id);
    // A run counts all memory together.
    if (options.run && uses.size() == 1)
      options.run->addTo(uses.front(), lookup);
    Json all = Json::array();
    for (const memory::MemoryUse &use : uses) {
      all.push_back(Json::parse(memory::pageJson(use)));
      if (use.measured)
        all.back()["measured"]["picture"] =
            recolorable(memory::measuredSvg(use, graph::ThemeName::light));
    }
    json["memory"] = std::move(all);
  }

  graph::PictureOptions pictureOptions() const {
    graph::PictureOptions picture;
    if (by.blocks[static_cast<size_t>(function.id)].size() >
        options.graphOpsBlocks)
      picture.detail = graph::Detail::blocks;
    return picture;
  }

  void writeGraph(Json &json) const {
    if (!isDrawn) {
      json["graph"] = "";
      json["graphNote"] =
          "Not drawn: this report has " + std::to_string(options.mostGraphs) +
          " graphs, of functions with findings first. memref-lens export " +
          shellWord(trace.source.path) + " --function " +
          shellWord(function.title()) + " -o graph.svg draws it.";
      return;
    }
    graph::Image image = graph::draw(
        graph::ownershipPicture(lookup, function.id, pictureOptions()), {},
        graph::ImageFormat::svg);
    json["graph"] = recolorable(image.bytes);
    std::string note = image.error.empty() ? image.note : image.error;
    if (!note.empty())
      json["graphNote"] = note;
  }

  /// Each {"n": name, "w": how it stands to a tool's, "d": steps}: a number
  /// keeps that many lines of the stage before, a negative one drops them, a
  /// list adds lines. No "d": unchanged.
  Json stages() const {
    std::lock_guard lock(by.readingStages);
    Json json = Json::array();
    std::vector<std::string_view> before;
    const Chunk &chunk = trace.chunks[static_cast<size_t>(function.chunk)];
    for (const Stage &stage : chunk.stages) {
      Json entry;
      entry["n"] = stage.name;
      if (std::string agreement = agreementWords(stage); !agreement.empty())
        entry["w"] = agreement;
      if (stage.agreement == Agreement::different)
        entry["different"] = true;
      if (stage.number <= function.lastGoodStage) {
        auto text = by.stages.find(function.id, stage.number);
        if (text.lines != before)
          entry["d"] = difference(before, text.lines);
        before = text.lines;
      } else {
        entry["absent"] = true;
      }
      json.push_back(std::move(entry));
    }
    return json;
  }

  static Json difference(const std::vector<std::string_view> &from,
                         const std::vector<std::string_view> &to) {
    graph::LineDiff diff = graph::diffLines(from, to);
    Json steps = Json::array();
    for (size_t i = 0, k = 0; i < from.size() || k < to.size();) {
      int same = 0, dropped = 0;
      Json added = Json::array();
      for (; i < from.size() && k < to.size() && !diff.removed[i] &&
             !diff.added[k];
           ++i, ++k)
        ++same;
      for (; i < from.size() && diff.removed[i]; ++i)
        ++dropped;
      for (; k < to.size() && diff.added[k]; ++k)
        added.push_back(to[k]);
      if (same)
        steps.push_back(same);
      if (dropped)
        steps.push_back(-dropped);
      if (!added.empty())
        steps.push_back(std::move(added));
    }
    return steps;
  }
};

} // namespace

PageSources::PageSources(const Lookup &lookup)
    : values(lookup.getTrace().functions.size()), events(values.size()),
      blocks(values.size()), stages(lookup.getTrace()), tensors(lookup),
      memory(lookup) {
  for (const Block &block : lookup.getTrace().blocks)
    if (block.function != none)
      blocks[static_cast<size_t>(block.function)].push_back(block.id);
  for (const Value &value : lookup.getTrace().values) {
    Id function = lookup.getIndex().functionOfValue(value.id);
    if (function != none)
      values[static_cast<size_t>(function)].push_back(value.id);
  }
  for (const Event &event : lookup.getTrace().events)
    if (event.function != none)
      events[static_cast<size_t>(event.function)].push_back(event.id);
}

std::string indexData(const Lookup &lookup, const HtmlOptions &options) {
  const Trace &trace = lookup.getTrace();
  Json json;
  json["path"] = trace.source.path;
  json["totals"] = totalsLine(totalsOf(lookup));
  json["tool"] =
      "memref-lens " + trace.toolVersion + ", MLIR " + trace.llvmVersion;
  if (!trace.aliases.empty())
    json["aliases"] = true;
  if (std::ranges::any_of(trace.bufferizations, [](const auto &run) {
        return !run.operands.empty();
      }))
    json["tensors"] = true;
  if (options.run)
    json["run"] = Json::parse(runOfFile(trace, *options.run));
  json["functions"] = Json::array();
  for (const Function &function : trace.functions) {
    if (options.function != none && options.function != function.id)
      continue;
    Totals totals = totalsOf(lookup, function.id);
    json["functions"].push_back({{"id", function.id},
                                 {"name", function.name},
                                 {"status", statusWord(function.status)},
                                 {"allocations", totals.allocations},
                                 {"deallocs", totals.frees},
                                 {"clones", totals.clones}});
  }
  json["problems"] = Json::array();
  for (const Problem &problem : trace.problems)
    json["problems"].push_back({problem.message, lookup.position(problem.range),
                                problem.remedy, problem.function});
  return visibleJson(json);
}

std::string functionData(const Lookup &lookup, PageSources &sources,
                         Id function, bool isDrawn,
                         const HtmlOptions &options) {
  return visibleJson(
      FunctionData(lookup, sources, function, isDrawn, options).write());
}

std::string embeddable(const std::string &json) {
  std::string out;
  out.reserve(json.size() + json.size() / 8);
  for (char c : json) {
    // These can only stand inside strings, where an escape says the same.
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

} // namespace memreflens::report
