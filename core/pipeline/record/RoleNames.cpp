//===- core/pipeline/record/RoleNames.cpp ---------------------------------===//

#include "core/pipeline/record/RoleNames.h"
#include "core/pipeline/record/Recorder.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

namespace {
class Namer {
public:
  explicit Namer(const trace::Trace &trace) : trace(trace) {}
  std::string baseName(OpResult value) const;

private:
  std::string nameOf(Value value) const;
  std::string withSource(llvm::StringRef role, Value source) const;
  std::string constantName(Value value) const;
  std::string metadataName(memref::ExtractStridedMetadataOp op,
                           unsigned result) const;

  const trace::Trace &trace;
};
} // namespace

void FunctionNames::read() {
  isRead = true;
  // The numbers that ops of a file's first function have: 0 and 1 are the
  // module and the function.
  constexpr Id first = 2;
  std::vector<Id> counts(trace.functions.size() + 1);
  numbers.resize(trace.ops.size());
  part.eachOp([&](const trace::Op &op) {
    // Functions have no names here, and do not count for what is in none.
    bool isTopLevel =
        op.block != none && trace.blocks[op.block].parentOp == part.getRoot();
    if (!isTopLevel && op.id != part.getRoot())
      numbers[op.id] = first + counts[size_t(functionOf(op.block) + 1)]++;
  });
  part.eachValue([&](const trace::Value &value) {
    // Names that are added all have one.
    if (llvm::StringRef(value.name).contains('_'))
      taken.insert({functionOf(value.block),
                    llvm::StringRef(value.name).split('#').first});
  });
}

Id FunctionNames::numberOf(Id op) {
  if (!isRead)
    read();
  return numbers[size_t(op)];
}

std::string FunctionNames::add(Id block, std::string base) {
  if (!isRead)
    read();
  const Id function = functionOf(block);
  while (taken.contains({function, base}))
    base += "_";
  taken.insert({function, llvm::StringRef(base).copy(memory)});
  return base;
}

std::string Namer::nameOf(Value value) const {
  Id id = taggedValue(value, trace);
  return id == none || size_t(id) >= trace.values.size()
             ? std::string()
             : roleBase(trace.values[id].name);
}

/// `ptr_a` for a pointer into `%base_a`: the buffer is what matters.
std::string Namer::withSource(llvm::StringRef role, Value source) const {
  std::string name = nameOf(source);
  llvm::StringRef buffer = name;
  buffer.consume_front("base_");
  return role.str() + (buffer.empty() ? "" : "_" + buffer.str());
}

std::string Namer::constantName(Value value) const {
  std::optional<int64_t> constant = getConstantIntValue(value);
  if (!constant)
    return "cst";
  if (value.getType().isInteger(1))
    return *constant ? "true" : "false";
  return *constant < 0 ? "cm" + std::to_string(-uint64_t(*constant))
                       : "c" + std::to_string(*constant);
}

std::string Namer::metadataName(memref::ExtractStridedMetadataOp op,
                                unsigned result) const {
  if (result < 2)
    return withSource(result == 0 ? "base" : "offset", op.getSource());
  unsigned rank = op.getSource().getType().getRank();
  bool isSize = result - 2 < rank;
  unsigned dimension = isSize ? result - 2 : result - 2 - rank;
  return withSource((isSize ? "size" : "stride") + std::to_string(dimension),
                    op.getSource());
}

std::string Namer::baseName(OpResult value) const {
  Operation *op = value.getOwner();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return constantName(value);
  if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
    return withSource("ptr", pointer.getSource());
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return metadataName(metadata, value.getResultNumber());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    if (auto pointer =
            compare.getLhs()
                .getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>())
      return withSource(
          compare.getPredicate() == arith::CmpIPredicate::eq ? "same" : "apart",
          pointer.getSource());
  bool isLogic = isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, scf::IfOp>(op);
  if (isLogic && value.getType().isInteger(1))
    return "own";
  llvm::StringRef name = op->getName().getStringRef();
  llvm::StringRef last = name.rsplit('.').second;
  std::string base = (last.empty() ? name : last).str();
  return op->getNumResults() == 1
             ? base
             : base + std::to_string(value.getResultNumber());
}

std::string roleName(OpResult value, Id op, const trace::Trace &trace,
                     FunctionNames &inUse) {
  return inUse.add(trace.ops[op].block, Namer(trace).baseName(value) + "_" +
                                            std::to_string(inUse.numberOf(op)));
}

} // namespace memreflens
