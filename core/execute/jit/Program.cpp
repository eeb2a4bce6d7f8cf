//===- core/execute/jit/Program.cpp ---------------------------------------===//

#include "core/execute/jit/Preparer.h"
#include "core/execute/jit/Runtime.h"
#include "core/execute/jit/Sites.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace memreflens::execute {

//===--- External functions -----------------------------------------------===//

/// Whether the name is the pattern, where `*` is any letters.
static bool isLike(llvm::StringRef pattern, llvm::StringRef name) {
  auto [head, tail] = pattern.split('*');
  if (!pattern.contains('*'))
    return pattern == name;
  if (!name.consume_front(head))
    return false;
  for (size_t i = 0; i <= name.size(); ++i)
    if (isLike(tail, name.drop_front(i)))
      return true;
  return false;
}

/// Marks what an external function does with memory of its own.
static Location siteOfKeeper(func::FuncOp function, SiteKind kind,
                             const std::string &value, Program &program) {
  Site site = program.sites[siteOf(function.getLoc())];
  site.kind = kind;
  site.opName = "@" + function.getName().str();
  site.function = function.getName().str();
  site.value = value;
  return addSite(function.getContext(), site, Owner::keeper, 0, program);
}

Value Preparer::stubResult(func::FuncOp function, unsigned number,
                           const StubSpec &stub) {
  const Location location = function.getLoc();
  Type type = function.getFunctionType().getResult(number);
  const std::string name = "@" + function.getName().str();
  if (auto memory = dyn_cast<BaseMemRefType>(type)) {
    if (stub.behaviour == Behaviour::nothing) {
      fail(name + " returns a memref: '--stub' takes fresh, kept or "
                  "alias:NUMBER for it",
           siteOf(location));
      return {};
    }
    if (stub.behaviour == Behaviour::alias) {
      const unsigned argument = stub.argument;
      if (argument >= function.getNumArguments() ||
          !memref::CastOp::areCastCompatible(
              function.getArgument(argument).getType(), type)) {
        fail(name + " has no argument " + llvm::Twine(argument) +
                 " that its result could be",
             siteOf(location));
        return {};
      }
      Value given = function.getArgument(argument);
      return given.getType() == type
                 ? given
                 : memref::CastOp::create(builder, location, type, given);
    }
    std::string shown = "the result of " + name;
    Value made =
        buffer(type, nullptr,
               stub.behaviour == Behaviour::kept
                   ? siteOfKeeper(function, SiteKind::other, shown, program)
                   : location,
               shown);
    owned.clear();
    return made;
  }
  std::string shown = "the result of " + name;
  return scalar(type, nullptr, {}, shown);
}

