//===- viewer/state/Facts.cpp - what was recorded about a function, as rows
//-----===//

#include "viewer/state/Facts.h"

#include "core/explain/DecisionText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/Words.h"
#include "core/text/Escape.h"
#include "core/trace/Names.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace memreflens::viewer {

const char *nameOf(FactKind kind) {
  constexpr const char *names[] = {"Deallocs",    "Liveness",
                                   "Signatures",  "Aliases",
                                   "Alias pairs", "Rejections and costs"};
  return names[int(kind)];
}

namespace {
class Collector {
public:
  Collector(const Program &program, Id function, Id moment, Id value)
      : program(program), lookup(program.lookup), function(function),
        moment(moment), value(value) {}

  FactTable collect(FactKind kind) {
    constexpr const char *dealloc[] = {"dealloc",   "at",    "list",    "value",
                                       "indicator", "so if", "because", "now"};
    constexpr const char *live[] = {"block", "set", "value", "kept alive by"};
    constexpr const char *signature[] = {"indicator", "memref", "as", "at",
                                         "position"};
    constexpr const char *alias[] = {"first", "second",     "same buffer",
                                     "rule",  "first from", "second from"};
    constexpr const char *pair[] = {"value",   "with",       "same buffer",
                                    "rule",    "value from", "with from",
                                    "asked at"};
    constexpr const char *finding[] = {"kind", "at", "what", "do"};
    auto head = [&](const auto &names) {
      table.columns.assign(std::begin(names), std::end(names));
    };
    switch (kind) {
    case FactKind::deallocs:
      head(dealloc);
      break;
    case FactKind::liveness:
      head(live);
      break;
    case FactKind::signatures:
      head(signature);
      break;
    case FactKind::aliases:
      head(alias);
      break;
    case FactKind::pairs:
      head(pair);
      moment = std::numeric_limits<Id>::max();
      addPairs();
      break;
    case FactKind::findings:
      head(finding);
      moment = std::numeric_limits<Id>::max();
      addProblems();
    }
    for (Id id : lookup.eventsOfFunction(function))
      if (id <= moment)
        add(kind, program.trace.events[size_t(id)]);
    for (Fact &fact : table.rows)
      for (std::string &cell : fact.cells)
        cell = visibleText(cell);
    return std::move(table);
  }

private:
  void add(FactKind kind, const trace::Event &event) {
    using namespace trace;
    if (kind == FactKind::deallocs)
      if (const auto *detail = std::get_if<DeallocEvent>(&event.detail))
        addDealloc(event, *detail);
    if (kind == FactKind::liveness)
      if (const auto *detail = std::get_if<LivenessEvent>(&event.detail))
        addLiveness(event, *detail);
    if (kind == FactKind::signatures)
      if (const auto *detail = std::get_if<SignatureEvent>(&event.detail))
        addSignature(event, *detail);
    if (kind == FactKind::aliases)
      if (const auto *detail = std::get_if<RewriteEvent>(&event.detail))
        for (const AliasFact &fact : detail->facts)
          addAlias(event, fact);
    if (kind == FactKind::findings)
      addFinding(event);
  }

  std::string placeOf(const trace::Event &event) const {
    std::string text = event.block == none ? "" : lookup.blockName(event.block);
    return text + lookup.at(lookup.rangeOfOp(event.op));
  }
  Fact fact(const trace::Event &event, Id value) const {
    return {{}, event.id, value, {value, event.value}, 0};
  }
  std::string nameOrNone(Id value) const {
    return value == none ? "" : lookup.name(value);
  }

  //===--- Deallocs ---===//

  /// What became of it up to this moment.
  std::string fateOf(Id dealloc) const {
    size_t rewrites = 0;
    for (Id id : lookup.rewritesOf(dealloc))
      rewrites += id <= moment;
    std::string text = rewrites ? counted(rewrites, "rewrite") : "";
    for (Id id : lookup.loweringsOf(dealloc))
      if (id <= moment)
        if (const auto *detail = std::get_if<trace::LoweringEvent>(
                &program.trace.events[size_t(id)].detail))
          text += (text.empty() ? "lowered: " : ", lowered: ") +
                  std::string(trace::nameOf(detail->lowering));
    return text;
  }

