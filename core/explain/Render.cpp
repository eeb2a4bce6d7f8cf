//===- core/explain/Render.cpp --------------------------------------------===//

#include "core/explain/Render.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/DecisionText.h"
#include "core/explain/FateHeadline.h"
#include "core/explain/PlacementText.h"
#include "core/explain/PlainText.h"
#include "core/explain/RejectionText.h"
#include "core/explain/TotalsText.h"
#include "core/explain/Words.h"
#include "core/trace/Names.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace memreflens {

using trace::Id;
using trace::none;

namespace {

/// Appends lines; knows colours and what must be escaped.
class Page {
public:
  Page(const Lookup &lookup, const ReportOptions &options)
      : lookup(lookup), color(options.color), tracks(options.tracksSentences) {}

  void line(unsigned indent, const Sentence &text,
            std::string_view style = {}) {
    out.append(indent, ' ');
    styled(text, style);
    endLine(text);
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
      endLine(fact.text);
    }
    for (const Advice &remedy : explanation.remedies) {
      out.append(indent + 2, ' ');
      styled("remedy: ", green);
      styled(remedy.words, {});
      endLine(remedy.words);
    }
  }
  void blank() { out += '\n'; }
  std::string take() { return std::move(out); }

  static constexpr std::string_view bold = "1", dim = "2", red = "31",
                                    green = "32";

private:
  void endLine(const Sentence &text) {
    if (tracks) {
      out += "  ";
      styled("[" + text.madeAt().text() + "]", dim);
    }
    out += '\n';
  }
  void styled(std::string_view text, std::string_view style) {
    bool on = color && !style.empty();
    if (on)
      out += "\x1b[" + std::string(style) + "m";
    out += plainWord(text);
    if (on)
      out += "\x1b[0m";
  }

  const Lookup &lookup;
  bool color, tracks;
  std::string out;
};

} // namespace