static bool returnsMemory(func::FuncOp function) {
  return llvm::any_of(function.getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// What is stated of it is what it does, unless `--stub` has something else.
StubSpec Preparer::stubOf(func::FuncOp function, const Contract &contract,
                          bool &isChosen) const {
  StubSpec stub;
  if (!returnsMemory(function))
    stub.behaviour = Behaviour::nothing;
  else if (contract.keepsResults)
    stub.behaviour = Behaviour::kept;
  else if (contract.returned >= 0)
    stub = {"", Behaviour::alias, unsigned(contract.returned)};
  isChosen = !options.isLoaded;
  for (const StubSpec &asked : options.stubs)
    if (isLike(asked.function, function.getName())) {
      stub = asked;
      isChosen = true;
    }
  return stub;
}

std::string Preparer::keepAndRelease(func::FuncOp function,
                                     const Contract &contract) {
  std::string does;
  auto isBuffer = [&](unsigned number) {
    return isa<BaseMemRefType>(function.getArgumentTypes()[number]);
  };
  for (unsigned kept : contract.kept)
    if (isBuffer(kept)) {
      const Location location =
          siteOfKeeper(function, SiteKind::other, "", program);
      Value address = memref::ExtractAlignedPointerAsIndexOp::create(
          builder, location, function.getArgument(kept));
      Value site =
          arith::ConstantIndexOp::create(builder, location, siteOf(location));
      func::CallOp::create(builder, location, keepName, TypeRange(),
                           ValueRange{address, site});
      does += ", keeps " + std::to_string(kept);
    }
  for (unsigned released : contract.released)
    if (isBuffer(released)) {
      memref::DeallocOp::create(
          builder, siteOfKeeper(function, SiteKind::deallocation, "", program),
          function.getArgument(released));
      does += ", releases " + std::to_string(released);
    }
  return does;
}

void Preparer::addStub(func::FuncOp function) {
  const llvm::StringRef name = function.getName();
  const Contract contract = contractOf(
      cast<FunctionOpInterface>(function.getOperation()), trace.options);
  bool isChosen = false;
  const StubSpec stub = stubOf(function, contract, isChosen);
  if (!isChosen)
    return fail("no library of '--load' has @" + name + " or _mlir_ciface_" +
                    name + "; '--stub @" + name + "=" +
                    (returnsMemory(function) ? "fresh" : "noop") +
                    "' does without them",
                siteOf(function.getLoc()));
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> results;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    Value result = stubResult(function, i, stub);
    if (!result)
      return;
    results.push_back(result);
  }
  std::string does = wordOf(stub);
  const std::string more = keepAndRelease(function, contract);
  if (!more.empty())
    does = does == "noop" ? more.substr(2) : does + more;
  func::ReturnOp::create(builder, function.getLoc(), results);
  program.stubs.push_back("@" + name.str() + ": " + does);
  const uint32_t site = siteOf(function.getLoc());
  program.sites[site].kind = SiteKind::allocation;
  program.sites[site].value = "the result of @" + name.str();
}

/// What is passed to code that cannot be seen must be live.
void Preparer::touchOperands(Operation *call) {
  builder.setInsertionPoint(call);
  Value site;
  for (Value operand : call->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    if (!site)
      site = arith::ConstantIndexOp::create(builder, call->getLoc(),
                                            siteOf(call->getLoc()));
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, call->getLoc(), operand);
    func::CallOp::create(builder, call->getLoc(), touchName, TypeRange(),
                         ValueRange{address, site});
  }
}

void Preparer::addStubs() {
  std::vector<func::CallOp> calls;
  module->walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (callee && callee.isExternal() &&
        !callee.getName().starts_with("memref_lens_"))
      calls.push_back(call);
  });
  llvm::SetVector<Operation *> callees;
  for (func::CallOp call : calls) {
    callees.insert(
        SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
    touchOperands(call);
  }
  for (Operation *callee : callees)
    if (auto function = cast<func::FuncOp>(callee);
        !options.isLoaded || !options.isLoaded(function.getName()))
      addStub(function);
}

void Preparer::addHook(llvm::StringRef name, unsigned operands) {
  builder.setInsertionPointToStart(module.getBody());
  const SmallVector<Type> numbers(operands, builder.getIndexType());
  func::FuncOp::create(builder, module.getLoc(), name,
                       builder.getFunctionType(numbers, {}))
      .setPrivate();
}

//===--- Blocks -----------------------------------------------------------===//

/// Whether a call may stand in the op's blocks: those of other ops have rules
/// of their own, or are no code that runs.
static bool holdsCode(Operation *op) {
  return isa<func::FuncOp, memref::AllocaScopeOp>(op) ||
         (isa_and_nonnull<scf::SCFDialect, affine::AffineDialect>(
              op->getDialect()) &&
          !isa<scf::ReduceOp, scf::InParallelOp>(op));
}

/// Whether what follows the op becomes a block of its own.
static bool splitsBlock(Operation &op) {
  const llvm::StringRef dialect = op.getName().getDialectNamespace();
  const llvm::StringRef name = op.getName().getStringRef();
  return !op.hasTrait<OpTrait::IsTerminator>() &&
         (op.getNumRegions() > 0 || dialect == "bufferization" ||
          dialect == "vector" || dialect == "linalg" || name == "cf.assert" ||
          name == "memref.realloc" || name == "memref.atomic_rmw");
}

