//===- core/reduce/EditTypes.cpp - signatures, shapes, attributes ---------===//

#include "core/reduce/Edits.h"
#include "core/source/Identity.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens {

//===--- Arguments and results of functions -------------------------------===//

namespace {
struct Part {
  func::FuncOp function;
  unsigned number;
};
} // namespace

static SmallVector<Part> arguments(Program &program) {
  SmallVector<Part> found;
  program.module->walk([&](func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (program.target.value == trace::none || function.isExternal() ||
          taggedArgument(function.getArgument(i).getLoc()) !=
              program.target.value)
        found.push_back({function, i});
  });
  return found;
}

size_t countArguments(Program &program) { return arguments(program).size(); }

bool dropArguments(Program &program, size_t begin, size_t end) {
  SmallVector<Part> all = arguments(program);
  bool changed = false;
  for (size_t i = end; i-- > begin;) {
    auto [function, number] = all[i];
    if (!function.isExternal() && !function.getArgument(number).use_empty())
      continue;
    for (func::CallOp call : callsOf(function))
      call->eraseOperand(number);
    if (failed(function.eraseArgument(number)))
      return false;
    changed = true;
  }
  return changed;
}

bool mergeArguments(Program &program, size_t begin, size_t end) {
  SmallVector<Part> all = arguments(program);
  bool changed = false;
  for (size_t i = end; i-- > begin;) {
    auto [function, number] = all[i];
    if (function.isExternal() || function.getArgument(number).use_empty())
      continue;
    BlockArgument later = function.getArgument(number);
    for (BlockArgument earlier : function.getArguments().take_front(number))
      if (earlier.getType() == later.getType()) {
        later.replaceAllUsesWith(earlier);
        for (func::CallOp call : callsOf(function))
          call->eraseOperand(number);
        if (failed(function.eraseArgument(number)))
          return false;
        changed = true;
        break;
      }
  }
  return changed;
}

static SmallVector<Part> results(Program &program) {
  SmallVector<Part> found;
  program.module->walk([&](func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      found.push_back({function, i});
  });
  return found;
}

size_t countResults(Program &program) { return results(program).size(); }

static bool dropFromCall(func::CallOp call, unsigned number) {
  if (!call.getResult(number).use_empty()) {
    Value other = substituteFor(call.getResult(number));
    if (!other)
      return false;
    call.getResult(number).replaceAllUsesWith(other);
  }
  OpBuilder builder(call);
  SmallVector<Type> types(call.getResultTypes());
  types.erase(types.begin() + number);
  auto made = func::CallOp::create(builder, call.getLoc(), call.getCallee(),
                                   types, call.getOperands());
  SmallVector<int32_t> kept;
  for (unsigned i = 0; i < call.getNumResults(); ++i)
    if (i != number)
      kept.push_back(int32_t(i));
  for (auto [index, result] : llvm::enumerate(made.getResults()))
    call.getResult(unsigned(kept[index])).replaceAllUsesWith(result);
  if (auto before = call->getAttrOfType<DenseI32ArrayAttr>(keptResultsName))
    for (int32_t &index : kept)
      index = before[size_t(index)];
  made->setAttr(keptResultsName, builder.getDenseI32ArrayAttr(kept));
  call.erase();
  return true;
}

bool dropResults(Program &program, size_t begin, size_t end) {
  SmallVector<Part> all = results(program);
  for (size_t i = end; i-- > begin;) {
    auto [function, number] = all[i];
    for (func::CallOp call : callsOf(function))
      if (!dropFromCall(call, number))
        return false;
    for (Block &block : function.getBody())
      if (auto last = dyn_cast<func::ReturnOp>(block.getTerminator()))
        last->eraseOperand(number);
    if (failed(function.eraseResult(number)))
      return false;
  }
  return end > begin;
}

//===--- Types ------------------------------------------------------------===//

static bool hasSmallest(ShapedType type) {
  return llvm::all_of(type.getShape(), [](int64_t size) {
    return ShapedType::isDynamic(size) || size <= 2;
  });
}

/// Shaped types of values, those that could be smaller.
static SmallVector<Type> shapedTypes(Program &program) {
  llvm::SetVector<Type> found;
  auto add = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && shaped.hasRank() &&
        (!hasSmallest(shaped) || shaped.getRank() > 1))
      found.insert(type);
  };
  program.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Type type : op->getResultTypes())
      add(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          add(type);
  });
  return found.takeVector();
}

size_t countTypes(Program &program) { return shapedTypes(program).size(); }

static void replaceTypes(Program &program, ArrayRef<Type> from,
                         llvm::function_ref<Type(ShapedType)> change) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Type type) -> std::optional<Type> {
    if (!llvm::is_contained(from, type))
      return std::nullopt;
    return change(cast<ShapedType>(type));
  });
  replacer.recursivelyReplaceElementsIn(program.module->getOperation(),
                                        /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

bool shrinkTypes(Program &program, size_t begin, size_t end) {
  SmallVector<Type> all = shapedTypes(program);
  replaceTypes(program, ArrayRef(all).slice(begin, end - begin),
               [](ShapedType type) -> Type {
                 SmallVector<int64_t> shape(type.getShape());
                 for (int64_t &size : shape)
                   if (!ShapedType::isDynamic(size))
                     size = std::min<int64_t>(size, 2);
                 return type.clone(shape);
               });
  return end > begin;
}

/// Of several dimensions the last is left, dynamic if any was.
bool flattenTypes(Program &program, size_t begin, size_t end) {
  SmallVector<Type> all = shapedTypes(program);
  bool changed = false;
  replaceTypes(program, ArrayRef(all).slice(begin, end - begin),
               [&](ShapedType type) -> Type {
                 auto memref = dyn_cast<MemRefType>(type);
                 if (type.getRank() < 2 ||
                     (memref && !memref.getLayout().isIdentity()) ||
                     !isa<MemRefType, RankedTensorType>(type))
                   return type;
                 changed = true;
                 return type.clone(type.getShape().take_back(1));
               });
  return changed;
}

//===--- Attributes -------------------------------------------------------===//

/// Those that an op can do without, by what they are for.
static bool isOptional(Operation *op, StringRef name) {
  static constexpr StringLiteral known[] = {
      "alignment", "nontemporal", "arg_attrs",     "res_attrs",
      "no_inline", "fastmath",    "overflowFlags", "inbounds"};
  return llvm::is_contained(known, name) || !op->getPropertiesStorage() ||
         llvm::is_contained(
             llvm::map_range(op->getDiscardableAttrs(),
                             [](NamedAttribute attribute) {
                               return attribute.getName().getValue();
                             }),
             name);
}

static SmallVector<std::pair<Operation *, StringAttr>>
attributes(Program &program) {
  SmallVector<std::pair<Operation *, StringAttr>> found;
  if (program.module->getSymNameAttr())
    found.push_back(
        {program.module->getOperation(), program.module->getSymNameAttrName()});
  program.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (isOptional(op, attribute.getName()))
        found.push_back({op, attribute.getName()});
  });
  return found;
}

size_t countAttributes(Program &program) { return attributes(program).size(); }

bool dropAttributes(Program &program, size_t begin, size_t end) {
  auto all = attributes(program);
  for (size_t i = begin; i < end; ++i)
    all[i].first->removeAttr(all[i].second);
  return end > begin;
}

} // namespace memreflens
