//===- core/pipeline/aliasing/LlvmScopes.cpp ------------------------------===//

#include "core/pipeline/aliasing/LlvmScopes.h"
#include "core/pipeline/aliasing/PointerRoots.h"
#include "core/pipeline/aliasing/ScopeMarks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace memreflens::aliasing {

namespace {
class Attacher {
public:
  Attacher(LLVM::LLVMFuncOp function, const FunctionMark &mark)
      : function(function), mark(mark), context(function.getContext()) {}
  void run(AttachCounts &counts);

private:
  void makeScopes();
  bool attach(Operation *op, const AccessMark &access);
  /// Whether the op touches no memory but that which its mark names.
  bool isAsMarked(Operation *op, const AccessMark &access);
  Attribute nameOf(Value root);
  ArrayAttr listOf(ArrayRef<int64_t> numbers);
  void declare();

  LLVM::LLVMFuncOp function;
  FunctionMark mark;
  MLIRContext *context;
  SmallVector<LLVM::AliasScopeAttr> scopes;
  llvm::SetVector<LLVM::AliasScopeAttr> used;
};
} // namespace

//===--- What an op really touches ----------------------------------------===//

/// The addresses that an op which takes scopes reads or writes at.
static SmallVector<Value, 2> addressesOf(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return {load.getAddr()};
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return {store.getAddr()};
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    return {copy.getDst(), copy.getSrc()};
  if (auto move = dyn_cast<LLVM::MemmoveOp>(op))
    return {move.getDst(), move.getSrc()};
  return {};
}

static bool isAllocator(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"malloc", "calloc", "aligned_alloc"}, true)
      .Cases(
          {"_mlir_memref_to_llvm_alloc", "_mlir_memref_to_llvm_aligned_alloc"},
          true)
      .Default(false);
}

/// In the words of marks; null for memory that no mark names.
Attribute Attacher::nameOf(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    if (argument.getOwner() == &function.getBody().front())
      return StringAttr::get(context, outsideMemory);
    return StringAttr::get(context, unknownMemory);
  }
  Operation *op = root.getDefiningOp();
  if (auto allocation = allocationMarkOf(op))
    return allocation->function == mark.function
               ? IntegerAttr::get(IntegerType::get(context, 64),
                                  allocation->number)
               : Attribute();
  if (auto global = dyn_cast<LLVM::AddressOfOp>(op))
    return FlatSymbolRefAttr::get(context, global.getGlobalName());
  // A buffer that a pass has put in the place of another one.
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (isa<LLVM::AllocaOp>(op) ||
      (call && isAllocator(call.getCallee().value_or(""))))
    return {};
  return StringAttr::get(context, unknownMemory);
}

bool Attacher::isAsMarked(Operation *op, const AccessMark &access) {
  const bool maybeAnything = llvm::is_contained(
      access.memory, Attribute(StringAttr::get(context, unknownMemory)));
  for (Value address : addressesOf(op)) {
    const llvm::SetVector<Value> roots = pointerRoots(address);
    if (roots.empty())
      return false;
    for (Value root : roots) {
      Attribute name = nameOf(root);
      if (!name)
        return false;
      if (llvm::is_contained(access.memory, name))
        continue;
      // Of unknown memory only what is stated is claimed; it may turn out to be
      // anything that was not made for the purpose.
      if (!maybeAnything || isa<IntegerAttr>(name))
        return false;
    }
  }
  return true;
}

//===--- Scopes -----------------------------------------------------------===//

void Attacher::makeScopes() {
  SmallVector<LLVM::AliasScopeDomainAttr> domains;
  for (Attribute text : mark.domains)
    domains.push_back(
        LLVM::AliasScopeDomainAttr::get(context, cast<StringAttr>(text)));
  for (auto [text, domain] : llvm::zip(mark.scopes, mark.domainOf))
    scopes.push_back(
        LLVM::AliasScopeAttr::get(domains[domain], cast<StringAttr>(text)));
}

/// Null where a number means nothing.
ArrayAttr Attacher::listOf(ArrayRef<int64_t> numbers) {
  SmallVector<Attribute> list;
  for (int64_t number : numbers) {
    if (number < 0 || size_t(number) >= scopes.size())
      return {};
    list.push_back(scopes[size_t(number)]);
  }
  return ArrayAttr::get(context, list);
}

bool Attacher::attach(Operation *op, const AccessMark &access) {
  auto target = cast<LLVM::AliasAnalysisOpInterface>(op);
  ArrayAttr in = listOf(access.scopes), out = listOf(access.noalias);
  if (!in || !out || access.function != mark.function ||
      target.getAliasScopesOrNull() || target.getNoAliasScopesOrNull() ||
      !isAsMarked(op, access))
    return false;
  if (!in.empty())
    target.setAliasScopes(in);
  if (!out.empty())
    target.setNoAliasScopes(out);
  for (ArrayAttr list : {in, out})
    for (Attribute scope : list)
      used.insert(cast<LLVM::AliasScopeAttr>(scope));
  return true;
}

/// Says that the scopes are those of one call: who inlines the function, or
/// unrolls a loop around what was inlined, makes new ones for each copy.
void Attacher::declare() {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (LLVM::AliasScopeAttr scope : used)
    LLVM::NoAliasScopeDeclOp::create(builder, function.getLoc(), scope);
}

void Attacher::run(AttachCounts &counts) {
  makeScopes();
  function->walk([&](Operation *op) {
    if (addressesOf(op).empty())
      return;
    std::optional<AccessMark> access = accessMarkOf(op);
    if (access)
      ++(attach(op, *access) ? counts.attached : counts.dropped);
  });
  declare();
}

AttachCounts attachScopes(ModuleOp module) {
  AttachCounts counts;
  module->walk([&](LLVM::LLVMFuncOp function) {
    std::optional<FunctionMark> mark = functionMarkOf(function);
    if (mark && !function.isExternal())
      Attacher(function, *mark).run(counts);
  });
  removeMarks(module);
  return counts;
}

//===--- All the way ------------------------------------------------------===//

static constexpr char toLoops[] = "convert-linalg-to-loops";
static constexpr char toLlvm[] =
    "convert-bufferization-to-memref,expand-realloc,convert-linalg-to-loops,"
    "convert-vector-to-scf,expand-strided-metadata,lower-affine,"
    "scf-forall-to-for,convert-scf-to-cf,memref-expand,expand-strided-metadata,"
    "lower-affine,convert-vector-to-llvm,convert-math-to-llvm,"
    "convert-arith-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,"
    "convert-cf-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
    "reconcile-unrealized-casts";

static std::string runPasses(ModuleOp module, StringRef pipeline) {
  std::string problem;
  ScopedDiagnosticHandler capture(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            problem.empty())
          problem = diagnostic.str();
        return success();
      });
  PassManager passes(module.getContext(), "builtin.module");
  if (failed(parsePassPipeline(pipeline, passes)))
    return "cannot make the passes";
  if (succeeded(passes.run(module)))
    return {};
  return problem.empty() ? "a pass fails" : problem;
}

std::string lowerToLlvm(ModuleOp module, bool withScopes,
                        AttachCounts &counts) {
  // So that each load and store of them is told apart.
  std::string problem = runPasses(module, toLoops);
  if (!problem.empty())
    return problem;
  if (withScopes)
    markScopes(module);
  else
    removeLensOps(module);
  problem = runPasses(module, toLlvm);
  if (problem.empty())
    counts = attachScopes(module);
  return problem;
}

} // namespace memreflens::aliasing
