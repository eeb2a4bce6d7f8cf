//===- tests/fuzz/PagesFuzz.cpp - what is shown of any trace --------------===//
//
// A trace from anywhere that the reader takes is shown in every form: sentences
// at every place, of every value, decision and indicator; reports as text and
// Markdown; findings in all formats; every function as a picture of its
// decisions, of each stage and of what changed, in dot's language and as the
// viewer lays it out. Ids are in range then, but need make no sense.
//
// Text is escaped: no control characters in plain text, no markup in Markdown,
// the formats of findings are JSON. Said twice, all is equal.
//
// Input: a trace's JSON, a zero, and what TraceEdits.h makes edits of. The
// fuzzer changes what is behind the zero: what is no JSON is for TraceFuzz.cpp.
//
//===----------------------------------------------------------------------===//

#include "core/check/Collect.h"
#include "core/check/Formats.h"
#include "core/explain/AliasText.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/PositionText.h"
#include "core/explain/RejectionText.h"
#include "core/explain/Render.h"
#include "core/graph/Dot.h"
#include "core/graph/LifetimesSvg.h"
#include "core/graph/OwnershipPicture.h"
#include "core/graph/StagePicture.h"
#include "core/graph/tensors/TensorSvg.h"
#include "core/report/Markdown.h"
#include "core/trace/Json.h"
#include "tests/fuzz/Fuzz.h"
#include "tests/fuzz/TraceEdits.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

using namespace memreflens;
using namespace memreflens::trace;
using fuzz::require;

namespace {

void checkSentence(const Trace &trace, const Explanation &made) {
  for (const Evidence &evidence : made.evidence) {
    require(!made.empty(), "evidence is of a sentence", evidence.text);
    require(evidence.event == none ||
                size_t(evidence.event) < trace.events.size(),
            "evidence names an event of the trace", made.sentence);
  }
}

void explainEverything(const Lookup &lookup) {
  const Trace &trace = lookup.getTrace();
  for (const Value &value : trace.values) {
    memreflens::FateText fate = explainFate(lookup, value.id);
    for (const Explanation &step : fate.steps)
      checkSentence(trace, step);
    checkSentence(trace, explainIndicator(lookup, value.id));
    indicatorExpression(lookup, value.id);
  }
  for (Id event = 0; size_t(event) < trace.events.size(); ++event) {
    checkSentence(trace, explainEvent(lookup, event));
    rangeOfEvent(lookup, *lookup.event(event));
    if (std::holds_alternative<RejectionEvent>(lookup.event(event)->detail))
      checkSentence(trace, explainRejection(lookup, event));
  }
  auto size = uint32_t(trace.source.text.size());
  for (uint32_t at = 0; at <= size; at += size / 40 + 1) {
    for (const Explanation &made : explainAt(lookup, at))
      checkSentence(trace, made);
    for (const Explanation &made : explainAliasesAt(lookup, at))
      checkSentence(trace, made);
  }
  for (const FunctionAliases &view : trace.aliases)
    aliasMatrix(view);
}

bool isJson(const std::string &text) { return nlohmann::json::accept(text); }

void checkFindings(const Lookup &lookup, bool asSarifToo) {
  CheckOutput output;
  output.reports = {collectFindings(lookup, {})};
  output.verbose = true;
  std::string json = asJson(output);
  require(isJson(json), "findings are JSON", json);
  if (asSarifToo)
    require(isJson(asSarif(output)), "in SARIF too", json);
  std::string error;
  require(readJsonReports(json, error).has_value(), "and are read back",
          error + json);
  asText(output, false);
  asGithub(output);
}

void drawEverything(const Lookup &lookup) {
  const Trace &trace = lookup.getTrace();
  const graph::TensorFlows tensors(lookup);
  for (const Function &function : trace.functions) {
    std::vector<graph::Picture> pictures = {
        graph::ownershipPicture(lookup, function.id, {}),
        graph::ownershipPicture(lookup, function.id,
                                {.detail = graph::Detail::blocks}),
        graph::comparisonPicture(lookup, function.id, 0, 8, {})};
    for (int stage : {0, 3, 8})
      pictures.push_back(graph::stagePicture(lookup, function.id, stage, {}));
    for (const graph::Picture &picture : pictures)
      require(!graph::toDot(picture, {}).empty(), "a picture has a text");
    graph::lifetimesSvg(lookup, lifetimesOf(lookup, function.id),
                        graph::ThemeName::light);
    const graph::TensorFlow flow = tensors.of(function.id);
    if (!flow.empty())
      graph::tensorSvg(flow, graph::ThemeName::light);
  }
}

/// The trace of the JSON, or null. What is fuzzed stands behind the JSON, of
/// which there are as many as there are seeds.
const Trace *traceOf(std::string_view json) {
  static std::map<std::string, ReadResult, std::less<>> known;
  auto found = known.find(json);
  if (found == known.end()) {
    if (known.size() == 64)
      known.clear();
    found = known.emplace(json, readJson(json)).first;
  }
  return found->second ? &*found->second.trace : nullptr;
}

/// No tag but those that the report itself writes.
void checkMarkdown(const std::string &text) {
  for (const char *bad : {"<script", "<img", "<svg", "<iframe", "<a "})
    require(text.find(bad) == std::string::npos, "Markdown has no markup", bad);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  size_t end = std::min(text.find('\0'), size);
  const Trace *read = traceOf(text.substr(0, end));
  if (!read)
    return 0;
  Trace trace = *read;
  fuzz::Choices choices(text.substr(std::min(end + 1, size)));
  fuzz::TraceEditor(trace, choices).editAll(16);
  if (std::getenv("MEMREF_LENS_FUZZ_PRINT"))
    writeJson(trace, std::cout), std::cout.flush();
  Lookup lookup(trace);
  explainEverything(lookup);
  std::string report = renderReport(trace, {});
  require(report == renderReport(trace, {}), "a report is the same twice");
  renderAliases(lookup, "");
  checkMarkdown(report::markdownReport(lookup, {}));
  // It takes as long as half of the rest, most of it for the rules' texts.
  checkFindings(lookup, size % 8 == 0);
  drawEverything(lookup);
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
    __attribute__((weak));

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned) {
  size_t end = size_t(std::find(data, data + size, 0) - data);
  if (end == size) {
    if (size == most)
      return LLVMFuzzerMutate(data, size, most);
    data[size++] = 0;
  }
  ++end;
  // Few bytes are many edits.
  size_t room = std::min<size_t>(most - end, 200);
  return end + LLVMFuzzerMutate(data + end, std::min(size - end, room), room);
}
