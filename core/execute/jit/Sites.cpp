//===- core/execute/jit/Sites.cpp -----------------------------------------===//

#include "core/execute/jit/Sites.h"
#include "core/source/Document.h"
#include "core/source/Escapes.h"
#include "core/source/Identity.h"
#include "core/text/LineIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace memreflens::execute {

static constexpr llvm::StringLiteral tag = "lens$site";

uint32_t siteOf(Location location) {
  if (auto name = dyn_cast<NameLoc>(location)) {
    llvm::StringRef text = name.getName();
    uint32_t number = 0;
    if (text.consume_front(tag) && !text.getAsInteger(10, number))
      return number;
    return siteOf(name.getChildLoc());
  }
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return siteOf(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (uint32_t site = siteOf(part))
        return site;
  return 0;
}

static Location withSite(Location location, uint32_t site) {
  return NameLoc::get(
      StringAttr::get(location.getContext(), tag + llvm::Twine(site)),
      location);
}

Location addSite(MLIRContext *context, Site site, Owner owner, uint32_t number,
                 Program &program) {
  program.sites.push_back(std::move(site));
  program.owners.push_back(owner);
  program.numbers.push_back(number);
  return withSite(UnknownLoc::get(context), uint32_t(program.sites.size() - 1));
}

//===--- Names ------------------------------------------------------------===//

/// "%a", as in the program or by role; empty where it has none.
static std::string nameOf(Value value, const trace::Trace &trace) {
  const trace::Id id = taggedValue(value, trace);
  if (id < 0 || size_t(id) >= trace.values.size() ||
      trace.values[size_t(id)].name.empty())
    return {};
  return "%" + trace.values[size_t(id)].name;
}

static bool isHelper(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function && function.isPrivate() &&
         function.getName().starts_with("dealloc_helper");
}

static bool isBasePointer(Value value) {
  return value.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
}

static SiteKind kindOf(Operation *op) {
  if (isa<memref::AllocOp, memref::ReallocOp, bufferization::CloneOp>(op))
    return SiteKind::allocation;
  if (isa<memref::DeallocOp, bufferization::DeallocOp>(op))
    return SiteKind::deallocation;
  if (isa<cf::CondBranchOp, scf::IfOp>(op))
    return SiteKind::condition;
  if (auto compare = dyn_cast<arith::CmpIOp>(op);
      compare && (compare.getPredicate() == arith::CmpIPredicate::eq ||
                  compare.getPredicate() == arith::CmpIPredicate::ne))
    if (isHelper(op) || isBasePointer(compare.getLhs()) ||
        isBasePointer(compare.getRhs()))
      return SiteKind::comparison;
  if (isa<CallOpInterface>(op))
    return SiteKind::call;
  return SiteKind::other;
}

static std::string shownValue(Operation *op, SiteKind kind,
                              const trace::Trace &trace) {
  if ((kind == SiteKind::condition || kind == SiteKind::deallocation) &&
      op->getNumOperands() > 0)
    return nameOf(op->getOperand(0), trace);
  return op->getNumResults() > 0 ? nameOf(op->getResult(0), trace)
                                 : std::string();
}

/// The first byte of the op in the program, its results' names included; -1 for
/// the library function of deallocs, which the program does not have.
static int64_t placeOf(Operation *op, trace::Id id, const trace::Trace &trace) {
  if (isHelper(op))
    return -1;
  const int64_t name = offsetOf(op->getLoc(), trace);
  if (id < 0 || size_t(id) >= trace.ops.size() ||
      trace.ops[size_t(id)].generated || trace.ops[size_t(id)].results.empty())
    return name;
  const trace::Id first = trace.ops[size_t(id)].results.front();
  const trace::Range range = trace.values[size_t(first)].range;
  return range.empty() ? name : std::min<int64_t>(name, range.begin);
}

/// The line of each op as the module is printed, which is that of the trace's
/// text behind the head of its function.
static AsmState::LocationMap printedLines(ModuleOp module) {
  AsmState::LocationMap lines;
  AsmState state(module, OpPrintingFlags(), &lines);
  llvm::raw_null_ostream nowhere;
  module->print(nowhere, state);
  return lines;
}

void numberSites(ModuleOp module, const trace::Trace &trace, Program &program) {
  const AsmState::LocationMap printed = printedLines(module);
  const LineIndex lines(trace.source.text);
  program.sites.push_back({});
  program.owners.push_back(Owner::program);
  program.numbers.push_back(0);
  // All names first: they are found by the locations as they are.
  std::vector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module)
      return;
    Site site;
    site.kind = kindOf(op);
    site.op = taggedOp(op->getLoc());
    site.opName = op->getName().getStringRef().str();
    if (auto function = op->getParentOfType<FunctionOpInterface>()) {
      site.function = function.getName().str();
      if (auto line = printed.find(op), head = printed.find(function);
          line != printed.end() && head != printed.end())
        site.stageLine = line->second.first - head->second.first;
    }
    site.value = shownValue(op, site.kind, trace);
    if (isa<memref::AllocOp>(op))
      site.isForHelper = isListForHelper(op->getResult(0));
    else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      site.isForHelper = isListForHelper(dealloc.getMemref());
    if (const int64_t offset = placeOf(op, site.op, trace); offset >= 0) {
      const LineColumn place = lines.lineColumn(uint32_t(offset));
      site.line = place.line;
      site.column = place.column;
    }
    ops.push_back(op);
    program.sites.push_back(std::move(site));
    program.owners.push_back(Owner::program);
    program.numbers.push_back(0);
  });
  for (size_t i = 0; i < ops.size(); ++i)
    ops[i]->setLoc(withSite(ops[i]->getLoc(), uint32_t(i + 1)));
}

} // namespace memreflens::execute
