//===- core/explain/FateHeadline.cpp --------------------------------------===//

#include "core/explain/FateHeadline.h"
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
    facts.push_back("made for " + lookup.opName(op->origin) +
                    lookup.at(lookup.rangeOfOp(op->origin)));
  if (value.kind == trace::ValueKind::argument)
    facts.push_back("argument of " + lookup.blockName(value.block));
  else if (const trace::Value *old = lookup.value(lookup.ancestorOf(id));
           old && old->kind == trace::ValueKind::argument)
    facts.push_back("argument of " + lookup.blockName(old->block) +
                    ", merged by canonicalize into " + lookup.opName(value.op));
  if (!value.type.empty())
    facts.push_back(value.type);
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

Id conditionOfFree(const Lookup &lookup, const trace::Freed &freed) {
  if (freed.condition == none)
    return none;
  return lookup.withoutEdge(freed.condition, freed.edge);
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

/// A copy that is made only where the buffer is not owned is the buffer itself
/// where it is.
static bool isItselfWhereOwned(const Lookup &lookup, const trace::Fate &fate,
                               const trace::Listed &listed, Id retained) {
  return std::ranges::any_of(fate.clones, [&](Id id) {
    const auto &copy = std::get<trace::CloneEvent>(lookup.event(id)->detail);
    return copy.conditional && copy.result == retained &&
           copy.ownership.indicator ==
               lookup.withoutEdge(listed.condition, listed.edge);
  });
}

bool isRetainedBy(const Lookup &lookup, const trace::Fate &fate, Id dealloc) {
  return std::ranges::any_of(fate.listed, [&](const trace::Listed &listed) {
    const trace::Event *by = lookup.event(listed.event);
    const auto *detail =
        by ? std::get_if<trace::DeallocEvent>(&by->detail) : nullptr;
    return listed.dealloc == dealloc && detail &&
           std::ranges::any_of(detail->retained, [&](Id retained) {
             return lookup.sameAllocation(fate.value, retained) ==
                        trace::SameAllocation::yes ||
                    isItselfWhereOwned(lookup, fate, listed, retained);
           });
  });
}

static constexpr const char *foundLater =
    ", where a later stage finds that it is not owned";

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
        return "not freed " + place +
               ", where it takes the place of its copy " +
               lookup.name(rewrite->replaced[i]);
    return "removed together with its dealloc";
  }
  return "not freed " + place +
         (isRetainedBy(lookup, fate, freed.dealloc)
              ? ", where it is itself retained"
              : foundLater);
}

static std::string freeWords(const Lookup &lookup, const trace::Fate &fate,
                             const trace::Freed &freed) {
  if (lookup.isRemoved(freed))
    return removedFreeWords(lookup, fate, freed);
  std::string words = "freed " + placeOfFree(lookup, freed) +
                      conditionWords(lookup, fate, freed);
  if (isFirstOfHelper(lookup, *lookup.event(freed.event), fate.value))
    return words + ", through dealloc_helper";
  if (freed.lowering == trace::LoweringCase::libraryFunction)
    return words + ", as far as dealloc_helper's pointer comparison allows";
  std::vector<Id> others;
  for (Id compared : freed.compared)
    if (Id buffer = lookup.bufferOf(compared); buffer != fate.value)
      others.push_back(buffer);
  if (!others.empty())
    words += " unless it is the buffer of " + fewNames(lookup, others, "or") +
             " (pointers compared at run time)";
  return words;
}

//===--- Passed on --------------------------------------------------------===//

bool mayBeOwnedAt(const Lookup &lookup, const trace::Fate &fate, Id event) {
  return std::any_of(
      fate.listed.begin(), fate.listed.end(), [&](const trace::Listed &listed) {
        return listed.event == event &&
               lookup.constantOf(
                   lookup.withoutEdge(listed.condition, listed.edge)) != 0;
      });
}

bool mayBeOwned(const Lookup &lookup, const trace::Fate &fate) {
  return std::any_of(fate.listed.begin(), fate.listed.end(),
                     [&](const trace::Listed &listed) {
                       return mayBeOwnedAt(lookup, fate, listed.event);
                     });
}

