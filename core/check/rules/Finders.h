//===- core/check/rules/Finders.h - what finds each rule's findings -------===//
//
// One file a rule, or a few that belong together, with what is found, its words
// and its advice. Rules.def lists the rules, and the functions that find them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_RULES_FINDERS_H
#define MEMREFLENS_CHECK_RULES_FINDERS_H

#include "core/check/Collect.h"
#include "core/check/RuleId.h"
#include "core/explain/Explanation.h"
#include "core/query/Executions.h"
#include "core/query/Lifetimes.h"

#include <functional>
#include <map>
#include <string>

namespace memreflens {

class TensorText;

//===--- Those that Rules.def lists ---------------------------------------===//
#define FIND_IN_PROGRAM(function)                                              \
  void function(FindingMaker &maker, const CheckInputs &inputs);
/// Of any function with a body.
#define FIND_IN_FUNCTION(function)                                             \
  void function(FindingMaker &maker, const trace::Function &of);
/// Of any op that no pass made.
#define FIND_AT_OP(function)                                                   \
  void function(FindingMaker &maker, const trace::Op &op);
#include "core/check/Rules.def"

//===--- On what is recorded ----------------------------------------------===//
/// What a run of one-shot-bufferize makes wrong, drops or keeps.
void addBufferizeFaults(FindingMaker &maker, const TensorText &text,
                        const trace::Bufferization &run);
/// The first call, of each part of the file, that may end what a function
/// returned.
std::map<trace::Id, FindingNote> releasesIn(const FindingMaker &maker,
                                            const CheckInputs &inputs);
void addClone(FindingMaker &maker, const trace::Event &event,
              const trace::CloneEvent &clone, const CheckInputs &inputs);
void addLowering(FindingMaker &maker, const trace::Event &event,
                 const trace::LoweringEvent &lowering);
void addDealloc(FindingMaker &maker, const trace::Event &event,
                const trace::DeallocEvent &dealloc);
void addLateFrees(FindingMaker &maker, trace::Id function,
                  const Lifetimes &lifetimes);
void addAllocationsInLoops(FindingMaker &maker, const trace::Function &function,
                           Executions &executions);
/// Whether a pass that moves deallocations up may move one too far.
bool hasUnknownLastUse(const Lifetimes &lifetimes);
void addOwnershipResults(FindingMaker &maker, const trace::Function &function,
                         uint64_t indicators, const CheckInputs &inputs);

//===--- What several of them ask -----------------------------------------===//
/// A loop around the block: its op; `none` if there is none.
trace::Id loopAround(const Lookup &lookup, trace::Id block, bool parallel);
/// ", in each iteration of scf.for (3:8)"; empty outside of loops.
std::string inLoop(const Lookup &lookup, trace::Id op);
bool isTraced(const Lookup &lookup, trace::Id function);
bool isRejected(const Lookup &lookup, trace::Id function);
/// "@f", or "the module".
std::string functionOf(const Lookup &lookup, trace::Id function);
Advice liftAdvice();
/// With its evidence; null where there is nothing to say, or no such op.
Finding *addAtOp(FindingMaker &maker, RuleId rule, trace::Id op,
                 const Explanation &why);
void addEvidenceOf(FindingMaker &maker, Finding &finding,
                   const Explanation &why);
/// Calls `look` for the op and all below it.
void walk(const Lookup &lookup, trace::Id id,
          const std::function<void(const trace::Op &)> &look);
bool isInside(const Lookup &lookup, trace::Id block, trace::Id op);
/// Whether an op allocates the buffer, not a region or a call that hands one
/// on.
bool isMade(const Lookup &lookup, trace::Id buffer);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_RULES_FINDERS_H
