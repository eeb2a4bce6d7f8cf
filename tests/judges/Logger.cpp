//===- tests/judges/Logger.cpp - what upstream's ownership pass decides ---===//
//
// Preloaded into mlir-opt-22, it writes each ownership decision of upstream's
// own pass as one line of JSON into the file named by MEMREF_LENS_JUDGE_LOG.
// Values are named by the place of their definition, never by a pointer; the
// form, and which decisions can only be polled, are in README.md. Test only.
//
//   {"function":"f","kind":"update","block":"2:3:func.func/0.0",
//    "value":"3:8:memref.alloc#0","with":"true","after":"true"}
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::bufferization;

//===--- Names that outlive the IR ----------------------------------------===//

/// Line and column of the text that the op was parsed from or inherits.
static std::string place(Location location) {
  auto range = location->findInstanceOf<FileLineColRange>();
  if (!range)
    return "?";
  return std::to_string(range.getStartLine()) + ":" +
         std::to_string(range.getStartColumn());
}

/// Ops generated for one terminator share its place, so equal ones of a block
/// are counted: "3:3:bufferization.dealloc", "3:3:bufferization.dealloc.1".
static std::string name(Operation *op) {
  std::string text =
      place(op->getLoc()) + ":" + op->getName().getStringRef().str();
  unsigned earlier = 0;
  if (op->getBlock())
    for (Operation *other = op->getPrevNode(); other;
         other = other->getPrevNode())
      earlier +=
          other->getLoc() == op->getLoc() && other->getName() == op->getName();
  return earlier == 0 ? text : text + "." + std::to_string(earlier);
}

static std::string name(Block *block) {
  Region *region = block->getParent();
  auto number = std::distance(region->begin(), block->getIterator());
  return name(region->getParentOp()) + "/" +
         std::to_string(region->getRegionNumber()) + "." +
         std::to_string(number);
}

static std::string name(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return name(argument.getOwner()) + "/arg" +
           std::to_string(argument.getArgNumber());
  return name(value.getDefiningOp()) + "#" +
         std::to_string(cast<OpResult>(value).getResultNumber());
}

static std::string nameIndicator(Value indicator) {
  if (matchPattern(indicator, m_One()))
    return "true";
  if (matchPattern(indicator, m_Zero()))
    return "false";
  return name(indicator);
}

static std::string name(Ownership ownership) {
  if (ownership.isUninitialized())
    return "uninitialized";
  return ownership.isUnknown() ? "unknown"
                               : nameIndicator(ownership.getIndicator());
}

//===--- The log ----------------------------------------------------------===//

static llvm::raw_ostream *logFile() {
  static llvm::raw_ostream *file = []() -> llvm::raw_ostream * {
    const char *path = std::getenv("MEMREF_LENS_JUDGE_LOG");
    if (!path)
      return nullptr;
    std::error_code error;
    auto *opened = new llvm::raw_fd_ostream(path, error);
    if (error)
      llvm::report_fatal_error("judge log cannot be written");
    // A crash of the pass must not lose lines.
    opened->SetUnbuffered();
    return opened;
  }();
  return file;
}

static void log(Block *block, llvm::StringRef kind,
                std::vector<std::pair<llvm::StringRef, std::string>> facts) {
  if (!logFile())
    return;
  Operation *function = block->getParentOp();
  while (function && !isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  std::string symbol =
      function ? SymbolTable::getSymbolName(function).str() : "";
  std::string line;
  llvm::raw_string_ostream text(line);
  llvm::json::OStream json(text);
  json.object([&] {
    json.attribute("function", symbol);
    json.attribute("kind", kind);
    json.attribute("block", name(block));
    for (const auto &[key, fact] : facts)
      json.attribute(key, fact);
  });
  *logFile() << line << "\n";
}

template <class Function> static Function real(const char *symbol) {
  void *found = dlsym(RTLD_NEXT, symbol);
  if (!found)
    llvm::report_fatal_error("libMLIR has no longer what the logger hooks");
  return reinterpret_cast<Function>(found);
}

//===--- Hooks ------------------------------------------------------------===//

void DeallocationState::updateOwnership(Value memref, Ownership ownership,
                                        Block *block) {
  using Update = void (*)(DeallocationState *, Value, Ownership, Block *);
  static auto update =
      real<Update>("_ZN4mlir13bufferization17DeallocationState15"
                   "updateOwnershipENS_5ValueENS0_9OwnershipEPNS_5BlockE");
  std::string with = name(ownership);
  update(this, memref, ownership, block);
  if (!block)
    block = memref.getParentBlock();
  log(block, "update",
      {{"value", name(memref)},
       {"with", with},
       {"after", name(getOwnership(memref, block))}});
}

void DeallocationState::resetOwnerships(ValueRange memrefs, Block *block) {
  using Reset = void (*)(DeallocationState *, ValueRange, Block *);
  static auto reset = real<Reset>("_ZN4mlir13bufferization17DeallocationState15"
                                  "resetOwnershipsENS_10ValueRangeEPNS_"
                                  "5BlockE");
  reset(this, memrefs, block);
  for (Value memref : memrefs)
    log(block, "reset", {{"value", name(memref)}});
}

std::pair<Value, Value>
DeallocationState::getMemrefWithUniqueOwnership(OpBuilder &builder,
                                                Value memref, Block *block) {
  using Unique = std::pair<Value, Value> (*)(DeallocationState *, OpBuilder &,
                                             Value, Block *);
  static auto unique =
      real<Unique>("_ZN4mlir13bufferization17DeallocationState28"
                   "getMemrefWithUniqueOwnershipERNS_9OpBuilderENS_5ValueE"
                   "PNS_5BlockE");
  std::pair<Value, Value> result = unique(this, builder, memref, block);
  log(block, "unique",
      {{"value", name(memref)},
       {"result", name(result.first)},
       {"indicator", nameIndicator(result.second)},
       {"after", name(getOwnership(result.first, block))}});
  return result;
}

FailureOr<Operation *> deallocation_impl::insertDeallocOpForReturnLike(
    DeallocationState &state, Operation *op, ValueRange operands,
    SmallVectorImpl<Value> &updatedOperandOwnerships) {
  using Insert = FailureOr<Operation *> (*)(
      DeallocationState &, Operation *, ValueRange, SmallVectorImpl<Value> &);
  static auto insert =
      real<Insert>("_ZN4mlir13bufferization17deallocation_impl28"
                   "insertDeallocOpForReturnLikeERNS0_17DeallocationStateE"
                   "PNS_9OperationENS_10ValueRangeERN4llvm15SmallVectorImplI"
                   "NS_5ValueEEE");
  FailureOr<Operation *> result =
      insert(state, op, operands, updatedOperandOwnerships);
  if (failed(result))
    return result;
  for (Value operand : operands)
    if (isa<BaseMemRefType>(operand.getType()))
      log(op->getBlock(), "return",
          {{"value", name(operand)},
           {"after", name(state.getOwnership(operand, op->getBlock()))}});
  return result;
}
