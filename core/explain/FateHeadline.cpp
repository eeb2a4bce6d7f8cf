//===- core/explain/FateHeadline.cpp --------------------------------------===//

#include "core/explain/FateHeadline.h"
#include "core/explain/CostText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/DecisionText.h"
#include "core/explain/IndicatorText.h"
#include "core/explain/PlacementText.h"
#include "core/explain/Words.h"
#include "core/trace/Plan.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace memreflens {

using trace::BufferSource;
using trace::Id;
using trace::none;

//===--- The buffer -------------------------------------------------------===//

static std::string subject(const Lookup &lookup, Id id) {
  const trace::Value &value = *lookup.value(id);
  std::vector<std::string> facts;
  if (!value.range.empty())
    facts.push_back(lookup.position(value.range));
  else if (Id old = lookup.ancestorOf(id);
           old != none && lookup.name(old) == lookup.name(id))
    facts.push_back(lookup.position(lookup.rangeOfValue(old)));
  else if (old != none)
    facts.push_back("made for " + lookup.name(old) +
                    lookup.at(lookup.rangeOfValue(old)));
  else if (value.standsFor != none &&
           lookup.name(value.standsFor) == lookup.name(id) &&
           !lookup.rangeOfValue(id).empty())
    facts.push_back(lookup.position(lookup.rangeOfValue(id)));
  else if (value.standsFor != none)
    facts.push_back("made for " + lookup.name(value.standsFor) +
                    lookup.at(lookup.rangeOfValue(id)));
  else if (const trace::Op *op = lookup.op(value.op); op && op->origin != none)
    facts.push_back("made for " + lookup.opAt(op->origin));
  if (const trace::Value *old = lookup.value(lookup.ancestorOf(id));
      value.kind != trace::ValueKind::argument && old &&
      old->kind == trace::ValueKind::argument)
    facts.push_back("argument of " + lookup.blockName(old->block) +
                    ", merged by canonicalize into " + lookup.opName(value.op));
  std::erase(facts, std::string());
  std::string text = lookup.name(id);
  for (size_t i = 0; i < facts.size(); ++i)
    text += (i == 0 ? " (" : ", ") + facts[i];
  return facts.empty() ? text : text + ")";
}

//===--- Freed ------------------------------------------------------------===//

static std::string placeOfFree(const Lookup &lookup,
                               const trace::Freed &freed) {
  const trace::Event *listing = lookup.event(freed.listing);
  std::string edge = listing ? edgeOfDealloc(lookup, *listing) : "";
  return edge.empty() ? "at the end of " + lookup.endName(freed.block)
                      : "on the " + edge;
}

static std::string conditionWords(const Lookup &lookup, const trace::Fate &fate,
                                  const trace::Freed &freed) {
  Id condition = conditionOfFree(lookup, freed);
  if (condition == none)
    return {};
  std::string when = indicatorExpression(lookup, condition);
  return when == "true" ? std::string() : " if " + when;
}

/// The rewrite about this buffer that took the code out that would free it.
static const trace::RewriteEvent *
rewriteThatRemoved(const Lookup &lookup, const trace::Fate &fate,
                   const trace::Freed &freed) {
  for (const std::vector<Id> *events : {&fate.events, &fate.removedBy})
    for (Id id : *events) {
      const auto *rewrite =
          std::get_if<trace::RewriteEvent>(&lookup.event(id)->detail);
      if (rewrite && std::ranges::any_of(rewrite->erased, [&](Id op) {
            return std::ranges::find(freed.ops, op) != freed.ops.end();
          }))
        return rewrite;
    }
  return nullptr;
}

static constexpr const char *foundLater =
    ": a later stage proves that it is borrowed there";

/// Why the code that would free it is not there in the end.
static std::string removedFreeWords(const Lookup &lookup,
                                    const trace::Fate &fate,
                                    const trace::Freed &freed) {
  std::string place = placeOfFree(lookup, freed);
  if (const auto *rewrite = rewriteThatRemoved(lookup, fate, freed)) {
    size_t pairs =
        std::min(rewrite->replaced.size(), rewrite->replacements.size());
    for (size_t i = 0; i < pairs; ++i)
      if (rewrite->replacements[i] == fate.value)
        return "not deallocated " + place + ": it replaces its clone " +
               lookup.name(rewrite->replaced[i]);
    return "removed together with its dealloc";
  }
  return "not deallocated " + place +
         (isRetainedBy(lookup, fate, freed.dealloc) ? ": it is retained there"
                                                    : foundLater);
}

