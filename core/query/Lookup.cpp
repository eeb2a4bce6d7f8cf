//===- core/query/Lookup.cpp ----------------------------------------------===//

#include "core/query/Lookup.h"
#include "core/text/Comments.h"
#include "core/trace/Plan.h"
#include "core/trace/Steps.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <unordered_set>

namespace memreflens {

using trace::Id;
using trace::none;

template <class T>
static const T *elementAt(const std::vector<T> &elements, Id id) {
  return id >= 0 && size_t(id) < elements.size() ? &elements[id] : nullptr;
}

static const Lookup::Ids noIds;

template <class Key>
static const Lookup::Ids &idsAt(const std::map<Key, Lookup::Ids> &lists,
                                const Key &key) {
  auto found = lists.find(key);
  return found == lists.end() ? noIds : found->second;
}

Lookup::Lookup(const trace::Trace &trace, Places places)
    : trace(trace), places(places),
      placementStage(trace::placementStage(trace.options)),
      lines(trace.source.text), index(trace), passBlocks(trace) {
  for (const trace::Block &block : trace.blocks) {
    for (Id successor : passBlocks.successorsOf(block.id))
      ++edges[successor];
    if (block.parentOp != none)
      nested[block.parentOp].push_back(block.id);
  }
  for (const trace::Value &value : trace.values)
    if (value.isMemref)
      memrefs[index.functionOfValue(value.id)].push_back(value.id);
  addHeirs();
  for (const trace::Event &event : trace.events)
    addEvent(event);
  // The branches into a block are found by way of the deallocs' retains, so
  // they wait until all of these are known.
  for (const trace::Event &event : trace.events)
    if (auto *detail = std::get_if<trace::SignatureEvent>(&event.detail))
      addSignature(event, *detail);
  for (const auto &[pair, answer] : answers)
    if (answer == trace::SameAllocation::yes) {
      sameAs[pair.first].push_back(pair.second);
      sameAs[pair.second].push_back(pair.first);
    }
}

//===--- Filling ----------------------------------------------------------===//

/// Whether the pass that places deallocations came past it.
bool Lookup::wasSeen(Id id) const {
  return std::ranges::any_of(eventsOfValue(id), [&](Id event) {
    return trace.events[size_t(event)].stage == placementStage;
  });
}

/// Of a result that the pass did not see: what the same op gives under the same
/// location, having been made anew, if that is one only.
Id Lookup::heirAmongMade(const trace::Value &memref) const {
  const trace::Op *old = op(memref.op);
  if (!old || old->results.size() != 1)
    return none;
  if (old->name != "memref.realloc")
    return heirAmongMade(*old, old->name);
  // Expanded to an `scf.if` that gives the buffer, or, if it is known whether
  // its size grows, to what would be in that.
  for (std::string_view made :
       {"scf.if", "memref.alloc", "memref.reinterpret_cast"})
    if (Id heir = heirAmongMade(*old, made); heir != none)
      return heir;
  return none;
}

Id Lookup::heirAmongMade(const trace::Op &oldOp, std::string_view name) const {
  Id heir = none;
  for (Id id : index.generatedFor(oldOp.id)) {
    const trace::Op &made = trace.ops[size_t(id)];
    // What an `scf.if` that was folded held is in the block around it now.
    const bool isThere =
        made.block == oldOp.block ||
        std::ranges::any_of(eventsOfOp(id), [&](Id event) {
          return trace.events[size_t(event)].block == oldOp.block;
        });
    if (made.name != name || !isThere)
      continue;
    // Behind them the pass appends i1s; a result that is gone has no value.
    std::vector<Id> memrefs;
    std::ranges::copy_if(
        made.results, std::back_inserter(memrefs),
        [&](Id result) { return value(result) && value(result)->isMemref; });
    if (memrefs.size() != 1 || !wasSeen(memrefs.front()))
      continue;
    if (heir != none)
      return none;
    heir = memrefs.front();
  }
  return heir;
}

void Lookup::addHeirs() {
  auto add = [&](Id old, Id heir) {
    // Told of under the program's name: where it is, not what it is, changed.
    if (!isPromoted(old) && heirs.emplace(old, heir).second)
      ancestors.emplace(heir, old);
  };
  for (const trace::Value &value : trace.values)
    if (value.isMemref && !value.generated &&
        value.kind == trace::ValueKind::result && !wasSeen(value.id))
      if (Id heir = heirAmongMade(value); heir != none)
        add(value.id, heir);
  for (const trace::Value &value : trace.values) {
    const trace::Value *old = this->value(value.standsFor);
    if (value.isMemref && value.generated && old && old->isMemref &&
        !old->generated && wasSeen(value.id) && !wasSeen(old->id) &&
        (old->kind == value.kind ||
         (old->kind == trace::ValueKind::argument && old->name == value.name)))
      add(old->id, value.id);
  }
}

void Lookup::addEvent(const trace::Event &event) {
  if (std::holds_alternative<trace::LivenessEvent>(event.detail))
    liveness[event.block] = event.id;
  if (auto *detail = std::get_if<trace::DeallocEvent>(&event.detail))
    noteDealloc(event.id, *detail);
  if (auto *detail = std::get_if<trace::RetainEvent>(&event.detail))
    retains[detail->dealloc].push_back(event.id);
  if (auto *detail = std::get_if<trace::RewriteEvent>(&event.detail))
    addRewrite(event, *detail);
  if (auto *detail = std::get_if<trace::LoweringEvent>(&event.detail))
    lowerings[detail->dealloc].push_back(event.id);
}

void Lookup::noteDealloc(Id event, const trace::DeallocEvent &detail) {
  deallocs.emplace(detail.dealloc, event);
  for (size_t i = 0; i < detail.results.size(); ++i)
    giving[detail.results[i]] = {event, i};
  size_t bases = std::min(detail.bases.size(), detail.memrefs.size());
  for (size_t i = 0; i < bases; ++i)
    memrefOfBase[detail.bases[i]] = detail.memrefs[i];
}

/// Where a pattern takes a memref off the list that is retained, the result
/// goes on in an `arith.ori` with its condition: what it is then says nothing
/// of what the program sees.
void Lookup::addProved(const trace::RewriteEvent &detail) {
  if (std::ranges::any_of(detail.inserted, [&](Id id) {
        return op(id) && op(id)->name == "arith.ori";
      }))
    disjoined.insert(detail.deallocs.begin(), detail.deallocs.end());
  for (size_t i = 0; i < detail.replaced.size(); ++i) {
    const Id old = detail.replaced[i];
    const trace::Value *now = value(trace::replacementOf(detail, old));
    auto slot = giving.find(old);
    if (!now || now->constant < 0 || slot == giving.end())
      continue;
    const auto &made =
        std::get<trace::DeallocEvent>(this->event(slot->second.event)->detail);
    if (!disjoined.contains(made.dealloc))
      proved.emplace(old, now->constant);
  }
}

void Lookup::addRewrite(const trace::Event &event,
                        const trace::RewriteEvent &detail) {
  if (event.stage > placementStage)
    addProved(detail);
  if (event.stage > placementStage)
    erased.insert(detail.erased.begin(), detail.erased.end());
  if (event.stage < placementStage) {
    erasedBefore.insert(detail.erased.begin(), detail.erased.end());
    madeBefore.insert(detail.inserted.begin(), detail.inserted.end());
    for (size_t i = 0; i < detail.replaced.size(); ++i) {
      const trace::Value *old = value(detail.replaced[i]);
      const Id now = trace::replacementOf(detail, detail.replaced[i]);
      if (!old || !old->isMemref || now == none)
        continue;
      Ids names = namesBefore(old->id);
      // A block argument that was merged is what the new op stands for.
      const Id name = old->generated ? old->standsFor : old->id;
      if (value(name) && value(name)->isMemref && !value(name)->generated)
        names.push_back(name);
      Ids &all = replaced[now];
      all.insert(all.end(), names.begin(), names.end());
    }
  }
  for (Id dealloc : detail.deallocs)
    rewrites[dealloc].push_back(event.id);
  for (const trace::AliasFact &fact : detail.facts)
    if (fact.answer != trace::SameAllocation::unknown)
      answers[std::minmax(bufferOf(fact.first), bufferOf(fact.second))] =
          fact.answer;
}

void Lookup::addSignature(const trace::Event &event,
                          const trace::SignatureEvent &detail) {
  using trace::SignaturePart;
  if (detail.part == SignaturePart::regionOpResult ||
      detail.part == SignaturePart::callResult)
    signatures[detail.indicator] = event.id;
  if (detail.part == SignaturePart::blockArgument) {
    signatures[detail.indicator] = event.id;
    ranks[event.id] = int32_t(taken[event.block]++);
  }
  if (detail.part != SignaturePart::branchOperand)
    return;
  // Where the branch goes: what its dealloc retains for, or what the op says.
  Id successor = none;
  if (auto slot = deallocGiving(detail.indicator))
    for (Id retain : retainsOf(slot->event))
      successor =
          std::get<trace::RetainEvent>(trace.events[retain].detail).successor;
  const trace::Op *terminator = op(event.op);
  size_t edge = detail.edge < 0 ? 0 : size_t(detail.edge);
  if (successor == none && passBlocks.wasSeen(event.block))
    successor = passBlocks.target({event.block, int32_t(edge)});
  if (successor == none && terminator && edge < terminator->successors.size())
    successor = terminator->successors[edge];
  int32_t rank = int32_t(passed[{event.op, detail.edge}]++);
  if (successor != none)
    branches[{successor, rank}].push_back(event.id);
}

//===--- Elements and events ----------------------------------------------===//

const trace::Value *Lookup::value(Id id) const {
  return elementAt(trace.values, id);
}
const trace::Op *Lookup::op(Id id) const { return elementAt(trace.ops, id); }
const trace::Block *Lookup::block(Id id) const {
  return elementAt(trace.blocks, id);
}
const trace::Event *Lookup::event(Id id) const {
  return elementAt(trace.events, id);
}

const trace::Function *Lookup::function(Id id) const {
  return elementAt(trace.functions, id);
}

const trace::Function *Lookup::calleeOf(const trace::Op &call) const {
  const trace::Op *known = &call;
  for (int steps = 0;
       known && known->callee == none && known->generated && steps < 8; ++steps)
    known = op(known->origin);
  return known ? function(known->callee) : nullptr;
}

const trace::LivenessEvent *Lookup::livenessOf(Id id) const {
  auto found = liveness.find(id);
  return found == liveness.end() ? nullptr
                                 : std::get_if<trace::LivenessEvent>(
                                       &trace.events[found->second].detail);
}

const Lookup::Ids &Lookup::memrefsOf(Id function) const {
  return idsAt(memrefs, function);
}

//===--- Deallocs and indicators ------------------------------------------===//

std::optional<DeallocSlot> Lookup::deallocGiving(Id indicator) const {
  auto found = giving.find(indicator);
  if (found == giving.end())
    return std::nullopt;
  return found->second;
}

const Lookup::Ids &Lookup::retainsOf(Id deallocEvent) const {
  return idsAt(retains, deallocEvent);
}
const trace::Event *Lookup::deallocEvent(Id number) const {
  auto found = deallocs.find(number);
  return found == deallocs.end() ? nullptr : event(found->second);
}
const Lookup::Ids &Lookup::rewritesOf(Id number) const {
  return idsAt(rewrites, number);
}
const Lookup::Ids &Lookup::loweringsOf(Id number) const {
  return idsAt(lowerings, number);
}

Id Lookup::signatureOf(Id indicator) const {
  auto found = signatures.find(indicator);
  return found == signatures.end() ? none : found->second;
}

const Lookup::Ids &Lookup::branchesInto(Id signature) const {
  auto rank = ranks.find(signature);
  if (rank == ranks.end())
    return noIds;
  return idsAt(branches,
               std::pair(trace.events[signature].block, rank->second));
}

size_t Lookup::edgesInto(Id block) const {
  auto found = edges.find(block);
  return found == edges.end() ? 0 : found->second;
}

trace::SameAllocation Lookup::sameAllocation(Id first, Id second) const {
  if (first == second)
    return trace::SameAllocation::yes;
  auto found = answers.find(std::minmax(first, second));
  return found == answers.end() ? trace::SameAllocation::unknown
                                : found->second;
}

bool Lookup::isSurelyAmong(Id memref, const trace::List<Id> &others) const {
  auto isAmong = [&](Id one) {
    return std::ranges::find(others, one) != others.end();
  };
  return isAmong(memref) || std::ranges::any_of(idsAt(sameAs, memref), isAmong);
}

static bool isOtherFormOfOperand(const trace::Op *op) {
  return op &&
         (op->name == "memref.extract_strided_metadata" ||
          op->name == "memref.reinterpret_cast" || op->name == "memref.cast");
}

bool Lookup::isListOfHelper(const trace::Event &lowering, Id buffer) const {
  const trace::Value *known = value(buffer);
  const trace::Op *maker = known ? op(known->op) : nullptr;
  return maker && maker->generated && maker->name == "memref.alloc" &&
         maker->origin == lowering.op;
}

/// Of what is kept once it was asked for, since a picture may be made in one
/// thread while another one writes sentences; one lock does for all.
static std::mutex answering;

const LoweredMemrefs &Lookup::loweredBy(const trace::Event &lowering) const {
  std::lock_guard<std::mutex> lock(answering);
  auto [entry, isNew] = lowered.try_emplace(lowering.id);
  LoweredMemrefs &made = entry->second;
  const auto *detail = std::get_if<trace::LoweringEvent>(&lowering.detail);
  if (!isNew || !detail)
    return made;
  std::unordered_set<Id> freed, others;
  for (Id memref : detail->freed) {
    const Id buffer = bufferOf(memref);
    freed.insert(buffer);
    if (isListOfHelper(lowering, buffer))
      continue;
    const size_t before = made.positions.size();
    made.positions.try_emplace(buffer, made.freed.size(), before);
    made.freed.push_back(buffer);
  }
  for (Id memref : detail->compared)
    if (const Id buffer = bufferOf(memref); !freed.contains(buffer)) {
      made.others.push_back(buffer);
      others.insert(buffer);
    }
  // Where nothing was compared, there may be many lowerings, and many retains.
  if (!others.empty())
    for (Id dealloc : index.eventsOfDealloc(detail->dealloc))
      for (Id retain : retainsOf(dealloc))
        if (others.contains(event(retain)->value))
          made.retains.push_back(retain);
  if (lowering.op == none)
    return made;
  auto [rewritten, isFirst] = rewrittenOps.try_emplace(detail->dealloc);
  if (isFirst)
    for (Id rewrite : rewritesOf(detail->dealloc))
      rewritten->second.insert(event(rewrite)->op);
  made.hasQuestions = rewritten->second.contains(lowering.op);
  return made;
}

const std::vector<AboutBuffer> &Lookup::factsAbout(Id buffer) const {
  static const std::vector<AboutBuffer> nothing;
  std::lock_guard<std::mutex> lock(answering);
  if (!factsByBuffer) {
    factsByBuffer.emplace();
    for (const trace::Event &event : trace.events)
      if (const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail))
        for (const trace::AliasFact &fact : rewrite->facts) {
          const Id first = bufferOf(fact.first), second = bufferOf(fact.second);
          (*factsByBuffer)[first].push_back({event.id, &fact});
          if (second != first)
            (*factsByBuffer)[second].push_back({event.id, &fact});
        }
  }
  auto known = factsByBuffer->find(buffer);
  return known == factsByBuffer->end() ? nothing : known->second;
}

