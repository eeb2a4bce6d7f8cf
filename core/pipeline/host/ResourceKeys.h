//===- core/pipeline/host/ResourceKeys.h - one name for one resource ------===//
//
// A context that reads a program twice gives its dense resources other keys the
// second time (`weights`, `weights_1`), for it cannot know that they are the
// same. This makes them the same again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_HOST_RESOURCEKEYS_H
#define MEMREFLENS_PIPELINE_HOST_RESOURCEKEYS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace memreflens {

class ResourceKeys {
public:
  /// The keys below `root` are right.
  void learn(mlir::Operation *root);
  /// Gives each resource below `root` that was renamed when it was read the key
  /// that it has in what was learned, if the data is the same. All others are
  /// learned.
  void unify(mlir::Operation *root);

private:
  using Attr = mlir::DenseResourceElementsAttr;
  Attr known(Attr attribute) const;

  llvm::StringMap<mlir::DenseResourceElementsHandle> handles;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_HOST_RESOURCEKEYS_H
