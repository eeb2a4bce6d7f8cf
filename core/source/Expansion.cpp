//===- core/source/Expansion.cpp - IR too large or too deep to print ------===//

#include "core/source/Expansion.h"

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>

using namespace mlir;

/// Parts of one alias, counted as often as they are printed.
static constexpr uint64_t maxParts = uint64_t(1) << 20;
static constexpr unsigned maxDepth = 1000;

namespace {

/// Sizes of types and attributes written out. Aliases are measured in the order
/// of the text, so recursion ends at the alias before.
class ExpansionMeter {
public:
  struct Size {
    uint64_t parts = 1;
    unsigned depth = 1;
    bool tooLarge() const { return parts > maxParts || depth > maxDepth; }
  };

  template <class Part> Size measure(Part part) {
    if (!part)
      return {};
    const void *key = part.getAsOpaquePointer();
    if (auto known = sizes.find(key); known != sizes.end())
      return known->second;
    Size size;
    auto add = [&](auto inner) {
      Size innerSize = measure(inner);
      size.parts = std::min(size.parts + innerSize.parts, maxParts + 1);
      size.depth = std::max(size.depth, innerSize.depth + 1);
    };
    part.walkImmediateSubElements([&](Attribute inner) { add(inner); },
                                  [&](Type inner) { add(inner); });
    sizes[key] = size;
    return size;
  }

private:
  llvm::DenseMap<const void *, Size> sizes;
};

} // namespace

template <class Alias>
static memreflens::ExpansionProblem tooLarge(const Alias &alias) {
  return {alias.definition.loc, ("alias '" + alias.name +
                                 "' is too large or too deep when written out")
                                    .str()};
}

memreflens::ExpansionProblem
memreflens::expansionProblem(const AsmParserState &state) {
  ExpansionMeter meter;
  for (const auto &alias : state.getTypeAliasDefs())
    if (alias.value && meter.measure(alias.value).tooLarge())
      return tooLarge(alias);
  // Locations are not printed; of a name that nothing defines there is no
  // value.
  for (const auto &alias : state.getAttributeAliasDefs())
    if (alias.value && !isa<LocationAttr>(alias.value) &&
        meter.measure(alias.value).tooLarge())
      return tooLarge(alias);
  return {};
}

unsigned memreflens::regionDepth(Operation *root) {
  unsigned deepest = 0;
  SmallVector<std::pair<Operation *, unsigned>> pending = {{root, 0}};
  while (!pending.empty()) {
    auto [op, depth] = pending.pop_back_val();
    deepest = std::max(deepest, depth);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          if (inner.getNumRegions() > 0)
            pending.emplace_back(&inner, depth + 1);
  }
  return deepest;
}