Id Lookup::bufferOf(Id id) const {
  for (int steps = 0; steps < 64; ++steps) {
    const trace::Value *known = value(id);
    if (!known || !known->generated)
      return id;
    if (auto listed = memrefOfBase.find(id);
        listed != memrefOfBase.end() && listed->second != id) {
      id = listed->second;
      continue;
    }
    const trace::Op *definer = op(known->op);
    if (!isOtherFormOfOperand(definer))
      return id;
    Id next = known->standsFor;
    // What bufferization made stands for a tensor, which is no buffer.
    const trace::Value *named = value(next);
    if ((!named || !named->isMemref) && !definer->operands.empty())
      next = definer->operands.front();
    if (next == none)
      return id;
    id = next;
  }
  return id;
}

bool Lookup::reachesPass(Id id) const {
  const trace::Op *known = op(id);
  return known && !erasedBefore.contains(id) &&
         (!known->generated || madeBefore.contains(id));
}

Id Lookup::heirOf(Id value) const {
  auto found = heirs.find(value);
  return found == heirs.end() ? value : found->second;
}

bool Lookup::isPromoted(Id value) const {
  return std::ranges::any_of(eventsOfValue(value), [&](Id id) {
    const auto *move =
        std::get_if<trace::MoveEvent>(&trace.events[size_t(id)].detail);
    return move && move->outcome == trace::MoveOutcome::promoted;
  });
}

