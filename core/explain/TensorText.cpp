//===- core/explain/TensorText.cpp ----------------------------------------===//

#include "core/explain/TensorText.h"
#include "core/explain/Words.h"
#include "core/text/Bytes.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace memreflens {

using trace::Id;
using trace::none;
using trace::TensorCause;
using trace::TensorCost;
using trace::TensorCostOrigin;
using trace::TensorOperand;
using trace::TensorPlacement;
using trace::TensorReadOnly;
using trace::TensorReason;
using trace::TensorReasonKind;

std::string TensorText::name(Id value) const { return lookup.name(value); }

/// "read and written".
static std::string accessWords(const trace::TensorArgument &argument) {
  return argument.read && argument.written ? "read and written"
         : argument.written                ? "written"
         : argument.read                   ? "read"
                                           : "neither read nor written";
}

/// "4 KiB", or "%n * 4 bytes".
static std::string bytesOf(const TensorCost &cost) {
  if (cost.bytes >= 0)
    return bytesText(uint64_t(cost.bytes));
  return cost.size.empty() ? "of unknown size" : cost.size + " bytes";
}

std::string TensorText::amountWords(const TensorCost &cost) const {
  std::string text = ", " + bytesOf(cost);
  if (cost.loops.empty())
    return text;
  text += " in each iteration of " + lookup.opAt(cost.loops.front());
  return cost.times > 1 ? text + ", x " + grouped(uint64_t(cost.times)) : text;
}

//===--- Reasons ----------------------------------------------------------===//

/// Of a call whose own argument is what is read later.
std::string TensorText::calleeWords(const TensorOperand &decision,
                                    const TensorReason &reason,
                                    const std::string &what) const {
  const trace::Op &call = *lookup.op(decision.op);
  const trace::Function &callee = *lookup.calleeOf(call);
  const trace::TensorFunction *known = tensors.functionOf(callee.id);
  const bool isExternal = callee.status == trace::FunctionStatus::declaration;
  std::string why = " writes it";
  if (isExternal)
    why = " has no body and may write it";
  else if (known && known->isRecursive)
    why = " calls itself and may write it";
  return trace::symbolText(callee.name) + why + ", and " +
         lookup.opAt(reason.read) + " reads " + what + " after the call";
}

/// "arith.select (4:8) makes %t and %u one buffer to the analysis".
std::string TensorText::joinWords(const TensorReason &reason) const {
  const trace::Value *joined = lookup.value(reason.joined);
  const TensorOperand *written =
      tensors.decisionOf(reason.write, reason.writeOperand);
  return (joined && joined->op != none ? lookup.opAt(joined->op)
                                       : name(reason.joined)) +
         " makes " + (written ? name(written->value) : "it") + " and " +
         name(reason.definition) + " one buffer to the analysis";
}

/// Whether what runs between the definition and its read runs in parallel.
bool TensorText::isInOtherThread(const TensorReason &reason) const {
  const trace::Value *definition = lookup.value(reason.definition);
  const trace::Op *op = lookup.op(reason.read);
  while (op && definition && op->block != definition->block) {
    const trace::Block *block = lookup.block(op->block);
    op = block ? lookup.op(block->parentOp) : nullptr;
    if (op && (op->name == "scf.forall" || op->name == "scf.parallel"))
      return true;
  }
  return false;
}

std::string TensorText::conflictWords(const TensorOperand &decision,
                                      const TensorReason &reason) const {
  if (reason.joined != none)
    return joinWords(reason);
  const TensorOperand *read =
      tensors.decisionOf(reason.read, reason.readOperand);
  const std::string what = read ? name(read->value) : "it";
  const bool isOwn =
      reason.write == decision.op && reason.writeOperand == decision.operand;
  const std::string when = !reason.isAcrossIterations ? ""
                           : isInOtherThread(reason)  ? " in another thread"
                                                      : " in a later iteration";
  if (reason.read == reason.write && when.empty())
    return (isOwn ? "the op" : lookup.opAt(reason.read)) + " reads " + what +
           " while it writes" +
           (reason.isDisjoint ? ", and the parts do not overlap" : "");
  const std::string apart =
      reason.isDisjoint ? ", and the parts do not overlap" : "";
  const trace::Op *op = lookup.op(decision.op);
  if (isOwn && when.empty() && op && lookup.calleeOf(*op))
    return calleeWords(decision, reason, what);
  if (isOwn)
    return lookup.opAt(reason.read) + " reads " + what +
           (when.empty() ? " after this write" : when) + apart;
  return lookup.opAt(reason.write) + " writes the same buffer, and " +
         lookup.opAt(reason.read) + " still reads " + what + when + apart;
}