static std::string freeWords(const Lookup &lookup, const trace::Fate &fate,
                             const trace::Freed &freed) {
  if (lookup.isRemoved(freed))
    return removedFreeWords(lookup, fate, freed);
  std::string words = "deallocated " + placeOfFree(lookup, freed);
  const std::string when = conditionWords(lookup, fate, freed);
  if (isFirstOfHelper(lookup, *lookup.event(freed.event), fate.value))
    return words + " by dealloc_helper" + when;
  if (freed.lowering == trace::LoweringCase::libraryFunction)
    return words + " by dealloc_helper" + when +
           ", unless it aliases an earlier or retained memref";
  words += when;
  std::vector<Id> others;
  for (Id compared : freed.compared)
    if (Id buffer = lookup.bufferOf(compared); buffer != fate.value)
      others.push_back(buffer);
  if (!others.empty())
    words += " unless it is " + fewNames(lookup, others, "or") +
             " (run-time alias check)";
  return words;
}

//===--- Passed on --------------------------------------------------------===//

/// ", owned if %own_a": by the indicator that goes with it on that edge.
static std::string ownershipPassed(const Lookup &lookup,
                                   const trace::Fate &fate,
                                   const trace::Passed &passed) {
  for (Id id : fate.retained) {
    auto &retain = std::get<trace::RetainEvent>(lookup.event(id)->detail);
    const trace::Event *by = lookup.event(retain.dealloc);
    // A branch that canonicalize merged into another has that one's edges.
    const trace::Op *op = lookup.op(passed.op);
    bool isSameBranch = op && op->block == lookup.event(id)->block;
    if (retain.reason != trace::RetainReason::forwardedOperand || !by ||
        retain.successor != passed.block ||
        (isSameBranch && retain.edge >= 0 && retain.edge != passed.edge))
      continue;
    auto &dealloc = std::get<trace::DeallocEvent>(by->detail);
    auto at =
        std::find(dealloc.retained.begin(), dealloc.retained.end(), fate.value);
    size_t position = size_t(at - dealloc.retained.begin());
    if (position < dealloc.results.size())
      return ", " + ownershipWords(lookup, {trace::OwnershipState::unique,
                                            dealloc.results[position]});
  }
  return {};
}

static std::string forwardWords(const Lookup &lookup, const trace::Fate &of,
                                const trace::Passed &passed) {
  std::string words = "passed to " + lookup.blockName(passed.block);
  if (passed.argument != none)
    words += " as " + lookup.name(passed.argument);
  return words + ownershipPassed(lookup, of, passed);
}

static bool isConditionalCopy(const Lookup &lookup, Id copy) {
  const trace::Event *event = lookup.copyEventOf(copy);
  return event &&
         lookup.isConditional(std::get<trace::CloneEvent>(event->detail));
}

/// " through %a", of a buffer that goes by that name there.
static std::string throughWords(const Lookup &lookup, const trace::Fate &fate,
                                Id as) {
  return as == fate.value ? "" : " through " + lookup.name(as);
}

/// ", as itself if %pick, else as a clone".
static std::string passedAsClone(const Lookup &lookup, Id clone) {
  std::string as = "as the clone " + lookup.name(clone);
  if (!isConditionalCopy(lookup, clone))
    return " " + as;
  const auto &copy =
      std::get<trace::CloneEvent>(lookup.copyEventOf(clone)->detail);
  return ", as itself if " +
         indicatorExpression(lookup, copy.ownership.indicator) + ", else " + as;
}

