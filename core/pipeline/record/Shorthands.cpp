//===- core/pipeline/record/Shorthands.cpp --------------------------------===//

#include "core/pipeline/record/Shorthands.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;

namespace memreflens {

/// Whether its dialect, another one, or itself gives it a name.
template <class T> bool Shorthands::isNamed(T value) const {
  std::string name;
  llvm::raw_string_ostream os(name);
  for (const OpAsmDialectInterface &interface : *interfaces)
    if (interface.getAlias(value, os) != OpAsmAliasResult::NoAlias)
      return true;
  using OwnInterface =
      std::conditional_t<std::is_same_v<T, Type>, OpAsmTypeInterface,
                         OpAsmAttrInterface>;
  auto own = dyn_cast<OwnInterface>(value);
  return own && own.getAlias(os) != OpAsmAliasResult::NoAlias;
}

template <class T> bool Shorthands::mayOccurInPart(T value) {
  if (!value)
    return false;
  if (auto found = known.find(value.getAsOpaquePointer()); found != known.end())
    return found->second;
  bool may = isNamed(value);
  auto inside = [&](auto part) { may = may || mayOccurInPart(part); };
  auto all = [&] {
    value.walkImmediateSubElements([&](Attribute part) { inside(part); },
                                   [&](Type part) { inside(part); });
  };
  if constexpr (std::is_same_v<T, Attribute>) {
    may |= isa<DenseResourceElementsAttr>(value);
    all();
  } else if (auto memref = dyn_cast<MemRefType>(value);
             memref && memref.getLayout().isIdentity()) {
    // The identity is not printed.
    inside(memref.getElementType());
    inside(memref.getMemorySpace());
  } else {
    all();
  }
  return known[value.getAsOpaquePointer()] = may;
}

bool Shorthands::mayOccur(Operation *op) {
  if (mayOccurInPart(Attribute(op->getDiscardableAttrDictionary())))
    return true;
  if (op->getPropertiesStorageSize() > 0) {
    std::pair<const void *, size_t> key = {op->getName().getAsOpaquePointer(),
                                           size_t(op->hashProperties())};
    if (!plainProperties.contains(key)) {
      if (mayOccurInPart(op->getPropertiesAsAttribute()))
        return true;
      plainProperties.insert(key);
    }
  }
  auto isOne = [&](Type type) { return mayOccurInPart(type); };
  if (llvm::any_of(op->getResultTypes(), isOne))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isOne))
        return true;
  return false;
}

bool Shorthands::mayOccurIn(Operation *root) {
  if (!interfaces)
    interfaces = std::make_unique<Interfaces>(root->getContext());
  return root
      ->walk([&](Operation *op) {
        return mayOccur(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace memreflens
