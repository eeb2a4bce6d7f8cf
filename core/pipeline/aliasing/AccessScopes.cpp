//===- core/pipeline/aliasing/AccessScopes.cpp ----------------------------===//

#include "core/pipeline/aliasing/AccessScopes.h"
#include "core/dialect/LensDialect.h"
#include "core/pipeline/aliasing/FactQuery.h"
#include "core/pipeline/simplify/ValueFlow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memreflens::aliasing {

namespace {
using Apart =
    llvm::function_ref<bool(const AccessScope &, const AccessScope &)>;
/// By the number of the access.
using Members = std::vector<std::pair<size_t, AccessScope>>;

class ScopeBuilder {
public:
  explicit ScopeBuilder(FunctionOpInterface function)
      : function(function), sources(function) {}
  FunctionScopes run();

private:
  void addMemory(DomainKind kind);
  void addObjects(dialect::DistinctObjectsOp objects);
  void addStated(dialect::AliasDomainScopeOp stated);
  void addDomain(ScopeDomain domain, const Members &members, Apart areApart);
  void addPart(const ScopeDomain &domain,
               const std::vector<AccessScope> &scopes,
               const std::vector<std::pair<size_t, size_t>> &chosen,
               Apart areApart);
  void addScopes(const std::vector<AccessScope> &scopes,
                 const std::vector<std::vector<unsigned>> &apart,
                 const std::vector<std::pair<size_t, size_t>> &chosen);

  /// Stands for all sources that are apart from the same others.
  Value representativeOf(Value source);
  std::optional<AccessScope> memoryOf(Operation *op, bool lasting);
  std::optional<AccessScope> reachedIn(dialect::DistinctObjectsOp objects,
                                       Operation *op);
  bool areSourcesApart(const AccessScope &first, const AccessScope &second);

