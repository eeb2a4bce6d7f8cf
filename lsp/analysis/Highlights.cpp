//===- lsp/analysis/Highlights.cpp - all names of one buffer --------------===//
//
// On %a: %a, its views, the block arguments that it is passed to, and theirs.
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/Features.h"

#include "core/query/Fate.h"

#include <set>

namespace memreflens::lsp {

using namespace trace;

/// Names that a buffer gets directly: views of it, arguments that take it.
static std::vector<Id> namesFrom(const Fate &fate) {
  std::vector<Id> found = fate.views;
  for (const std::vector<Passed> *list :
       {&fate.forwarded, &fate.yielded, &fate.entering})
    for (const Passed &passed : *list)
      if (passed.argument != none)
        found.push_back(passed.argument);
  return found;
}

static std::set<Id> namesOfBuffer(const Lookup &lookup, Id value) {
  std::map<Id, std::vector<Id>> neighbours;
  Id function = lookup.getIndex().functionOfValue(value);
  for (Id memref : lookup.memrefsOf(function))
    for (Id other : namesFrom(fateOf(lookup.getIndex(), memref))) {
      neighbours[memref].push_back(other);
      neighbours[other].push_back(memref);
    }
  std::set<Id> found{value};
  std::vector<Id> todo{value};
  while (!todo.empty()) {
    Id at = todo.back();
    todo.pop_back();
    for (Id next : neighbours[at])
      if (found.insert(next).second)
        todo.push_back(next);
  }
  return found;
}

std::optional<std::vector<Highlight>> onHighlight(Request &request) {
  Document &document = *request.document;
  const Unit *unit =
      request.analyst.documents.unitAt(document, request.position.line);
  std::optional<View> view =
      unit ? viewOf(request.analyst, document, *unit) : std::nullopt;
  if (!view)
    return std::nullopt;
  Id id = view->lookup().getIndex().valueAt(view->offsetOf(request.position));
  if (id == none)
    return std::nullopt;
  const trace::Trace &trace = view->trace();
  std::set<Id> values{id};
  if (trace.values[size_t(id)].isMemref)
    values = namesOfBuffer(view->lookup(), id);
  std::vector<Highlight> highlights;
  for (Id one : values) {
    const Value &value = trace.values[size_t(one)];
    if (value.generated)
      continue;
    if (!value.range.empty())
      highlights.push_back({view->toRange(value.range), /*isDefinition=*/true});
    for (Range use : value.uses)
      highlights.push_back({view->toRange(use), /*isDefinition=*/false});
  }
  return highlights;
}

} // namespace memreflens::lsp