std::string TensorText::readOnlyWords(const TensorReason &reason) const {
  switch (reason.readOnly) {
  case TensorReadOnly::constant:
    return "a constant cannot be written";
  case TensorReadOnly::argument:
    return "the argument " + name(reason.definition) +
           " is not to be written, so that the caller keeps its tensor";
  case TensorReadOnly::toTensor:
    return "bufferization.to_tensor" +
           lookup.at(lookup.rangeOfValue(reason.definition)) +
           " is not `writable`";
  case TensorReadOnly::no:
  case TensorReadOnly::other:
    break;
  }
  return name(reason.definition) + " must not be written";
}

std::string TensorText::reasonWords(const TensorOperand &decision,
                                    const TensorReason &reason) const {
  switch (reason.kind) {
  case TensorReasonKind::readAfterWrite:
    return conflictWords(decision, reason);
  case TensorReasonKind::notWritable:
    return readOnlyWords(reason);
  case TensorReasonKind::parallel:
    return "threads that run at the same time write it, and " +
           name(reason.definition) + " is one buffer for all of them";
  case TensorReasonKind::copyBeforeWrite:
    return "copy-before-write copies before each write";
  case TensorReasonKind::unknownOp:
    return "the op does not implement BufferizableOpInterface";
  case TensorReasonKind::unexplained:
    break;
  }
  return "its reason is not known";
}

void TensorText::addReasons(Explanation &explanation,
                            const TensorOperand &decision) const {
  // What is said already is no evidence.
  std::set<std::string> said;
  for (const TensorReason &reason : decision.reasons)
    if (const std::string words = reasonWords(decision, reason);
        said.insert(words).second && said.size() > 1)
      addEvidence(explanation,
                  {none,
                   reason.read != none ? lookup.rangeOfOp(reason.read)
                                       : lookup.rangeOfValue(reason.definition),
                   words});
  const size_t told = decision.reasons.size();
  if (decision.reasonCount > told || decision.isBounded)
    addEvidence(explanation,
                {none,
                 {},
                 (decision.isBounded ? "at least " : "") +
                     counted(decision.reasonCount, "reason") + ", of " +
                     counted(decision.readCount, "read") +
                     "; all of them have to go"});
}

//===--- Operands ---------------------------------------------------------===//

const TensorCost *TensorText::costOf(const TensorOperand &decision) const {
  const TensorCost *found = nullptr;
  for (const TensorCost *cost : tensors.costsAt(decision.op))
    if (cost->operand == decision.operand &&
        cost->origin != TensorCostOrigin::loopValue && (!found || cost->isCopy))
      found = cost;
  return found;
}

/// Which result is the operand's buffer, and whose buffer that is.
std::string TensorText::inPlaceWords(const TensorOperand &decision) const {
  const trace::Op *op = lookup.op(decision.op);
  const std::string operand = name(decision.value);
  const Id buffer = tensors.bufferOf(decision.value);
  const std::string whose =
      tensors.argument(buffer) ? ", the caller's" : std::string();
  for (Id result : op ? op->results : std::vector<Id>())
    if (result != none && tensors.bufferOf(result) == buffer)
      return "in place: " + name(result) + " is the buffer of " + operand +
             whose;
  if (decision.writes)
    return "in place: " + operand + " is written in its own buffer" + whose;
  return "in place: " + operand + " is " + (decision.reads ? "read" : "used") +
         " in its own buffer";
}

Explanation TensorText::aboutOperand(const TensorOperand &decision) const {
  if (decision.placement == TensorPlacement::inPlace)
    return {inPlaceWords(decision), {}, {}};
  const TensorCost *cost = costOf(decision);
  const std::string because =
      decision.reasons.empty()
          ? ""
          : std::string(cost && cost->isCopy && tensors.isForNothing(decision)
                            ? ", for nothing"
                            : "") +
                ": " + reasonWords(decision, decision.reasons.front());
  const std::string operand = name(decision.value);
  Explanation explanation;
  if (!cost)
    explanation.sentence =
        operand + " is out of place, and nothing is made for it" + because;
  else if (cost->origin == TensorCostOrigin::newBuffer)
    explanation.sentence = operand + " gets a buffer of its own" +
                           amountWords(*cost) + ", no copy" + because;
  else if (cost->origin == TensorCostOrigin::result)
    explanation.sentence = "the part of " + operand + " is copied here" +
                           amountWords(*cost) + because;
  else
    explanation.sentence =
        operand + " is copied here" + amountWords(*cost) + because;
  addReasons(explanation, decision);
  return explanation;
}