  FunctionOpInterface function;
  AccessSources sources;
  FunctionScopes result;
  llvm::StringMap<Value> globals;
  Value outside;
  /// In the order in which they are met.
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

bool FunctionScopes::areApart(const ScopedAccess &first,
                              const ScopedAccess &second) const {
  return llvm::any_of(first.scopes, [&](unsigned scope) {
    return std::binary_search(second.noalias.begin(), second.noalias.end(),
                              scope);
  });
}

SmallVector<Value, 2> scopedMemrefs(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  // The ops in a region may touch more; those of linalg are listed themselves.
  if (!interface || (op->getNumRegions() > 0 &&
                     !isa<linalg::LinalgOp, memref::GenericAtomicRMWOp>(op)))
    return {};
  // The engine that performs these works on while other ops run.
  if (op->getName().getStringRef().contains(".dma_"))
    return {};
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (!isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()))
      return {};
  return accessedMemrefs(op);
}

//===--- Domains ----------------------------------------------------------===//

static bool isSame(const AccessScope &first, const AccessScope &second) {
  return first.sources == second.sources && first.others == second.others &&
         first.statedScopes == second.statedScopes &&
         first.statedNoalias == second.statedNoalias;
}

/// One domain, or several that overlap by half.
void ScopeBuilder::addDomain(ScopeDomain domain, const Members &members,
                             Apart areApart) {
  for (size_t begin = 0, end = 0; end < members.size();
       begin += (end - begin + 1) / 2) {
    std::vector<AccessScope> scopes;
    std::vector<std::pair<size_t, size_t>> chosen;
    for (end = begin; end < members.size(); ++end) {
      const auto &[access, scope] = members[end];
      auto known = llvm::find_if(scopes, [&](const AccessScope &other) {
        return isSame(members[end].second, other);
      });
      chosen.emplace_back(access, size_t(known - scopes.begin()));
      if (known != scopes.end())
        continue;
      if (scopes.size() == FunctionScopes::mostScopes) {
        chosen.pop_back();
        break;
      }
      scopes.push_back(scope);
    }
    if (begin > 0 || end < members.size())
      ++domain.part;
    addPart(domain, scopes, chosen, areApart);
  }
}

void ScopeBuilder::addPart(const ScopeDomain &domain,
                           const std::vector<AccessScope> &scopes,
                           const std::vector<std::pair<size_t, size_t>> &chosen,
                           Apart areApart) {
  std::vector<std::vector<unsigned>> apart(scopes.size());
  bool isUseful = false;
  for (size_t i = 0; i < scopes.size(); ++i)
    for (size_t j = 0; j < scopes.size(); ++j)
      if (i != j && areApart(scopes[i], scopes[j])) {
        apart[i].push_back(unsigned(j));
        isUseful = true;
      }
  if (!isUseful)
    return;
  result.domains.push_back(domain);
  addScopes(scopes, apart, chosen);
}

/// Leaves out the scopes that nothing is apart from.
void ScopeBuilder::addScopes(
    const std::vector<AccessScope> &scopes,
    const std::vector<std::vector<unsigned>> &apart,
    const std::vector<std::pair<size_t, size_t>> &chosen) {
  std::vector<unsigned> numberOf(scopes.size());
  for (size_t i = 0; i < scopes.size(); ++i)
    if (!apart[i].empty()) {
      numberOf[i] = unsigned(result.scopes.size());
      result.scopes.push_back(scopes[i]);
      result.scopes.back().domain = unsigned(result.domains.size() - 1);
    }
  for (auto [access, scope] : chosen) {
    if (apart[scope].empty())
      continue;
    result.accesses[access].scopes.push_back(numberOf[scope]);
    for (unsigned other : apart[scope])
      result.accesses[access].noalias.push_back(numberOf[other]);
  }
}

//===--- By where memory comes from ---------------------------------------===//

// Allocations are apart by what LLVM calls provenance, as those of malloc are:
// memory that is used again after a free is reached through the new allocation,
// and no access through the old one may come after the free, nor be moved past
// it. So an op in a loop, whose allocations are many, is one source for all.
Value ScopeBuilder::representativeOf(Value source) {
  switch (sources.kindOf(source)) {
  case SourceKind::argument:
    if (!outside)
      outside = source;
    return outside;
  case SourceKind::global:
    return globals
        .try_emplace(source.getDefiningOp<memref::GetGlobalOp>().getName(),
                     source)
        .first->second;
  case SourceKind::allocation:
  case SourceKind::distinct:
    return source;
  case SourceKind::unknown:
    return {};
  }
  llvm_unreachable("unknown kind of source");
}

/// All that `op` may touch; with `lasting` only if that is the same in all
/// calls: not what a caller hands in, and what is behind distinct objects.
std::optional<AccessScope> ScopeBuilder::memoryOf(Operation *op, bool lasting) {
  llvm::SetVector<Value> all;
  SourceSet pending;
  for (Value memref : scopedMemrefs(op))
    pending.insert_range(sources.sourcesOf(memref));
  for (size_t next = 0; next < pending.size(); ++next) {
    const Value source = pending[next];
    const SourceKind kind = sources.kindOf(source);
    if (lasting && kind == SourceKind::distinct) {
      const SourceSet behind = sources.behind(source);
      pending.insert_range(behind);
      continue;
    }
    Value representative = representativeOf(source);
    if (!representative || (lasting && kind == SourceKind::argument))
      return std::nullopt;
    numbers.try_emplace(representative, numbers.size());
    all.insert(representative);
  }
  if (all.empty())
    return std::nullopt;
  AccessScope scope;
  scope.sources.append(all.begin(), all.end());
  llvm::sort(scope.sources, [&](Value first, Value second) {
    return numbers.lookup(first) < numbers.lookup(second);
  });
  return scope;
}

bool ScopeBuilder::areSourcesApart(const AccessScope &first,
                                   const AccessScope &second) {
  return llvm::all_of(first.sources, [&](Value one) {
    return llvm::all_of(second.sources, [&](Value other) {
      return sources.areDistinct(one, other);
    });
  });
}

void ScopeBuilder::addMemory(DomainKind kind) {
  Members members;
  for (auto [index, access] : llvm::enumerate(result.accesses))
    if (std::optional<AccessScope> scope =
            memoryOf(access.op, kind == DomainKind::memory))
      members.emplace_back(index, *scope);
  addDomain({kind, nullptr, 0}, members,
            [&](const AccessScope &first, const AccessScope &second) {
              return areSourcesApart(first, second);
            });
}

//===--- By objects with a region -----------------------------------------===//

std::optional<AccessScope>
ScopeBuilder::reachedIn(dialect::DistinctObjectsOp objects, Operation *op) {
  AccessScope scope;
  llvm::SetVector<unsigned> reached;
  SmallVector<Value> pending(scopedMemrefs(op));
  llvm::DenseSet<Value> seen(pending.begin(), pending.end());
  while (!pending.empty()) {
    const Value value = pending.pop_back_val();
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &objects.getBody().front()) {
      reached.insert(argument.getArgNumber());
      continue;
    }
    if (llvm::is_contained(objects.getOthers(), value)) {
      scope.others = true;
      continue;
    }
    SmallVector<Value> from;
    if (!sources.flowInto(value, from) || from.empty())
      return std::nullopt;
    for (Value source : from)
      if (seen.insert(source).second)
        pending.push_back(source);
  }
  SmallVector<unsigned> ordered(reached.begin(), reached.end());
  llvm::sort(ordered);
  for (unsigned number : ordered)
    scope.sources.push_back(objects.getBody().getArgument(number));
  return scope;
}