  void addDealloc(const trace::Event &event,
                  const trace::DeallocEvent &dealloc) {
    std::string number = "#" + std::to_string(dealloc.dealloc);
    std::string place = placeOf(event), now = fateOf(dealloc.dealloc);
    if (dealloc.edge >= 0)
      place += ", successor " + std::to_string(dealloc.edge);
    for (size_t i = 0; i < dealloc.memrefs.size(); ++i) {
      Id condition =
          i < dealloc.conditions.size() ? dealloc.conditions[i] : none;
      Fact row = fact(event, dealloc.memrefs[i]);
      row.about.push_back(condition);
      row.cells = {
          number,
          place,
          "memref",
          lookup.name(dealloc.memrefs[i]),
          nameOrNone(condition),
          condition == none ? "" : indicatorExpression(lookup, condition),
          condition == none ? "" : explainIndicator(lookup, condition).sentence,
          now};
      table.rows.push_back(std::move(row));
    }
    addRetained(event, dealloc, {number, place, "retained"}, now);
  }

  void addRetained(const trace::Event &event,
                   const trace::DeallocEvent &dealloc,
                   const std::vector<std::string> &head,
                   const std::string &now) {
    for (size_t i = 0; i < dealloc.retained.size(); ++i) {
      Id value = dealloc.retained[i];
      Id result = i < dealloc.results.size() ? dealloc.results[i] : none;
      Fact row = fact(event, value);
      row.about.push_back(result);
      std::string why;
      for (Id id : lookup.retainsOf(event.id))
        if (const trace::Event *retain = lookup.event(id);
            retain && retain->value == value) {
          why = explainEvent(lookup, id).sentence;
          row.event = id;
        }
      row.cells = head;
      row.cells.insert(
          row.cells.end(),
          {lookup.name(value), nameOrNone(result),
           result == none ? "" : indicatorExpression(lookup, result), why,
           now});
      table.rows.push_back(std::move(row));
    }
  }

  //===--- The others ---===//

  void addLiveness(const trace::Event &event,
                   const trace::LivenessEvent &detail) {
    std::string block = lookup.blockName(event.block);
    for (Id value : detail.liveIn) {
      table.rows.push_back(fact(event, value));
      table.rows.back().cells = {block, "live-in", lookup.name(value), ""};
    }
    for (size_t i = 0; i < detail.liveOut.size(); ++i) {
      Id by = i < detail.keptAliveBy.size() ? detail.keptAliveBy[i] : none;
      table.rows.push_back(fact(event, detail.liveOut[i]));
      table.rows.back().cells = {block, "live-out",
                                 lookup.name(detail.liveOut[i]),
                                 by == none ? "" : lookup.opAt(by)};
    }
  }

  void addSignature(const trace::Event &event,
                    const trace::SignatureEvent &detail) {
    Fact row = fact(event, event.value);
    row.about.push_back(detail.indicator);
    row.cells = {nameOrNone(detail.indicator), nameOrNone(event.value),
                 std::string(trace::nameOf(detail.part)), placeOf(event),
                 detail.position < 0 ? "" : std::to_string(detail.position)};
    table.rows.push_back(std::move(row));
  }

  void addAlias(const trace::Event &event, const trace::AliasFact &alias) {
    Fact row = fact(event, alias.first);
    row.about = {alias.first, alias.second};
    row.cells = {lookup.name(alias.first),
                 lookup.name(alias.second),
                 std::string(trace::nameOf(alias.answer)),
                 std::string(trace::nameOf(alias.rule)),
                 names(lookup, alias.firstTerminals),
                 names(lookup, alias.secondTerminals)};
    table.rows.push_back(std::move(row));
  }