//===--- What ops make ----------------------------------------------------===//

std::string TensorText::layoutWords(const TensorCost &cost) const {
  const trace::Value *because = lookup.value(cost.because);
  const std::string needs = lookup.opName(cost.op);
  std::string why = "its layout may have gaps";
  if (because && because->kind == trace::ValueKind::argument)
    why = "as an argument " + name(cost.because) + " may have gaps";
  else if (because && cost.because != cost.value)
    why = name(cost.because) + lookup.at(lookup.rangeOfValue(cost.because)) +
          " has gaps";
  return name(cost.value) + " is copied here" + amountWords(cost) + ": " + why +
         ", and " + needs + " needs none";
}

Explanation TensorText::aboutCost(const TensorCost &cost) const {
  const std::string amount = amountWords(cost), value = name(cost.value);
  switch (cost.origin) {
  case TensorCostOrigin::operand:
  case TensorCostOrigin::result:
  case TensorCostOrigin::newBuffer:
    if (const TensorOperand *decision =
            tensors.decisionOf(cost.op, cost.operand))
      return aboutOperand(*decision);
    break;
  case TensorCostOrigin::loopValue:
    return {value + " is copied here" + amount +
                ": it is yielded in the place of " + name(cost.because) +
                ", which is another buffer",
            {},
            {}};
  case TensorCostOrigin::writtenBack:
    if (cost.isOntoItself)
      return {value + " is in its place already: its memref.copy is onto "
                      "itself, and goes with cse and canonicalize",
              {},
              {}};
    return {value +
                " is computed in a buffer of its own, then copied to its "
                "place" +
                amount,
            {},
            {}};
  case TensorCostOrigin::layout:
  case TensorCostOrigin::boundaryLayout:
    return {layoutWords(cost), {}, {}};
  case TensorCostOrigin::opResult:
    return {value + (cost.isCopy ? " is copied here" : " gets a new buffer") +
                amount,
            {},
            {}};
  case TensorCostOrigin::copyBeforeWrite:
    return {lookup.opName(cost.op) + " copies what it writes" + amount +
                ": copy-before-write copies before each write",
            {},
            {}};
  case TensorCostOrigin::program:
  case TensorCostOrigin::unknown:
    break;
  }
  return {};
}

Explanation
TensorText::aboutOverwrite(const trace::TensorOverwrite &overwrite) const {
  if (overwrite.read == none)
    return aboutReadOnly(overwrite);
  if (overwrite.by != none)
    return {name(overwrite.written) + " is overwritten in place by " +
                lookup.opAt(overwrite.write) + ", and " +
                lookup.opAt(overwrite.read) + " reads the new value in " +
                name(overwrite.argument) + ": " + lookup.opAt(overwrite.by) +
                (lookup.calleeOf(*lookup.op(overwrite.by))
                     ? " returns one buffer as both"
                     : " carries one buffer as both") +
                ", and LLVM " MEMREF_LENS_UPSTREAM_RELEASE " is wrong here",
            {{none, lookup.rangeOfOp(overwrite.read),
              "is to read what " + name(overwrite.argument) + " was"},
             {none, lookup.rangeOfOp(overwrite.by),
              name(overwrite.written) + " and " + name(overwrite.argument) +
                  " are one buffer"}},
            {}};
  return {name(overwrite.argument) + " is overwritten in place by " +
              lookup.opAt(overwrite.write) + ", and " +
              lookup.opAt(overwrite.read) +
              " reads the new value: LLVM " MEMREF_LENS_UPSTREAM_RELEASE
              " is wrong here",
          {{none, lookup.rangeOfOp(overwrite.read),
            "is to read what " + name(overwrite.argument) + " was"}},
          {}};
}

