//===- core/trace/OpFacts.h - what the ownership pass makes of an op ------===//
//
// Which interfaces and traits an op has in a registry, which of the pass's
// conditions it meets, and which i1s the pass appends to it. Of an op's name
// some of that is open, since it depends on the op at hand; of one op, nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_OPFACTS_H
#define MEMREFLENS_TRACE_OPFACTS_H

#include "core/trace/Event.h"

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

namespace memreflens::trace {

/// Answer to a question about an op of which perhaps only the name is known.
enum class Answer : uint8_t { no, yes, depends };

/// How many of something an op has: equal bounds, if its definition says so.
struct OpCount {
  int least = 0;
  int most = INT_MAX;
  bool operator==(const OpCount &) const = default;
};

/// An interface or a trait that matters to deallocation.
struct OpCapability {
  std::string name;
  bool has = false;
  /// By an extension of the registry (an external model), not the dialect.
  bool attached = false;
  /// The dialect promises it, and the registry has no extension that keeps the
  /// promise.
  bool promised = false;
};

/// One of the pass's conditions, in the pass's order.
struct OpCondition {
  RejectionCause cause = RejectionCause::unknownEffects;
  /// Upstream's text, exact.
  std::string message;
  Answer fails = Answer::no;
  /// Of a branch without any successor, where the cause is also that of one
  /// with several.
  bool wantsSuccessor = false;
};

/// How the pass handles an op that meets the conditions; an op may be handled
/// in several ways, in this order. With a deallocation model, only by it.
enum class OpHandling : uint8_t {
  deallocationModel, ///< BufferDeallocationOpInterface
  memoryEffects,     ///< MemoryEffectOpInterface
  regionBranch,      ///< RegionBranchOpInterface
  call,              ///< CallOpInterface
  branch,            ///< BranchOpInterface
  regionTerminator   ///< RegionBranchTerminatorOpInterface
};

/// Models that the pass knows by the op's class.
enum class OpModel : uint8_t {
  none,
  passThrough,         ///< nothing; says who owns a result when asked
  conditionalBranch,   ///< one dealloc for each of two successors
  emptyTerminator,     ///< a dealloc that retains nothing
  reductionTerminator, ///< the same, and the operand must be no memref
  parallelTerminator,  ///< the same, and the region must be empty
  own                  ///< the op's own `process`
};

enum class OpPlace : uint8_t {
  inside,        ///< of a func.func
  function,      ///< a func.func itself
  otherFunction, ///< a function that the pass does not work on
  outside        ///< an op outside of any func.func
};

/// i1s that the pass appends.
struct OpAppended {
  SignaturePart part = SignaturePart::regionOpResult;
  /// -1: one for each memref there.
  int count = -1;
};

/// What the effects of an op are that was made up from its name, with memrefs
/// as operands and results.
struct OpProbe {
  /// Whether it could be asked.
  bool wasAsked = false;
  int operands = 0, results = 0;
  /// Its operands are in segments, which are all left empty.
  bool hasEmptySegments = false;
  std::vector<int> allocated, onStack, freed;
};

struct OpFacts {
  std::string name;
  /// Of one op; else of whatever bears the name.
  bool isInstance = false;
  bool isRegistered = true;
  /// Of an op of MLIR's own, which no user can define otherwise: what helps
  /// against what its definition lacks. Empty for all others.
  std::vector<std::string> remediesOfMlir;
  /// Op of the trace, of an instance.
  Id op = none;
  /// Those of a fixed list; empty for an instance.
  std::vector<OpCapability> interfaces, traits;
  /// Names of the attributes that are part of the op's definition.
  std::vector<std::string> attributes;
  OpCount operands, results, regions, successors;

  /// No memref among operands, results and arguments of first blocks, and it
  /// neither allocates nor frees: no condition holds.
  Answer passedOver = Answer::no;
  std::vector<OpCondition> conditions;
  std::vector<OpHandling> handlings;
  OpModel model = OpModel::none;
  std::vector<OpAppended> appended;
  /// What is appended does not fit the op's definition: operands or results are
  /// in segments or of a fixed number.
  Answer spoiledOperands = Answer::no, spoiledResults = Answer::no;
  /// Whether some memref result is allocated, and which results of an instance.
  Answer allocates = Answer::no;
  std::vector<int> allocated, onStack;
  /// A memref result that no handling makes: a view of the operands.
  Answer views = Answer::no;
  /// Where the pass looks at it: at what is inside of a func.func. Of a name,
  /// `inside`, unless the op is a function.
  OpPlace place = OpPlace::inside;
  /// Of a name.
  OpProbe probe;
};

/// The first condition that an op is known not to meet; null if none.
inline const OpCondition *rejectionIn(const OpFacts &facts) {
  for (const OpCondition &condition : facts.conditions)
    if (condition.fails == Answer::yes)
      return &condition;
  return nullptr;
}

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_OPFACTS_H
