//===- tests/explain/ClaimDump.cpp - what explanations claim, as data -----===//
//
// For run_claims.py: one line of JSON for each claim of the traces given as
// files, from the same functions that the sentences are made by. Values are
// named as in the stages' texts, which are printed too.
//
//   {"trace":0,"kind":"indicator","function":"f","value":"own_x","constant":-1,
//    "complete":true,"sources":[["true",1],["own_a",-1]]}
//
//===----------------------------------------------------------------------===//

#include "core/explain/AliasText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/FateHeadline.h"
#include "core/explain/FateText.h"
#include "core/explain/IndicatorText.h"
#include "core/trace/Json.h"
#include "core/trace/Plan.h"
#include "core/trace/StageTexts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace memreflens;
using json = nlohmann::ordered_json;
using trace::Id;
using trace::none;

namespace {

class Dump {
public:
  Dump(const trace::Trace &trace, int number)
      : lookup(trace), trace(trace), number(number) {}

  void texts() {
    const int pass = trace::placementStage(trace.options);
    trace::StageTexts all(trace);
    for (const trace::Chunk &chunk : trace.chunks) {
      if (chunk.stages.empty())
        continue;
      for (int stage : {pass, chunk.stages.back().number})
        if (auto text = all.get(chunk.id, stage))
          print({{"kind", "text"},
                 {"chunk", chunk.id},
                 {"stage", stage},
                 {"text", std::string(*text)}});
    }
  }

  void function(const trace::Function &of) {
    in = &of;
    print({{"kind", "function"}});
    for (Id id : lookup.eventsOfFunction(of.id)) {
      const trace::Event &event = *lookup.event(id);
      if (auto *detail = std::get_if<trace::SignatureEvent>(&event.detail))
        indicator(event, *detail);
      if (auto *detail = std::get_if<trace::DeallocEvent>(&event.detail))
        dealloc(*detail);
      if (auto *detail = std::get_if<trace::RewriteEvent>(&event.detail))
        for (const trace::AliasFact &fact : detail->facts) {
          origins(fact.first, fact.firstTerminals);
          origins(fact.second, fact.secondTerminals);
        }
    }
    for (Id memref : buffersOf(lookup, of.id))
      buffer(memref);
    if (const trace::FunctionAliases *view = aliasesOf(trace, of.id))
      aliases(*view);
  }

private:
  void print(json claim) {
    claim["trace"] = number;
    if (in) {
      claim["chunk"] = in->chunk;
      claim["function"] = in->name;
    }
    std::cout << claim.dump(-1, ' ', false, json::error_handler_t::replace)
              << '\n';
  }

  std::string nameOf(Id value) const {
    return value == none ? "" : lookup.value(value)->name;
  }

  json namesOf(const trace::List<Id> &values) const {
    json names = json::array();
    for (Id value : values)
      names.push_back(nameOf(value));
    return names;
  }

  /// "may come from %a or %b"
  void origins(Id memref, const trace::List<Id> &terminals) {
    if (!terminals.empty())
      print({{"kind", "origin"},
             {"value", nameOf(lookup.bufferOf(memref))},
             {"from", namesOf(terminals)}});
  }

  void indicator(const trace::Event &event,
                 const trace::SignatureEvent &detail) {
    using Part = trace::SignaturePart;
    if (detail.part != Part::blockArgument &&
        detail.part != Part::regionOpResult)
      return;
    IndicatorSources from = lookup.sourcesOf(event.id);
    json sources = json::array();
    for (const IndicatorSource &source : from.all) {
      const trace::Event &passed = *lookup.event(source.event);
      Id given = std::get<trace::SignatureEvent>(passed.detail).indicator;
      sources.push_back({nameOf(given), lookup.constantOf(given)});
    }
    print({{"kind", "indicator"},
           {"value", nameOf(detail.indicator)},
           {"constant", lookup.constantOf(detail.indicator)},
           {"expression", indicatorExpression(lookup, detail.indicator)},
           {"complete", from.isComplete},
           {"sources", sources}});
  }

