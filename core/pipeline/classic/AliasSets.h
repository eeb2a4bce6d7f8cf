//===- core/pipeline/classic/AliasSets.h - what a buffer may become -------===//
//
// Which values may be (a part of) the same buffer as another one, followed
// forward: through views, branches, and into and out of regions.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_CLASSIC_ALIASSETS_H
#define MEMREFLENS_PIPELINE_CLASSIC_ALIASSETS_H

#include "core/trace/PlacementEvents.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <vector>

namespace memreflens::classic {

using trace::AliasLink;

/// `alias` may be `source`, because of `via`.
struct Alias {
  mlir::Value source;
  mlir::Value alias;
  mlir::Operation *via = nullptr;
  AliasLink link = AliasLink::view;
};

using ValueSet = llvm::SetVector<mlir::Value>;

class AliasSets {
public:
  /// Of all buffers below `root`.
  explicit AliasSets(mlir::Operation *root);

  /// In the order in which they were found.
  const std::vector<Alias> &getLinks() const { return links; }
  /// Values to which `source` flows directly.
  const ValueSet &direct(mlir::Value source) const;
  /// `source` and every value to which it flows.
  ValueSet resolve(mlir::Value source) const;
  /// Nothing flows into these any more.
  void cut(const ValueSet &values);

private:
  void add(mlir::ValueRange sources, mlir::ValueRange aliases,
           mlir::Operation *via, AliasLink link);

  llvm::DenseMap<mlir::Value, ValueSet> flow;
  std::vector<Alias> links;
};

} // namespace memreflens::classic

#endif // MEMREFLENS_PIPELINE_CLASSIC_ALIASSETS_H
