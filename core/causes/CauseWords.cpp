//===- core/causes/CauseWords.cpp -----------------------------------------===//

#include "core/causes/CauseWords.h"
#include "core/explain/Words.h"
#include "core/trace/Symbol.h"

#include <algorithm>

namespace memreflens {

using trace::Id;
using trace::none;

static constexpr std::string_view oneOfSeveral =
    " one of several buffers; only run time tells which";

//===--- What the sentences are made of -----------------------------------===//

/// Callees of the calls, each once, as they are written.
static std::vector<std::string> calleesOf(const OneCause &cause) {
  std::vector<std::string> names;
  for (const Root &root : cause.roots) {
    const trace::Op *call = cause.lookup.op(root.op);
    const trace::Function *callee =
        call ? cause.lookup.calleeOf(*call) : nullptr;
    if (!callee)
      continue;
    std::string name = trace::symbolText(callee->name);
    if (std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

/// Different values of the roots.
static std::vector<Id> valuesOf(const OneCause &cause) {
  std::vector<Id> values;
  for (const Root &root : cause.roots)
    if (std::ranges::find(values, root.value) == values.end())
      values.push_back(root.value);
  return values;
}

/// "scf.for (3:8) in @f carries one of several buffers; ...".
static CauseSentence atOp(const OneCause &cause, Id op, std::string_view does) {
  return {cause.lookup.opAt(op) + " in " + cause.function + std::string(does),
          cause.lookup.rangeOfOp(op)};
}

/// " in 3 functions"; empty for one.
static std::string in(const SeveralCauses &causes) {
  return causes.functions == 1 ? ""
                               : " in " + counted(causes.functions, "function");
}

static std::string withOneOfSeveral(std::string_view does) {
  return std::string(does) + std::string(oneOfSeveral);
}

//===--- One --------------------------------------------------------------===//

static CauseSentence callResult(const OneCause &cause) {
  std::vector<std::string> callees = calleesOf(cause);
  if (callees.empty())
    return {"results of calls in " + cause.function +
                " are not known to be buffers of their own",
            {}};
  return {"results of " +
              (callees.size() > 3
                   ? counted(callees.size(), "function") + " (" + callees[0] +
                         ", " + callees[1] + ", ...)"
                   : listed(callees)) +
              ", called in " + cause.function +
              ", are not known to be buffers of their own",
          {}};
}

static CauseSentence argumentReturned(const OneCause &cause) {
  const std::vector<Id> values = valuesOf(cause);
  const std::string returns = cause.function + " returns ";
  if (values.size() != 1)
    return {returns + grouped(values.size()) + " of its arguments", {}};
  const std::string argument =
      "its argument " + cause.lookup.name(values.front());
  const Id view = cause.roots.front().view;
  if (view == none)
    return {returns + argument, {}};
  return {returns + "a view (" + cause.lookup.opAt(view) + ") of " + argument,
          cause.lookup.rangeOfOp(view)};
}

static CauseSentence branch(const OneCause &cause) {
  const std::vector<Id> values = valuesOf(cause);
  const trace::Block *block = cause.lookup.block(cause.group);
  const trace::Range range = block ? block->nameRange : trace::Range();
  return {fewNames(cause.lookup, values) + " of " +
              cause.lookup.blockName(cause.group) + cause.lookup.at(range) +
              " in " + cause.function +
              (values.size() == 1 ? " is" : " are each") +
              std::string(oneOfSeveral),
          range};
}

static CauseSentence blockEnd(const OneCause &cause) {
  const Lookup &lookup = cause.lookup;
  const trace::Block *block = lookup.block(cause.group);
  const trace::Function *home =
      block ? lookup.function(block->function) : nullptr;
  const bool isBody = home && block->isEntry && home->op == block->parentOp;
  const std::string end =
      isBody ? "its end" : "the end of " + lookup.endName(cause.group);
  if (cause.costs.lateDeallocs == 0)
    return {"buffers of " + cause.function + " are deallocated at " + end, {}};
  const bool isOne = cause.costs.lateDeallocs == 1;
  return {counted(cause.costs.lateDeallocs, "buffer") + " of " +
              cause.function + (isOne ? " is" : " are") + " deallocated at " +
              end +
              (isOne ? ", after its last use" : ", after their last use") +
              " and later allocations",
          {}};
}

static CauseSentence iteration(const OneCause &cause) {
  const std::string allocates = " allocates " +
                                counted(cause.costs.loopAllocations, "buffer") +
                                " in each iteration";
  if (cause.group == none)
    return {"a loop of branches in " + cause.function + allocates, {}};
  return atOp(cause, cause.group, allocates);
}

//===--- Several ----------------------------------------------------------===//

static Sentence blockEnds(const SeveralCauses &causes) {
  if (causes.costs.lateDeallocs == 0)
    return "buffers" + in(causes) +
           " are deallocated at the end of their block";
  return counted(causes.costs.lateDeallocs, "buffer") + in(causes) +
         " are deallocated at the end of their block, after their last use "
         "and later allocations";
}

static Sentence findings(const SeveralCauses &causes) {
  if (causes.costs.findings > 0)
    return std::string(causes.rule ? causes.rule->title : "findings") + ": " +
           counted(causes.costs.findings, "place") + in(causes);
  // Without findings there is what no rule is about.
  return causes.costs.clones > 0
             ? "the code of clones that are never made stays" +
                   (causes.functions == 1 ? " in a function" : in(causes))
             : "run-time alias checks are left" + in(causes);
}

//===--- Both -------------------------------------------------------------===//

namespace {
struct Row {
  CauseKind kind;
  CauseSentence (*one)(const OneCause &cause);
  Sentence (*several)(const SeveralCauses &causes);
};
} // namespace

/// Of one, where its first finding says nothing.
static CauseSentence leftOver(const OneCause &cause) {
  return {cause.rule == ruleIds::clone
              ? "the code of clones that are never made stays in " +
                    cause.function
              : "run-time alias checks are left in " + cause.function,
          {}};
}

static constexpr Row rows[] = {
    {CauseKind::rejection, leftOver, findings},
    {CauseKind::fault, leftOver, findings},
    {CauseKind::callResult, callResult,
     [](const SeveralCauses &causes) -> Sentence {
       return "results of calls" + in(causes) +
              " are not known to be buffers of their own";
     }},
    {CauseKind::unknownOrigin,
     [](const OneCause &cause) {
       return atOp(cause, cause.roots.front().op,
                   " gives a buffer of unknown origin");
     },
     [](const SeveralCauses &causes) -> Sentence {
       return "some ops" + in(causes) + " give buffers of unknown origin";
     }},
    {CauseKind::loop,
     [](const OneCause &cause) {
       return atOp(cause, cause.group, withOneOfSeveral(" carries"));
     },
     [](const SeveralCauses &causes) -> Sentence {
       return counted(causes.count, "loop") + in(causes) +
              withOneOfSeveral(" carry");
     }},
    {CauseKind::region,
     [](const OneCause &cause) {
       return atOp(cause, cause.group, withOneOfSeveral(" yields"));
     },
     [](const SeveralCauses &causes) -> Sentence {
       return counted(causes.count, "op") + " with regions" + in(causes) +
              withOneOfSeveral(" yield");
     }},
    {CauseKind::branch, branch,
     [](const SeveralCauses &causes) -> Sentence {
       return "arguments of " + counted(causes.count, "block") + in(causes) +
              withOneOfSeveral(" are");
     }},
    {CauseKind::join,
     [](const OneCause &cause) {
       return atOp(cause, cause.group,
                   " gives one of its operands; only run time tells which");
     },
     [](const SeveralCauses &causes) -> Sentence {
       return counted(causes.count, "op") + in(causes) +
              " give one of their operands; only run time tells which";
     }},
    {CauseKind::argumentReturned, argumentReturned,
     [](const SeveralCauses &causes) -> Sentence {
       return counted(causes.functions, "function") + " return their arguments";
     }},
    {CauseKind::globalReturned,
     [](const OneCause &cause) -> CauseSentence {
       return {cause.function + " returns " +
                   (valuesOf(cause).size() == 1 ? "a global" : "globals"),
               {}};
     },
     [](const SeveralCauses &causes) -> Sentence {
       return counted(causes.functions, "function") + " return globals";
     }},
    {CauseKind::edge,
     [](const OneCause &cause) -> CauseSentence {
       return {"deallocs of buffers of " + cause.function +
                   " depend on the branch at the end of " +
                   cause.lookup.endName(cause.group),
               {}};
     },
     [](const SeveralCauses &causes) -> Sentence {
       return "deallocs depend on the branches at the end of " +
              counted(causes.count, "block") + in(causes);
     }},
    {CauseKind::blockEnd, blockEnd, blockEnds},
    {CauseKind::lastUseUnknown,
     [](const OneCause &cause) -> CauseSentence {
       return {"the last use of " +
                   counted(cause.costs.lateDeallocs, "buffer") + " of " +
                   cause.function + " is not known",
               {}};
     },
     [](const SeveralCauses &causes) -> Sentence {
       return "the last use of " +
              counted(causes.costs.lateDeallocs, "buffer") + in(causes) +
              " is not known";
     }},
    {CauseKind::iteration, iteration,
     [](const SeveralCauses &causes) -> Sentence {
       return counted(causes.count, "loop") + in(causes) + " allocate " +
              counted(causes.costs.loopAllocations, "buffer") +
              " in each iteration";
     }},
    {CauseKind::other, leftOver, findings},
};

static constexpr bool isByKind() {
  for (int kind = 0; kind < causeKinds; ++kind)
    if (rows[kind].kind != CauseKind(kind))
      return false;
  return std::size(rows) == causeKinds;
}
static_assert(isByKind());

CauseSentence sentenceOf(CauseKind kind, const OneCause &cause) {
  return rows[size_t(kind)].one(cause);
}

Sentence sentenceOf(CauseKind kind, const SeveralCauses &causes) {
  return rows[size_t(kind)].several(causes);
}

} // namespace memreflens
