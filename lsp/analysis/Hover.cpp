//===- lsp/analysis/Hover.cpp - who owns what is under the cursor ---------===//
//
//   `%data`: deallocated [at the end of `^join`](...) if `%own_data`
//   `%own_data` is a block argument of `^join`: true via `^copy` (9:3), ...
//   cause: `@f` returns its argument `%input` (2:29); costs 1 clone
//   ---
//   - 9:3 facts, each with its place; a client with memrefLens.showEvidence
//     has a link to them in their place
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/Features.h"

#include "core/causes/Overview.h"
#include "core/execute/RunTables.h"
#include "core/explain/AliasText.h"
#include "core/explain/FateText.h"
#include "core/explain/OpText.h"
#include "core/explain/PositionText.h"
#include "core/explain/RejectionText.h"
#include "core/explain/TotalsText.h"
#include "core/explain/Words.h"
#include "core/text/LineIndex.h"
#include "lsp/analysis/Findings.h"
#include "lsp/analysis/Markup.h"
#include "lsp/analysis/Protocol.h"

#include <algorithm>

namespace memreflens::lsp {

using trace::Id;
using trace::none;

/// The link to the evidence is one more.
static constexpr size_t mostLines = 4;
/// Between what is short, what is behind it, and what else there is to tell.
static constexpr const char *rule = "\n---\n\n";

namespace {
/// The verdict and its reasons first, in a few lines; then all facts.
class Writer {
public:
  explicit Writer(const View &view) : markup(view) {}

  bool isSaid(const std::string &sentence) const {
    return std::ranges::find(all, sentence, &Explanation::sentence) !=
           all.end();
  }
  void add(Explanation explanation) {
    if (!explanation.empty() && !isSaid(explanation.sentence))
      all.push_back(std::move(explanation));
  }
  /// Behind the first `at` sentences; what is said further down moves there.
  void insert(size_t at, Explanation explanation) {
    const auto known =
        std::ranges::find(all, explanation.sentence, &Explanation::sentence);
    if (known == all.end())
      all.insert(all.begin() + long(at), std::move(explanation));
    else if (known > all.begin() + long(at))
      std::rotate(all.begin() + long(at), known, known + 1);
  }
  bool isEmpty() const { return all.empty(); }

  /// `toEvidence` is the target of a link in the place of the facts; empty for
  /// the facts, which stand below `between`.
  std::string take(const std::string &toEvidence, const char *between) const {
    std::vector<std::string> head, facts;
    for (const Explanation &told : all)
      if (head.size() < mostLines)
        head.push_back(markup.text(told.sentence, told.places));
    for (const Explanation &told : all)
      for (const Advice &remedy : told.remedies)
        (head.size() < mostLines ? head : facts)
            .push_back("→ " + markup.text(remedy.words));
    for (size_t i = 0; i < all.size(); ++i) {
      if (i >= mostLines)
        facts.push_back(markup.text(all[i].sentence, all[i].places));
      for (const Evidence &fact : all[i].evidence)
        facts.push_back((i >= mostLines ? inner : "") +
                        markup.place(fact.range) + markup.text(fact.text));
    }
    if (!facts.empty() && !toEvidence.empty()) {
      head.push_back("[evidence: " + counted(facts.size(), "line") + "](" +
                     toEvidence + ")");
      facts.clear();
    }
    const bool isMarkdown = markup.isMarkdown();
    std::string text;
    for (const std::string &line : head)
      text += line + (isMarkdown ? "  \n" : "\n");
    if (!facts.empty() && isMarkdown)
      text += between;
    for (const std::string &line : facts)
      text += isMarkdown && line.starts_with(inner)
                  ? line.substr(0, 2) + "- " + line.substr(2) + "\n"
                  : (isMarkdown ? "- " : "  ") + line + "\n";
    return text;
  }

private:
  /// A fact of the sentence above it.
  static constexpr const char *inner = "  ";

