//===- viewer/state/Anchor.cpp - a place by its names ---------------------===//

#include "viewer/state/Anchor.h"

#include "core/trace/Names.h"
#include "core/trace/Plan.h"

#include <algorithm>

namespace memreflens::viewer {

static std::string textOf(const Program &program, const trace::Event &event) {
  return std::to_string(event.stage) + " " + std::string(trace::kindOf(event)) +
         " " + program.lookup.name(event.value) + " " +
         program.lookup.blockName(event.block);
}

static Id functionOf(const Program &program, Id value) {
  return program.lookup.getIndex().functionOfValue(value);
}

Anchor anchorOf(const Program &program, const Place &place) {
  const Lookup &lookup = program.lookup;
  Anchor anchor;
  anchor.stage = place.stage;
  if (const trace::Function *function = lookup.function(place.function)) {
    anchor.function = function->name;
    for (Id id = 0; id < place.function; ++id)
      anchor.functionCopy +=
          program.trace.functions[size_t(id)].name == function->name;
  }
  if (const trace::Value *value = lookup.value(place.value)) {
    anchor.value = value->name;
    for (Id id = 0; id < place.value; ++id)
      anchor.valueCopy +=
          program.trace.values[size_t(id)].name == value->name &&
          functionOf(program, id) == place.function;
  }
  if (const trace::Event *event = lookup.event(place.event)) {
    anchor.event = textOf(program, *event);
    for (Id id : lookup.eventsOfFunction(place.function))
      anchor.eventCopy +=
          id < place.event &&
          textOf(program, program.trace.events[size_t(id)]) == anchor.event;
  }
  return anchor;
}

Place placeOf(const Program &program, const Anchor &anchor) {
  const trace::Trace &trace = program.trace;
  Place place;
  place.stage = anchor.stage == trace::tensorCopiesStage
                    ? anchor.stage
                    : std::clamp(anchor.stage, 0,
                                 trace::lastStage(program.trace.options));
  // The last one that there is, where there are fewer than there were.
  int copy = anchor.functionCopy;
  for (const trace::Function &function : trace.functions)
    if (function.name == anchor.function && copy-- >= 0)
      place.function = function.id;
  copy = anchor.valueCopy;
  if (place.function != none && !anchor.value.empty())
    for (const trace::Value &value : trace.values)
      if (value.name == anchor.value &&
          functionOf(program, value.id) == place.function && copy-- >= 0)
        place.value = value.id;
  copy = anchor.eventCopy;
  for (Id id : program.lookup.eventsOfFunction(place.function))
    if (!anchor.event.empty() && copy >= 0 &&
        textOf(program, trace.events[size_t(id)]) == anchor.event) {
      place.event = id;
      --copy;
    }
  return place;
}

} // namespace memreflens::viewer
