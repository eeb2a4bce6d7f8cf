//===- core/pipeline/host/ResourceKeys.cpp --------------------------------===//

#include "core/pipeline/host/ResourceKeys.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace memreflens {

using Attr = DenseResourceElementsAttr;

static void forEachResource(Operation *root,
                            llvm::function_ref<void(Attr)> visit) {
  AttrTypeWalker walker;
  walker.addWalk([&](Attr attribute) { visit(attribute); });
  root->walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
}

static bool isSameData(DenseResourceElementsHandle left,
                       DenseResourceElementsHandle right) {
  AsmResourceBlob *one = left.getBlob(), *other = right.getBlob();
  if (!one || !other)
    return !one && !other;
  return one->getData() == other->getData();
}

void ResourceKeys::learn(Operation *root) {
  forEachResource(root, [&](Attr attribute) {
    DenseResourceElementsHandle handle = attribute.getRawHandle();
    handles.try_emplace(handle.getKey(), handle);
  });
}

/// The attribute with the key that it had before it was read again; null if it
/// has it still. MLIR appends `_` and a number to a key that is taken.
Attr ResourceKeys::known(Attr attribute) const {
  DenseResourceElementsHandle handle = attribute.getRawHandle();
  auto [key, number] = handle.getKey().rsplit('_');
  unsigned value = 0;
  if (handles.contains(handle.getKey()) || number.getAsInteger(10, value))
    return nullptr;
  auto found = handles.find(key);
  if (found == handles.end() || !isSameData(found->second, handle))
    return nullptr;
  return Attr::get(attribute.getType(), found->second);
}

void ResourceKeys::unify(Operation *root) {
  bool isRenamed = false;
  forEachResource(root, [&](Attr attribute) {
    if (known(attribute))
      isRenamed = true;
    else
      handles.try_emplace(attribute.getRawHandle().getKey(),
                          attribute.getRawHandle());
  });
  if (!isRenamed)
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Attr attribute) -> Attribute {
    Attr same = known(attribute);
    return same ? same : attribute;
  });
  replacer.recursivelyReplaceElementsIn(root);
}

} // namespace memreflens