  const Markup markup;
  std::vector<Explanation> all;
};
} // namespace

/// Function whose `@name` stands here.
static Id functionNamedAt(const View &view, uint32_t offset) {
  for (Id id : view.functions()) {
    const trace::Function &function = view.trace().functions[size_t(id)];
    if (function.nameRange.contains(offset))
      return id;
  }
  return none;
}

static void addFunction(const View &view, Id function, Writer &writer) {
  // A declaration has none of what is counted.
  if (view.trace().functions[size_t(function)].status ==
      trace::FunctionStatus::declaration)
    return;
  Explanation totals;
  totals.sentence = totalsLine(totalsOf(view.lookup(), function));
  writer.add(totals);
  for (Id event : view.lookup().eventsOfFunction(function))
    writer.add(explainRejection(view.lookup(), event));
  for (Id buffer : toldBuffersOf(view.lookup(), function)) {
    FateText fate = explainFate(view.lookup(), buffer);
    writer.add({fate.headline, {}, {}, fate.places});
  }
}

/// Op whose name stands here.
static Id opNamedAt(const View &view, uint32_t offset) {
  const trace::Index &index = view.lookup().getIndex();
  Id id = index.valueAt(offset) == none ? index.opAt(offset) : none;
  bool isNamed =
      id != none && view.trace().ops[size_t(id)].nameRange.contains(offset);
  return isNamed ? id : none;
}

/// What the sentences are about, for the client to mark.
static trace::Range rangeAt(const View &view, uint32_t offset) {
  const trace::Index &index = view.lookup().getIndex();
  if (Id id = index.valueAt(offset); id != none) {
    const trace::Value &value = view.trace().values[size_t(id)];
    for (trace::Range use : value.uses)
      if (use.begin <= offset && offset <= use.end)
        return use;
    return value.range;
  }
  Id id = opNamedAt(view, offset);
  return id == none ? trace::Range() : view.trace().ops[size_t(id)].nameRange;
}

/// Whether a memref, or an op that may access one, is under the cursor.
static bool hoversAccess(const View &view, uint32_t offset) {
  auto isMemref = [&](Id id) {
    return id != none && view.trace().values[size_t(id)].isMemref;
  };
  Id op = opNamedAt(view, offset);
  return op == none ? isMemref(view.lookup().getIndex().valueAt(offset))
                    : std::ranges::any_of(view.trace().ops[size_t(op)].operands,
                                          isMemref);
}

/// What is under the cursor may be, and may touch.
static void addAliases(const View &view, uint32_t offset, Writer &writer) {
  const trace::Index &index = view.lookup().getIndex();
  const trace::FunctionAliases *aliases =
      aliasesOf(view.trace(), index.functionAt(offset));
  if (!aliases)
    return;
  if (Id value = index.valueAt(offset); value != none)
    writer.add(explainAliases(view.lookup(), *aliases, value));
  else
    writer.add(explainAccess(view.lookup(), *aliases, index.opAt(offset)));
}

/// What the pass makes of such an op, unless its rejection is told already.
static void addFacts(const View &view, uint32_t offset,
                     const trace::OpFacts &facts, Writer &writer) {
  const Lookup &lookup = view.lookup();
  const trace::OpCondition *rejection = rejectionIn(facts);
  const Id op = lookup.getIndex().opAt(offset);
  auto isTold = [&](Id id) {
    const trace::Event &event = *lookup.event(id);
    const auto *told = std::get_if<trace::RejectionEvent>(&event.detail);
    const trace::Op *at = told ? lookup.op(event.op) : nullptr;
    return at && (at->id == op || at->origin == op) &&
           told->message == rejection->message;
  };
  const trace::Op *known = lookup.op(op);
  if (rejection && known &&
      std::ranges::any_of(lookup.eventsOfFunction(
                              lookup.getIndex().functionOfBlock(known->block)),
                          isTold))
    return;
  writer.add(explainOp(facts));
}

//===--- What it costs, and why -------------------------------------------===//

/// Whether the pass did with the buffer what the event is about.
static bool isAbout(const Lookup &lookup, const trace::Event &event,
                    Id buffer) {
  if (event.value == buffer)
    return true;
  if (const auto *clone = std::get_if<trace::CloneEvent>(&event.detail))
    return clone->result == buffer;
  return std::holds_alternative<trace::LoweringEvent>(event.detail) &&
         lookup.loweredBy(event).positions.contains(buffer);
}

/// Whether the event is about the value or the op under the cursor.
static bool isAbout(const View &view, Id id, uint32_t offset) {
  const Lookup &lookup = view.lookup();
  const trace::Event *event = lookup.event(id);
  if (!event)
    return false;
  if (Id value = lookup.getIndex().valueAt(offset); value != none)
    return isAbout(lookup, *event, lookup.heirOf(value));
  const Id op = opNamedAt(view, offset);
  return op != none && lookup.rangeOfOp(event->op) == lookup.rangeOfOp(op);
}

static Id functionAround(const View &view, uint32_t offset) {
  const Id named = functionNamedAt(view, offset);
  return named != none ? named : view.lookup().getIndex().functionAt(offset);
}

/// What is behind that which is found here; of a function that is rejected, and
/// on a function's name, what leads there. Null for nothing.
static const Cause *causeAt(const View &view, const FileReport &report,
                            uint32_t offset) {
  const trace::Function *function =
      view.lookup().function(functionAround(view, offset));
  if (!function)
    return nullptr;
  if (function->status == trace::FunctionStatus::rejected ||
      functionNamedAt(view, offset) != none)
    return leadingCause(report, function->title());
  const Cause *late = nullptr;
  for (const Finding &finding : report.findings) {
    if (finding.cause < 0 || severityOf(finding, view.options) == 0 ||
        !isAbout(view, finding.event, offset))
      continue;
    const Cause &cause = report.causes[size_t(finding.cause)];
    // Where something else costs, that comes first.
    if (cause.kind != CauseKind::blockEnd &&
        cause.kind != CauseKind::lastUseUnknown)
      return &cause;
    late = late ? late : &cause;
  }
  return late;
}

static Explanation causeWords(const Cause &cause) {
  const std::string costs = costsText(cause.kind, cause.costs);
  return {"cause: " + placedSentence(cause) +
              (costs.empty() ? "" : "; costs " + costs),
          {},
          {}};
}

/// Behind the verdict, if there is one, its reasons come second.
static void addReasons(const View &view, const FileReport *report,
                       uint32_t offset, Writer &writer) {
  if (writer.isEmpty())
    return;
  size_t at = 1;
  if (Id value = view.lookup().getIndex().valueAt(offset); value != none)
    if (Explanation origin = originOfOwnership(view.lookup(), value, offset);
        !origin.empty())
      writer.insert(at++, std::move(origin));
  const Cause *cause = report ? causeAt(view, *report, offset) : nullptr;
  if (cause && !writer.isSaid(cause->sentence))
    writer.insert(at, causeWords(*cause));
}

/// To memrefLens.showEvidence of the client; empty where it has none.
static std::string evidenceLink(const View &view, Position position) {
  if (!view.options.markdown || !view.options.evidenceCommand)
    return {};
  return commandLink("memrefLens.showEvidence", view.uri, position);
}

namespace {
/// What a hover is made of, each null where there is none.
struct Sources {
  /// The unit's alias view, if what is hovered is an access or a memref.
  const View *aliases = nullptr;
  /// Of the op whose name is hovered.
  const trace::OpFacts *facts = nullptr;
  const FileReport *report = nullptr;
};
} // namespace

static std::optional<Hover> hoverAt(const View &view, Position position,
                                    const Sources &sources) {
  const uint32_t offset = view.offsetOf(position);
  Writer writer(view);
  if (Id function = functionNamedAt(view, offset); function != none)
    addFunction(view, function, writer);
  else
    for (Explanation &found : explainAt(view.lookup(), offset))
      writer.add(std::move(found));
  if (sources.facts)
    addFacts(view, offset, *sources.facts, writer);
  addReasons(view, sources.report, offset, writer);
  std::string text = writer.take(evidenceLink(view, position), rule);
  if (sources.aliases) {
    // Its places are of a trace of its own.
    Writer more(*sources.aliases);
    addAliases(*sources.aliases, sources.aliases->offsetOf(position), more);
    std::string told = more.take({}, "\n");
    const char *between = view.options.markdown ? rule : "\n";
    text += (text.empty() || told.empty() ? "" : between) + told;
  }
  if (text.empty())
    return std::nullopt;
  Hover hover = {std::move(text), view.options.markdown, std::nullopt};
  if (trace::Range range = rangeAt(view, offset); !range.empty())
    hover.range = view.toRange(range);
  return hover;
}

/// In place of what is not known yet, on a name of a value.
static std::optional<Hover> unfinishedHover(const Document &document,
                                            const ServerOptions &options,
                                            Position at) {
  std::string_view line = document.lines.line(document.text, at.line);
  auto isName = [&](size_t i) {
    return std::isalnum(static_cast<unsigned char>(line[i])) != 0 ||
           std::string_view("_$.-%").find(line[i]) != std::string_view::npos;
  };
  size_t begin =
      std::min(bytesOf(line, at.character, options.encoding), line.size());
  while (begin > 0 && isName(begin - 1) &&
         (begin == line.size() || line[begin] != '%'))
    --begin;
  if (begin == line.size() || line[begin] != '%')
    return std::nullopt;
  return Hover{"memref-lens is still analysing this function; who owns this "
               "is told here once that is done.\n",
               options.markdown, std::nullopt, /*isUnfinished=*/true};
}

/// While the function is at work: what the ownership pass decided, once it did.
static std::optional<Hover> earlyHover(Analyst &analyst, Document &document,
                                       const Unit &unit, Position at) {
  const Batch *early = Scheduler::earlyTraceOf(document, unit);
  if (!early)
    return unfinishedHover(document, analyst.options, at);
  const View view{document.uri, *early, analyst.options,
                  early->find(unit.key)->range};
  const uint32_t offset = view.offsetOf(at);
  Writer writer(view);
  writer.add(ownershipAt(view.lookup(), offset));
  if (writer.isEmpty())
    return unfinishedHover(document, analyst.options, at);
  return Hover{writer.take({}, "\n") + "\nmemref-lens is still analysing this "
                                       "function; what becomes of this "
                                       "is told here once that is done.\n",
               analyst.options.markdown, view.toRange(rangeAt(view, offset)),
               /*isUnfinished=*/true};
}

/// Null where findings are not wanted.
static const FileReport *reportAbout(const Analyst &analyst, Document &document,
                                     const Unit &unit) {
  const auto at = document.traces.find(unit.key);
  return analyst.options.findings.enabled && at != document.traces.end()
             ? &at->second->findings()
             : nullptr;
}

//===--- What a run counted -----------------------------------------------===//

/// Of the op under the cursor, or that makes the value there; -1 for none.
static int64_t beginOfOp(const View &view, uint32_t offset) {
  const trace::Index &index = view.lookup().getIndex();
  Id op = opNamedAt(view, offset);
  if (Id value = index.valueAt(offset); value != none)
    op = view.trace().values[size_t(value)].op;
  const trace::Op *found = view.lookup().op(op);
  if (!found || found->range.empty())
    return -1;
  return index.beginOf(op);
}

/// "in one run: `%a` allocated 40x, 1 KiB each, deallocated 39x"; of the
/// function that ran, on its name, how it ended.
static void addRun(const View &view, const Document &document,
                   const execute::Record &record, uint32_t offset,
                   Writer &writer) {
  if (Id id = functionNamedAt(view, offset); id != none) {
    if (view.trace().functions[size_t(id)].name != record.entry)
      return;
    writer.add({"in one run: " + verdictOf(record), {}, {}});
    for (const execute::Fault &fault : record.faults)
      writer.add({textOf(record, fault), {}, {}});
    return;
  }
  const int64_t begin = beginOfOp(view, offset);
  if (begin < 0)
    return;
  // As `run` counts lines: a lone CR ends none.
  const size_t there = document.lines.offsetOf(
      document.text, view.position(uint32_t(begin)), view.options.encoding);
  const LineColumn at = LineIndex(document.text).lineColumn(uint32_t(there));
  for (const std::string &note : notesAt(record, at.line, at.column))
    writer.add({"in one run: " + note, {}, {}});
}

static std::string runText(Request &request, const View &view) {
  std::string why;
  const execute::Record *record = request.analyst.runOf(*request.document, why);
  if (!record)
    return {};
  Writer writer(view);
  addRun(view, *request.document, *record, view.offsetOf(request.position),
         writer);
  return writer.take({}, "\n");
}

std::optional<Hover> onHover(Request &request) {
  Analyst &analyst = request.analyst;
  Document &document = *request.document;
  Position at = request.position;
  const Unit *unit = analyst.documents.unitAt(document, at.line);
  if (unit && analyst.scheduler.isComing(document, *unit))
    return earlyHover(analyst, document, *unit, at);
  std::optional<View> view =
      unit ? viewOf(analyst, document, *unit) : std::nullopt;
  if (!view)
    return std::nullopt;
  const uint32_t offset = view->offsetOf(at);
  const bool isAccess = hoversAccess(*view, offset);
  const bool isOp = opNamedAt(*view, offset) != none;
  std::shared_ptr<const UnitRun> kept;
  std::optional<View> input;
  if (isAccess || isOp) {
    kept = analyst.soloRuns.keptInput(document, *unit);
    input.emplace(View{document.uri, *kept->batch, analyst.options,
                       SoloRuns::placeAlone(*unit).range});
  }
  std::optional<Hover> found =
      hoverAt(*view, at,
              {.aliases = isAccess ? &*input : nullptr,
               .facts = isOp ? kept->factsAt(input->offsetOf(at)) : nullptr,
               .report = reportAbout(analyst, document, *unit)});
  if (std::string told = runText(request, *view); !told.empty()) {
    const char *between = analyst.options.markdown ? rule : "\n";
    if (found)
      found->text += between + told;
    else
      found = Hover{std::move(told), analyst.options.markdown, std::nullopt};
  }
  if (found && view->batch.isChunkParsed() && isAnyBroken(document))
    found->text +=
        "\nThis function parses; another part of the file does not.\n";
  return found;
}

} // namespace memreflens::lsp