static std::string returnWords(const Lookup &lookup, const trace::Fate &fate,
                               const trace::Passed &passed, Id as) {
  const trace::Op *op = lookup.op(passed.op);
  std::string at = op ? lookup.position(lookup.rangeOfOp(op->id)) : "";
  if (!at.empty())
    at = " at " + at;
  const trace::Block *block = op ? lookup.block(op->block) : nullptr;
  const trace::Function *function =
      block ? lookup.function(block->function) : nullptr;
  const trace::Event *copy = lookup.copyEventOf(passed.as);
  const bool isItself =
      copy && lookup.isNeverMade(std::get<trace::CloneEvent>(copy->detail));
  if (passed.as != as && passed.as != fate.value && !isItself)
    return "returned" + at +
           (as == fate.value ? passedAsClone(lookup, passed.as)
            : isConditionalCopy(lookup, passed.as)
                ? " through " + lookup.name(as) + " or its clone " +
                      lookup.name(passed.as)
                : " through the clone " + lookup.name(passed.as) + " of " +
                      lookup.name(as));
  const std::string through = throughWords(lookup, fate, as);
  if (function && function->dynamicOwnership)
    return "returned" + at + through + " with its ownership indicator";
  // No other pass makes sure that the caller may free what it gets.
  if (trace::stageOf(lookup.getTrace().options, trace::ownershipPass) < 0)
    return "returned" + at + through;
  return "returned" + at + through + "; the caller owns it";
}

static std::string yieldWords(const Lookup &lookup, const trace::Passed &passed,
                              Id as, Id value) {
  const trace::Op *op = lookup.op(passed.op);
  const trace::Block *block = op ? lookup.block(op->block) : nullptr;
  std::string through = as == value ? "" : " as " + lookup.name(as);
  if (!block || block->parentOp == none)
    return "yielded" + through;
  return "yielded" + through + " to " + lookup.opAt(block->parentOp);
}

/// What a stage made is not in the user's return or yield, but it is retained.
/// Where the buffer goes there under another name of its, that says it.
static void addRetained(const Lookup &lookup, const trace::Fate &fate,
                        const trace::Fate &of,
                        std::vector<std::string> &clauses) {
  auto leaves = [](const trace::Fate &known) {
    return !known.returned.empty() || !known.yielded.empty();
  };
  if (leaves(of) || leaves(fate) || std::ranges::any_of(of.views, [&](Id view) {
        return leaves(trace::fateOf(lookup.getIndex(), view));
      }))
    return;
  for (Id id : of.retained) {
    const trace::Event &event = *lookup.event(id);
    auto reason = std::get<trace::RetainEvent>(event.detail).reason;
    if (reason == trace::RetainReason::returned)
      clauses.push_back("returned; the caller owns it");
    if (reason == trace::RetainReason::yielded)
      clauses.push_back("yielded by " + lookup.endName(event.block));
  }
}

/// Whether canonicalize found that nobody comes to the op's block.
static bool isUnreached(const Lookup &lookup, Id id) {
  const trace::Op *op = lookup.op(id);
  auto isOfThePass = [&](Id event) {
    return !std::holds_alternative<trace::RewriteEvent>(
        lookup.event(event)->detail);
  };
  return op && op->block != none &&
         std::ranges::none_of(lookup.eventsOfOp(id), isOfThePass) &&
         lookup.getPassBlocks().holding(op->block) == none;
}

/// Where the pass saw branches take it that the program does not name it in.
static std::vector<trace::Passed> takenByBranches(const Lookup &lookup,
                                                  const trace::Fate &of) {
  std::vector<trace::Passed> found;
  for (Id id : of.retained) {
    const trace::Event &event = *lookup.event(id);
    const auto &retain = std::get<trace::RetainEvent>(event.detail);
    if (retain.reason == trace::RetainReason::forwardedOperand)
      found.push_back({.op = event.op,
                       .as = of.value,
                       .edge = retain.edge,
                       .block = retain.successor});
  }
  return found;
}