Explanation
TensorText::aboutReadOnly(const trace::TensorOverwrite &overwrite) const {
  const trace::Value *kept = lookup.value(overwrite.argument);
  const trace::Op *made = kept ? lookup.op(kept->op) : nullptr;
  const bool isConstant = made && made->name == "arith.constant";
  return {name(overwrite.written) + " is overwritten in place by " +
              lookup.opAt(overwrite.write) + ", and " +
              lookup.opAt(overwrite.by) +
              (lookup.calleeOf(*lookup.op(overwrite.by)) ? " returns "
                                                         : " carries ") +
              (isConstant ? "a constant" : "memory that must not be written") +
              " as it, " + name(overwrite.argument) + " (" +
              lookup.position(lookup.rangeOfValue(overwrite.argument)) +
              "): LLVM " MEMREF_LENS_UPSTREAM_RELEASE " is wrong here",
          {{none, lookup.rangeOfValue(overwrite.argument),
            name(overwrite.argument) +
                (isConstant ? " is a memref.global that is constant"
                            : " is of bufferization.to_tensor without "
                              "'writable'")},
           {none, lookup.rangeOfOp(overwrite.by),
            name(overwrite.written) + " is the buffer of " +
                name(overwrite.argument)}},
          {}};
}

//===--- What is not as it seems ------------------------------------------===//

Explanation TensorText::aboutSharing(const TensorOperand &decision) const {
  if (decision.placement != TensorPlacement::inPlace || !decision.writes)
    return {};
  for (const TensorReason &reason : decision.reasons)
    if (reason.kind == TensorReasonKind::parallel &&
        reason.write == decision.op)
      return {
          "threads that run at the same time write " + name(reason.definition) +
              " in one buffer: check-parallel-regions=0 makes no copy "
              "for each of them",
          {{none, lookup.rangeOfValue(reason.definition),
            name(reason.definition) + " is outside of the parallel region"}},
          {}};
  return {};
}

Explanation
TensorText::aboutAccess(const trace::TensorArgument &argument) const {
  const bool writes = argument.bodyWrites && !argument.written;
  const bool reads = argument.bodyReads && !argument.read;
  if (!argument.isStated || argument.value == none || (!writes && !reads))
    return {};
  const std::string does = writes && reads ? "reads and writes"
                           : writes        ? "writes"
                                           : "reads";
  const std::string says = argument.written ? "write"
                           : argument.read  ? "read"
                                            : "none";
  const trace::Function *function =
      lookup.function(lookup.getIndex().functionOfValue(argument.value));
  return {(function ? trace::symbolText(function->name) : "the function") +
              " " + does + " " + name(argument.value) +
              ", and bufferization.access says \"" + says +
              "\": callers believe it",
          {},
          {}};
}

Explanation TensorText::aboutMadeDense(Id value) const {
  const TensorCost *buffer = tensors.allocationOf(value);
  return {name(value) + " has a sparse encoding, and becomes a dense buffer" +
              (buffer ? amountWords(*buffer) : ""),
          {},
          {}};
}

Explanation TensorText::aboutUntouched(Id function) const {
  const trace::Function *known = lookup.function(function);
  return {trace::symbolText(known ? known->name : "") +
              " keeps its tensors: it is in a module of the module that "
              "one-shot-bufferize ran on",
          {},
          {}};
}

Explanation TensorText::aboutPart(const trace::TensorResult &result) const {
  const TensorCost *whole = tensors.allocationOf(result.partOf);
  if (result.partOf == none || !whole || !tensors.isLive(*whole) ||
      whole->bytes <= result.bytes)
    return {};
  return {"the part of " + name(result.partOf) + " that is returned, " +
              bytesText(uint64_t(result.bytes)) + ", keeps its whole buffer, " +
              bytesText(uint64_t(whole->bytes)),
          {},
          {}};
}

//===--- Places -----------------------------------------------------------===//

static void addTo(std::vector<Explanation> &all, Explanation explanation) {
  const bool isKnown = std::ranges::any_of(all, [&](const Explanation &other) {
    return other.sentence == explanation.sentence;
  });
  if (!explanation.empty() && !isKnown)
    all.push_back(std::move(explanation));
}

