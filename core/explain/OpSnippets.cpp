//===- core/explain/OpSnippets.cpp - lines that an op lacks ---------------===//

#include "core/explain/OpText.h"

#include <cctype>

namespace memreflens {

using trace::Answer;
using trace::OpCondition;
using trace::OpFacts;
using trace::RejectionCause;

/// The name that ODS users give to the class of `my.foo_bar`: FooBarOp.
static std::string className(const std::string &op) {
  std::string made;
  bool starts = true;
  for (char c : op.substr(op.find('.') + 1)) {
    if (!std::isalnum((unsigned char)c)) {
      starts = true;
      continue;
    }
    made += starts ? char(std::toupper((unsigned char)c)) : c;
    starts = false;
  }
  return made + "Op";
}

static std::string dialectOf(const std::string &op) {
  return op.substr(0, op.find('.'));
}

static std::string dialectClass(const std::string &op) {
  std::string name = dialectOf(op);
  name = className("." + name);
  return name.substr(0, name.size() - 2) + "Dialect";
}

/// `$Op`, `$Dialect` and `$name` stand for the op's.
static std::string filled(std::string text, const std::string &op) {
  auto replace = [&](const std::string &from, const std::string &to) {
    for (size_t at = text.find(from); at != text.npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("$Op", className(op));
  replace("$Dialect", dialectClass(op));
  replace("$name", op);
  return text;
}

static constexpr const char *attach = R"(
void register$OpModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, $Dialect *) {
    $Op::attachInterface<$OpModel>(*context);
  });
}
)";

/// Whether the definition of the op can be the user's.
static bool isUsers(const OpFacts &facts) {
  return facts.remediesOfMlir.empty();
}

static void addEffectsInOds(const OpFacts &facts,
                            std::vector<OpSnippet> &made) {
  made.push_back(
      {"in the op's definition, one of", "ods",
       filled("Pure                                   // touches no "
              "memory\n"
              "MemoryEffects<[MemRead]>               // or MemWrite, "
              "MemAlloc\n"
              "DeclareOpInterfaceMethods<MemoryEffectsOpInterface>  "
              "// operand by operand\n",
              facts.name)});
  if (facts.regions.most > 0)
    made.back().code +=
        "RecursiveMemoryEffects                 // those of its "
        "regions\n";
}

