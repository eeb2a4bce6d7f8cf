//===- core/query/Names.cpp -----------------------------------------------===//

#include "core/query/Names.h"
#include "core/text/Comments.h"
#include "core/trace/Steps.h"

#include <algorithm>
#include <string_view>

namespace memreflens {

using trace::Id;
using trace::none;

Names::Names(const trace::Trace &trace, Places places)
    : Elements(trace), places(places) {}

std::string Names::name(Id id) const {
  const trace::Value *known = value(id);
  if (!known)
    return "a value that is not in the trace";
  return known->name.empty() ? "an unnamed value" : "%" + known->name;
}

std::string Names::endName(Id id) const {
  return blockName(passBlocks.endOf(id));
}

trace::Range Names::rangeOfBlockEnd(Id id) const {
  const trace::Block *known = block(id);
  const trace::Op *last =
      known && !known->ops.empty() ? op(known->ops.back()) : nullptr;
  if (!last)
    return {};
  if (!last->range.empty())
    return last->nameRange.empty() ? last->range : last->nameRange;
  uint32_t at = 0;
  for (Id id : known->ops)
    if (const trace::Op *one = op(id); one && !one->generated)
      at = std::max(at, one->range.end);
  const std::string_view text = trace.source.text;
  while (at > 0 && at < text.size() && text[at] != '}')
    if (text.substr(at).starts_with("//"))
      at = uint32_t(endOfComment(text, at));
    else
      ++at;
  return at > 0 && at < text.size() ? trace::Range{at, at + 1} : trace::Range();
}

trace::Range Names::rangeOfEnd(Id id) const {
  return rangeOfBlockEnd(passBlocks.endOf(id));
}

/// As MLIR names it: "the before region"; of other ops by its number.
static std::string regionWords(std::string_view op, size_t region,
                               size_t count) {
  if (op == "scf.while" && region < 2)
    return region == 0 ? "the before region" : "the after region";
  if ((op == "scf.if" || op == "affine.if") && region < 2)
    return region == 0 ? "the then region" : "the else region";
  return count > 1 ? "region " + std::to_string(region) : "the body";
}

std::string Names::blockName(Id id) const {
  const trace::Block *known = block(passBlocks.beginOf(id));
  // What a region of another op held may stand in this block now.
  if (const trace::Block *own = block(id); own && known) {
    const trace::Op *around = op(own->parentOp);
    const trace::Op *written = op(known->parentOp);
    if (around && written && around->name != written->name && own->isEntry)
      known = own;
  }
  if (!known || known->name.empty())
    return "the block";
  // Every nested region may have its own ^bb0.
  const trace::Op *parent = op(known->parentOp);
  const trace::Function *home = function(known->function);
  if (!known->isEntry || !parent || !home || home->op == known->parentOp)
    return known->name;
  // Regions of an op that a stage made are known by their blocks only.
  size_t regions = parent->regions.size();
  for (Id at : blocksBelow(parent->id))
    regions = std::max<size_t>(regions, block(at)->region + 1);
  return regionWords(parent->name, known->region, regions) + " of " +
         parent->name + at(rangeOfOp(parent->id));
}

std::string Names::opName(Id id) const {
  const trace::Op *known = op(id);
  return known && !known->name.empty() ? known->name.str() : "an op";
}

std::string Names::position(trace::Range range) const {
  if (range.empty() || places == Places::notTold)
    return {};
  LineColumn place = lines.lineColumn(range.begin);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string Names::at(trace::Range range) const {
  const std::string place = position(range);
  return place.empty() ? place : " (" + place + ")";
}

trace::Range Names::rangeOfOp(Id id) const {
  return trace::shownRangeOf(trace, id);
}

trace::Range Names::rangeOfValue(Id id) const {
  const trace::Value *known = value(id);
  const trace::Value *made = known;
  for (int steps = 0; known && known->range.empty() && steps < 8; ++steps)
    known = value(known->standsFor);
  if (known)
    return known->range;
  return made && made->isMemref ? rangeOfOp(made->op) : trace::Range{};
}

} // namespace memreflens