std::vector<Explanation> TensorText::aboutOp(Id op) const {
  std::vector<Explanation> all;
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    for (const trace::TensorOverwrite &overwrite : run.overwrites)
      if (overwrite.write == op || overwrite.read == op)
        addTo(all, aboutOverwrite(overwrite));
  const auto decisions = tensors.decisionsAt(op);
  for (const TensorOperand *decision : decisions)
    addTo(all, aboutSharing(*decision));
  for (const TensorOperand *decision : decisions)
    if (decision->placement == TensorPlacement::outOfPlace)
      addTo(all, aboutOperand(*decision));
  std::vector<const TensorCost *> costs = tensors.costsAt(op);
  for (bool isCopy : {true, false})
    for (const TensorCost *cost : costs) {
      // A copy says that there is a buffer, too.
      const bool isSaid =
          !cost->isCopy && std::ranges::any_of(costs, [&](const auto *other) {
            return other->isCopy && other->origin == cost->origin &&
                   other->operand == cost->operand;
          });
      if (cost->isCopy == isCopy && !isSaid && cost->now != none)
        addTo(all, aboutCost(*cost));
    }
  if (all.empty())
    for (const TensorOperand *decision : decisions)
      if (decision->writes)
        addTo(all, aboutOperand(*decision));
  return all;
}

std::vector<Explanation> TensorText::aboutUse(Id op, Id value) const {
  std::vector<Explanation> all;
  for (const TensorOperand *decision : tensors.decisionsAt(op))
    if (decision->value == value)
      addTo(all, aboutOperand(*decision));
  for (const TensorCost *cost : tensors.costsAt(op))
    if (cost->value == value && cost->isCopy && cost->now != none)
      addTo(all, aboutCost(*cost));
  return all;
}

std::vector<Explanation> TensorText::aboutValue(Id value) const {
  std::vector<Explanation> all;
  const trace::Value *known = lookup.value(value);
  if (const trace::TensorArgument *argument = tensors.argument(value)) {
    addTo(all,
          {name(value) + " is " + accessWords(*argument) + " by the function",
           {},
           {}});
    addTo(all, aboutAccess(*argument));
  }
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    if (std::ranges::find(run.madeDense, value) != run.madeDense.end())
      addTo(all, aboutMadeDense(value));
  if (!known || known->op == none)
    return all;
  for (const TensorCost *cost : tensors.costsAt(known->op))
    if (cost->value == value && cost->now != none)
      addTo(all, aboutCost(*cost));
  // The copy that an operand out of place got is the result's buffer.
  if (const TensorCost *holder = tensors.holderOf(value);
      holder && holder->op == known->op)
    addTo(all, aboutCost(*holder));
  for (const TensorOperand *decision : tensors.decisionsAt(known->op))
    if (tensors.bufferOf(decision->value) == tensors.bufferOf(value))
      addTo(all, aboutOperand(*decision));
  if (all.empty())
    addTo(all, aboutNoBuffer(*known));
  return all;
}

/// Of a tensor.empty that is written nowhere, since its users write elsewhere.
Explanation TensorText::aboutNoBuffer(const trace::Value &value) const {
  if (lookup.opName(value.op) != "tensor.empty" ||
      tensors.allocationOf(value.id))
    return {};
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    for (const TensorOperand &use : run.operands)
      if (use.value == value.id && use.placement == TensorPlacement::outOfPlace)
        return {"no buffer is made for " + name(value.id) + ": " +
                    lookup.opAt(use.op) + " writes another one",
                {},
                {}};
  return {};
}

//===--- Beside the code --------------------------------------------------===//

static bool isFresh(const trace::TensorResult &result) {
  return result.argument < 0 && result.mayBe.empty();
}

/// "is %t or fresh".
static std::string resultWords(const Lookup &lookup,
                               const trace::TensorFunction &function,
                               const trace::TensorResult &result) {
  auto name = [&](int32_t number) {
    for (const trace::TensorArgument &argument : function.arguments)
      if (const trace::Value *value = lookup.value(argument.value);
          value && value->index == uint32_t(number))
        return lookup.name(value->id);
    return "argument #" + std::to_string(number);
  };
  if (result.argument >= 0)
    return "is " + name(result.argument);
  std::string words;
  for (int32_t argument : result.mayBe)
    words += (words.empty() ? "is " : " or ") + name(argument);
  return isFresh(result) ? "fresh" : words + " or fresh";
}

