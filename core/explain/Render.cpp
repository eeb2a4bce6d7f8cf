//===- core/explain/Render.cpp --------------------------------------------===//

#include "core/explain/Render.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateHeadline.h"
#include "core/explain/PlacementText.h"
#include "core/explain/PlainText.h"
#include "core/explain/RejectionText.h"
#include "core/explain/Words.h"
#include "core/trace/Names.h"

#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

namespace {

/// Appends lines; knows colours and what must be escaped.
class Page {
public:
  Page(const Lookup &lookup, bool color) : lookup(lookup), color(color) {}

  void line(unsigned indent, std::string_view text,
            std::string_view style = {}) {
    out.append(indent, ' ');
    styled(text, style);
    out += '\n';
  }
  void explanation(const Explanation &explanation, unsigned indent,
                   std::string_view style = {}) {
    line(indent, explanation.sentence, style);
    for (const Evidence &fact : explanation.evidence) {
      std::string position = lookup.position(fact.range);
      out.append(indent + 2, ' ');
      if (!position.empty())
        styled(position, dim);
      out += position.empty() ? "" : "  ";
      styled(fact.text, {});
      out += '\n';
    }
    for (const Advice &remedy : explanation.remedies) {
      out.append(indent + 2, ' ');
      styled("remedy: ", green);
      styled(remedy.words, {});
      out += '\n';
    }
  }
  void blank() { out += '\n'; }
  std::string take() { return std::move(out); }

  static constexpr std::string_view bold = "1", dim = "2", red = "31",
                                    green = "32";

private:
  void styled(std::string_view text, std::string_view style) {
    bool on = color && !style.empty();
    if (on)
      out += "\x1b[" + std::string(style) + "m";
    out += plainWord(text);
    if (on)
      out += "\x1b[0m";
  }

  const Lookup &lookup;
  bool color;
  std::string out;
};

} // namespace

std::string renderText(const trace::Trace &trace,
                       const Explanation &explanation, bool color) {
  Lookup lookup(trace);
  Page page(lookup, color);
  page.explanation(explanation, 0, Page::bold);
  return page.take();
}

//===--- The report -------------------------------------------------------===//

static std::string statusWords(const trace::Function &function) {
  switch (function.status) {
  case trace::FunctionStatus::traced:
  case trace::FunctionStatus::declaration:
    return {};
  case trace::FunctionStatus::notProcessed:
    return ": skipped, the pass runs on func.func only";
  case trace::FunctionStatus::rejected:
    return ": rejected";
  case trace::FunctionStatus::crashedStage:
    return ": skipped, a stage died on it";
  case trace::FunctionStatus::skipped:
    return ": skipped";
  }
  return {};
}

/// What thousands of memrefs share that one dealloc_helper call deallocates.
static void renderHelperCall(const Lookup &lookup, Id call,
                             const std::vector<Id> &memrefs, Page &page) {
  constexpr size_t width = 90;
  Explanation shared = explainEvent(lookup, call);
  shared.sentence = "at the end of " +
                    lookup.endName(lookup.event(call)->block) + ", " +
                    shared.sentence;
  page.explanation(shared, 2);
  page.line(4, "explain FILE:LINE:COL tells more of each of these " +
                   counted(memrefs.size(), "memref") + ":");
  std::string names;
  for (Id memref : memrefs) {
    names += (names.empty() ? "" : ", ") + lookup.name(memref) +
             lookup.at(lookup.rangeOfValue(memref));
    if (names.size() < width && memref != memrefs.back())
      continue;
    page.line(6, names);
    names.clear();
  }
}