std::string renderText(const trace::Trace &trace,
                       const Explanation &explanation,
                       const ReportOptions &options) {
  Lookup lookup(trace);
  Page page(lookup, options);
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

//===--- Loops that swap buffers ------------------------------------------===//

namespace {
/// A loop that carries buffers and yields them in each other's places.
struct Swap {
  Id loop = none, yield = none;
  /// Arguments of its body that change places.
  std::vector<Id> arguments;
  /// The buffers that these begin with.
  std::vector<Id> sources;
  /// Calls of dealloc_helper over buffers that may be any of these, and how
  /// many of them are in the loop.
  size_t calls = 0, callsInside = 0;
};
} // namespace

/// One for each circle of places; nothing if the block is no body of a loop
/// that swaps buffers.
static std::vector<Swap> swapsIn(const Lookup &lookup,
                                 const trace::Block &body) {
  const trace::Op *loop = lookup.op(body.parentOp);
  const trace::Op *end =
      body.ops.empty() ? nullptr : lookup.op(body.ops.back());
  if (!loop || !end || loop->name != "scf.for" || end->name != "scf.yield" ||
      loop->operands.size() < end->operands.size() ||
      body.arguments.size() != end->operands.size() + 1)
    return {};
  const size_t count = end->operands.size();
  // For each place, the place whose argument is yielded to it. The first
  // argument is the induction variable.
  auto from = [&](size_t place) {
    const trace::Value *yielded = lookup.value(end->operands[place]);
    const bool isOwn = yielded && yielded->isMemref &&
                       yielded->kind == trace::ValueKind::argument &&
                       yielded->block == body.id && yielded->index > 0;
    return isOwn ? size_t(yielded->index) - 1 : count;
  };
  std::vector<Swap> found;
  std::vector<bool> wasSeen(count + 1);
  for (size_t first = 0; first < count; ++first) {
    Swap swap = {loop->id, end->id, {}, {}};
    size_t place = first;
    for (; place < count && !wasSeen[place]; place = from(place)) {
      wasSeen[place] = true;
      swap.arguments.push_back(body.arguments[place + 1]);
      swap.sources.push_back(
          loop->operands[loop->operands.size() - count + place]);
    }
    if (place == first && swap.arguments.size() > 1)
      found.push_back(std::move(swap));
  }
  return found;
}

/// A question of the simplification about one of them that stays open.
static bool isOpenFor(const Lookup &lookup, const trace::AliasFact &fact,
                      const std::set<Id> &ofLoop) {
  return fact.answer == trace::SameAllocation::unknown &&
         (ofLoop.contains(lookup.bufferOf(fact.first)) ||
          ofLoop.contains(lookup.bufferOf(fact.second)));
}

/// Whether the simplification could not tell a buffer of the loop's from others
/// when it was asked for the op.
static bool isForSwap(const Lookup &lookup, const trace::Event &lowering,
                      const std::set<Id> &ofLoop) {
  const auto &detail = std::get<trace::LoweringEvent>(lowering.detail);
  for (Id id : lookup.rewritesOf(detail.dealloc))
    for (const trace::AliasFact &fact :
         std::get<trace::RewriteEvent>(lookup.event(id)->detail).facts)
      if (isOpenFor(lookup, fact, ofLoop))
        return true;
  return false;
}

/// What changes places, and what comes of it.
static std::set<Id> valuesOf(const Lookup &lookup, const Swap &swap) {
  const trace::Op &loop = *lookup.op(swap.loop);
  std::set<Id> values(swap.arguments.begin(), swap.arguments.end());
  // Behind the loop each of them has any place.
  const trace::Block &body =
      *lookup.block(lookup.value(swap.arguments.front())->block);
  for (size_t i = 0;
       i < std::min(loop.results.size(), body.arguments.size() - 1); ++i)
    if (values.contains(body.arguments[i + 1]))
      values.insert(loop.results[i]);
  return values;
}

static void countCalls(const Lookup &lookup, Id function, Swap &swap) {
  const Id body = lookup.value(swap.arguments.front())->block;
  const std::set<Id> ofLoop = valuesOf(lookup, swap);
  for (Id id : lookup.eventsOfFunction(function)) {
    const trace::Event &event = *lookup.event(id);
    const auto *lowering = std::get_if<trace::LoweringEvent>(&event.detail);
    if (!lowering)
      continue;
    const auto calls = std::ranges::count_if(lowering->ops, [&](Id op) {
      return lookup.op(op) && lookup.op(op)->name == "func.call" &&
             !lookup.isErased(op);
    });
    if (calls == 0 || !isForSwap(lookup, event, ofLoop))
      continue;
    swap.calls += size_t(calls);
    if (lookup.getPassBlocks().endOf(event.block) == body)
      swap.callsInside += size_t(calls);
  }
}

/// "2 dealloc_helper calls, one in each iteration: %from and %to swap (14:5),
/// so either may be %ping or %pong".
static Sentence swapWords(const Lookup &lookup, const Swap &swap) {
  const bool isPair = swap.arguments.size() == 2;
  const std::string loop = lookup.opAt(swap.loop);
  std::string words = counted(swap.calls, "dealloc_helper call");
  if (swap.callsInside > 0)
    words +=
        swap.callsInside == swap.calls
            ? " in each iteration of " + loop
            : ", " +
                  (swap.callsInside == 1 ? std::string("one")
                                         : std::to_string(swap.callsInside)) +
                  " in each iteration of " + loop;
  return words + ": " + names(lookup, swap.arguments) +
         (isPair ? " swap" : " change places") +
         lookup.at(lookup.rangeOfOp(swap.yield)) + ", so " +
         (isPair ? "either" : "each") + " may be " +
         names(lookup, swap.sources, "or");
}

/// Which facts of a function were told: those of one event, and alias facts,
/// for which several rewrites may ask, whatever the event.
using ToldFacts = std::set<std::pair<Id, std::string>>;

/// Tells why the buffers of such loops may be one another, once for all of
/// them.
static void renderSwaps(const Lookup &lookup, const trace::Function &function,
                        ToldFacts &told, Page &page) {
  std::vector<Swap> swaps;
  for (const trace::Block &block : lookup.getTrace().blocks)
    if (block.function == function.id)
      std::ranges::move(swapsIn(lookup, block), std::back_inserter(swaps));
  for (Swap &swap : swaps) {
    countCalls(lookup, function.id, swap);
    if (swap.calls == 0)
      continue;
    page.line(2, swapWords(lookup, swap));
    const std::set<Id> ofLoop = valuesOf(lookup, swap);
    for (Id id : lookup.eventsOfFunction(function.id))
      if (const auto *rewrite =
              std::get_if<trace::RewriteEvent>(&lookup.event(id)->detail))
        for (const trace::AliasFact &fact : rewrite->facts)
          if (isOpenFor(lookup, fact, ofLoop))
            told.insert({none, aliasWords(lookup, fact)});
  }
}

//===--- Buffers ----------------------------------------------------------===//

/// Why the simplification left a check, which is about two buffers, and why a
/// dealloc retains one, are told for the first of the buffers only.
static void dropToldFacts(const Lookup &lookup, Explanation &step,
                          ToldFacts &told) {
  std::erase_if(step.evidence, [&](const Evidence &fact) {
    const trace::Event *event = lookup.event(fact.event);
    if (!event)
      return false;
    if (std::holds_alternative<trace::RewriteEvent>(event->detail))
      return !told.insert({none, fact.text}).second;
    return std::holds_alternative<trace::RetainEvent>(event->detail) &&
           !told.insert({event->id, fact.text}).second;
  });
}

static void renderBuffers(const Lookup &lookup, const std::vector<Id> &buffers,
                          ToldFacts &facts, Page &page) {
  // As many as go through one call are told of together.
  constexpr size_t many = 16;
  if (buffers.empty())
    page.line(2, "no buffers");
  std::vector<FateText> fates;
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
  for (const FateText &fate : fates) {
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
    for (Explanation step : fate.steps)
      if (said.insert(step.sentence).second) {
        dropToldFacts(lookup, step, facts);
        page.explanation(step, 4);
      }
  }
}

/// `tensor`: that the function is not bufferized; null if it is.
static void renderFunction(const Lookup &lookup,
                           const trace::Function &function,
                           const trace::Value *tensor, Page &page) {
  page.line(0,
            trace::symbolText(function.title()) +
                lookup.at(function.nameRange.empty() ? function.range
                                                     : function.nameRange) +
                statusWords(function),
            Page::bold);
  if (function.upstreamReadsFreedMemory)
    page.line(2, std::string(readsFreedWords) +
                     "; below is what the mended pass gives");
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
  ToldFacts told;
  renderSwaps(lookup, function, told, page);
  renderBuffers(lookup, toldBuffersOf(lookup, function.id), told, page);
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
  Page page(lookup, options);
  renderFunctions(lookup, options, page);
  totals += totalsOf(lookup, options.function);
  return page.take();
}

std::string renderTotals(const Totals &totals, const ReportOptions &options) {
  const trace::Trace none;
  const Lookup lookup(none);
  Page page(lookup, options);
  page.line(0, totalsLine(totals));
  return page.take();
}

std::string renderReport(const trace::Trace &trace,
                         const ReportOptions &options) {
  Lookup lookup(trace);
  Page page(lookup, options);
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