void TensorText::addHints(const trace::TensorFunction &function,
                          std::vector<Hint> &hints) const {
  const trace::Function *known = lookup.function(function.function);
  if (!known || known->status == trace::FunctionStatus::declaration)
    return;
  for (const trace::TensorArgument &argument : function.arguments)
    hints.push_back({none, argument.value, accessWords(argument),
                     name(argument.value) + " is " + accessWords(argument) +
                         " by the function"});
  for (Id block : known->blocks) {
    const trace::Block *body = lookup.block(block);
    const trace::Op *end =
        body && !body->ops.empty() ? lookup.op(body->ops.back()) : nullptr;
    if (!end || end->name != "func.return")
      continue;
    for (const trace::TensorResult &result : function.results)
      // Behind bufferization the op returns a memref.
      if (const TensorOperand *returned =
              tensors.decisionOf(end->id, result.result)) {
        const std::string words = resultWords(lookup, function, result);
        hints.push_back(
            {end->id, returned->value, words,
             "to those who call the function, result #" +
                 std::to_string(result.result) + " " +
                 (isFresh(result) ? "is a buffer of its own" : words)});
      }
  }
}

std::vector<TensorText::Hint> TensorText::hints() const {
  std::vector<Hint> hints;
  const std::vector<const TensorCost *> &costs = tensors.costs();
  std::set<std::tuple<Id, int32_t, TensorCostOrigin>> copied;
  for (const TensorCost *cost : costs)
    if (cost->isCopy)
      copied.insert({cost->op, cost->operand, cost->origin});
  for (const TensorCost *cost : costs) {
    // A copy says that there is a buffer, too.
    if (cost->origin == TensorCostOrigin::program ||
        (!cost->isCopy &&
         copied.contains({cost->op, cost->operand, cost->origin})))
      continue;
    const bool isResult =
        cost->origin == TensorCostOrigin::opResult && !cost->isCopy;
    hints.push_back({isResult ? none : cost->op, cost->value,
                     (cost->isCopy ? "copy " : "new buffer ") + bytesOf(*cost) +
                         (cost->loops.empty() ? "" : " per iteration"),
                     aboutCost(*cost).sentence});
  }
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    for (const trace::TensorFunction &function : run.functions)
      addHints(function, hints);
  return hints;
}

std::vector<TensorText::Hint> TensorText::hintsInPlace() const {
  std::vector<Hint> hints;
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    for (const TensorOperand &operand : run.operands)
      if (operand.placement == TensorPlacement::inPlace && operand.writes)
        hints.push_back({operand.op, operand.value, "in place",
                         aboutOperand(operand).sentence});
  return hints;
}

//===--- Totals -----------------------------------------------------------===//

static std::string amountText(const trace::TensorAmount &amount,
                              const std::string &noun) {
  std::string text = noun == "copy" && amount.count != 1
                         ? grouped(amount.count) + " copies"
                         : counted(amount.count, noun);
  if (amount.count == 0)
    return text;
  if (amount.bytes == 0 && amount.isLowerBound)
    return text + " of unknown size";
  return text + (amount.isLowerBound ? ", at least " : ", ") +
         bytesText(amount.bytes);
}

/// What the program has as memrefs is not bufferization's.
static std::string ownWords(const trace::TensorTotals &sums) {
  std::string text;
  if (sums.ownBuffers.count > 0)
    text = amountText(sums.ownBuffers, "buffer");
  if (sums.ownCopies.count > 0)
    text += (text.empty() ? "" : ", and ") + amountText(sums.ownCopies, "copy");
  return text.empty() ? text : "; the program's own: " + text;
}

std::string TensorText::totals(Id function) const {
  const trace::TensorTotals sums = tensors.totals(function);
  // A program that was bufferized already.
  if (sums.operands == 0)
    return {};
  const std::string inPlace = sums.inPlace == sums.operands
                                  ? "all in place"
                                  : grouped(sums.inPlace) + " in place";
  return counted(sums.operands, "tensor operand") + ", " + inPlace + "; " +
         amountText(sums.buffers, "buffer") + "; " +
         amountText(sums.copies, "copy") + ownWords(sums);
}

/// Upstream does about ten million in a second.
static constexpr uint64_t slowComparisons = 30'000'000;

std::string TensorText::slowAnalysis() const {
  uint64_t comparisons = 0;
  // What was not replayed, lens-one-shot-bufferize leaves to upstream's pass.
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    comparisons += run.isReplayed ? run.comparisons : 0;
  if (comparisons < slowComparisons)
    return {};
  return "one-shot-bufferize compares reads and writes about " +
         grouped(comparisons / 1'000'000) +
         " million times, which takes seconds; lens-one-shot-bufferize in its "
         "place (--load-pass-plugin=libMemrefLensPasses.so) yields the same IR "
         "sooner";
}

