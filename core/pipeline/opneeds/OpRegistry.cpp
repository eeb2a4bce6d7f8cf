//===- core/pipeline/opneeds/OpRegistry.cpp -------------------------------===//

#include "core/pipeline/opneeds/OpRegistry.h"
#include "core/pipeline/ownership/Conditions.h"

#include "mlir/Dialect/Bufferization/IR/AllocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferViewFlowOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memreflens {

using trace::OpCapability;

//===--- Names ------------------------------------------------------------===//

/// The names of `known` that are nearest to `name`, nearest first, at most 3.
static std::string nearest(StringRef name, std::vector<std::string> known) {
  auto distance = [&](const std::string &other) {
    // A part that is typed right is near, however long the rest.
    bool isPart = StringRef(other).contains(name) && name.size() > 2;
    return isPart ? 1u : name.edit_distance(other);
  };
  llvm::stable_sort(known, [&](const std::string &a, const std::string &b) {
    return distance(a) < distance(b);
  });
  std::string listed;
  const unsigned most = unsigned(name.size() / 3 + 1);
  for (size_t i = 0; i < known.size() && i < 3; ++i)
    if (distance(known[i]) <= most)
      listed += (listed.empty() ? "'" : ", '") + known[i] + "'";
  return listed;
}

static std::string meant(const std::string &names) {
  return names.empty() ? "" : "; near: " + names;
}

static std::string noDialect(StringRef dialect,
                             const DialectRegistry &registry) {
  std::vector<std::string> known;
  for (StringRef name : registry.getDialectNames())
    known.push_back(name.str());
  return "no dialect '" + dialect.str() +
         "' in this registry: load it with --load-dialect-plugin=LIB, or link "
         "it into a memref-lens of your own (cli/Main.h)" +
         meant(nearest(dialect, std::move(known)));
}

std::optional<RegisteredOperationName>
findRegistered(StringRef name, const DialectRegistry &registry,
               MLIRContext &context, std::string &error) {
  auto [dialectName, rest] = name.split('.');
  if (rest.empty() || dialectName.empty()) {
    error = "'" + name.str() +
            "' is no op's name: write dialect.op, as "
            "'memref.alloc'";
    return std::nullopt;
  }
  if (!context.getOrLoadDialect(dialectName)) {
    error = noDialect(dialectName, registry);
    return std::nullopt;
  }
  if (auto found = RegisteredOperationName::lookup(name, &context))
    return found;
  std::vector<std::string> known;
  for (RegisteredOperationName other : context.getRegisteredOperations())
    if (other.getDialectNamespace() == dialectName)
      known.push_back(other.getStringRef().str());
  error = "the dialect '" + dialectName.str() + "' has no op '" + name.str() +
          "'" + meant(nearest(name, std::move(known)));
  return std::nullopt;
}

//===--- Interfaces and traits --------------------------------------------===//

namespace {
/// An interface, by name and number.
struct KnownInterface {
  const char *name;
  TypeID id;
};
} // namespace

template <class Interface> static KnownInterface known(const char *name) {
  return {name, TypeID::get<Interface>()};
}

static std::vector<KnownInterface> knownInterfaces() {
  return {
      known<MemoryEffectOpInterface>("MemoryEffectOpInterface"),
      known<RegionBranchOpInterface>("RegionBranchOpInterface"),
      known<RegionBranchTerminatorOpInterface>(
          "RegionBranchTerminatorOpInterface"),
      known<BranchOpInterface>("BranchOpInterface"),
      known<CallOpInterface>("CallOpInterface"),
      known<CallableOpInterface>("CallableOpInterface"),
      known<FunctionOpInterface>("FunctionOpInterface"),
      known<bufferization::BufferDeallocationOpInterface>(
          "BufferDeallocationOpInterface"),
      known<bufferization::BufferizableOpInterface>("BufferizableOpInterface"),
      known<bufferization::AllocationOpInterface>("AllocationOpInterface"),
      known<bufferization::BufferViewFlowOpInterface>(
          "BufferViewFlowOpInterface"),
      known<ViewLikeOpInterface>("ViewLikeOpInterface"),
      known<SelectLikeOpInterface>("SelectLikeOpInterface"),
      known<LoopLikeOpInterface>("LoopLikeOpInterface"),
      known<DestinationStyleOpInterface>("DestinationStyleOpInterface"),
  };
}

template <template <class> class Trait>
static OpCapability trait(const char *name, OperationName op) {
  return {name, op.hasTrait<Trait>()};
}

static void addTraits(OperationName op, trace::OpFacts &facts) {
  facts.traits = {
      trait<OpTrait::HasRecursiveMemoryEffects>("RecursiveMemoryEffects", op),
      trait<OpTrait::IsTerminator>("Terminator", op),
      trait<OpTrait::ReturnLike>("ReturnLike", op),
      trait<OpTrait::NoTerminator>("NoTerminator", op),
      trait<OpTrait::SingleBlock>("SingleBlock", op),
      trait<OpTrait::AutomaticAllocationScope>("AutomaticAllocationScope", op),
      trait<OpTrait::IsIsolatedFromAbove>("IsolatedFromAbove", op),
      trait<OpTrait::AttrSizedOperandSegments>("AttrSizedOperandSegments", op),
      trait<OpTrait::AttrSizedResultSegments>("AttrSizedResultSegments", op)};
}

/// The op as its dialect alone defines it; nothing where that cannot be had.
static std::optional<RegisteredOperationName>
withoutExtensions(RegisteredOperationName name, const DialectRegistry &registry,
                  MLIRContext &bare) {
  Dialect &dialect = name.getDialect();
  StringRef nameSpace = dialect.getNamespace();
  DialectAllocatorFunctionRef make = registry.getDialectAllocator(nameSpace);
  if (!make)
    return std::nullopt;
  DialectRegistry alone;
  alone.insert(dialect.getTypeID(), nameSpace,
               [make](MLIRContext *context) { return make(context); });
  bare.appendDialectRegistry(alone);
  if (!bare.getOrLoadDialect(nameSpace))
    return std::nullopt;
  return RegisteredOperationName::lookup(name.getStringRef(), &bare);
}

void addCapabilities(RegisteredOperationName name,
                     const DialectRegistry &registry, trace::OpFacts &facts) {
  MLIRContext bare(MLIRContext::Threading::DISABLED);
  std::optional<RegisteredOperationName> native =
      withoutExtensions(name, registry, bare);
  Dialect &dialect = name.getDialect();
  for (const KnownInterface &entry : knownInterfaces()) {
    OpCapability found{entry.name};
    found.has = name.hasInterface(entry.id) ||
                dialect.getRegisteredInterfaceForOp(entry.id, name);
    found.attached =
        found.has && native && !native->hasInterface(entry.id) &&
        !native->getDialect().getRegisteredInterfaceForOp(entry.id, *native);
    found.promised =
        !found.has && dialect.hasPromisedInterface(name.getTypeID(), entry.id);
    facts.interfaces.push_back(std::move(found));
  }
  addTraits(name, facts);
}

} // namespace memreflens
