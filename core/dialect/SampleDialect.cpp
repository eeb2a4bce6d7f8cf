//===- core/dialect/SampleDialect.cpp -------------------------------------===//

#include "core/dialect/SampleDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "core/dialect/SampleDialect.cpp.inc"
#define GET_OP_CLASSES
#include "core/dialect/SampleOps.cpp.inc"

namespace memreflens::dialect {

static constexpr StringLiteral regionWords[] = {"then", "else", "join"};

void SampleDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "core/dialect/SampleOps.cpp.inc"
      >();
}

//===--- Control flow -----------------------------------------------------===//

void RegionIfOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent()) {
    for (Region *region : {&getThenRegion(), &getElseRegion()})
      successors.emplace_back(region, region->getArguments());
    return;
  }
  Operation *from = point.getTerminatorPredecessorOrNull();
  if (from->getParentRegion() == &getJoinRegion())
    successors.emplace_back(getOperation(), getOperation()->getResults());
  else
    successors.emplace_back(&getJoinRegion(), getJoinRegion().getArguments());
}

OperandRange RegionIfOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInputs();
}

void RegionIfOp::getRegionInvocationBounds(
    ArrayRef<Attribute>, SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.assign({InvocationBounds(/*lb=*/0, /*ub=*/1),
                 InvocationBounds(/*lb=*/0, /*ub=*/1),
                 InvocationBounds(/*lb=*/1, /*ub=*/1)});
}

//===--- Verification -----------------------------------------------------===//

// What each region is entered and left with is held together by the interface,
// which takes it for granted that each region is left by a yield.
LogicalResult RegionIfOp::verify() {
  for (auto [word, region] : llvm::zip(regionWords, (*this)->getRegions()))
    if (!isa_and_nonnull<RegionYieldOp>(
            region.back().empty() ? nullptr : &region.back().back()))
      return emitOpError() << "expects region '" << word
                           << "' to end with 'sample.yield'";
  return success();
}

//===--- Text -------------------------------------------------------------===//

/// `then(%x: type) { ... }`
static ParseResult parseRegion(OpAsmParser &parser, StringRef word,
                               Region &region) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseKeyword(word) ||
                 parser.parseArgumentList(arguments,
                                          OpAsmParser::Delimiter::OptionalParen,
                                          /*allowType=*/true) ||
                 parser.parseRegion(region, arguments));
}

ParseResult RegionIfOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<Type> types;
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, parser.getBuilder().getI1Type(),
                            result.operands))
    return failure();
  const SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLParen()) &&
      (parser.parseOperandList(inputs) || parser.parseColonTypeList(types) ||
       parser.parseRParen() ||
       parser.resolveOperands(inputs, types, place, result.operands)))
    return failure();
  if (parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (StringRef word : regionWords)
    if (parseRegion(parser, word, *result.addRegion()))
      return failure();
  return success();
}

void RegionIfOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition();
  if (!getInputs().empty())
    printer << " (" << getInputs() << " : " << getInputs().getTypes() << ')';
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  for (auto [word, region] : llvm::zip(regionWords, (*this)->getRegions())) {
    printer << ' ' << word;
    if (!region.getArguments().empty()) {
      printer << '(';
      llvm::interleaveComma(region.getArguments(), printer,
                            [&](BlockArgument argument) {
                              printer.printRegionArgument(argument);
                            });
      printer << ')';
    }
    printer << ' ';
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
}

} // namespace memreflens::dialect
