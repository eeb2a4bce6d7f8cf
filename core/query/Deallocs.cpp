//===- core/query/Deallocs.cpp --------------------------------------------===//

#include "core/query/Deallocs.h"
#include "core/trace/Steps.h"

#include <algorithm>
#include <mutex>

namespace memreflens {

using trace::Id;
using trace::none;

Deallocs::Deallocs(const trace::Trace &trace, Places places)
    : Ancestry(trace, places) {
  for (const trace::Event &event : trace.events) {
    if (auto *detail = std::get_if<trace::DeallocEvent>(&event.detail))
      noteDealloc(event.id, *detail);
    if (auto *detail = std::get_if<trace::RetainEvent>(&event.detail))
      retains[detail->dealloc].push_back(event.id);
    if (auto *detail = std::get_if<trace::RewriteEvent>(&event.detail))
      addRewrite(event, *detail);
    if (auto *detail = std::get_if<trace::LoweringEvent>(&event.detail))
      lowerings[detail->dealloc].push_back(event.id);
  }
  for (const auto &[pair, answer] : answers)
    if (answer == trace::SameAllocation::yes) {
      sameAs[pair.first].push_back(pair.second);
      sameAs[pair.second].push_back(pair.first);
    }
}

void Deallocs::noteDealloc(Id event, const trace::DeallocEvent &detail) {
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
void Deallocs::addProved(const trace::RewriteEvent &detail) {
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

void Deallocs::addRewrite(const trace::Event &event,
                          const trace::RewriteEvent &detail) {
  if (event.stage > placementStage)
    addProved(detail);
  for (Id dealloc : detail.deallocs)
    rewrites[dealloc].push_back(event.id);
  for (const trace::AliasFact &fact : detail.facts)
    if (fact.answer != trace::SameAllocation::unknown)
      answers[std::minmax(bufferOf(fact.first), bufferOf(fact.second))] =
          fact.answer;
}

std::optional<DeallocSlot> Deallocs::deallocGiving(Id indicator) const {
  auto found = giving.find(indicator);
  if (found == giving.end())
    return std::nullopt;
  return found->second;
}

const Deallocs::Ids &Deallocs::retainsOf(Id deallocEvent) const {
  return idsAt(retains, deallocEvent);
}

const trace::Event *Deallocs::deallocEvent(Id number) const {
  auto found = deallocs.find(number);
  return found == deallocs.end() ? nullptr : event(found->second);
}

const Deallocs::Ids &Deallocs::rewritesOf(Id number) const {
  return idsAt(rewrites, number);
}

const Deallocs::Ids &Deallocs::loweringsOf(Id number) const {
  return idsAt(lowerings, number);
}

trace::SameAllocation Deallocs::sameAllocation(Id first, Id second) const {
  if (first == second)
    return trace::SameAllocation::yes;
  auto found = answers.find(std::minmax(first, second));
  return found == answers.end() ? trace::SameAllocation::unknown
                                : found->second;
}

bool Deallocs::isSurelyAmong(Id memref, const trace::List<Id> &others) const {
  auto isAmong = [&](Id one) {
    return std::ranges::find(others, one) != others.end();
  };
  return isAmong(memref) || std::ranges::any_of(idsAt(sameAs, memref), isAmong);
}

bool Deallocs::isListOfHelper(const trace::Event &lowering, Id buffer) const {
  const trace::Value *known = value(buffer);
  const trace::Op *maker = known ? op(known->op) : nullptr;
  return maker && maker->generated && maker->name == "memref.alloc" &&
         maker->origin == lowering.op;
}

/// Of what is kept once it was asked for, since a picture may be made in one
/// thread while another one writes sentences; one lock does for all.
static std::mutex answering;

const LoweredMemrefs &Deallocs::loweredBy(const trace::Event &lowering) const {
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

const std::vector<AboutBuffer> &Deallocs::factsAbout(Id buffer) const {
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

static bool isOtherFormOfOperand(const trace::Op *op) {
  return op &&
         (op->name == "memref.extract_strided_metadata" ||
          op->name == "memref.reinterpret_cast" || op->name == "memref.cast");
}

Id Deallocs::bufferOf(Id id) const {
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

int Deallocs::provedConstant(Id indicator) const {
  auto found = proved.find(indicator);
  return found == proved.end() ? -1 : found->second;
}

} // namespace memreflens
