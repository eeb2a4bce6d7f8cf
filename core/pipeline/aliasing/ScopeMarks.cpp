//===- core/pipeline/aliasing/ScopeMarks.cpp ------------------------------===//

#include "core/pipeline/aliasing/ScopeMarks.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace memreflens::aliasing {

// Not of the dialect `lens`, so that a program with marks is one that
// mlir-opt reads.
static constexpr llvm::StringLiteral accessName = "memref_lens.access";
static constexpr llvm::StringLiteral allocationName = "memref_lens.allocation";
static constexpr llvm::StringLiteral emptyName = "memref_lens.none";
static constexpr llvm::StringLiteral functionName = "memref_lens.scopes";

//===--- Writing ----------------------------------------------------------===//

static void wrap(Operation *op, StringRef name, Attribute content) {
  MLIRContext *context = op->getContext();
  Builder builder(context);
  Attribute metadata =
      builder.getDictionaryAttr(builder.getNamedAttr(name, content));
  op->setLoc(FusedLoc::get(context, {op->getLoc()}, metadata));
}

void setMark(Operation *op, const AccessMark &mark) {
  Builder builder(op->getContext());
  wrap(op, accessName,
       builder.getDictionaryAttr(
           {builder.getNamedAttr("function", mark.function),
            builder.getNamedAttr("scopes",
                                 builder.getDenseI64ArrayAttr(mark.scopes)),
            builder.getNamedAttr("noalias",
                                 builder.getDenseI64ArrayAttr(mark.noalias)),
            builder.getNamedAttr("memory", mark.memory)}));
}

void setMark(Operation *op, const AllocationMark &mark) {
  Builder builder(op->getContext());
  wrap(op, allocationName,
       builder.getDictionaryAttr(
           {builder.getNamedAttr("function", mark.function),
            builder.getNamedAttr("number",
                                 builder.getI64IntegerAttr(mark.number))}));
}

void setMark(Operation *op, const FunctionMark &mark) {
  Builder builder(op->getContext());
  op->setAttr(
      functionName,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("function", mark.function),
           builder.getNamedAttr("domains", mark.domains),
           builder.getNamedAttr("scopes", mark.scopes),
           builder.getNamedAttr("kinds",
                                builder.getDenseI64ArrayAttr(mark.kinds)),
           builder.getNamedAttr("domain_of",
                                builder.getDenseI64ArrayAttr(mark.domainOf))}));
}

void setEmptyMark(Operation *op) {
  wrap(op, emptyName, UnitAttr::get(op->getContext()));
}

//===--- Reading ----------------------------------------------------------===//

/// What a mark holds; null for locations without one.
static DictionaryAttr contentOf(Location location, StringRef name) {
  auto fused = dyn_cast<FusedLoc>(location);
  if (!fused)
    return {};
  // Passes may join two locations with one metadata to a longer list.
  auto metadata = dyn_cast_or_null<DictionaryAttr>(fused.getMetadata());
  if (!metadata || metadata.size() != 1 || fused.getLocations().size() != 1)
    return {};
  return dyn_cast_or_null<DictionaryAttr>(metadata.get(name));
}

static std::optional<ArrayRef<int64_t>> numbersIn(DictionaryAttr content,
                                                  StringRef name) {
  auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(content.get(name));
  if (!numbers)
    return std::nullopt;
  return numbers.asArrayRef();
}

std::optional<AccessMark> accessMarkOf(Operation *op) {
  DictionaryAttr content = contentOf(op->getLoc(), accessName);
  if (!content)
    return std::nullopt;
  auto function = dyn_cast_or_null<DistinctAttr>(content.get("function"));
  auto memory = dyn_cast_or_null<ArrayAttr>(content.get("memory"));
  auto scopes = numbersIn(content, "scopes");
  auto noalias = numbersIn(content, "noalias");
  if (!function || !memory || !scopes || !noalias)
    return std::nullopt;
  return AccessMark{function, *scopes, *noalias, memory};
}

std::optional<AllocationMark> allocationMarkOf(Operation *op) {
  DictionaryAttr content = contentOf(op->getLoc(), allocationName);
  if (!content)
    return std::nullopt;
  auto function = dyn_cast_or_null<DistinctAttr>(content.get("function"));
  auto number = dyn_cast_or_null<IntegerAttr>(content.get("number"));
  if (!function || !number)
    return std::nullopt;
  return AllocationMark{function, number.getInt()};
}

static bool areStrings(ArrayAttr attributes) {
  return llvm::all_of(attributes, llvm::IsaPred<StringAttr>);
}

std::optional<FunctionMark> functionMarkOf(Operation *op) {
  auto content = op->getAttrOfType<DictionaryAttr>(functionName);
  if (!content)
    return std::nullopt;
  auto function = dyn_cast_or_null<DistinctAttr>(content.get("function"));
  auto domains = dyn_cast_or_null<ArrayAttr>(content.get("domains"));
  auto scopes = dyn_cast_or_null<ArrayAttr>(content.get("scopes"));
  auto domainOf = numbersIn(content, "domain_of");
  auto kinds = numbersIn(content, "kinds");
  if (!function || !domains || !scopes || !domainOf || !kinds ||
      !areStrings(domains) || !areStrings(scopes) ||
      scopes.size() != domainOf->size() || domains.size() != kinds->size() ||
      llvm::any_of(*domainOf, [&](int64_t domain) {
        return domain < 0 || size_t(domain) >= domains.size();
      }))
    return std::nullopt;
  return FunctionMark{function, domains, scopes, *domainOf, *kinds};
}

//===--- Removing ---------------------------------------------------------===//

void removeMarks(Operation *root) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FusedLoc location) -> std::optional<Attribute> {
    auto metadata = dyn_cast_or_null<DictionaryAttr>(location.getMetadata());
    if (!metadata || metadata.size() != 1 ||
        !llvm::is_contained({accessName, allocationName, emptyName},
                            metadata.begin()->getName().getValue()))
      return std::nullopt;
    return FusedLoc::get(location.getContext(), location.getLocations());
  });
  root->walk([](Operation *op) { op->removeAttr(functionName); });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true);
}

} // namespace memreflens::aliasing
