//===- core/query/Executions.h - how often a cost is paid -----------------===//
//
// Of one call of a function: how often each of its costs is paid, what it calls
// included. Loops multiply; where their rounds are no constant, they stay as
// factors. What a call passes stands for the callee's arguments.
//
//   Executions executions(lookup);
//   CallCosts costs = executions.of(function);
//   costs.allocations.times.constant()   // nothing where a loop is open
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_EXECUTIONS_H
#define MEMREFLENS_QUERY_EXECUTIONS_H

#include "core/query/Lookup.h"

#include <compare>
#include <map>
#include <optional>

namespace memreflens {

/// What a number is multiplied by: values, and numbers that are computed from
/// values.
struct Factors {
  std::vector<trace::Symbol> symbols;
  /// Each the number of its steps.
  std::vector<trace::LoopRange> ranges;
  /// Two where the product of all is halved: a sum over the rounds of a loop.
  uint64_t divisor = 1;
  /// The loop in each iteration of which it is paid, where nothing is known of
  /// its rounds or they differ: then loops around it do not count.
  /// `trace::none` for one made of branches.
  std::vector<trace::Id> openLoops;
  bool empty() const {
    return symbols.empty() && ranges.empty() && openLoops.empty();
  }
  auto operator<=>(const Factors &) const = default;
};

/// A sum of products.
struct CostSum {
  /// Factors, and the number that goes with them; a number that does not fit is
  /// `tooMuch`.
  std::map<Factors, uint64_t> terms;
  /// Branches may pass it by.
  bool isAtMost = false;
  /// There may be more: a size is not known, a function calls itself, or there
  /// are too many terms.
  bool isAtLeast = false;

  static constexpr uint64_t tooMuch = UINT64_MAX;
  void add(uint64_t number, Factors factors);
  bool empty() const { return terms.empty() && !isAtLeast; }
  /// Where there are no factors.
  std::optional<uint64_t> constant() const;
};

/// Of one kind of cost.
struct PaidCost {
  CostSum times, bytes;
};

/// Of one call.
struct CallCosts {
  std::map<trace::CostKind, PaidCost> byKind;
  const PaidCost &operator[](trace::CostKind kind) const;
};

/// A number and what it is multiplied by.
struct CostProduct {
  uint64_t number = 1;
  Factors factors;
  /// A loop may go round less often.
  bool isAtMost = false;
};

/// Whether it is this constant.
bool isNumber(const trace::Amount &amount, int64_t number);

class Executions {
public:
  explicit Executions(const Lookup &lookup);

  const CallCosts &of(trace::Id function);
  /// How often the op of the cost is executed in a call of its function.
  CostSum timesOf(trace::Id function, const trace::CostSite &site) const;

  /// Whether it is the same number at each execution in a call: none of the
  /// loops around changes it.
  bool isFixed(const trace::Amount &amount, const trace::CostSite &site) const;

private:
  using Passed = std::vector<trace::PassedNumber>;

  /// Whom a sum is told to: values that a function computes say nothing to
  /// those that call it, so that loops which go by them are open to these.
  enum class Reader : bool { itself, callers };
  CallCosts sumOf(trace::Id function, Reader reader) const;
  void addCallee(const CallCosts &callee, trace::Id function,
                 const trace::CostSite &site, Reader reader,
                 CallCosts &costs) const;
  std::optional<CostProduct> passedOn(const Factors &factors, uint64_t number,
                                      const trace::CostSite &site) const;

  void multiply(CostProduct &product, const trace::Amount &by) const;
  void multiply(CostProduct &product, const trace::LoopRange &by) const;
  void multiplyByLoops(CostProduct &product, trace::Id function,
                       const trace::CostSite &site,
                       Reader reader = Reader::itself) const;
  bool isMadeIn(trace::Id value, trace::Id loop, int depth = 0) const;
  bool isVaried(const CostProduct &product, trace::Id loop) const;
  bool sumUp(CostProduct &product, const trace::LoopRounds &loop) const;

  const trace::LoopRounds *roundsOf(trace::Id function, trace::Id loop) const;
  /// Whether it follows from what a caller passes.
  bool isPassed(const trace::LoopRange &range, int depth = 0) const;
  const trace::LoopRange *computed(trace::Id value) const;
  trace::Symbol namedAs(const trace::Symbol &symbol) const;
  std::optional<trace::Amount> passedFor(const trace::Symbol &symbol,
                                         const trace::CostSite &site,
                                         int depth) const;
  std::optional<trace::LoopRange> passedFor(const trace::LoopRange &range,
                                            const trace::CostSite &site,
                                            int depth) const;

  std::optional<int64_t> statedSize(const trace::Symbol &symbol) const;
  std::optional<int64_t> valueOf(const trace::Symbol &symbol, int depth) const;
  std::optional<int64_t> valueOf(const trace::Amount &amount,
                                 int depth = 0) const;
  std::optional<int64_t> valueOf(const trace::LoopRange &range,
                                 int depth = 0) const;
  CostSum stated(const CostSum &sum) const;

  const Lookup &lookup;
  /// For callers, as symbols; and for the function itself, with the sizes that
  /// are stated.
  std::map<trace::Id, CallCosts> known, evaluated;
};

/// A symbol with whose square, or a higher power, a sum grows.
struct Growth {
  trace::Symbol symbol;
  /// 2: the square.
  unsigned power = 0;
};

/// The highest power in any of its terms; nothing below the square.
std::optional<Growth> growthOf(const CostSum &sum);

} // namespace memreflens

#endif // MEMREFLENS_QUERY_EXECUTIONS_H
