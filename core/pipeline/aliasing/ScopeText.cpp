//===- core/pipeline/aliasing/ScopeText.cpp -------------------------------===//

#include "core/dialect/LensDialect.h"
#include "core/pipeline/aliasing/AccessScopes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace memreflens::aliasing {

static std::string numbered(const char *what, unsigned number) {
  return std::string(what) + " " + std::to_string(number + 1);
}

static std::string describeSource(Value source) {
  if (auto argument = dyn_cast<BlockArgument>(source)) {
    if (isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return "memory from before the call";
    return numbered("object", argument.getArgNumber());
  }
  Operation *op = source.getDefiningOp();
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return "global @" + global.getName().str();
  if (isa<memref::DistinctObjectsOp>(op))
    return numbered("object", cast<OpResult>(source).getResultNumber());
  return op->getName().getStringRef().str();
}

static std::string describeStated(Attribute attribute) {
  auto scope = cast<dialect::AliasScopeAttr>(attribute);
  return scope.getDescription() ? scope.getDescription().str()
                                : std::string("scope without a name");
}

std::string describe(const FunctionScopes &scopes, const AccessScope &scope) {
  SmallVector<std::string> parts;
  for (Value source : scope.sources)
    parts.push_back(describeSource(source));
  if (scope.others)
    parts.push_back("none of the objects");
  if (scopes.domains[scope.domain].kind == DomainKind::stated) {
    for (Attribute stated : scope.statedScopes ? scope.statedScopes.getValue()
                                               : ArrayRef<Attribute>())
      parts.push_back(describeStated(stated));
    if (parts.empty())
      return "in no scope";
    return llvm::join(parts, " and ");
  }
  return llvm::join(parts, " or ");
}

static std::string describeKind(const ScopeDomain &domain) {
  switch (domain.kind) {
  case DomainKind::memory:
    return "allocations and globals";
  case DomainKind::call:
    return "where memory comes from, in one call";
  case DomainKind::objects:
    return "distinct objects";
  case DomainKind::stated: {
    auto stated = cast<dialect::AliasDomainScopeOp>(domain.by);
    return stated.getDescription()
               ? "domain '" + stated.getDescription()->str() + "'"
               : std::string("a domain without a name");
  }
  }
  llvm_unreachable("unknown kind of domain");
}

std::string describe(const ScopeDomain &domain) {
  return describeKind(domain) +
         (domain.part ? ", part " + std::to_string(domain.part) : "");
}

} // namespace memreflens::aliasing