/// ", owned iff %own_a": by the i1 that goes with it on that edge.
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

static std::string returnWords(const Lookup &lookup, const trace::Fate &fate,
                               const trace::Passed &passed, Id as) {
  const trace::Op *op = lookup.op(passed.op);
  std::string at = op ? lookup.at(lookup.rangeOfOp(op->id)) : std::string();
  const trace::Block *block = op ? lookup.block(op->block) : nullptr;
  const trace::Function *function =
      block ? lookup.function(block->function) : nullptr;
  const trace::Event *copy = lookup.copyEventOf(passed.as);
  const bool isItself =
      copy && lookup.isNeverMade(std::get<trace::CloneEvent>(copy->detail));
  if (passed.as != as && passed.as != fate.value && !isItself)
    return "returned" + at + " as " + lookup.name(passed.as) + ", " +
           (isConditionalCopy(lookup, passed.as)
                ? "which is " + lookup.name(as) + " or a copy"
                : "a copy");
  std::string through = as == fate.value ? "" : " as " + lookup.name(as);
  if (function && function->dynamicOwnership)
    return "returned" + at + through + " with an ownership i1";
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
  return "yielded" + through + " to " + lookup.opName(block->parentOp) +
         lookup.at(lookup.rangeOfOp(block->parentOp));
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

/// The program hands on what it names so, and the pass saw the buffer in its
/// place. Where it was retained for that, it is this one that goes, or its
/// copy.
static void addPassedAs(const Lookup &lookup, Id name, trace::Fate &facts) {
  auto add = [](const std::vector<trace::Passed> &from, Id as,
                std::vector<trace::Passed> &to) {
    for (trace::Passed passed : from) {
      passed.as = as;
      const bool isThere =
          std::ranges::any_of(to, [&](const trace::Passed &other) {
            return other.op == passed.op &&
                   other.operandIndex == passed.operandIndex;
          });
      if (!isThere)
        to.push_back(passed);
    }
  };
  const trace::Fate named = trace::fateOf(lookup.getIndex(), name);
  if (!facts.clones.empty()) {
    // Copies are made to be returned.
    const trace::Event *last = lookup.event(facts.clones.back());
    add(named.returned, std::get<trace::CloneEvent>(last->detail).result,
        facts.returned);
    return;
  }
  auto isRetained = [&](trace::RetainReason reason) {
    return std::ranges::any_of(facts.retained, [&](Id id) {
      return std::get<trace::RetainEvent>(lookup.event(id)->detail).reason ==
             reason;
    });
  };
  using enum trace::RetainReason;
  if (isRetained(forwardedOperand))
    add(named.forwarded, facts.value, facts.forwarded);
  if (isRetained(returned))
    add(named.returned, facts.value, facts.returned);
  if (isRetained(yielded))
    add(named.yielded, facts.value, facts.yielded);
}

trace::Fate fateAsNamed(const Lookup &lookup, Id memref) {
  trace::Fate fate = trace::fateOf(lookup.getIndex(), memref);
  if (Id ancestor = lookup.ancestorOf(memref); ancestor != none)
    addPassedAs(lookup, ancestor, fate);
  for (Id name : lookup.namesBefore(memref))
    addPassedAs(lookup, name, fate);
  return fate;
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
                          : lookup.name(of.value) + ", which may be it, is " +
                                words);
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

/// "never freed here", unless another clause says where it may be.
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
    return neverFreed(lookup, fate, "never freed, ") +
           "its scope ends its life";
  case BufferSource::manual:
    return "left to be freed by hand (bufferization.manual_deallocation)";
  case BufferSource::entryArgument:
    return "borrowed from the caller" +
           neverFreed(lookup, fate, ", never freed here");
  case BufferSource::borrowed:
    return neverFreed(lookup, fate, "never freed, ") + op +
           " gives no ownership with it";
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
    return "never considered, the pass does not process " +
           (function ? function->opName : std::string("this function"));
  if (fate.status == trace::FunctionStatus::skipped)
    return "not analysed, its function was left out";
  return "never considered, " + lookup.blockName(value.block) +
         " is unreachable";
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

/// What becomes of the assertion that the pass puts in front of a deallocation
/// by hand, and of the negated indicator made for it.
static std::string assertionClause(const Lookup &lookup, Id assertion) {
  if (lookup.isErased(assertion))
    return {};
  bool fails = false;
  for (Id made : lookup.getIndex().generatedFor(lookup.op(assertion)->origin))
    fails |=
        lookup.op(made)->name == "arith.xori" && isFoldedToFalse(lookup, made);
  if (fails)
    return ", behind an assertion that always fails, since the block owns it: "
           "the program stops there";
  return ", where it is asserted at run time that the block does not own it";
}

/// A deallocation of the user's is guarded by an assertion that the pass made.
static void addFreedByHand(const Lookup &lookup, const trace::Fate &fate,
                           std::vector<std::string> &clauses) {
  const trace::Index &index = lookup.getIndex();
  for (Id user : index.usersOf(fate.value))
    for (Id made : index.generatedFor(user))
      if (lookup.op(made)->name == "cf.assert" && !lookup.op(user)->generated)
        clauses.push_back("freed by hand by " + lookup.opName(user) +
                          lookup.at(lookup.rangeOfOp(user)) +
                          assertionClause(lookup, made));
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
      return "not freed at the end of " + lookup.endName(listed.block) +
             ", where " + lookup.name(isFirst ? fact->second : fact->first) +
             ", the same buffer, is kept and takes over its ownership";
    }
  return {};
}

