//===- core/pipeline/aliasing/AccessScopes.h - scopes of each access ------===//
//
// For each op of a function that reads or writes memory: its alias scopes and
// the scopes that it never touches, from where memory comes from and from what
// the program states in `memref.distinct_objects` and in the dialect `lens`.
//
//   FunctionScopes scopes = computeScopes(function);
//   for (const ScopedAccess &access : scopes.accesses) access.noalias ...
//
// A claim holds between all runs of the two ops: in one call of the function,
// or, in a lasting domain, in all calls. An access has at most one scope in a
// domain, so each element of each list can be dropped on its own.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_ALIASING_ACCESSSCOPES_H
#define MEMREFLENS_PIPELINE_ALIASING_ACCESSSCOPES_H

#include "core/pipeline/aliasing/AccessSources.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <vector>

namespace memreflens::aliasing {

enum class DomainKind : uint8_t {
  memory,  ///< told apart by which allocation or global it is
  call,    ///< also by what is older than the call, and by distinct objects
  objects, ///< by a lens.distinct_objects
  stated   ///< by the scopes in a lens.alias_domain_scope
};

struct ScopeDomain {
  DomainKind kind = DomainKind::memory;
  /// The op that states it, if one does.
  mlir::Operation *by = nullptr;
  /// From 1, where there are too many scopes for one domain.
  unsigned part = 0;

  /// Whether its claims hold between all calls. Code that is inlined into a
  /// loop runs for many calls in one, of which the other kinds say nothing.
  bool isLasting() const { return kind == DomainKind::memory; }
};

/// The accesses that are the same to a domain.
struct AccessScope {
  unsigned domain = 0;
  /// `memory`, `call`: all that it may be; `objects`: the region's arguments.
  llvm::SmallVector<mlir::Value, 2> sources;
  /// `objects`: reached through one of the others.
  bool others = false;
  /// `stated`: the lists of the program.
  mlir::ArrayAttr statedScopes, statedNoalias;
};

struct ScopedAccess {
  mlir::Operation *op = nullptr;
  /// Indices into `scopes`, ascending; one a domain at most.
  std::vector<unsigned> scopes;
  /// Ascending. No run of the op touches what a run of an op in one of these
  /// touches.
  std::vector<unsigned> noalias;
};

struct FunctionScopes {
  /// Scopes in one domain. Where there are more, accesses are in one or two of
  /// several domains, with those before and behind them in the text.
  static constexpr unsigned mostScopes = 128;

  std::vector<ScopeDomain> domains;
  std::vector<AccessScope> scopes;
  /// All ops that read or write memrefs, in the order of the text.
  std::vector<ScopedAccess> accesses;
  bool areApart(const ScopedAccess &first, const ScopedAccess &second) const;
};

FunctionScopes computeScopes(mlir::FunctionOpInterface function);

/// The memrefs that `op` reads or writes; none for an op that allocates or
/// frees, or that may touch more than its operands.
llvm::SmallVector<mlir::Value, 2> scopedMemrefs(mlir::Operation *op);

/// "allocation", "global @g", "memory from before the call", "object 1", ...:
/// a scope in words that need no names of values.
std::string describe(const FunctionScopes &scopes, const AccessScope &scope);
std::string describe(const ScopeDomain &domain);

} // namespace memreflens::aliasing

#endif // MEMREFLENS_PIPELINE_ALIASING_ACCESSSCOPES_H
