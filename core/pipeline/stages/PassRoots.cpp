//===- core/pipeline/stages/PassRoots.cpp ---------------------------------===//

#include "core/pipeline/stages/PassRoots.h"

using namespace mlir;

namespace memreflens {

std::vector<Operation *> passRoots(ModuleOp module,
                                   const std::vector<std::string> &anchors) {
  std::vector<Operation *> roots = {module};
  for (llvm::StringRef anchor : anchors) {
    std::vector<Operation *> inside;
    for (Operation *root : roots)
      for (Region &region : root->getRegions())
        for (Operation &op : region.getOps())
          if (anchor == "any" || op.getName().getStringRef() == anchor)
            inside.push_back(&op);
    roots = std::move(inside);
  }
  return roots;
}

} // namespace memreflens