  /// What is known of the value and each other one of the function.
  void addPairs() {
    if (!lookup.value(value))
      return;
    struct Answer {
      const trace::AliasFact *fact;
      Id event;
    };
    std::map<Id, Answer> answers;
    for (Id id : lookup.eventsOfFunction(function))
      if (const auto *rewrite = std::get_if<trace::RewriteEvent>(
              &program.trace.events[size_t(id)].detail))
        for (const trace::AliasFact &fact : rewrite->facts)
          if (fact.first == value || fact.second == value)
            answers[fact.first == value ? fact.second : fact.first] = {&fact,
                                                                       id};
    std::set<Id> others(lookup.memrefsOf(function).begin(),
                        lookup.memrefsOf(function).end());
    for (const auto &[other, answer] : answers)
      others.insert(other);
    others.erase(value);
    for (Id other : others) {
      Fact row{{lookup.name(value), lookup.name(other)},
               none,
               other,
               {value, other},
               0};
      auto found = answers.find(other);
      if (found == answers.end()) {
        // The trace holds the questions of the simplification, and no more.
        row.cells.insert(
            row.cells.end(),
            {"not asked", "the trace holds no answer", "", "", ""});
      } else {
        const trace::AliasFact &fact = *found->second.fact;
        bool isFirst = fact.first == value;
        row.event = found->second.event;
        row.cells.insert(row.cells.end(),
                         {std::string(trace::nameOf(fact.answer)),
                          std::string(trace::nameOf(fact.rule)),
                          names(lookup, isFirst ? fact.firstTerminals
                                                : fact.secondTerminals),
                          names(lookup, isFirst ? fact.secondTerminals
                                                : fact.firstTerminals),
                          "decision " + std::to_string(row.event)});
      }
      table.rows.push_back(std::move(row));
    }
  }

  void addProblems() {
    for (const trace::Problem &problem : program.trace.problems)
      if (problem.function == function) {
        Fact row;
        row.cells = {std::string(trace::nameOf(problem.severity)),
                     lookup.position(problem.range), problem.message,
                     problem.remedy};
        row.offset = problem.range.begin;
        table.rows.push_back(std::move(row));
      }
  }

  /// Rejections, and what costs something when the program runs.
  void addFinding(const trace::Event &event) {
    using namespace trace;
    const char *kind = nullptr;
    if (std::holds_alternative<RejectionEvent>(event.detail))
      kind = "rejected";
    if (const auto *clone = std::get_if<CloneEvent>(&event.detail);
        clone && !lookup.isErased(event.op))
      kind = "copy";
    if (const auto *lowering = std::get_if<LoweringEvent>(&event.detail)) {
      if (lowering->lowering == LoweringCase::libraryFunction)
        kind = "helper call";
      else if (!lowering->compared.empty())
        kind = "pointer check";
    }
    if (!kind)
      return;
    Explanation words = explainEvent(lookup, event.id);
    Fact row = fact(event, event.value);
    std::string remedies;
    for (const Advice &remedy : words.remedies)
      remedies += (remedies.empty() ? "" : "; ") + remedy.words;
    row.cells = {kind, placeOf(event), words.sentence, remedies};
    table.rows.push_back(std::move(row));
  }

  const Program &program;
  const Lookup &lookup;
  Id function, moment, value;
  FactTable table;
};
} // namespace

FactTable factsOf(const Program &program, Id function, FactKind kind, Id moment,
                  Id value) {
  return Collector(program, function, moment, value).collect(kind);
}

bool matches(const Fact &fact, std::string_view filter) {
  while (!filter.empty()) {
    size_t end = std::min(filter.find(' '), filter.size());
    std::string_view word = filter.substr(0, end);
    filter.remove_prefix(std::min(filter.size(), end + 1));
    bool isThere = std::ranges::any_of(fact.cells, [&](const auto &cell) {
      return cell.find(word) != cell.npos;
    });
    if (!isThere)
      return false;
  }
  return true;
}

std::string tabbed(const FactTable &table, const std::vector<size_t> &rows) {
  std::string text;
  for (const char *column : table.columns)
    text += (text.empty() ? "" : "\t") + std::string(column);
  text += "\n";
  for (size_t row : rows) {
    bool isFirst = true;
    for (const std::string &cell : table.rows[row].cells) {
      text += (isFirst ? "" : "\t") + cell;
      isFirst = false;
    }
    text += "\n";
  }
  return text;
}

} // namespace memreflens::viewer