/// What becomes of the buffer, and of what is made of it without a copy.
static void addPassed(const Lookup &lookup, const trace::Fate &fate,
                      const trace::Fate &of, std::set<Id> &seen,
                      std::vector<std::string> &clauses) {
  if (!seen.insert(of.value).second || seen.size() > 64)
    return;
  for (const trace::Passed &passed :
       of.forwarded.empty() ? takenByBranches(lookup, of) : of.forwarded) {
    if (isPassedAsCopy(lookup, of.value, passed.op, passed.argument))
      continue;
    std::string words = forwardWords(lookup, of, passed);
    clauses.push_back(of.value == fate.value
                          ? words
                          : "as " + lookup.name(of.value) +
                                ", which may alias it, " + words);
  }
  const bool isSaid = isSaidToLeave(lookup, of.value);
  for (const trace::Passed &passed : of.returned) {
    if (isSaid || isUnreached(lookup, passed.op))
      continue;
    const bool isAgain =
        of.value != fate.value && passed.as == of.value &&
        std::ranges::any_of(fate.returned, [&](const trace::Passed &other) {
          return other.op == passed.op && other.as == fate.value;
        });
    clauses.push_back(isAgain ? "and there as " + lookup.name(of.value) + " too"
                              : returnWords(lookup, fate, passed, of.value));
  }
  addRetained(lookup, fate, of, clauses);
  for (const trace::Passed &passed : of.yielded)
    if (!isPassedAsCopy(lookup, of.value, passed.op, none))
      clauses.push_back(yieldWords(lookup, passed, of.value, fate.value));
  for (Id view : of.views)
    addPassed(lookup, fate, fateAsNamed(lookup, view), seen, clauses);
}

//===--- All of it --------------------------------------------------------===//

/// Whether the headline tells of a deallocation that may come about.
static bool isTold(const Lookup &lookup, const trace::Fate &fate,
                   const trace::Freed &freed) {
  const Id condition = conditionOfFree(lookup, freed);
  return (condition == none || lookup.constantOf(condition) != 0) &&
         (lookup.isRemoved(freed) ||
          !isRetainedBy(lookup, fate, freed.dealloc));
}

/// "never deallocated here", unless another clause says where it may be.
static std::string neverFreed(const Lookup &lookup, const trace::Fate &fate,
                              const std::string &text) {
  const bool mayBe =
      std::ranges::any_of(fate.frees, [&](const trace::Freed &freed) {
        return !lookup.isRemoved(freed) && isTold(lookup, fate, freed);
      });
  return mayBe ? std::string() : text;
}

static std::string sourceClause(const Lookup &lookup, const trace::Fate &fate) {
  const trace::Event *source = lookup.event(fate.sourceEvent);
  std::string op = source ? lookup.opName(source->op) : std::string("an op");
  switch (fate.source) {
  case BufferSource::stack:
    return "on the stack: its scope deallocates it";
  case BufferSource::manual:
    return "manual: the program deallocates it, the pass does not "
           "(bufferization.manual_deallocation)";
  case BufferSource::entryArgument:
    return "borrowed from the caller" +
           neverFreed(lookup, fate, ", never deallocated here");
  case BufferSource::borrowed:
    return "borrowed" + neverFreed(lookup, fate, ", never deallocated") + ": " +
           op + " passes no ownership to it";
  case BufferSource::unknown:
  case BufferSource::allocation:
  case BufferSource::blockArgument:
  case BufferSource::callResult:
  case BufferSource::regionResult:
  case BufferSource::view:
    return {};
  }
  return {};
}

static std::string neverConsideredClause(const Lookup &lookup,
                                         const trace::Fate &fate) {
  const trace::Value &value = *lookup.value(fate.value);
  const trace::Block *block = lookup.block(value.block);
  const trace::Function *function =
      block ? lookup.function(block->function) : nullptr;
  if (fate.status == trace::FunctionStatus::notProcessed)
    return "skipped: the pass runs on func.func only, not on " +
           (function ? function->opName : std::string("this function"));
  if (fate.status == trace::FunctionStatus::skipped)
    return "skipped, as its function is";
  return "skipped: " + lookup.blockName(value.block) + " is unreachable";
}

std::vector<Id> removalsOf(const Lookup &lookup, const trace::Fate &fate) {
  std::vector<Id> removals;
  for (Id id : fate.removedBy) {
    auto *rewrite = std::get_if<trace::RewriteEvent>(&lookup.event(id)->detail);
    bool isReplaced =
        rewrite && std::find(rewrite->replaced.begin(), rewrite->replaced.end(),
                             fate.value) != rewrite->replaced.end();
    if (!isReplaced)
      removals.push_back(id);
  }
  return removals;
}

