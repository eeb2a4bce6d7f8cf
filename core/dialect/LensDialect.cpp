//===- core/dialect/LensDialect.cpp ---------------------------------------===//

#include "core/dialect/LensDialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "core/dialect/LensDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "core/dialect/LensAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "core/dialect/LensOps.cpp.inc"

namespace memreflens::dialect {

namespace {
/// The facts go with the code: a domain is cloned as a whole, so what an
/// inlined copy says is about itself only.
struct LensInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

/// As text, each attribute would get distinct ids of its own, and lose what it
/// has in common with others.
struct LensBytecode : BytecodeDialectInterface {
  enum Kind : uint64_t { aliasScope, aliasing };

  LensBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const final {
    if (auto scope = dyn_cast<AliasScopeAttr>(attribute)) {
      writer.writeVarInt(aliasScope);
      writer.writeAttribute(scope.getId());
      writer.writeOptionalAttribute(scope.getDescription());
      return success();
    }
    auto lists = dyn_cast<AliasingAttr>(attribute);
    if (!lists)
      return failure();
    writer.writeVarInt(aliasing);
    writer.writeOptionalAttribute(lists.getAliasScopes());
    writer.writeOptionalAttribute(lists.getNoalias());
    return success();
  }

  Attribute readAttribute(DialectBytecodeReader &reader) const final {
    uint64_t kind = 0;
    if (failed(reader.readVarInt(kind)))
      return {};
    if (kind == aliasScope) {
      DistinctAttr id;
      StringAttr description;
      if (failed(reader.readAttribute(id)) ||
          failed(reader.readOptionalAttribute(description)))
        return {};
      return AliasScopeAttr::get(getContext(), id, description);
    }
    ArrayAttr scopes, noalias;
    if (kind != aliasing || failed(reader.readOptionalAttribute(scopes)) ||
        failed(reader.readOptionalAttribute(noalias))) {
      reader.emitError("unknown attribute of the dialect 'lens'");
      return {};
    }
    return AliasingAttr::getChecked([&] { return reader.emitError(); },
                                    getContext(), scopes, noalias);
  }
};
} // namespace

void LensDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "core/dialect/LensAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "core/dialect/LensOps.cpp.inc"
      >();
  addInterfaces<LensInliner, LensBytecode>();
}

//===--- Attributes -------------------------------------------------------===//

LogicalResult
AliasingAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     ArrayAttr scopes, ArrayAttr noalias) {
  for (ArrayAttr list : {scopes, noalias}) {
    if (!list)
      continue;
    llvm::SetVector<Attribute> seen;
    for (Attribute scope : list) {
      if (!isa<AliasScopeAttr>(scope))
        return emitError() << "expects #lens.alias_scope, not " << scope;
      if (!seen.insert(cast<AliasScopeAttr>(scope).getId()))
        return emitError() << "names a scope twice: " << scope;
    }
  }
  return success();
}

AliasDomainScopeOp domainOf(Operation *op) {
  for (Operation *around = op->getParentOp();
       around && !isa<FunctionOpInterface>(around);
       around = around->getParentOp())
    if (auto domain = dyn_cast<AliasDomainScopeOp>(around))
      return domain;
  return {};
}

LogicalResult LensDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != aliasAttribute)
    return op->emitOpError() << "has '" << attribute.getName().getValue()
                             << "', which the dialect 'lens' does not know";
  if (!isa<AliasingAttr>(attribute.getValue()))
    return op->emitOpError()
           << "'" << aliasAttribute << "' expects #lens.aliasing";
  if (isMemoryEffectFree(op) || op->getNumRegions() > 0)
    return op->emitOpError()
           << "'" << aliasAttribute << "' is for ops that access memory";
  // Out of its domain a scope would mean another run's memory once the code is
  // inlined into the domain again.
  if (!domainOf(op))
    return op->emitOpError()
           << "'" << aliasAttribute
           << "' needs a lens.alias_domain_scope around the op; drop it where "
              "the op was moved out";
  return success();
}

//===--- Operations -------------------------------------------------------===//

template <class Op>
static void addSuccessors(Op op, RegionBranchPoint point,
                          SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&op.getBody(), op.getBody().getArguments());
  else
    successors.emplace_back(op.getOperation(), op->getResults());
}

void AliasDomainScopeOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  addSuccessors(*this, point, successors);
}

void DistinctObjectsOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  addSuccessors(*this, point, successors);
}

OperandRange DistinctObjectsOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getObjects();
}

static LogicalResult verifyResults(Operation *op, Operation *terminator) {
  if (op->getResultTypes() == terminator->getOperandTypes())
    return success();
  return op->emitOpError() << "has results of types " << op->getResultTypes()
                           << ", its region returns "
                           << terminator->getOperandTypes();
}

LogicalResult AliasDomainScopeOp::verify() {
  return verifyResults(*this, getBody().front().getTerminator());
}

LogicalResult DistinctObjectsOp::verify() {
  if (uint64_t(getOthersCount()) > getInputs().size())
    return emitOpError() << "has fewer operands than others";
  auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
  if (!llvm::any_of(getObjects().getTypes(), isMemref))
    return emitOpError() << "needs at least one memref as object";
  if (!llvm::all_of(getOthers().getTypes(), isMemref))
    return emitOpError() << "takes memrefs only after none_are";
  if (getObjects().getTypes() != getBody().getArgumentTypes())
    return emitOpError() << "has objects of types " << getObjects().getTypes()
                         << ", its region takes "
                         << getBody().getArgumentTypes();
  return verifyResults(*this, getBody().front().getTerminator());
}

/// `(%a, %b : type, type)`
static ParseResult
parseList(OpAsmParser &parser,
          SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
          SmallVectorImpl<Type> &types) {
  return failure(parser.parseLParen() || parser.parseOperandList(operands) ||
                 parser.parseColonTypeList(types) || parser.parseRParen());
}

ParseResult DistinctObjectsOp::parse(OpAsmParser &parser,
                                     OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> objects, others;
  SmallVector<Type> objectTypes, otherTypes;
  const SMLoc place = parser.getCurrentLocation();
  if (parseList(parser, objects, objectTypes) ||
      (succeeded(parser.parseOptionalKeyword("none_are")) &&
       parseList(parser, others, otherTypes)) ||
      parser.resolveOperands(others, otherTypes, place, result.operands) ||
      parser.resolveOperands(objects, objectTypes, place, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseRegion(*result.addRegion()))
    return failure();
  result.getOrAddProperties<Properties>().othersCount =
      parser.getBuilder().getI64IntegerAttr(int64_t(others.size()));
  ensureTerminator(*result.regions.front(), parser.getBuilder(),
                   result.location);
  return success();
}

void DistinctObjectsOp::print(OpAsmPrinter &printer) {
  auto printList = [&](OperandRange values) {
    printer << '(' << values << " : ";
    llvm::interleaveComma(values.getTypes(), printer);
    printer << ')';
  };
  printList(getObjects());
  if (!getOthers().empty()) {
    printer << " none_are";
    printList(getOthers());
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getOthersCountAttrName()});
  printer.printOptionalArrowTypeList(getResultTypes());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/true,
                      /*printBlockTerminators=*/getNumResults() > 0);
}

} // namespace memreflens::dialect
