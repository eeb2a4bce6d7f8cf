//===- tests/deadly/Deadly.cpp --------------------------------------------===//

#include "tests/deadly/Deadly.h"

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;

namespace deadly {

/// The process that loaded this.
static const pid_t loadedIn = getpid();

//===--- How --------------------------------------------------------------===//

/// The address space of this process, in bytes.
static rlim_t addressSpace() {
  unsigned long pages = 0;
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%lu", &pages) != 1)
    pages = 1 << 18;
  if (file)
    std::fclose(file);
  return rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE));
}

/// Takes memory until there is none. The process allows itself little more than
/// it has, so that nobody else has to pay, and it does not take long.
[[noreturn]] static void takeAllMemory() {
  constexpr size_t piece = size_t(8) << 20;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, addressSpace() + 16 * piece);
  setrlimit(RLIMIT_AS, &limit);
  while (true)
    std::memset(::operator new(piece), 1, piece);
}

static void dieBy(StringRef way) {
  if (way == "abort")
    std::abort();
  if (way == "signal")
    *static_cast<volatile int *>(nullptr) = 1;
  if (way == "loop")
    for (volatile bool goesOn = true; goesOn;)
      usleep(1000);
  if (way == "memory")
    takeAllMemory();
  if (way == "exit")
    std::_Exit(0);
}

//===--- The ops ----------------------------------------------------------===//

/// Dies where its attributes say.
class DeadlyOp
    : public Op<DeadlyOp, OpTrait::VariadicOperands, OpTrait::VariadicResults,
                OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                bufferization::BufferDeallocationOpInterface::Trait,
                MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "deadly.op"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  bool isInPrivateFunction() {
    auto function = (*this)->getParentOfType<FunctionOpInterface>();
    return function && SymbolTable::getSymbolVisibility(function) ==
                           SymbolTable::Visibility::Private;
  }
  void dieAt(StringRef place) {
    auto at = (*this)->getAttrOfType<StringAttr>("at");
    auto by = (*this)->getAttrOfType<StringAttr>("by");
    if (!at || !by || at.getValue() != place)
      return;
    auto when = (*this)->getAttrOfType<StringAttr>("when");
    if (!when || (when.getValue() == "private" && isInPrivateFunction()) ||
        (when.getValue() == "child" && getpid() != loadedIn))
      dieBy(by.getValue());
  }
  LogicalResult verify() {
    dieAt("verify");
    return success();
  }
  /// `deadly.op(%a) {at = "print", by = "exit"} : (memref<4xf32>) -> ()`
  static ParseResult parse(OpAsmParser &parser, OperationState &result) {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    FunctionType type;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
        parser.parseOptionalAttrDict(result.attributes) ||
        parser.parseColonType(type))
      return failure();
    result.addTypes(type.getResults());
    return parser.resolveOperands(operands, type.getInputs(), place,
                                  result.operands);
  }
  void print(OpAsmPrinter &printer) {
    dieAt("print");
    printer << "(" << getOperation()->getOperands() << ")";
    printer.printOptionalAttrDict((*this)->getAttrs());
    printer << " : ";
    printer.printFunctionalType(getOperation());
  }
  static void getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *) {
    patterns.add(+[](DeadlyOp op, PatternRewriter &) {
      op.dieAt("canonicalize");
      return failure();
    });
  }
  void
  getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &effects) {
    effects.emplace_back(MemoryEffects::Write::get());
  }
  FailureOr<Operation *> process(bufferization::DeallocationState &,
                                 const bufferization::DeallocationOptions &) {
    dieAt("ownership");
    return getOperation();
  }
};

/// Dies while it is read.
class ReadOp : public Op<ReadOp, OpTrait::ZeroOperands, OpTrait::ZeroResults,
                         OpTrait::ZeroRegions, OpTrait::ZeroSuccessors> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "deadly.read"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static ParseResult parse(OpAsmParser &parser, OperationState &) {
    std::string way;
    if (succeeded(parser.parseOptionalKeyword("error")))
      (void)parser.emitError(parser.getNameLoc(), "it dies after this error");
    if (parser.parseString(&way))
      return failure();
    dieBy(way);
    return success();
  }
  void print(OpAsmPrinter &printer) { printer << " \"\""; }
};

class DeadlyDialect : public Dialect {
public:
  static StringRef getDialectNamespace() { return "deadly"; }
  explicit DeadlyDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<DeadlyDialect>()) {
    addOperations<DeadlyOp, ReadOp>();
  }
};

//===--- The pass ---------------------------------------------------------===//

class DeadlyPass
    : public PassWrapper<DeadlyPass, InterfacePass<FunctionOpInterface>> {
public:
  StringRef getArgument() const final { return "deadly"; }
  StringRef getDescription() const final {
    return "dies as the attribute deadly.by of a function says";
  }
  void runOnOperation() final {
    if (auto way = getOperation()->getAttrOfType<StringAttr>("deadly.by"))
      dieBy(way.getValue());
  }
};

void registerDialect(DialectRegistry &registry) {
  registry.insert<DeadlyDialect>();
}

void registerPass() { PassRegistration<DeadlyPass>(); }

} // namespace deadly