/// Its i1 turned out to be false before there was code to free it.
static std::string foundUnowned(const Lookup &lookup, const trace::Fate &fate) {
  for (const trace::Listed &listed : fate.listed)
    for (Id id : lookup.rewritesOf(listed.dealloc)) {
      auto &rewrite = std::get<trace::RewriteEvent>(lookup.event(id)->detail);
      if (rewrite.pattern.str() == "EraseAlwaysFalseDealloc")
        return "not freed at the end of " + lookup.endName(listed.block) +
               foundLater;
    }
  return {};
}

static constexpr const char *neverOwned =
    "never owned on any path: never deallocated here";

/// Of a buffer that could be owned, by how it came to be, but never is.
static bool isNeverOwned(const Lookup &lookup, const trace::Fate &fate) {
  const bool isOpen = fate.source == BufferSource::blockArgument ||
                      fate.source == BufferSource::regionResult;
  return isOpen && !isSetAside(fate) && !fate.listed.empty() &&
         !mayBeOwned(lookup, fate);
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
    return "no deallocation, its function is rejected";
  const trace::RunOptions &run = lookup.getTrace().options;
  if (trace::stageOf(run, trace::ownershipPass) < 0)
    return trace::stageOf(run, trace::classicPass) < 0
               ? "no pass of this pipeline frees it"
           : !isEntryArgument(lookup, fate.value)
               ? "not freed by the classic pass, which looks at allocations "
                 "and critical aliases only"
               : "the caller's, which the classic pass does not free";
  if (fate.source == BufferSource::unknown)
    return "the ownership pass did not see it";
  if (fate.listed.empty() && wasEverOwned(lookup, fate.value))
    return "not freed under this name, no dealloc lists it";
  if (!mayBeOwned(lookup, fate))
    return "not freed here, it is never owned";
  for (const trace::Freed &freed : fate.frees)
    if (isRetainedBy(lookup, fate, freed.dealloc))
      return "not freed " + placeOfFree(lookup, freed) +
             ", where it is itself retained";
  std::string kept = keptAsOther(lookup, fate);
  if (kept.empty())
    kept = foundUnowned(lookup, fate);
  return kept.empty() ? "no free of it is recorded" : kept;
}

std::string fateHeadline(const Lookup &lookup, const trace::Fate &fate) {
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
  addFreedByHand(lookup, fate, clauses);
  std::ranges::move(placed, std::back_inserter(clauses));
  if (isNeverOwned(lookup, fate))
    clauses.push_back(neverOwned);
  for (const trace::Freed &freed : fate.frees)
    if (isTold(lookup, fate, freed))
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