std::vector<Id> replacementsOf(const Lookup &lookup, Id memref, Id &last) {
  const int pass = trace::placementStage(lookup.getTrace().options);
  std::vector<Id> rewrites;
  last = none;
  // Events are in order: each step goes on behind the one before.
  for (Id event = none;; memref = last) {
    Id next = none;
    for (Id id : lookup.getIndex().eventsNamingValue(memref)) {
      const trace::Event &at = *lookup.event(id);
      const auto *rewrite = std::get_if<trace::RewriteEvent>(&at.detail);
      if (id <= event || at.stage >= pass || !rewrite)
        continue;
      next = trace::replacementOf(*rewrite, memref);
      if (next == none)
        continue;
      event = id;
      rewrites.push_back(id);
      break;
    }
    if (next == none)
      break;
    last = next;
  }
  if (last == none || lookup.eventsOfValue(last).empty())
    return {};
  return rewrites;
}

/// Whether a stage found the result of the op to be false.
static bool isFoldedToFalse(const Lookup &lookup, Id op) {
  for (Id id : lookup.eventsOfOp(op))
    if (const auto *rewrite =
            std::get_if<trace::RewriteEvent>(&lookup.event(id)->detail))
      for (Id replacement : rewrite->replacements)
        if (const trace::Value *value = lookup.value(replacement);
            value && value->constant == 0)
          return true;
  return false;
}

/// Whether the assertion that the pass puts in front of a deallocation by hand
/// always fails, by the negated indicator made for it.
static bool alwaysFails(const Lookup &lookup, Id assertion) {
  return !lookup.isErased(assertion) &&
         std::ranges::any_of(
             lookup.getIndex().generatedFor(lookup.op(assertion)->origin),
             [&](Id made) {
               return lookup.op(made)->name == "arith.xori" &&
                      isFoldedToFalse(lookup, made);
             });
}

std::vector<ByHand> deallocsByHand(const Lookup &lookup,
                                   const trace::Fate &fate) {
  std::vector<ByHand> found;
  const trace::Index &index = lookup.getIndex();
  for (Id user : index.usersOf(fate.value))
    for (Id made : index.generatedFor(user)) {
      if (lookup.op(made)->name != "cf.assert" || lookup.op(user)->generated)
        continue;
      ByHand byHand{user, made, alwaysFails(lookup, made), nullptr};
      for (const trace::Freed &freed : fate.frees)
        if (byHand.alwaysFails && !lookup.isRemoved(freed) &&
            conditionWords(lookup, fate, freed).empty() &&
            freed.block == lookup.op(user)->block)
          byHand.again = &freed;
      found.push_back(byHand);
    }
  return found;
}

/// A deallocation of the user's is guarded by an assertion that the pass made.
static std::string byHandWords(const Lookup &lookup, const ByHand &byHand) {
  const std::string where = "by hand" + lookup.at(lookup.rangeOfOp(byHand.op));
  if (byHand.again)
    return "deallocated twice: " + where + " and " +
           placeOfFree(lookup, *byHand.again);
  if (byHand.alwaysFails)
    return "deallocated " + where +
           ", behind a cf.assert that always fails, since the block owns it";
  return "deallocated " + where +
         (lookup.isErased(byHand.assertion)
              ? ""
              : ", behind a cf.assert that it is borrowed");
}

bool isSetAside(const trace::Fate &fate) {
  return fate.status == trace::FunctionStatus::rejected ||
         fate.status == trace::FunctionStatus::crashedStage;
}

std::vector<AboutBuffer> foundSame(const Lookup &lookup, Id buffer,
                                   Id dealloc) {
  std::vector<AboutBuffer> found;
  for (const AboutBuffer &about : lookup.factsAbout(buffer)) {
    const auto &rewrite =
        std::get<trace::RewriteEvent>(lookup.event(about.rewrite)->detail);
    if (about.fact->answer == trace::SameAllocation::yes &&
        lookup.bufferOf(about.fact->first) !=
            lookup.bufferOf(about.fact->second) &&
        std::ranges::count(rewrite.deallocs, dealloc) > 0)
      found.push_back(about);
  }
  return found;
}