/// Of the region's one run, to which all accesses in it belong.
void ScopeBuilder::addObjects(dialect::DistinctObjectsOp objects) {
  Members members;
  for (auto [index, access] : llvm::enumerate(result.accesses))
    if (objects->isProperAncestor(access.op))
      if (std::optional<AccessScope> scope = reachedIn(objects, access.op))
        members.emplace_back(index, *scope);
  addDomain({DomainKind::objects, objects, 0}, members,
            [](const AccessScope &first, const AccessScope &second) {
              return !(first.others && second.others) &&
                     llvm::none_of(first.sources, [&](Value object) {
                       return llvm::is_contained(second.sources, object);
                     });
            });
}

//===--- By the program's own scopes --------------------------------------===//

static bool isExcluded(const AccessScope &scope, const AccessScope &by) {
  auto hasId = [&](Attribute wanted) {
    return llvm::any_of(by.statedNoalias, [&](Attribute excluded) {
      return cast<dialect::AliasScopeAttr>(excluded).getId() ==
             cast<dialect::AliasScopeAttr>(wanted).getId();
    });
  };
  return scope.statedScopes && !scope.statedScopes.empty() &&
         by.statedNoalias && llvm::all_of(scope.statedScopes, hasId);
}

void ScopeBuilder::addStated(dialect::AliasDomainScopeOp stated) {
  Members members;
  for (auto [index, access] : llvm::enumerate(result.accesses)) {
    auto lists = access.op->getAttrOfType<dialect::AliasingAttr>(
        dialect::aliasAttribute);
    if (!lists || dialect::domainOf(access.op) != stated)
      continue;
    AccessScope scope;
    scope.statedScopes = lists.getAliasScopes();
    scope.statedNoalias = lists.getNoalias();
    members.emplace_back(index, scope);
  }
  addDomain({DomainKind::stated, stated, 0}, members,
            [](const AccessScope &first, const AccessScope &second) {
              return isExcluded(first, second) || isExcluded(second, first);
            });
}

//===--- All of them ------------------------------------------------------===//

static bool saysMore(const FunctionScopes &one, const FunctionScopes &other) {
  if (one.scopes.size() == other.scopes.size())
    return false;
  for (size_t i = 0; i < one.accesses.size(); ++i)
    for (size_t j = i + 1; j < one.accesses.size(); ++j)
      if (one.areApart(one.accesses[i], one.accesses[j]) &&
          !other.areApart(other.accesses[i], other.accesses[j]))
        return true;
  return false;
}

FunctionScopes ScopeBuilder::run() {
  SmallVector<Operation *> stating;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Another function, whose calls are others.
    if (op != function && isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    if (!scopedMemrefs(op).empty())
      result.accesses.push_back({op, {}, {}});
    // What is said of one run of a region says nothing of two runs of it.
    if (isa<dialect::AliasDomainScopeOp, dialect::DistinctObjectsOp>(op) &&
        !mayRunTwice(op))
      stating.push_back(op);
    return WalkResult::advance();
  });
  addMemory(DomainKind::memory);
  const FunctionScopes lasting = result;
  addMemory(DomainKind::call);
  for (Operation *op : stating)
    if (auto objects = dyn_cast<dialect::DistinctObjectsOp>(op))
      addObjects(objects);
    else
      addStated(cast<dialect::AliasDomainScopeOp>(op));
  // What holds in one call only is worth its price if it says more.
  return saysMore(result, lasting) ? std::move(result) : lasting;
}

FunctionScopes computeScopes(FunctionOpInterface function) {
  if (function.isExternal())
    return {};
  return ScopeBuilder(function).run();
}

} // namespace memreflens::aliasing