static void addEffects(const OpFacts &facts, std::vector<OpSnippet> &made) {
  if (isUsers(facts))
    addEffectsInOds(facts, made);
  made.push_back({"for an op of others, in C++ ($Op and $Dialect stand for "
                  "its classes)",
                  "cpp", R"(struct $OpModel
    : public MemoryEffectOpInterface::ExternalModel<$OpModel, $Op> {
  void getEffects(
      Operation *op,
      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    // What $name does to each memref; these are the most cautious.
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
  }
};
)" + std::string(attach)});
}

static void addRegionBranch(const OpFacts &facts,
                            std::vector<OpSnippet> &made) {
  if (isUsers(facts))
    made.push_back(
        {"in the op's definition", "ods",
         "DeclareOpInterfaceMethods<RegionBranchOpInterface,\n"
         "                          [\"getEntrySuccessorOperands\"]>  "
         "// if operands enter a region\n"});
  made.push_back(
      {"for an op of others, in C++ ($Op and $Dialect stand for "
       "its classes)",
       "cpp",
       R"(// In LLVM 22 the interface's own defaults do not compile in a model: here is
// each that has one, as it would be.
struct $OpModel
    : public RegionBranchOpInterface::ExternalModel<$OpModel, $Op> {
  // To be filled in: where control goes. Here each region runs at most once; one
  // that may run again is also a successor of its own end.
  void getSuccessorRegions(Operation *op, RegionBranchPoint point,
                           SmallVectorImpl<RegionSuccessor> &regions) const {
    if (point.isParent())
      for (Region &region : op->getRegions())
        regions.emplace_back(&region);
    regions.emplace_back(op, op->getResults());
  }
  // To be filled in: the operands that become arguments of that region. None.
  OperandRange getEntrySuccessorOperands(Operation *op, RegionSuccessor) const {
    return op->getOperands().take_front(0);
  }
  void getEntrySuccessorRegions(
      Operation *op, ArrayRef<Attribute>,
      SmallVectorImpl<RegionSuccessor> &regions) const {
    getSuccessorRegions(op, RegionBranchPoint::parent(), regions);
  }
  void getSuccessorRegions_3(Operation *op, Region &region,
                             SmallVectorImpl<RegionSuccessor> &regions) const {
    for (Block &block : region) {
      if (block.empty())
        continue;
      if (auto end = dyn_cast<RegionBranchTerminatorOpInterface>(block.back()))
        getSuccessorRegions(op, RegionBranchPoint(end), regions);
    }
  }
  void getPredecessorValues(Operation *op, RegionSuccessor successor, int index,
                            SmallVectorImpl<Value> &values) const {
    SmallVector<RegionBranchPoint> points;
    getPredecessors(op, successor, points);
    for (RegionBranchPoint point : points) {
      if (point.isParent()) {
        values.push_back(getEntrySuccessorOperands(op, successor)[index]);
        continue;
      }
      auto end = cast<RegionBranchTerminatorOpInterface>(
          point.getTerminatorPredecessorOrNull());
      values.push_back(end.getSuccessorOperands(successor)[index]);
    }
  }
};
)" + std::string(attach)});
}

static void addTerminator(const OpFacts &facts, std::vector<OpSnippet> &made) {
  if (isUsers(facts)) {
    made.push_back({"in the definition of a terminator that leaves a region",
                    "ods", "ReturnLike, Terminator\n"});
    made.push_back(
        {"in the definition of a branch to one block", "ods",
         "DeclareOpInterfaceMethods<BranchOpInterface>, Terminator\n"});
  }
  made.push_back({"for a region terminator of others, in C++ ($Op and $Dialect "
                  "stand for its classes)",
                  "cpp", R"(struct $OpModel
    : public RegionBranchTerminatorOpInterface::ExternalModel<$OpModel,
                                                              $Op> {
  MutableOperandRange getMutableSuccessorOperands(Operation *op,
                                                  RegionSuccessor) const {
    return MutableOperandRange(op);
  }
};
)" + std::string(attach)});
}

static void addNoTerminator(const OpFacts &facts,
                            std::vector<OpSnippet> &made) {
  if (!isUsers(facts))
    return;
  made.push_back({"in the op's definition, in place of NoTerminator", "ods",
                  "SingleBlockImplicitTerminator<\"YieldOp\">  // a ReturnLike "
                  "op of yours\n"});
}

static void addSuccessors(std::vector<OpSnippet> &made) {
  made.push_back({"in C++, a model of the op's own ($Op and $Dialect stand for "
                  "its classes)",
                  "cpp", R"(struct $OpModel
    : public bufferization::BufferDeallocationOpInterface::ExternalModel<
          $OpModel, $Op> {
  FailureOr<Operation *>
  process(Operation *op, bufferization::DeallocationState &state,
          const bufferization::DeallocationOptions &options) const {
    // Before the op: for each successor, a bufferization.dealloc under the
    // condition that it is taken, of what
    // state.getMemrefsAndConditionsToDeallocate lists, which retains what
    // state.getMemrefsToRetain names. To each successor's operands: one result
    // of that dealloc for each memref forwarded.
    return op->emitError("places no deallocations yet");
  }
};
)" + std::string(attach)});
}

/// MLIR's own dialects name the function so.
static void addPromised(const OpFacts &facts, std::vector<OpSnippet> &made) {
  for (const trace::OpCapability &entry : facts.interfaces)
    if (entry.promised && entry.name == "BufferDeallocationOpInterface")
      made.push_back(
          {"the dialect promises " + entry.name +
               ", and no extension in this registry gives it",
           "cpp",
           dialectOf(facts.name) +
               "::registerBufferDeallocationOpInterfaceExternalModels("
               "registry);\n"});
}

static void addFor(const OpFacts &facts, RejectionCause cause,
                   std::vector<OpSnippet> &made) {
  switch (cause) {
  case RejectionCause::unknownEffects:
    return addEffects(facts, made);
  case RejectionCause::regionWithoutInterface:
    return addRegionBranch(facts, made);
  case RejectionCause::terminatorInterface:
    return addTerminator(facts, made);
  case RejectionCause::noTerminatorTrait:
    return addNoTerminator(facts, made);
  case RejectionCause::multipleSuccessorsWithMemref:
    return addSuccessors(made);
  default:
    return;
  }
}

std::vector<OpSnippet> opSnippets(const OpFacts &facts) {
  std::vector<OpSnippet> made;
  addPromised(facts, made);
  for (const OpCondition &condition : facts.conditions)
    if (condition.fails != Answer::no)
      addFor(facts, condition.cause, made);
  for (OpSnippet &snippet : made) {
    snippet.title = filled(snippet.title, facts.name);
    snippet.code = filled(snippet.code, facts.name);
  }
  return made;
}

/// What the definition of the op lacks, and only that can mend.
static bool isOfDefinition(RejectionCause cause) {
  return cause == RejectionCause::unknownEffects ||
         cause == RejectionCause::regionWithoutInterface ||
         cause == RejectionCause::noTerminatorTrait ||
         cause == RejectionCause::terminatorInterface;
}

static std::string remedyFor(const OpFacts &facts, const OpCondition &failed) {
  std::string op = "'" + facts.name + "'";
  if (!isUsers(facts) && isOfDefinition(failed.cause)) {
    std::string text;
    for (const std::string &remedy : facts.remediesOfMlir)
      text += (text.empty() ? "" : ", ") + remedy;
    return text;
  }
  switch (failed.cause) {
  case RejectionCause::existingDealloc:
    return "run the ownership pass once only";
  case RejectionCause::unknownEffects:
    return facts.isRegistered ? "declare the memory effects of " + op +
                                    " (MemoryEffectOpInterface)"
                              : "register the dialect of " + op +
                                    ", or look past the op with --unregistered";
  case RejectionCause::regionWithoutInterface:
    return "implement RegionBranchOpInterface on " + op;
  case RejectionCause::noTerminatorTrait:
    return "give the regions of " + op + " a terminator";
  case RejectionCause::terminatorInterface:
    return "implement either BranchOpInterface or "
           "RegionBranchTerminatorOpInterface on " +
           op;
  case RejectionCause::multipleSuccessorsWithMemref:
  case RejectionCause::multipleSuccessors:
    return "run lift-cf-to-scf before the pipeline" +
           (isUsers(facts)
                ? ", or implement BufferDeallocationOpInterface on " + op
                : std::string());
  case RejectionCause::producedOperands:
    return "pass what " + op + " produces through a block of its own";
  case RejectionCause::freeEffect:
    return "remove the deallocation, or put bufferization.manual_deallocation "
           "on it and on its allocation";
  case RejectionCause::inParallelNotEmpty:
    return "bufferize it first: its region must be empty";
  case RejectionCause::reduceReturnMemref:
    return "reduce into a memref that is passed in";
  default:
    return {};
  }
}

std::vector<std::string> opRemedies(const OpFacts &facts) {
  std::vector<std::string> remedies;
  for (const OpCondition &condition : facts.conditions) {
    if (condition.fails == Answer::no ||
        (facts.isInstance && condition.fails != Answer::yes))
      continue;
    if (condition.cause == RejectionCause::freeEffect && facts.probe.wasAsked &&
        facts.probe.freed.empty())
      continue;
    std::string remedy = remedyFor(facts, condition);
    if (condition.fails == Answer::depends)
      remedy = "where it is rejected: " + remedy;
    if (remedies.empty() || remedies.back() != remedy)
      remedies.push_back(std::move(remedy));
    if (condition.fails == Answer::yes)
      break;
  }
  for (const trace::OpCapability &entry : facts.interfaces)
    if (entry.promised)
      remedies.push_back("register the extension that gives it " + entry.name);
  return remedies;
}

} // namespace memreflens