/// Whoever is retained in its place, being surely the same buffer.
static std::string keptAsOther(const Lookup &lookup, const trace::Fate &fate) {
  for (const trace::Listed &listed : fate.listed)
    for (auto [id, fact] : foundSame(lookup, fate.value, listed.dealloc)) {
      bool isFirst = lookup.bufferOf(fact->first) == fate.value;
      return "not deallocated at the end of " + lookup.endName(listed.block) +
             ": " + lookup.name(isFirst ? fact->second : fact->first) +
             ", the same buffer, is retained there and takes over its "
             "ownership";
    }
  return {};
}

/// Its i1 turned out to be false before there was code to free it.
static std::string foundUnowned(const Lookup &lookup, const trace::Fate &fate) {
  for (const trace::Listed &listed : fate.listed)
    for (Id id : lookup.rewritesOf(listed.dealloc)) {
      auto &rewrite = std::get<trace::RewriteEvent>(lookup.event(id)->detail);
      if (rewrite.pattern.str() == "EraseAlwaysFalseDealloc")
        return "not deallocated at the end of " + lookup.endName(listed.block) +
               foundLater;
    }
  return {};
}

Id sourceIndicatorOf(const Lookup &lookup, const trace::Fate &fate) {
  const trace::Event *source = lookup.event(fate.sourceEvent);
  const auto *owner =
      source ? std::get_if<trace::OwnershipEvent>(&source->detail) : nullptr;
  return owner && owner->after.state == trace::OwnershipState::unique
             ? owner->after.indicator
             : none;
}

/// Of a buffer that could be owned, by how it came to be, but never is.
static bool isNeverOwned(const Lookup &lookup, const trace::Fate &fate) {
  const bool isOpen = fate.source == BufferSource::blockArgument ||
                      fate.source == BufferSource::regionResult;
  return isOpen && !isSetAside(fate) && !fate.listed.empty() &&
         !mayBeOwned(lookup, fate);
}

Id carrierOf(const Lookup &lookup, const trace::Fate &fate) {
  const Id indicator =
      isNeverOwned(lookup, fate) ? sourceIndicatorOf(lookup, fate) : none;
  const trace::Event *made = lookup.event(lookup.signatureOf(indicator));
  if (!made || lookup.constantOf(indicator) != 0)
    return none;
  const trace::Block *block = lookup.block(made->block);
  const Id around = fate.source == BufferSource::regionResult ? made->op
                    : block && block->isEntry                 ? block->parentOp
                                                              : none;
  const trace::Op *loop = lookup.op(around);
  return loop && (loop->name == "scf.for" || loop->name == "scf.while" ||
                  loop->name == "affine.for")
             ? around
             : none;
}

Sentence carriedWords(const Lookup &lookup, Id loop,
                      const std::vector<Id> &memrefs) {
  return names(lookup, memrefs) + ": never deallocated: " + lookup.opAt(loop) +
         " carries them without ownership, their ownership indicators are "
         "false in every iteration";
}

/// Of a buffer that could be owned, and is not: what proves it.
static std::string neverOwnedWords(const Lookup &lookup,
                                   const trace::Fate &fate) {
  const Id indicator = sourceIndicatorOf(lookup, fate);
  if (lookup.signatureOf(indicator) == none ||
      lookup.constantOf(indicator) != 0)
    return "never deallocated here: borrowed on every path";
  const std::string isFalse = lookup.name(indicator) + " is false ";
  if (carrierOf(lookup, fate) == none)
    return "never deallocated here: " + isFalse + "on every path";
  return (fate.source == BufferSource::regionResult
              ? "never deallocated: "
              : "never deallocated in this loop: ") +
         isFalse + "in every iteration";
}

/// Whether the pass ever took it for owned, or could not tell.
static bool wasEverOwned(const Lookup &lookup, Id value) {
  for (Id id : lookup.eventsOfValue(value))
    if (const auto *change =
            std::get_if<trace::OwnershipEvent>(&lookup.event(id)->detail);
        change && change->after.state != trace::OwnershipState::uninitialized &&
        (change->after.state == trace::OwnershipState::unknown ||
         lookup.constantOf(change->after.indicator) != 0))
      return true;
  return false;
}