static void renderBuffers(const Lookup &lookup, const std::vector<Id> &buffers,
                          Page &page) {
  // As many as go through one call are told of together.
  constexpr size_t many = 16;
  if (buffers.empty())
    page.line(2, "no buffers");
  std::vector<Fate> fates;
  std::map<Id, std::vector<Id>> byCall;
  for (Id buffer : buffers) {
    fates.push_back(explainFate(lookup, buffer));
    if (fates.back().helperCall != none)
      byCall[fates.back().helperCall].push_back(buffer);
  }
  std::map<Id, std::vector<Id>> byLoop;
  std::map<Id, Id> loopOf;
  for (Id buffer : buffers)
    if (Id loop = carrierOf(lookup, fateAsNamed(lookup, buffer));
        loop != none) {
      byLoop[loop].push_back(buffer);
      loopOf[buffer] = loop;
    }
  // One decision may concern several buffers.
  std::set<std::string> said;
  std::set<Id> told;
  for (const Fate &fate : fates) {
    if (auto loop = loopOf.find(fate.value);
        loop != loopOf.end() && byLoop[loop->second].size() > 1) {
      if (told.insert(loop->second).second)
        page.line(2, carriedWords(lookup, loop->second, byLoop[loop->second]));
      continue;
    }
    if (auto shared = byCall.find(fate.helperCall);
        shared != byCall.end() && shared->second.size() >= many) {
      if (told.insert(fate.helperCall).second)
        renderHelperCall(lookup, fate.helperCall, shared->second, page);
      continue;
    }
    page.line(2, fate.headline);
    for (const Explanation &step : fate.steps)
      if (said.insert(step.sentence).second)
        page.explanation(step, 4);
  }
}

/// `tensor`: that the function is not bufferized; null if it is.
static void renderFunction(const Lookup &lookup,
                           const trace::Function &function,
                           const trace::Value *tensor, Page &page) {
  page.line(0,
            "@" + function.title() +
                lookup.at(function.nameRange.empty() ? function.range
                                                     : function.nameRange) +
                statusWords(function),
            Page::bold);
  if (function.upstreamReadsFreedMemory)
    page.line(2, std::string(readsFreedWords) +
                     "; shown is what the mended pass gives");
  for (Id id : lookup.eventsOfFunction(function.id))
    if (Explanation why = explainRejection(lookup, id); !why.empty())
      page.explanation(why, 2, Page::red);
  if (tensor)
    page.explanation({.sentence = "%" + tensor->name +
                                  " is a tensor: only buffers are deallocated",
                      .evidence = {},
                      .remedies = {tensorRemedy}},
                     2);
  for (const Explanation &result : placementOfResults(lookup, function.id))
    page.explanation(result, 2);
  renderBuffers(lookup, buffersOf(lookup, function.id), page);
  page.blank();
}

static void renderProblem(const Lookup &lookup, const trace::Problem &problem,
                          unsigned indent, Page &page) {
  std::string position = lookup.position(problem.range);
  page.line(indent,
            (position.empty() ? "" : position + ": ") +
                std::string(trace::nameOf(problem.severity)) + ": " +
                problem.message,
            problem.severity == trace::Severity::error ? Page::red
                                                       : std::string_view());
  if (!problem.remedy.empty())
    page.line(indent + 2, "remedy: " + problem.remedy);
  for (const trace::Problem &note : problem.notes)
    renderProblem(lookup, note, indent + 2, page);
}

static void renderFunctions(const Lookup &lookup, const ReportOptions &options,
                            Page &page) {
  const auto tensors = firstTensors(lookup);
  for (const trace::Function &function : lookup.getTrace().functions) {
    auto tensor = tensors.find(function.id);
    if (function.status != trace::FunctionStatus::declaration &&
        (options.function.empty() || function.isCalled(options.function)))
      renderFunction(lookup, function,
                     tensor == tensors.end() ? nullptr : tensor->second, page);
  }
}

std::string renderFunctions(const trace::Trace &trace,
                            const ReportOptions &options, Totals &totals) {
  Lookup lookup(trace);
  Page page(lookup, options.color);
  renderFunctions(lookup, options, page);
  totals += totalsOf(lookup, options.function);
  return page.take();
}

std::string renderReport(const trace::Trace &trace,
                         const ReportOptions &options) {
  Lookup lookup(trace);
  Page page(lookup, options.color);
  renderFunctions(lookup, options, page);
  if (!trace.problems.empty()) {
    page.line(0, "problems", Page::bold);
    for (const trace::Problem &problem : trace.problems)
      renderProblem(lookup, problem, 2, page);
    page.blank();
  }
  page.line(0, totalsLine(totalsOf(lookup, options.function)));
  return page.take();
}

} // namespace memreflens