std::vector<TensorText::Empties> TensorText::empties() const {
  constexpr size_t few = 3;
  using Key = std::tuple<Id, std::string, std::vector<Id>>;
  std::map<Key, Empties> byType;
  for (const TensorCost *cost : tensors.costs()) {
    const trace::Op *op = lookup.op(cost->op);
    const trace::Value *value = lookup.value(cost->value);
    if (cost->isCopy || cost->origin != TensorCostOrigin::opResult || !op ||
        !value || op->name != "tensor.empty")
      continue;
    const Id function = lookup.getIndex().functionOfBlock(op->block);
    Empties &found = byType[{function, std::string(value->type), op->operands}];
    found.function = function;
    found.buffers.push_back(cost);
    found.bytes =
        found.bytes < 0 || cost->bytes < 0 ? -1 : found.bytes + cost->bytes;
  }
  std::vector<Empties> all;
  for (auto &[key, found] : byType)
    if (found.buffers.size() >= few)
      all.push_back(std::move(found));
  std::ranges::stable_sort(all, std::ranges::greater(), [](const Empties &one) {
    return one.buffers.size();
  });
  return all;
}

Explanation TensorText::aboutEmpties(const Empties &empties) const {
  const TensorCost &first = *empties.buffers.front(),
                   &second = *empties.buffers[1];
  return {counted(empties.buffers.size(), "tensor.empty op") + " of " +
              std::string(lookup.value(first.value)->type) +
              " are a buffer each" +
              (empties.bytes < 0
                   ? ""
                   : ", " + bytesText(uint64_t(empties.bytes)) + " in all") +
              ": ops that share one use one buffer where they do not need two "
              "at a time",
          {{none, lookup.rangeOfOp(second.op), "the next one"}},
          {}};
}

std::string TensorText::boundedSearch() const {
  for (const trace::Bufferization &run : lookup.getTrace().bufferizations)
    if (run.isOverwriteSearchBounded)
      return "not all writes were compared with all reads: there may be more "
             "tensors that are overwritten since a call or a loop makes two of "
             "them one buffer";
  return {};
}

std::string TensorText::costsOf(const trace::TensorGroup &group) const {
  std::string text;
  if (group.copies.count > 0)
    text = amountText(group.copies, "copy");
  if (group.buffers.count > 0)
    text += (text.empty() ? "" : "; ") + amountText(group.buffers, "buffer");
  return text;
}

std::string TensorText::sentenceOf(const trace::TensorGroup &group) const {
  const size_t places =
      group.copies.count > 0 ? group.copies.count : group.costs.size();
  if (places == 1 && !group.costs.empty()) {
    const TensorCost *told = group.costs.front();
    for (const TensorCost *cost : group.costs)
      if (cost->isCopy)
        told = cost;
    return aboutCost(*told).sentence;
  }
  if (group.copies.count == 0)
    return counted(places, "tensor") + " get buffers of their own";
  switch (group.cause) {
  case TensorCause::constantWritten:
    return counted(places, "constant") + " are copied so that they can be "
                                         "written";
  case TensorCause::readOnlyWritten:
    return counted(places, "tensor") + " that must not be written are copied";
  case TensorCause::readAfterWrite:
    return counted(places, "tensor") +
           " are copied because they are read after a write";
  case TensorCause::calleeWrites:
    return counted(places, "tensor") +
           " are copied because a function that is called may write them";
  case TensorCause::falseConflict:
    return counted(places, "tensor") +
           " are copied for nothing: another tensor is read after the write";
  case TensorCause::disjointParts:
    return counted(places, "tensor") +
           " are copied for nothing: the parts that are written and read do "
           "not overlap";
  case TensorCause::parallel:
    return counted(places, "tensor") + " are copied for each thread";
  case TensorCause::loopValue:
    return counted(places, "value") +
           " that loops yield in the place of others are copied";
  case TensorCause::writtenBack:
    return counted(places, "value") +
           " are computed in buffers of their own and copied to their places";
  case TensorCause::layout:
    return counted(places, "tensor") + " are copied because of their layouts";
  case TensorCause::copyBeforeWrite:
    return counted(places, "tensor") + " are copied by copy-before-write";
  case TensorCause::perIteration:
    return counted(places, "tensor") +
           " are copied in each iteration of a loop";
  case TensorCause::opResult:
  case TensorCause::other:
    break;
  }
  return counted(places, "copy");
}

} // namespace memreflens