int Lookup::provedConstant(Id indicator) const {
  auto found = proved.find(indicator);
  return found == proved.end() ? -1 : found->second;
}

const Lookup::Ids &Lookup::namesBefore(Id value) const {
  return idsAt(replaced, value);
}

Id Lookup::ancestorOf(Id value) const {
  auto found = ancestors.find(value);
  return found == ancestors.end() ? none : found->second;
}

//===--- As written -------------------------------------------------------===//

std::string Lookup::name(Id id) const {
  const trace::Value *known = value(id);
  if (!known)
    return "a value that is not in the trace";
  return known->name.empty() ? "an unnamed value" : "%" + known->name;
}

std::string Lookup::endName(Id id) const {
  return blockName(passBlocks.endOf(id));
}

trace::Range Lookup::rangeOfBlockEnd(Id id) const {
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

trace::Range Lookup::rangeOfEnd(Id id) const {
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

std::string Lookup::blockName(Id id) const {
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
  if (auto all = nested.find(parent->id); all != nested.end())
    for (Id at : all->second)
      regions = std::max<size_t>(regions, block(at)->region + 1);
  return regionWords(parent->name, known->region, regions) + " of " +
         parent->name + at(rangeOfOp(parent->id));
}

bool Lookup::isRemoved(const trace::Freed &freed) const {
  return !freed.ops.empty() &&
         std::ranges::all_of(freed.ops, [&](Id op) { return isErased(op); });
}

std::string Lookup::opName(Id id) const {
  const trace::Op *known = op(id);
  return known && !known->name.empty() ? known->name : "an op";
}

std::string Lookup::position(trace::Range range) const {
  if (range.empty() || places == Places::notTold)
    return {};
  LineColumn place = lines.lineColumn(range.begin);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string Lookup::at(trace::Range range) const {
  const std::string place = position(range);
  return place.empty() ? place : " (" + place + ")";
}

trace::Range Lookup::rangeOfOp(Id id) const {
  return trace::shownRangeOf(trace, id);
}

trace::Range Lookup::rangeOfValue(Id id) const {
  const trace::Value *known = value(id);
  const trace::Value *made = known;
  for (int steps = 0; known && known->range.empty() && steps < 8; ++steps)
    known = value(known->standsFor);
  if (known)
    return known->range;
  return made && made->isMemref ? rangeOfOp(made->op) : trace::Range{};
}

} // namespace memreflens
