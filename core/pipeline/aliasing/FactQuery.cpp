//===- core/pipeline/aliasing/FactQuery.cpp -------------------------------===//

#include "core/pipeline/aliasing/FactQuery.h"
#include "core/pipeline/classic/AliasSets.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens::aliasing {

FactQuery::FactQuery(Operation *root) {
  const classic::AliasSets aliases(root);
  for (const classic::Alias &link : aliases.getLinks())
    sources[link.alias].push_back(link.source);
}

SmallVector<Value, 2> accessedMemrefs(Operation *op) {
  SmallVector<Value, 2> memrefs;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return memrefs;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value value = effect.getValue();
    // An effect on nothing in particular may be on anything.
    if (!value)
      return {};
    if (isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()) &&
        isa<BaseMemRefType>(value.getType()) &&
        !llvm::is_contained(memrefs, value))
      memrefs.push_back(value);
  }
  return memrefs;
}

Answer FactQuery::ask(Operation *first, Operation *second) const {
  if (Answer answer = askScopes(first, second))
    return answer;
  for (Operation *around = first->getParentOp(); around;
       around = around->getParentOp())
    if (auto objects = dyn_cast<dialect::DistinctObjectsOp>(around))
      if (objects->isProperAncestor(second))
        if (Answer answer = askObjects(objects, first, second))
          return answer;
  return {};
}

static ArrayAttr listOf(Operation *op, bool noalias) {
  auto aliasing =
      op->getAttrOfType<dialect::AliasingAttr>(dialect::aliasAttribute);
  if (!aliasing)
    return {};
  return noalias ? aliasing.getNoalias() : aliasing.getAliasScopes();
}

/// Whether `op` has scopes, and each one's id is in `noalias` of `other`.
static bool isExcludedBy(Operation *op, Operation *other) {
  const ArrayAttr scopes = listOf(op, false), noalias = listOf(other, true);
  if (!scopes || scopes.empty() || !noalias)
    return false;
  return llvm::all_of(scopes, [&](Attribute scope) {
    const DistinctAttr id = cast<dialect::AliasScopeAttr>(scope).getId();
    return llvm::any_of(noalias, [&](Attribute excluded) {
      return cast<dialect::AliasScopeAttr>(excluded).getId() == id;
    });
  });
}

Answer FactQuery::askScopes(Operation *first, Operation *second) const {
  dialect::AliasDomainScopeOp domain = dialect::domainOf(first);
  if (!domain || domain != dialect::domainOf(second))
    return {};
  if (isExcludedBy(first, second) || isExcludedBy(second, first))
    return {Fact::scopes, domain};
  return {};
}

/// Whether a value from outside of the region may carry what was reached in an
/// earlier run of it, of which the op says nothing now.
static bool mayBeOfAnotherRun(Value value, dialect::DistinctObjectsOp objects) {
  if (objects.getBody().isAncestor(value.getParentRegion()))
    return false;
  return isa<BlockArgument>(value) ||
         value.getDefiningOp()->getNumRegions() > 0;
}

/// Goes back from what `access` touches, up to the op's arguments and `others`.
FactQuery::Reached FactQuery::reach(Operation *access,
                                    dialect::DistinctObjectsOp objects) const {
  Reached reached;
  SmallVector<Value, 2> memrefs = accessedMemrefs(access);
  reached.elsewhere = memrefs.empty();
  SmallVector<Value> pending(memrefs.begin(), memrefs.end());
  llvm::DenseSet<Value> seen(pending.begin(), pending.end());
  while (!pending.empty()) {
    const Value value = pending.pop_back_val();
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &objects.getBody().front()) {
      reached.objects.insert(argument.getArgNumber());
      continue;
    }
    if (llvm::is_contained(objects.getOthers(), value)) {
      reached.others = true;
      continue;
    }
    auto from = sources.find(value);
    if (from == sources.end() || mayBeOfAnotherRun(value, objects)) {
      reached.elsewhere = true;
      break;
    }
    for (Value source : from->second)
      if (seen.insert(source).second)
        pending.push_back(source);
  }
  return reached;
}

Answer FactQuery::askObjects(dialect::DistinctObjectsOp objects,
                             Operation *first, Operation *second) const {
  const Reached left = reach(first, objects), right = reach(second, objects);
  if (left.elsewhere || right.elsewhere || (left.others && right.others))
    return {};
  for (unsigned object : left.objects)
    if (right.objects.contains(object))
      return {};
  return {left.others || right.others ? Fact::noneAre : Fact::distinctObjects,
          objects};
}

} // namespace memreflens::aliasing
