//===- core/pipeline/aliasing/LlvmScopes.cpp ------------------------------===//

#include "core/pipeline/aliasing/LlvmScopes.h"
#include "core/pipeline/aliasing/AccessScopes.h"
#include "core/pipeline/aliasing/PointerRoots.h"
#include "core/pipeline/aliasing/ScopeMarks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace memreflens::aliasing {

static bool mustBeInlined(LLVM::LLVMFuncOp function) {
  ArrayAttr others = function.getPassthroughAttr();
  return function.getAlwaysInline() ||
         (others && llvm::is_contained(
                        others, Attribute(StringAttr::get(function.getContext(),
                                                          "alwaysinline"))));
}

namespace {
class Attacher {
public:
  Attacher(LLVM::LLVMFuncOp function, const FunctionMark &mark,
           const AttachOptions &options)
      : function(function), mark(mark), context(function.getContext()),
        isPerCall(!options.keepInlinable && !mustBeInlined(function)) {}
  void run(AttachCounts &counts);

private:
  void makeScopes();
  bool attach(Operation *op, const AccessMark &access);
  /// Whether the op touches no memory but that which its mark names.
  bool isAsMarked(Operation *op, const AccessMark &access);
  Attribute nameOf(Value root);
  DomainKind kindOf(int64_t scope) const {
    return DomainKind(mark.kinds[size_t(mark.domainOf[size_t(scope)])]);
  }
  bool isWanted(int64_t scope) const;
  bool areNumbers(ArrayRef<int64_t> numbers) const;
  ArrayAttr listOf(ArrayRef<int64_t> numbers);
  void keepToOneCall();

  LLVM::LLVMFuncOp function;
  FunctionMark mark;
  MLIRContext *context;
  /// Whether scopes are wanted that hold within one call only.
  bool isPerCall;
  SmallVector<LLVM::AliasScopeAttr> scopes;
  /// Those of them that ops have now.
  llvm::SetVector<LLVM::AliasScopeAttr> ofOneCall;
};
} // namespace

//===--- What an op really touches ----------------------------------------===//

/// The addresses that an op which takes scopes reads or writes at.
static SmallVector<Value, 2> addressesOf(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return {load.getAddr()};
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return {store.getAddr()};
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return {update.getPtr()};
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return {exchange.getPtr()};
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    return {copy.getDst(), copy.getSrc()};
  if (auto move = dyn_cast<LLVM::MemmoveOp>(op))
    return {move.getDst(), move.getSrc()};
  return {};
}

/// What another allocator gives may be memory that others had: where it is
/// inlined, nothing is left between the two that keeps accesses in order.
static bool allocates(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return isa<LLVM::AllocaOp>(op) ||
         (call && (call.getCallee() == "malloc" ||
                   call.getCallee() == "aligned_alloc"));
}

/// In the words of marks; null for memory that no mark names.
Attribute Attacher::nameOf(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return StringAttr::get(context,
                           argument.getOwner() == &function.getBody().front()
                               ? outsideMemory
                               : unknownMemory);
  Operation *op = root.getDefiningOp();
  if (auto global = dyn_cast<LLVM::AddressOfOp>(op))
    return FlatSymbolRefAttr::get(context, global.getGlobalName());
  if (!allocates(op))
    return StringAttr::get(context, unknownMemory);
  auto mark = allocationMarkOf(op);
  // Else a buffer that a pass has put in the place of another one.
  if (!mark || mark->function != this->mark.function)
    return {};
  return IntegerAttr::get(IntegerType::get(context, 64), mark->number);
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

/// In one call the same is said of allocations, and more.
bool Attacher::isWanted(int64_t scope) const {
  if (kindOf(scope) != DomainKind::memory)
    return isPerCall;
  return !isPerCall ||
         !llvm::is_contained(mark.kinds, int64_t(DomainKind::call));
}

bool Attacher::areNumbers(ArrayRef<int64_t> numbers) const {
  return llvm::all_of(numbers, [&](int64_t number) {
    return number >= 0 && size_t(number) < scopes.size();
  });
}

ArrayAttr Attacher::listOf(ArrayRef<int64_t> numbers) {
  SmallVector<Attribute> list;
  for (int64_t number : numbers) {
    if (!isWanted(number))
      continue;
    list.push_back(scopes[size_t(number)]);
    if (kindOf(number) != DomainKind::memory)
      ofOneCall.insert(scopes[size_t(number)]);
  }
  return ArrayAttr::get(context, list);
}

bool Attacher::attach(Operation *op, const AccessMark &access) {
  auto target = cast<LLVM::AliasAnalysisOpInterface>(op);
  if (access.function != mark.function || !areNumbers(access.scopes) ||
      !areNumbers(access.noalias) || target.getAliasScopesOrNull() ||
      target.getNoAliasScopesOrNull() || !isAsMarked(op, access))
    return false;
  if (ArrayAttr list = listOf(access.scopes); !list.empty())
    target.setAliasScopes(list);
  if (ArrayAttr list = listOf(access.noalias); !list.empty())
    target.setNoAliasScopes(list);
  return true;
}

/// Where the function is inlined, or calls itself at its end, loops come up in
/// which the scopes would be taken to hold between calls. The declarations are
/// for those who inline it all the same.
void Attacher::keepToOneCall() {
  if (ofOneCall.empty())
    return;
  function.setNoInline(true);
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = function.getPassthroughAttr())
    attributes.append(known.begin(), known.end());
  Builder builder(context);
  attributes.push_back(builder.getStrArrayAttr({"disable-tail-calls", "true"}));
  function.setPassthroughAttr(builder.getArrayAttr(attributes));
  OpBuilder declarations = OpBuilder::atBlockBegin(&function.getBody().front());
  for (LLVM::AliasScopeAttr scope : ofOneCall)
    LLVM::NoAliasScopeDeclOp::create(declarations, function.getLoc(), scope);
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
  keepToOneCall();
}

AttachCounts attachScopes(ModuleOp module, const AttachOptions &options) {
  AttachCounts counts;
  module->walk([&](LLVM::LLVMFuncOp function) {
    std::optional<FunctionMark> mark = functionMarkOf(function);
    if (mark && !function.isExternal())
      Attacher(function, *mark, options).run(counts);
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

std::string lowerToLlvm(ModuleOp module,
                        const std::optional<AttachOptions> &scopes) {
  // So that each load and store of them is told apart.
  std::string problem = runPasses(module, toLoops);
  if (!problem.empty())
    return problem;
  if (scopes)
    markScopes(module);
  else
    removeLensOps(module);
  problem = runPasses(module, toLlvm);
  if (problem.empty() && scopes)
    attachScopes(module, *scopes);
  return problem;
}

} // namespace memreflens::aliasing
