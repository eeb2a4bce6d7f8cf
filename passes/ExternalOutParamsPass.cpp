//===- passes/ExternalOutParamsPass.cpp -----------------------------------===//

#include "passes/LensPasses.h"
#include "passes/Options.h"

#include "core/source/Contracts.h"
#include "core/trace/Assumed.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace memreflens {

/// On a result of a declaration: it has the shape of the argument of this
/// number.
static constexpr llvm::StringLiteral shapeOfAttribute = "memref_lens.shape_of";

//===--- What can be changed ----------------------------------------------===//

/// The number of the argument with the result's shape; none if nothing states
/// one that fits.
static std::optional<unsigned> shapeOf(func::FuncOp function, unsigned result) {
  auto stated =
      function.getResultAttrOfType<IntegerAttr>(result, shapeOfAttribute);
  if (!stated || stated.getValue().getSExtValue() < 0 ||
      stated.getValue().getSExtValue() >= int64_t(function.getNumArguments()))
    return std::nullopt;
  const unsigned argument = unsigned(stated.getValue().getSExtValue());
  auto like = dyn_cast<MemRefType>(function.getArgumentTypes()[argument]);
  auto type = cast<MemRefType>(function.getResultTypes()[result]);
  if (!like || like.getRank() != type.getRank())
    return std::nullopt;
  return argument;
}

/// Of a new buffer: without the layout.
static MemRefType allocatedType(MemRefType type) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// Why the caller cannot allocate the result; empty if it can.
static std::string obstacleOf(func::FuncOp function, unsigned result) {
  const Type type = function.getResultTypes()[result];
  const std::string name = "result " + std::to_string(result);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return isa<BaseMemRefType>(type) ? name + " has no rank" : "";
  if (!memref::CastOp::areCastCompatible(allocatedType(memref), memref))
    return name + " has a layout that no new buffer has";
  if (!memref.hasStaticShape() && !shapeOf(function, result))
    return name + " has a size that no argument is stated to have ({" +
           shapeOfAttribute.str() + " = N})";
  return {};
}

/// Empty if it can be changed with all of its calls.
static std::string obstacleOf(func::FuncOp function,
                              ArrayRef<Operation *> users) {
  for (unsigned result = 0; result < function.getNumResults(); ++result)
    if (std::string obstacle = obstacleOf(function, result); !obstacle.empty())
      return obstacle;
  for (Operation *user : users)
    if (auto call = dyn_cast<func::CallOp>(user);
        !call || call.getCallee() != function.getName())
      return "`" + user->getName().getStringRef().str() + "` refers to it";
  return {};
}

static bool isMemref(Type type) { return isa<BaseMemRefType>(type); }

//===--- The change -------------------------------------------------------===//

/// Attributes of `count` arguments or results, as many as there are, and empty
/// ones for the others.
static SmallVector<Attribute> attributesOf(ArrayAttr known, size_t count,
                                           MLIRContext *context) {
  SmallVector<Attribute> all(count, DictionaryAttr::get(context));
  if (known)
    llvm::copy(known, all.begin());
  return all;
}

/// Takes those of memref results out, and adds empty ones behind those of the
/// arguments: of a declaration or of a call.
template <typename Op> static void moveAttributes(Op op, TypeRange results) {
  MLIRContext *context = op.getContext();
  const size_t moved = llvm::count_if(results, isMemref);
  SmallVector<Attribute> kept;
  for (auto [type, attribute] :
       llvm::zip(results,
                 attributesOf(op.getResAttrsAttr(), results.size(), context)))
    if (!isMemref(type))
      kept.push_back(attribute);
  if (op.getResAttrsAttr()) {
    if (kept.empty())
      op.removeResAttrsAttr();
    else
      op.setResAttrsAttr(ArrayAttr::get(context, kept));
  }
  if (ArrayAttr arguments = op.getArgAttrsAttr())
    op.setArgAttrsAttr(ArrayAttr::get(
        context, attributesOf(arguments, arguments.size() + moved, context)));
}

