//===- core/execute/jit/Hooks.cpp - the program tells what it does --------===//
//
// In the LLVM dialect, where no load or store can hide in another op.
//
//===----------------------------------------------------------------------===//

#include "core/execute/jit/Lowering.h"
#include "core/execute/jit/Runtime.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/LLVMContext.h"

#include <numeric>

using namespace mlir;

namespace memreflens::execute {

namespace {
class HookAdder {
public:
  HookAdder(ModuleOp module, const Program &program)
      : module(module), program(program), builder(module.getContext()),
        layout(module) {}
  void add(LLVM::LLVMFuncOp function);

private:
  using Types = llvm::ArrayRef<Type>;
  Value number(uint64_t value) {
    return LLVM::ConstantOp::create(builder, location, builder.getI64Type(),
                                    builder.getI64IntegerAttr(int64_t(value)));
  }
  /// As a number: who calls with an `i1` leaves the bits above it open.
  Value widened(Value condition) {
    return LLVM::ZExtOp::create(builder, location, builder.getI64Type(),
                                condition);
  }
  Type pointer() { return LLVM::LLVMPointerType::get(builder.getContext()); }
  /// Calls the runtime; declares it on first use.
  LLVM::CallOp tell(llvm::StringRef name, Type result, ValueRange operands);
  void addTo(Operation *op);
  void addToCall(LLVM::CallOp call);
  /// A size, and its alignment. MLIR's lowering asks for room to align an
  /// element that is no number by itself; the heap aligns, so that the buffer's
  /// own bytes are counted.
  std::pair<Value, uint64_t> unpadded(Value size);
  Value plain(Value address);
  void addToAccess(OpOperand &address, Value bytes, bool isWrite);
  void addToLanes(OpOperand &address, Value mask, Type lane, bool isWrite);
  /// With its padding, as LLVM takes it where nobody stated a layout.
  uint64_t allocatedSizeOf(Type type) {
    return std::max<uint64_t>(
        plainLayout.getTypeAllocSize(translator.translateType(type))
            .getFixedValue(),
        1);
  }
  uint64_t sizeOf(Type type) {
    return layout.getTypeSize(type).getFixedValue();
  }

  ModuleOp module;
  const Program &program;
  OpBuilder builder;
  DataLayout layout;
  llvm::LLVMContext llvmContext;
  LLVM::TypeToLLVMIRTranslator translator{llvmContext};
  llvm::DataLayout plainLayout{""};
  Location location = UnknownLoc::get(builder.getContext());
  uint32_t site = 0;
};
} // namespace

LLVM::CallOp HookAdder::tell(llvm::StringRef name, Type result,
                             ValueRange operands) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        result ? result : LLVM::LLVMVoidType::get(builder.getContext()),
        llvm::to_vector(operands.getTypes()));
    function = LLVM::LLVMFuncOp::create(builder, location, name, type);
  }
  return LLVM::CallOp::create(builder, location, function, operands);
}

/// What the address was made of.
static Value baseOf(Value address) {
  auto step = address.getDefiningOp<LLVM::GEPOp>();
  for (; step && isa<LLVM::LLVMPointerType>(step.getBase().getType());
       step = address.getDefiningOp<LLVM::GEPOp>())
    address = step.getBase();
  return address;
}

/// Memory on the stack or a global: not looked at.
static bool isElsewhere(Value address) {
  while (auto step = address.getDefiningOp<LLVM::GEPOp>())
    address = step.getBase();
  return address.getDefiningOp<LLVM::AllocaOp>() ||
         address.getDefiningOp<LLVM::AddressOfOp>();
}

/// Of whichever memory space.
Value HookAdder::plain(Value address) {
  if (address.getType() == pointer())
    return address;
  return LLVM::AddrSpaceCastOp::create(builder, location, pointer(), address);
}

void HookAdder::addToAccess(OpOperand &address, Value bytes, bool isWrite) {
  const Value at = address.get();
  if (isElsewhere(at) || !isa<LLVM::LLVMPointerType>(at.getType()))
    return;
  Value instead =
      tell(hook::access, pointer(),
           {plain(at), plain(baseOf(at)), bytes, number(site), number(isWrite)})
          .getResult();
  if (at.getType() != pointer())
    instead =
        LLVM::AddrSpaceCastOp::create(builder, location, at.getType(), instead);
  address.set(instead);
}

/// Each lane by itself: those that are masked out touch nothing.
void HookAdder::addToLanes(OpOperand &address, Value mask, Type lane,
                           bool isWrite) {
  auto masks = dyn_cast<VectorType>(mask.getType());
  if (!masks || masks.isScalable() || isElsewhere(address.get()))
    return;
  const bool hasAddresses = isa<VectorType>(address.get().getType());
  if (!hasAddresses && address.get().getType() != pointer())
    return;
  for (int64_t i = 0; i < masks.getNumElements(); ++i) {
    Value at = number(uint64_t(i));
    Value isOn = LLVM::ExtractElementOp::create(builder, location, mask, at);
    Value one = hasAddresses
                    ? Value(LLVM::ExtractElementOp::create(builder, location,
                                                           address.get(), at))
                    : Value(LLVM::GEPOp::create(
                          builder, location, pointer(), lane, address.get(),
                          ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(i))}));
    tell(hook::accessIf, {},
         {one, baseOf(one), number(sizeOf(lane)), number(site), number(isWrite),
          widened(isOn)});
  }
}