  /// The dealloc as it stands in the text of the ownership pass, and for each
  /// i1 that it gives how it is told.
  void dealloc(const trace::DeallocEvent &detail) {
    json results = json::array();
    for (Id result : detail.results)
      results.push_back({nameOf(result), lookup.constantOf(result)});
    print({{"kind", "dealloc"},
           {"bases", namesOf(detail.bases)},
           {"conditions", namesOf(detail.conditions)},
           {"memrefs", namesOf(detail.memrefs)},
           {"retained", namesOf(detail.retained)},
           {"edge", detail.edge},
           {"results", results}});
  }

  /// The value that is told to stand in its place; empty if none is.
  std::string replacedBy(const trace::Fate &fate) const {
    Id last = none;
    return fate.goneBeforePass &&
                   !replacementsOf(lookup, fate.value, last).empty()
               ? nameOf(last)
               : "";
  }

  void buffer(Id memref) {
    const trace::Fate fate = fateAsNamed(lookup, memref);
    json frees = json::array(), listed = json::array();
    for (const trace::Freed &freed : fate.frees) {
      Id condition = conditionOfFree(lookup, freed);
      frees.push_back(
          {{"dealloc", freed.dealloc},
           {"removed", lookup.isRemoved(freed)},
           {"condition", condition == none
                             ? json("true")
                             : json(indicatorExpression(lookup, condition))},
           {"compared", freed.compared.size()},
           {"helper",
            freed.lowering == trace::LoweringCase::libraryFunction &&
                !isFirstOfHelper(lookup, *lookup.event(freed.event), memref)}});
    }
    for (const trace::Listed &at : fate.listed) {
      const auto &detail =
          std::get<trace::DeallocEvent>(lookup.event(at.event)->detail);
      Id condition = lookup.withoutEdge(at.condition, at.edge);
      listed.push_back({{"dealloc", at.dealloc},
                        {"base", nameOf(detail.bases[at.position])},
                        {"condition", nameOf(detail.conditions[at.position])},
                        {"expression", indicatorExpression(lookup, condition)},
                        {"constant", lookup.constantOf(condition)},
                        {"retained", isRetainedBy(lookup, fate, at.dealloc)},
                        {"edge", at.edge}});
    }
    json returned = json::array();
    for (const trace::Passed &passed : fate.returned)
      returned.push_back(nameOf(passed.as));
    print({{"kind", "buffer"},
           {"value", nameOf(memref)},
           {"replacedBy", replacedBy(fate)},
           {"heir", nameOf(lookup.heirOf(memref))},
           {"source", int(fate.source)},
           {"seen", std::ranges::any_of(lookup.eventsOfValue(fate.value),
                                        [&](Id id) {
                                          return lookup.event(id)->stage ==
                                                 trace::placementStage(
                                                     trace.options);
                                        })},
           {"gone", fate.goneBeforePass || !fate.removedBy.empty()},
           {"mayBeOwned", mayBeOwned(lookup, fate)},
           {"headline", fateHeadline(lookup, fate)},
           {"frees", frees},
           {"listed", listed},
           {"returned", returned}});
  }

  void aliases(const trace::FunctionAliases &view) {
    json names = json::array(), sources = json::array();
    for (const trace::MemrefSources &memref : view.memrefs) {
      names.push_back(nameOf(memref.value));
      json from = json::array();
      for (size_t i = 0; i < memref.sources.size(); ++i)
        from.push_back({nameOf(memref.sources[i]),
                        i < memref.kinds.size() &&
                            memref.kinds[i] == trace::SourceKind::allocation});
      sources.push_back(from);
    }
    std::string verdicts;
    for (const trace::AliasPair &pair : view.pairs)
      verdicts += "=?."[int(verdictOf(view, pair))];
    print({{"kind", "aliases"},
           {"memrefs", names},
           {"sources", sources},
           {"verdicts", verdicts}});
  }

  Lookup lookup;
  const trace::Trace &trace;
  int number;
  const trace::Function *in = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  for (int number = 1; number < argc; ++number) {
    std::ifstream file(argv[number]);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    trace::ReadResult read = trace::readJson(text);
    if (!read) {
      std::cerr << argv[number] << ": " << read.error << '\n';
      return 1;
    }
    Dump dump(*read.trace, number - 1);
    dump.texts();
    for (const trace::Function &function : read.trace->functions)
      if (function.status == trace::FunctionStatus::traced)
        dump.function(function);
  }
  return 0;
}