static void changeCall(func::CallOp call, ArrayRef<int> shapes) {
  OpBuilder builder(call);
  SmallVector<Value> operands(call.getOperands());
  SmallVector<Value> buffers;
  SmallVector<Type> left;
  for (auto [type, like] : llvm::zip(call.getResultTypes(), shapes)) {
    if (!isMemref(type)) {
      left.push_back(type);
      continue;
    }
    auto memref = cast<MemRefType>(type);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < memref.getRank(); ++dim)
      if (memref.isDynamicDim(unsigned(dim)))
        sizes.push_back(memref::DimOp::create(
            builder, call.getLoc(), call.getOperand(unsigned(like)), dim));
    Value buffer = memref::AllocOp::create(builder, call.getLoc(),
                                           allocatedType(memref), sizes);
    if (buffer.getType() != type)
      buffer = memref::CastOp::create(builder, call.getLoc(), type, buffer);
    buffers.push_back(buffer);
  }
  operands.append(buffers);
  auto changed = func::CallOp::create(builder, call.getLoc(), left,
                                      call.getCalleeAttr(), operands);
  const TypeRange results = call.getResultTypes();
  changed->setAttrs(call->getAttrDictionary());
  moveAttributes(changed, results);
  size_t buffer = 0, other = 0;
  for (OpResult result : call.getResults())
    result.replaceAllUsesWith(isMemref(result.getType())
                                  ? buffers[buffer++]
                                  : changed.getResult(unsigned(other++)));
  call.erase();
}

static void changeDeclaration(func::FuncOp function) {
  SmallVector<Type> arguments(function.getArgumentTypes()), left;
  const SmallVector<Type> results(function.getResultTypes());
  for (Type type : results)
    (isMemref(type) ? arguments : left).push_back(type);
  moveAttributes(function, results);
  function.setFunctionType(
      FunctionType::get(function.getContext(), arguments, left));
  // There are none any more.
  function->removeAttr(freshResultsAttribute);
}

//===--- The pass ---------------------------------------------------------===//

namespace {
class ExternalOutParamsPass
    : public PassWrapper<ExternalOutParamsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExternalOutParamsPass)

  ExternalOutParamsPass() = default;
  ExternalOutParamsPass(const ExternalOutParamsPass &other)
      : PassWrapper(other) {
    copyOptionValuesFrom(&other);
  }
  explicit ExternalOutParamsPass(std::vector<std::string> names) {
    functions = ArrayRef<std::string>(names);
  }

  StringRef getArgument() const override { return options::outParamsPass; }
  StringRef getDescription() const override {
    return "External functions write into buffers that the caller allocates, "
           "in place of returning buffers";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect, arith::ArithDialect>();
  }
  void runOnOperation() override;

private:
  void change(func::FuncOp function, ArrayRef<Operation *> users);

  ListOption<std::string> functions{
      *this, "functions",
      llvm::cl::desc("Only these external functions (* stands for any "
                     "letters); by default all that return memrefs")};
  Statistic changed{this, "changed", "external functions with out-params"};
  Statistic left{this, "left", "external functions that still return memrefs"};
};
} // namespace

void ExternalOutParamsPass::change(func::FuncOp function,
                                   ArrayRef<Operation *> users) {
  if (std::string obstacle = obstacleOf(function, users); !obstacle.empty()) {
    ++left;
    emitRemark(function.getLoc())
        << "@" << function.getName() << " still returns memrefs: " << obstacle;
    return;
  }
  SmallVector<int> shapes;
  for (unsigned result = 0; result < function.getNumResults(); ++result)
    shapes.push_back(isa<MemRefType>(function.getResultTypes()[result])
                         ? int(shapeOf(function, result).value_or(0))
                         : 0);
  for (Operation *user : users)
    changeCall(cast<func::CallOp>(user), shapes);
  changeDeclaration(function);
  ++changed;
}

void ExternalOutParamsPass::runOnOperation() {
  SymbolTableCollection symbols;
  SymbolUserMap users(symbols, getOperation());
  const std::vector<std::string> names(functions.begin(), functions.end());
  SmallVector<func::FuncOp> declarations;
  getOperation()->walk([&](func::FuncOp function) {
    if (function.isExternal() &&
        llvm::any_of(function.getResultTypes(), isMemref) &&
        (names.empty() || trace::isNamed(names, function.getName().str())))
      declarations.push_back(function);
  });
  for (func::FuncOp function : declarations)
    change(function, users.getUsers(function));
}

std::unique_ptr<Pass>
createLensExternalResultsToOutParamsPass(std::vector<std::string> functions) {
  return std::make_unique<ExternalOutParamsPass>(std::move(functions));
}

void registerExternalOutParamsPass() {
  PassRegistration<ExternalOutParamsPass>();
}

} // namespace memreflens