static bool isEntryArgument(const Lookup &lookup, Id id) {
  const trace::Value *value = lookup.value(id);
  const trace::Block *block = value ? lookup.block(value->block) : nullptr;
  const trace::Function *function =
      block ? lookup.function(block->function) : nullptr;
  return function && value->kind == trace::ValueKind::argument &&
         !function->blocks.empty() && function->blocks.front() == block->id;
}

static std::string removedBefore(const Lookup &lookup) {
  const trace::RunOptions &run = lookup.getTrace().options;
  return run.passes.empty()
             ? "removed before the ownership pass"
             : "removed before " + std::string(trace::stageName(
                                       run, trace::placementStage(run)));
}

/// The values that branches hand to a block argument, each once; nothing where
/// one is not known.
static std::vector<Id> incomingOf(const Lookup &lookup, Id argument) {
  const Id block = lookup.value(argument)->block;
  std::vector<Id> found;
  for (const trace::Block &from : lookup.getTrace().blocks) {
    if (std::ranges::find(from.successors, block) == from.successors.end())
      continue;
    const trace::Op *branch =
        from.ops.empty() ? nullptr : lookup.op(from.ops.back());
    bool isKnown = false;
    for (const auto &passed :
         branch ? trace::forwardedOperands(lookup.getTrace(), *branch)
                : std::vector<trace::ForwardedOperand>{}) {
      if (passed.argument != argument)
        continue;
      if (std::ranges::find(found, passed.operand) == found.end())
        found.push_back(passed.operand);
      isKnown = true;
    }
    if (!isKnown)
      return {};
  }
  return found;
}

static Id soleIncoming(const Lookup &lookup, Id argument) {
  std::vector<Id> all = incomingOf(lookup, argument);
  return all.size() == 1 ? all.front() : none;
}

/// ", which sees %a or %b there", of an argument whose block is bypassed.
static std::string seenInPlace(const Lookup &lookup, Id value) {
  if (lookup.value(value)->kind != trace::ValueKind::argument ||
      isEntryArgument(lookup, value))
    return {};
  std::vector<Id> all = incomingOf(lookup, value);
  const bool areThere = std::ranges::none_of(all, [&](Id incoming) {
    return trace::fateOf(lookup.getIndex(), incoming).goneBeforePass;
  });
  return all.size() > 1 && areThere
             ? ", which sees " + fewNames(lookup, all, "or") + " there"
             : std::string();
}

/// That the ownership pass found it no more, and what it found.
static std::string goneClause(const Lookup &lookup, const trace::Fate &fate) {
  if (!fate.goneBeforePass)
    return {};
  Id other = none;
  if (replacementsOf(lookup, fate.value, other).empty()) {
    // The pass takes down all memrefs of a block that it looks at, and it looks
    // at all blocks of a function that it takes.
    const trace::PassBlocks &blocks = lookup.getPassBlocks();
    bool lookedThere =
        fate.status == trace::FunctionStatus::traced ||
        blocks.wasSeen(blocks.holding(lookup.value(fate.value)->block));
    if (!lookedThere)
      return {};
    Id same = fate.value;
    // A chain of blocks; in a circle nobody comes from outside.
    for (int steps = 0; steps < 256; ++steps) {
      const trace::Value *value = lookup.value(same);
      Id next = value->kind == trace::ValueKind::argument &&
                        !isEntryArgument(lookup, same)
                    ? soleIncoming(lookup, same)
                    : none;
      if (next == none)
        break;
      same = next;
    }
    if (same != fate.value)
      return "the same as " + lookup.name(same) +
             lookup.at(lookup.rangeOfValue(same)) +
             (trace::fateOf(lookup.getIndex(), same).goneBeforePass
                  ? ", removed before the ownership pass"
                  : ", which stands in its place before the ownership pass");
    return removedBefore(lookup) + seenInPlace(lookup, fate.value);
  }
  return "replaced by " + lookup.name(other) +
         lookup.at(lookup.rangeOfValue(other)) + " before the ownership pass";
}

