//===- core/explain/OpText.cpp --------------------------------------------===//

#include "core/explain/OpText.h"
#include "core/explain/Words.h"

#include <algorithm>

namespace memreflens {

using trace::Answer;
using trace::OpAppended;
using trace::OpCondition;
using trace::OpFacts;
using trace::OpHandling;
using trace::OpModel;
using trace::RejectionCause;
using trace::SignaturePart;

static bool has(const OpFacts &facts, OpHandling handling) {
  return std::ranges::find(facts.handlings, handling) != facts.handlings.end();
}

//===--- Conditions -------------------------------------------------------===//

std::string conditionName(const OpCondition &condition) {
  switch (condition.cause) {
  case RejectionCause::existingDealloc:
    return "it is no bufferization.dealloc";
  case RejectionCause::unknownEffects:
    return "its memory effects are known";
  case RejectionCause::regionWithoutInterface:
    return "it says how control goes through its regions";
  case RejectionCause::noTerminatorTrait:
    return "its regions end with terminators";
  case RejectionCause::terminatorInterface:
    return "as a terminator, it is either a branch or the end of a region";
  case RejectionCause::multipleSuccessorsWithMemref:
    return "as a terminator, it has one successor at most";
  case RejectionCause::multipleSuccessors:
    return condition.wantsSuccessor
               ? "as a branch, it has a successor"
               : "as a branch, it has one successor at most";
  case RejectionCause::producedOperands:
    return "as a branch, it makes no operand of its successor itself";
  case RejectionCause::freeEffect:
    return "it deallocates no memref unless it is marked as manual";
  case RejectionCause::reduceReturnMemref:
    return "it returns no memref";
  case RejectionCause::inParallelNotEmpty:
    return "its region is empty";
  default:
    return condition.message;
  }
}

/// When an op of that name does not meet it; empty where every one does not.
static std::string whenUnmet(const OpFacts &facts,
                             const OpCondition &condition) {
  const trace::OpCount one = {1, 1};
  switch (condition.cause) {
  case RejectionCause::regionWithoutInterface:
    if (facts.regions.least > 1 ||
        (facts.regions == one && facts.results.least > 0))
      return "";
    return facts.regions == one ? "it has results"
                                : "it has several regions, or one and results";
  case RejectionCause::multipleSuccessorsWithMemref:
    return facts.successors.least > 1 ? "" : "it has more than one successor";
  case RejectionCause::multipleSuccessors:
    return condition.wantsSuccessor ? "it has none" : "it has more than one";
  case RejectionCause::producedOperands:
    return "it makes one";
  case RejectionCause::freeEffect:
    return "its effects deallocate a memref operand, and it does not carry "
           "bufferization.manual_deallocation";
  case RejectionCause::reduceReturnMemref:
    return "its operand is one";
  case RejectionCause::inParallelNotEmpty:
    return "it is not";
  default:
    return {};
  }
}

/// Whether a condition is only asked of ops that have to do with memrefs.
static bool isGuarded(const OpFacts &facts, const OpCondition &condition) {
  switch (condition.cause) {
  case RejectionCause::existingDealloc:
  case RejectionCause::unknownEffects:
  case RejectionCause::regionWithoutInterface:
  case RejectionCause::noTerminatorTrait:
  case RejectionCause::terminatorInterface:
  case RejectionCause::multipleSuccessorsWithMemref:
    return facts.passedOver == Answer::depends;
  default:
    return false;
  }
}

static constexpr const char *touchesMemrefs =
    "it has a memref operand, result or argument of a first block, or "
    "allocates "
    "or deallocates";

std::string conditionWords(const OpFacts &facts, const OpCondition &condition) {
  if (condition.fails == Answer::no)
    return "met";
  if (condition.fails == Answer::yes)
    return "not met";
  std::string when = whenUnmet(facts, condition);
  if (isGuarded(facts, condition))
    when += (when.empty() ? "" : ", and ") + std::string(touchesMemrefs);
  return "not met if " + when;
}

//===--- What the pass does -----------------------------------------------===//

static std::string partWords(SignaturePart part) {
  switch (part) {
  case SignaturePart::blockArgument:
    return "the arguments of its blocks";
  case SignaturePart::branchOperand:
    return "its successor operands";
  case SignaturePart::terminatorOperand:
    return "its operands";
  case SignaturePart::regionOpOperand:
    return "its operands";
  case SignaturePart::regionOpResult:
  case SignaturePart::callResult:
    return "its results";
  case SignaturePart::functionResult:
    return "the function's results";
  }
  return {};
}

/// For which memrefs: "that enters its regions, false".
static std::string forWhich(SignaturePart part) {
  switch (part) {
  case SignaturePart::blockArgument:
    return "memref argument of a block, behind that block's arguments";
  case SignaturePart::branchOperand:
    return "memref that it forwards, behind those of its successor";
  case SignaturePart::terminatorOperand:
    return "memref that leaves the region, behind all others; at the end of a "
           "function there is none, and what is borrowed is cloned";
  case SignaturePart::regionOpOperand:
    return "memref that enters a region with it, behind all others: false, "
           "since it is borrowed there";
  case SignaturePart::regionOpResult:
    return "memref result, behind all others";
  case SignaturePart::callResult:
    return "memref result, behind all others, if the callee is private and has "
           "a body, under --private-function-dynamic-ownership";
  case SignaturePart::functionResult:
    return "memref result";
  }
  return {};
}

static std::string appendedWords(const OpAppended &appended) {
  if (appended.count < 0)
    return "an ownership indicator is appended to " + partWords(appended.part) +
           " for each " + forWhich(appended.part);
  return counted(size_t(appended.count), "ownership indicator") +
         (appended.count == 1 ? " is" : " are") + " appended to " +
         partWords(appended.part);
}

static std::string modelWords(OpModel model) {
  switch (model) {
  case OpModel::none:
    return {};
  case OpModel::passThrough:
    return "its own model (BufferDeallocationOpInterface) decides: nothing is "
           "inserted; its result is owned as the operand that it is";
  case OpModel::conditionalBranch:
    return "its own model (BufferDeallocationOpInterface) decides: one "
           "bufferization.dealloc for each successor stands before it";
  case OpModel::emptyTerminator:
  case OpModel::reductionTerminator:
  case OpModel::parallelTerminator:
    return "its own model (BufferDeallocationOpInterface) decides: what its "
           "block owns is deallocated before it, and nothing is retained";
  case OpModel::own:
    return "its own `process` (BufferDeallocationOpInterface) decides what is "
           "inserted and who owns its results; nothing else is asked";
  }
  return {};
}

static std::string numbered(const char *what, const std::vector<int> &numbers) {
  std::vector<std::string> names;
  for (int number : numbers)
    names.push_back("#" + std::to_string(number));
  return std::string(what) + (numbers.size() == 1 ? " " : "s ") + listed(names);
}

static std::string numbered(const std::vector<int> &results) {
  return numbered("result", results);
}

/// What the effects of a made-up op say, and of how many operands.
static std::string probeWords(const trace::OpProbe &probe) {
  std::vector<std::string> parts;
  if (!probe.allocated.empty())
    parts.push_back(numbered(probe.allocated) + " as allocated");
  if (!probe.onStack.empty())
    parts.push_back(numbered(probe.onStack) + " as allocated on the stack");
  if (!probe.freed.empty())
    parts.push_back(numbered("operand", probe.freed) + " as deallocated");
  return "the effects of a made-up one, with " +
         (probe.hasEmptySegments
              ? "all segments of operands empty"
              : counted(size_t(probe.operands), "memref operand")) +
         " and " + counted(size_t(probe.results), "memref result") + ", name " +
         (parts.empty() ? "nothing as allocated or deallocated"
                        : listed(parts));
}

static void addAllocations(const OpFacts &facts,
                           std::vector<std::string> &actions) {
  if (facts.probe.wasAsked && facts.place == trace::OpPlace::inside)
    actions.push_back(probeWords(facts.probe));
  if (!facts.isInstance && facts.allocates == Answer::depends)
    actions.push_back("a memref result that its effects say is allocated is "
                      "owned, and deallocated where nothing needs it any more; "
                      "one on the stack is not");
  if (!facts.allocated.empty())
    actions.push_back(
        "it allocates: " + numbered(facts.allocated) +
        (facts.allocated.size() == 1 ? " is" : " are") +
        " owned, and deallocated where nothing needs it any more");
  if (!facts.onStack.empty())
    actions.push_back(numbered(facts.onStack) +
                      (facts.onStack.size() == 1 ? " is" : " are") +
                      " on the stack, and never deallocated");
  if (facts.views != Answer::no)
    actions.push_back(std::string(facts.isInstance
                                      ? "its memref result"
                                      : "any other memref result") +
                      " is taken for a view: owned as its memref operands are, "
                      "borrowed without any");
}

static void addSpoiled(const OpFacts &facts,
                       std::vector<std::string> &actions) {
  auto add = [&](Answer does, const char *what) {
    if (does == Answer::no)
      return;
    actions.push_back(
        std::string(does == Answer::yes ? "" : "where that happens, ") +
        "the op is invalid after the pass: its definition has no place for one "
        "more " +
        what);
  };
  add(facts.spoiledOperands, "operand");
  add(facts.spoiledResults, "result");
}

std::vector<std::string> opActions(const OpFacts &facts) {
  std::vector<std::string> actions;
  if (facts.place == trace::OpPlace::function)
    actions.push_back(
        "its memref arguments are borrowed from the caller; memref "
        "results leave it owned, as clones where they are not");
  if (facts.place == trace::OpPlace::function)
    actions.push_back(
        "under --private-function-dynamic-ownership, an ownership indicator "
        "is appended to the results of a private one for each memref "
        "result, and nothing is cloned for them");
  if (facts.passedOver == Answer::yes && facts.appended.empty() &&
      facts.handlings.empty())
    return actions;
  if (std::string words = modelWords(facts.model); !words.empty())
    actions.push_back(words);
  else if (has(facts, OpHandling::branch) ||
           has(facts, OpHandling::regionTerminator))
    actions.push_back("what its block owns, and does not pass on or use "
                      "later, is deallocated before it");
  if (has(facts, OpHandling::call))
    actions.push_back("a memref result belongs to the caller: it is owned, and "
                      "deallocated where nothing needs it any more");
  for (const OpAppended &appended : facts.appended)
    actions.push_back(appendedWords(appended) +
                      (facts.place == trace::OpPlace::function
                           ? "; not in the first block"
                           : ""));
  addAllocations(facts, actions);
  addSpoiled(facts, actions);
  return actions;
}

//===--- Verdict ----------------------------------------------------------===//

/// What is not inside of a func.func.
static std::string placeVerdict(trace::OpPlace place) {
  switch (place) {
  case trace::OpPlace::inside:
    return {};
  case trace::OpPlace::function:
    return "the pass works on it";
  case trace::OpPlace::otherFunction:
    return "the pass works on func.func only: what is allocated in it is never "
           "deallocated";
  case trace::OpPlace::outside:
    return "the pass does not look at it: it is in no func.func";
  }
  return {};
}

/// "as a branch, it has a successor" without what it is asked as: several roles
/// ask the same.
static std::string withoutRole(const std::string &name) {
  size_t comma = name.find(", ");
  return name.starts_with("as a ") && comma != std::string::npos
             ? name.substr(comma + 2)
             : name;
}

std::string opVerdict(const OpFacts &facts) {
  if (facts.place != trace::OpPlace::inside)
    return placeVerdict(facts.place);
  if (const OpCondition *rejection = rejectionIn(facts))
    return "the pass rejects a function with it: \"" + rejection->message +
           "\"";
  if (facts.passedOver == Answer::yes)
    return "the pass goes past it: it has no memref, and neither allocates nor "
           "deallocates";
  std::vector<std::string> open;
  for (const OpCondition &condition : facts.conditions) {
    if (condition.fails != Answer::depends)
      continue;
    if (isGuarded(facts, condition) && whenUnmet(facts, condition).empty())
      return "the pass rejects a function with it where " +
             std::string(touchesMemrefs) + ": \"" + condition.message + "\"";
    bool isFree = condition.cause == RejectionCause::freeEffect;
    if (isFree && !facts.probe.freed.empty())
      return "the pass rejects a function with it, unless it carries "
             "bufferization.manual_deallocation: \"" +
             condition.message + "\"";
    open.push_back(isFree && facts.probe.wasAsked &&
                           !facts.probe.hasEmptySegments
                       ? "it deallocates no memref (a made-up one does not)"
                       : withoutRole(conditionName(condition)));
  }
  if (open.empty())
    return "the pass accepts it";
  std::vector<std::string> once;
  for (const std::string &each : open)
    if (std::ranges::find(once, each) == once.end())
      once.push_back(each);
  return "the pass accepts it, as long as " + listed(once);
}

/// Without where exactly: a hover is short.
static std::string shortWords(const OpFacts &facts) {
  std::vector<std::string> parts;
  for (const OpAppended &appended : facts.appended)
    parts.push_back(appendedWords(appended));
  if (!facts.allocated.empty())
    parts.push_back(numbered(facts.allocated) +
                    (facts.allocated.size() == 1 ? " is" : " are") + " owned");
  if (!facts.onStack.empty())
    parts.push_back(numbered(facts.onStack) +
                    (facts.onStack.size() == 1 ? " is" : " are") +
                    " on the stack");
  return listed(parts);
}

Explanation explainOp(const OpFacts &facts) {
  Explanation result;
  if (const OpCondition *rejection = rejectionIn(facts)) {
    result.sentence =
        "the ownership pass rejects a function with this " + facts.name;
    addEvidence(result,
                {trace::none, {}, "upstream's error: " + rejection->message});
    for (std::string &remedy : opRemedies(facts))
      result.remedies.push_back(std::move(remedy));
    return result;
  }
  std::string does = shortWords(facts);
  bool isLeftOut = facts.place == trace::OpPlace::otherFunction;
  if (does.empty() && facts.model != OpModel::own && !isLeftOut)
    return result;
  result.sentence = "the ownership pass and " + facts.name + ": ";
  if (isLeftOut)
    result.sentence += placeVerdict(facts.place);
  else if (facts.model == OpModel::own)
    result.sentence += "the op's own `process` decides";
  else
    result.sentence += does;
  if (facts.spoiledOperands == Answer::yes ||
      facts.spoiledResults == Answer::yes)
    addEvidence(result, {trace::none,
                         {},
                         "that makes the op invalid: its definition has no "
                         "place for one more operand or result"});
  return result;
}

} // namespace memreflens
