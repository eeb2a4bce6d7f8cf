//===- core/query/Executions.h - how often a cost is paid -----------------===//
//
// Of one call of a function: how often each of its costs is paid, what it calls
// included. Loops multiply; where their rounds are no constant, they stay as
// factors.
//
//   Executions executions(lookup);
//   CallCosts costs = executions.of(function);
//   costs.allocations.times.constant()   // nothing where a loop is open
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_QUERY_EXECUTIONS_H
#define MEMREFLENS_QUERY_EXECUTIONS_H

#include "core/query/Lookup.h"

#include <map>
#include <optional>

namespace memreflens {

/// What a number is multiplied by: values, loops whose bounds are values, and
/// loops of which nothing is known (`trace::none`: one made of branches).
struct Factors {
  /// A value, and its dimension or -1 (trace::Symbol).
  std::vector<std::pair<trace::Id, int64_t>> symbols;
  std::vector<trace::Id> loops;
  std::vector<trace::Id> openLoops;
  bool empty() const {
    return symbols.empty() && loops.empty() && openLoops.empty();
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
  void add(const CostSum &more, uint64_t times, const Factors &factors);
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

class Executions {
public:
  explicit Executions(const Lookup &lookup);

  const CallCosts &of(trace::Id function);
  /// How often the op of the cost is executed in a call of its function.
  CostSum timesOf(trace::Id function, const trace::CostSite &site) const;
  /// Rounds of the loop each time it is entered, where they are constant or
  /// stated (trace::RunOptions::sizes).
  std::optional<uint64_t> roundsOf(trace::Id function, trace::Id loop) const;

  /// Whether it is the same number at each execution in a call: none of the
  /// loops around changes it.
  bool isFixed(const trace::Amount &amount, const trace::CostSite &site) const;

private:
  struct Product {
    uint64_t number = 1;
    Factors factors;
  };
  CallCosts sumOf(trace::Id function) const;
  Product productOf(trace::Id function, const trace::CostSite &site) const;
  const trace::LoopRounds *rangesOf(trace::Id function, trace::Id loop) const;
  std::optional<int64_t> statedSize(const trace::Symbol &symbol) const;
  std::optional<int64_t> valueOf(const trace::Amount &amount) const;
  void multiply(Product &product, const trace::Amount &by) const;

  const Lookup &lookup;
  std::map<trace::Id, CallCosts> known;
};

} // namespace memreflens

#endif // MEMREFLENS_QUERY_EXECUTIONS_H