static std::string lastResort(const Lookup &lookup, const trace::Fate &fate) {
  if (isSetAside(fate))
    return "not deallocated: its function is rejected";
  const trace::RunOptions &run = lookup.getTrace().options;
  if (trace::stageOf(run, trace::ownershipPass) < 0)
    return trace::stageOf(run, trace::classicPass) < 0
               ? "no pass of this pipeline deallocates it"
           : !isEntryArgument(lookup, fate.value)
               ? "not deallocated by the classic pass, which looks at "
                 "allocations and critical aliases only"
               : "borrowed from the caller, never deallocated here";
  if (fate.source == BufferSource::unknown)
    return "the ownership pass did not see it";
  if (fate.listed.empty() && wasEverOwned(lookup, fate.value))
    return "not deallocated under this name: no dealloc lists it";
  if (!mayBeOwned(lookup, fate))
    return "borrowed, never deallocated here";
  for (const trace::Freed &freed : fate.frees)
    if (isRetainedBy(lookup, fate, freed.dealloc))
      return "not deallocated " + placeOfFree(lookup, freed) +
             ": it is retained there";
  std::string kept = keptAsOther(lookup, fate);
  if (kept.empty())
    kept = foundUnowned(lookup, fate);
  return kept.empty() ? "no dealloc of it is recorded" : kept;
}

std::vector<NamedPlace> placesOfFrees(const Lookup &lookup,
                                      const trace::Fate &fate) {
  std::vector<NamedPlace> places;
  for (const trace::Freed &freed : fate.frees) {
    const trace::Range end = lookup.rangeOfEnd(freed.block);
    std::string words = placeOfFree(lookup, freed);
    const bool isKnown = std::ranges::any_of(
        places, [&](const NamedPlace &one) { return one.words == words; });
    if (!isKnown && !end.empty())
      places.push_back({std::move(words), end});
  }
  return places;
}

Id openConditionOf(const Lookup &lookup, const trace::Fate &fate) {
  for (const trace::Freed &freed : fate.frees) {
    const Id condition = conditionOfFree(lookup, freed);
    if (isTold(lookup, fate, freed) && !lookup.isRemoved(freed) &&
        condition != none && lookup.constantOf(condition) < 0)
      return condition;
  }
  return none;
}

Sentence fateHeadline(const Lookup &lookup, const trace::Fate &fate) {
  std::vector<std::string> clauses;
  std::vector<std::string> placed = placementClauses(lookup, fate.value);
  // What takes its place goes where the program sends it.
  bool isGone = false;
  if (fate.neverConsidered)
    clauses.push_back(neverConsideredClause(lookup, fate));
  else if (std::string clause = sourceClause(lookup, fate); !clause.empty())
    clauses.push_back(clause);
  else if (placed.empty() && !isSetAside(fate) &&
           !(clause = goneClause(lookup, fate)).empty()) {
    clauses.push_back(clause);
    isGone = true;
  }
  const std::vector<ByHand> byHand = deallocsByHand(lookup, fate);
  for (const ByHand &dealloc : byHand)
    clauses.push_back(byHandWords(lookup, dealloc));
  std::ranges::move(placed, std::back_inserter(clauses));
  if (isNeverOwned(lookup, fate))
    clauses.push_back(neverOwnedWords(lookup, fate));
  for (const trace::Freed &freed : fate.frees)
    if (isTold(lookup, fate, freed) &&
        std::ranges::find(byHand, &freed, &ByHand::again) == byHand.end())
      clauses.push_back(freeWords(lookup, fate, freed));
  if (fate.frees.empty() && !isGone)
    for (Id id : removalsOf(lookup, fate))
      if (const trace::Event *event = lookup.event(id)) {
        clauses.push_back(
            event->stage < trace::placementStage(lookup.getTrace().options)
                ? removedBefore(lookup)
                : "removed together with its dealloc");
        break;
      }
  std::set<Id> seen;
  if (!isSetAside(fate) && !isGone)
    addPassed(lookup, fate, fate, seen, clauses);
  if (clauses.empty())
    clauses.push_back(lastResort(lookup, fate));
  std::string text = subject(lookup, fate.value) + ": ";
  std::set<std::string> said;
  for (const std::string &clause : clauses)
    if (said.insert(clause).second)
      text += (said.size() > 1 ? "; " : "") + clause;
  return text;
}

} // namespace memreflens