std::pair<Value, uint64_t> HookAdder::unpadded(Value size) {
  auto sum = size.getDefiningOp<LLVM::AddOp>();
  auto ofOne =
      sum ? sum.getRhs().getDefiningOp<LLVM::PtrToIntOp>() : LLVM::PtrToIntOp();
  auto step =
      ofOne ? ofOne.getArg().getDefiningOp<LLVM::GEPOp>() : LLVM::GEPOp();
  if (!step || !step.getBase().getDefiningOp<LLVM::ZeroOp>())
    return {size, program.alignment};
  const uint64_t element = allocatedSizeOf(step.getElemType());
  return {sum.getLhs(), std::lcm(program.alignment, element)};
}

void HookAdder::addToCall(LLVM::CallOp call) {
  const std::optional<llvm::StringRef> callee = call.getCallee();
  if (callee && *callee == "_mlir_memref_to_llvm_alloc") {
    const auto [size, alignment] = unpadded(call.getOperand(0));
    auto made = tell(hook::allocate, pointer(),
                     {size, number(alignment), number(site)});
    call.getResult().replaceAllUsesWith(made.getResult());
    call.erase();
  } else if (callee && *callee == "_mlir_memref_to_llvm_free") {
    tell(hook::free, {}, {call.getOperand(0), number(site)});
    call.erase();
  } else if (callee && *callee == "memrefCopy") {
    SmallVector<Value> operands(call.getOperands());
    operands.push_back(number(site));
    tell(hook::copy, {}, operands);
    call.erase();
  } else if (program.sites[site].kind == SiteKind::call &&
             !(callee && callee->starts_with("memref_lens_"))) {
    tell(hook::call, {}, {number(site)});
    builder.setInsertionPointAfter(call);
    tell(hook::leave, {}, {});
  }
}

void HookAdder::addTo(Operation *op) {
  site = siteOf(op->getLoc());
  builder.setInsertionPoint(op);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return addToCall(call);
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return addToAccess(load.getAddrMutable(), number(sizeOf(load.getType())),
                       false);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return addToAccess(store.getAddrMutable(),
                       number(sizeOf(store.getValue().getType())), true);
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op))
    return addToAccess(atomic.getPtrMutable(), number(sizeOf(atomic.getType())),
                       true);
  if (auto atomic = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return addToAccess(atomic.getPtrMutable(),
                       number(sizeOf(atomic.getVal().getType())), true);
  if (isa<LLVM::MemcpyOp, LLVM::MemmoveOp>(op)) {
    addToAccess(op->getOpOperand(0), op->getOperand(2), true);
    return addToAccess(op->getOpOperand(1), op->getOperand(2), false);
  }
  if (isa<LLVM::MemsetOp>(op))
    return addToAccess(op->getOpOperand(0), op->getOperand(2), true);
  if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op))
    return addToLanes(load.getDataMutable(), load.getMask(),
                      cast<VectorType>(load.getType()).getElementType(), false);
  if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op))
    return addToLanes(
        store.getDataMutable(), store.getMask(),
        cast<VectorType>(store.getValue().getType()).getElementType(), true);
  if (auto gather = dyn_cast<LLVM::masked_gather>(op))
    return addToLanes(gather.getPtrsMutable(), gather.getMask(),
                      cast<VectorType>(gather.getType()).getElementType(),
                      false);
  if (auto scatter = dyn_cast<LLVM::masked_scatter>(op))
    return addToLanes(
        scatter.getPtrsMutable(), scatter.getMask(),
        cast<VectorType>(scatter.getValue().getType()).getElementType(), true);
  // The processor ends the program where a divisor is zero.
  if (isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp>(op)) {
    tell(hook::divide, {}, {number(site)});
    return;
  }
  const SiteKind kind = program.sites[site].kind;
  if (auto branch = dyn_cast<LLVM::CondBrOp>(op);
      branch && kind == SiteKind::deallocation) {
    tell(hook::decide, {}, {number(site), widened(branch.getCondition())});
  } else if (auto compare = dyn_cast<LLVM::ICmpOp>(op);
             compare && kind == SiteKind::comparison) {
    builder.setInsertionPointAfter(op);
    Value isSame = widened(compare.getResult());
    if (compare.getPredicate() == LLVM::ICmpPredicate::ne)
      isSame = LLVM::XOrOp::create(builder, location, isSame, number(1));
    tell(hook::compare, {}, {number(site), isSame});
  }
}

void HookAdder::add(LLVM::LLVMFuncOp function) {
  std::vector<Operation *> ops;
  function->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    addTo(op);
}

void addHooks(ModuleOp module, const Program &program) {
  HookAdder adder(module, program);
  for (auto function : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>()))
    if (!function.isExternal())
      adder.add(function);
}

} // namespace memreflens::execute
