//===- core/trace/Aliases.h - which memrefs may be the same buffer --------===//
//
// For the memrefs of one function, pair by pair: what the pipeline's origin
// analysis, MLIR's LocalAliasAnalysis and our own analysis of where memory
// comes from can tell, and by what. For each load and store what it touches.
// All of it about the input, before the first stage.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_ALIASES_H
#define MEMREFLENS_TRACE_ALIASES_H

#include "core/trace/Event.h"

#include <vector>

namespace memreflens::trace {

/// MLIR's `mlir::AliasResult`.
enum class LocalAlias : uint8_t { noAlias, mayAlias, partialAlias, mustAlias };

/// What kind of place memory comes from.
enum class SourceKind : uint8_t {
  allocation, ///< allocated in the function: unlike all that was there before
  global,     ///< memref.get_global
  argument,   ///< of the function
  distinct,   ///< one of the results of distinct objects
  unknown     ///< loaded, returned by a call, made by an unknown op
};

/// By what two memrefs that never share memory are told apart.
enum class Separation : uint8_t {
  none, ///< they may overlap
  allocations,
  allocationOrOlder, ///< an allocation, and what was there before it
  globals,
  distinctObjects
};

/// One memref of a function.
struct MemrefSources {
  Id value = none;
  /// Where BufferOriginAnalysis ends when it follows the value back.
  std::vector<Id> terminals;
  /// Where its memory may come from, and what kind of place each is.
  std::vector<Id> sources;
  std::vector<SourceKind> kinds;
};

/// Two memrefs: positions in `FunctionAliases::memrefs`.
struct AliasPair {
  uint32_t first = 0;
  uint32_t second = 0;
  /// Of BufferOriginAnalysis, which the simplification uses.
  SameAllocation answer = SameAllocation::unknown;
  AliasRule rule = AliasRule::sameBase;
  /// Of LocalAliasAnalysis.
  LocalAlias local = LocalAlias::mayAlias;
  /// Of the sources.
  Separation separation = Separation::none;
};

/// `op` reads or writes `memref`.
struct Access {
  Id op = none;
  Id memref = none;
  bool reads = false;
  bool writes = false;
};

enum class StatedFact : uint8_t {
  scopes,          ///< the scopes of one are in the `noalias` of the other
  distinctObjects, ///< reached through different objects
  noneAre          ///< through an object, and through one that none of them is
};

/// The program states, by `by`, that the two accesses touch no common memory.
/// Positions in `FunctionAliases::accesses`.
struct StatedPair {
  uint32_t first = 0;
  uint32_t second = 0;
  StatedFact fact = StatedFact::scopes;
  Id by = none;
};

struct FunctionAliases {
  Id function = none;
  std::vector<MemrefSources> memrefs;
  /// Every pair of `memrefs` with first < second, by first, then second.
  std::vector<AliasPair> pairs;
  std::vector<Access> accesses;
  std::vector<StatedPair> stated;
  /// Memrefs of the function that are not listed: there were too many.
  uint32_t leftOut = 0;
  /// LocalAliasAnalysis was not asked, as it dies on the function: `local` says
  /// nothing.
  bool localNotAsked = false;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_ALIASES_H
