//===- core/pipeline/aliasing/ScopeMarking.cpp - markScopes ---------------===//

#include "core/dialect/LensDialect.h"
#include "core/pipeline/aliasing/AccessScopes.h"
#include "core/pipeline/aliasing/LlvmScopes.h"
#include "core/pipeline/aliasing/ScopeMarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace memreflens::aliasing {

namespace {
class FunctionMarker {
public:
  explicit FunctionMarker(func::FuncOp function)
      : function(function), sources(function), scopes(computeScopes(function)),
        builder(function.getContext()) {}
  void run();

private:
  FunctionMark describeAll();
  void numberAllocations();
  ArrayAttr memoryOf(Operation *op);
  Attribute nameOf(Value source);

  func::FuncOp function;
  AccessSources sources;
  FunctionScopes scopes;
  Builder builder;
  DistinctAttr id;
  SmallVector<int64_t> domainOf, kinds;
  llvm::MapVector<Operation *, int64_t> allocations;
};
} // namespace

FunctionMark FunctionMarker::describeAll() {
  SmallVector<Attribute> domains, texts;
  for (const ScopeDomain &domain : scopes.domains) {
    domains.push_back(builder.getStringAttr("@" + function.getSymName() + ": " +
                                            describe(domain)));
    kinds.push_back(int64_t(domain.kind));
  }
  for (const AccessScope &scope : scopes.scopes) {
    texts.push_back(builder.getStringAttr(describe(scopes, scope)));
    domainOf.push_back(scope.domain);
  }
  return {id, builder.getArrayAttr(domains), builder.getArrayAttr(texts),
          domainOf, kinds};
}

void FunctionMarker::numberAllocations() {
  function->walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (isa<BaseMemRefType>(result.getType()) &&
          sources.kindOf(result) == SourceKind::allocation)
        allocations.try_emplace(op, int64_t(allocations.size()));
  });
}

Attribute FunctionMarker::nameOf(Value source) {
  switch (sources.kindOf(source)) {
  case SourceKind::allocation:
    return builder.getI64IntegerAttr(
        allocations.lookup(source.getDefiningOp()));
  case SourceKind::global:
    return source.getDefiningOp<memref::GetGlobalOp>().getNameAttr();
  case SourceKind::argument:
    return builder.getStringAttr(outsideMemory);
  case SourceKind::distinct:
  case SourceKind::unknown:
    return builder.getStringAttr(unknownMemory);
  }
  llvm_unreachable("unknown kind of source");
}

/// Behind distinct objects too: those are told apart by what is stated, but the
/// memory is that of the objects.
ArrayAttr FunctionMarker::memoryOf(Operation *op) {
  llvm::SetVector<Attribute> memory;
  SmallVector<Value> pending(scopedMemrefs(op));
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    const Value value = pending.pop_back_val();
    const SourceSet found = sources.sourcesOf(value);
    for (Value source : found) {
      if (!seen.insert(source).second)
        continue;
      SmallVector<Value> behind;
      if (sources.kindOf(source) == SourceKind::distinct &&
          sources.flowInto(source, behind))
        llvm::append_range(pending, behind);
      else
        memory.insert(nameOf(source));
    }
  }
  return builder.getArrayAttr(memory.getArrayRef());
}

void FunctionMarker::run() {
  if (scopes.scopes.empty())
    return;
  id = DistinctAttr::create(builder.getUnitAttr());
  const FunctionMark mark = describeAll();
  numberAllocations();
  // First everything is asked, since marks change nothing but locations.
  SmallVector<ArrayAttr> memory;
  for (const ScopedAccess &access : scopes.accesses)
    memory.push_back(memoryOf(access.op));
  setMark(function, mark);
  for (auto [op, number] : allocations)
    setMark(op, AllocationMark{id, number});
  for (auto [access, touched] : llvm::zip(scopes.accesses, memory)) {
    if (access.scopes.empty() && access.noalias.empty())
      continue;
    const SmallVector<int64_t> in(access.scopes.begin(), access.scopes.end());
    const SmallVector<int64_t> out(access.noalias.begin(),
                                   access.noalias.end());
    setMark(access.op, AccessMark{id, in, out, touched});
  }
  // Where two ops become one, the place of the other is taken if the one that
  // stays has none.
  function->walk([](Operation *op) {
    if (isa<UnknownLoc>(op->getLoc()))
      setEmptyMark(op);
  });
}

void registerLensDialect(DialectRegistry &registry) {
  registry.insert<dialect::LensDialect>();
}

//===--- The dialect's own ops --------------------------------------------===//

static void replaceByBody(Operation *op, ValueRange arguments) {
  Block &body = op->getRegion(0).front();
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  Operation *end = body.getTerminator();
  for (auto [result, value] : llvm::zip(op->getResults(), end->getOperands()))
    result.replaceAllUsesWith(value);
  end->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->erase();
}

void removeLensOps(ModuleOp module) {
  module->walk([](Operation *op) {
    op->removeAttr(dialect::aliasAttribute);
    if (auto objects = dyn_cast<dialect::DistinctObjectsOp>(op))
      replaceByBody(op, objects.getObjects());
    else if (isa<dialect::AliasDomainScopeOp>(op))
      replaceByBody(op, {});
  });
}

void markScopes(ModuleOp module) {
  module->walk([](func::FuncOp function) {
    if (!function.isExternal())
      FunctionMarker(function).run();
  });
  removeLensOps(module);
}

} // namespace memreflens::aliasing