/// Rewrites merge equal blocks, also where operands differ, and then one op
/// would have the counts of two: no two calls are alike.
void Preparer::addBlockCall(Location location, uint32_t site) {
  Value number = arith::ConstantIndexOp::create(builder, location, site);
  auto call =
      func::CallOp::create(builder, location, blockName, TypeRange(), number);
  call->setDiscardableAttr("memref_lens.block",
                           builder.getI64IntegerAttr(blockCalls++));
}

void Preparer::addBlockCounts() {
  std::vector<Block *> blocks;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ModuleOp>(op))
      return WalkResult::advance();
    // What the run adds has no number.
    if (!holdsCode(op) || siteOf(op->getLoc()) == 0)
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
    return WalkResult::advance();
  });
  for (Block *block : blocks) {
    Site site;
    for (Operation &op : *block)
      if (const Site &first = program.sites[siteOf(op.getLoc())];
          first.stageLine > 0) {
        site = first;
        break;
      }
    if (site.stageLine == 0)
      continue;
    site.kind = SiteKind::block;
    site.op = trace::none;
    site.value.clear();
    const Location location =
        addSite(builder.getContext(), site, Owner::program, 0, program);
    builder.setInsertionPointToStart(block);
    addBlockCall(location, siteOf(location));
    for (Operation &op : llvm::make_early_inc_range(*block))
      if (splitsBlock(op)) {
        builder.setInsertionPointAfter(&op);
        addBlockCall(location, /*site=*/0);
      }
  }
}

//===--- The caller -------------------------------------------------------===//

const ArgumentSpec *Preparer::specOf(unsigned number,
                                     llvm::StringRef name) const {
  const ArgumentSpec *found = nullptr;
  for (const ArgumentSpec &spec : options.arguments)
    if (spec.key == name || spec.key == std::to_string(number))
      found = &spec;
  return found;
}

Value Preparer::argument(func::FuncOp entry, unsigned number) {
  const Type type = entry.getArgument(number).getType();
  Argument shown;
  const trace::Id id = taggedArgument(entry.getArgument(number).getLoc());
  if (id >= 0 && size_t(id) < trace.values.size())
    shown.name = trace.values[size_t(id)].name;
  const ArgumentSpec *spec = specOf(number, shown.name);
  shown.name = shown.name.empty() ? "argument " + std::to_string(number)
                                  : "%" + shown.name;
  shown.type = textOf(type);
  Value made;
  shown.value = shown.name;
  if (!isa<BaseMemRefType>(type)) {
    made = scalar(type, spec, entry.getArgument(number), shown.value);
  } else if (spec && spec->isScalar) {
    fail(shown.name + " is a " + shown.type +
         ", which takes a buffer such as "
         "'random', not '" +
         spec->text + "'");
  } else {
    Site site;
    site.value = shown.name;
    site.opName = "argument";
    made = buffer(
        type, spec,
        addSite(builder.getContext(), site, Owner::caller, number, program),
        shown.value);
  }
  program.arguments.push_back(std::move(shown));
  return made;
}

