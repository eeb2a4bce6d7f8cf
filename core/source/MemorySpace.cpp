//===- core/source/MemorySpace.cpp ----------------------------------------===//

#include "core/source/MemorySpace.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace memreflens {

std::string memorySpaceOf(Type type) {
  auto memref = dyn_cast_if_present<BaseMemRefType>(type);
  const Attribute space = memref ? memref.getMemorySpace() : Attribute();
  if (!space)
    return {};
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto number = dyn_cast<IntegerAttr>(space)) {
    // 0 is the default space of every target that MLIR lowers to.
    if (!number.getValue().isZero())
      number.getValue().print(stream, /*isSigned=*/false);
  } else {
    space.print(stream);
  }
  return text;
}

} // namespace memreflens