void Preparer::addMain(func::FuncOp entry) {
  for (const ArgumentSpec &spec : options.arguments) {
    bool isKnown = false;
    for (BlockArgument argument : entry.getArguments()) {
      const trace::Id id = taggedArgument(argument.getLoc());
      isKnown |= spec.key == std::to_string(argument.getArgNumber()) ||
                 (id >= 0 && size_t(id) < trace.values.size() &&
                  trace.values[size_t(id)].name == spec.key);
    }
    if (!isKnown)
      fail("@" + entry.getName() + " has no argument '" + spec.key +
           "'; it has " + llvm::Twine(entry.getNumArguments()) +
           ", numbered from 0");
  }
  const Location none = UnknownLoc::get(builder.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto main = func::FuncOp::create(builder, none, mainName,
                                   builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(main.addEntryBlock());
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    Value made = argument(entry, i);
    if (!made)
      return;
    arguments.push_back(made);
  }
  auto call = func::CallOp::create(builder, none, entry, arguments);
  for (auto [i, result] : llvm::enumerate(call.getResults()))
    if (isa<BaseMemRefType>(result.getType())) {
      Site site;
      site.opName = "result";
      site.value = "result " + std::to_string(i);
      memref::DeallocOp::create(builder,
                                addSite(builder.getContext(), site,
                                        Owner::result, uint32_t(i), program),
                                result);
    }
  for (auto [memory, location] : owned)
    memref::DeallocOp::create(builder, location, memory);
  func::ReturnOp::create(builder, none);
}

/// Not behind the lowering, where a branch may be turned around.
void Preparer::addConditionCounts() {
  std::vector<Operation *> ops;
  module->walk([&](Operation *op) {
    if (program.sites[siteOf(op->getLoc())].kind == SiteKind::condition)
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    const Location location = op->getLoc();
    builder.setInsertionPoint(op);
    Value number =
        arith::ConstantIndexOp::create(builder, location, siteOf(location));
    Value truth = arith::IndexCastUIOp::create(
        builder, location, builder.getIndexType(), op->getOperand(0));
    func::CallOp::create(builder, location, hook::condition, TypeRange(),
                         ValueRange{number, truth});
  }
}

/// The heap of a run is the only memory that it has: buffers of all spaces are
/// there, and pointers to them are alike.
static void eraseMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    return type.getMemorySpace()
               ? std::optional<Type>(
                     MemRefType::Builder(type).setMemorySpace(Attribute()))
               : std::nullopt;
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    return type.getMemorySpace() ? std::optional<Type>(UnrankedMemRefType::get(
                                       type.getElementType(), Attribute()))
                                 : std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

Program prepare(ModuleOp module, func::FuncOp entry, const trace::Trace &trace,
                const PrepareOptions &options) {
  Program program;
  eraseMemorySpaces(module);
  numberSites(module, trace, program);
  // Only what the entry needs is lowered, and no alignment adds to the bytes:
  // the heap aligns.
  module->walk([&](Operation *op) {
    if (auto symbol = dyn_cast<SymbolOpInterface>(op); symbol && op != module)
      symbol.setVisibility(SymbolTable::Visibility::Private);
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      if (auto alignment = alloc.getAlignment()) {
        program.alignment = std::max<uint64_t>(program.alignment, *alignment);
        alloc.removeAlignmentAttr();
      }
    if (auto realloc = dyn_cast<memref::ReallocOp>(op))
      if (auto alignment = realloc.getAlignment()) {
        program.alignment = std::max<uint64_t>(program.alignment, *alignment);
        realloc.removeAlignmentAttr();
      }
  });
  Preparer preparer(module, trace, options, program);
  preparer.addHook(fillName);
  preparer.addMain(entry);
  // What nobody calls need not be lowered, nor have a body.
  PassManager unused(module.getContext(), "builtin.module");
  unused.addPass(createSymbolDCEPass());
  // It is verified there, too: a pass may have left what is no valid IR.
  std::string said;
  uint32_t saidOf = 0;
  ScopedDiagnosticHandler capture(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            said.empty()) {
          said = diagnostic.str();
          saidOf = siteOf(diagnostic.getLocation());
        }
        return success();
      });
  if (program.failure.empty() && failed(unused.run(module))) {
    program.failure = "what the passes left is no valid IR: " + said +
                      "; '--stage 0' runs the program as written";
    program.failedSite = saidOf;
  }
  if (!program.failure.empty())
    return program;
  if (!module.lookupSymbol(fillName))
    preparer.addHook(fillName);
  preparer.addHook(touchName);
  preparer.addHook(keepName);
  preparer.addHook(hook::condition);
  preparer.addConditionCounts();
  if (options.countsBlocks) {
    preparer.addHook(blockName, 1);
    preparer.addBlockCounts();
  }
  preparer.addStubs();
  return program;
}

} // namespace memreflens::execute
