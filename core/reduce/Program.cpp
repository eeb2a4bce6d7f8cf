//===- core/reduce/Program.cpp --------------------------------------------===//

#include "core/reduce/Program.h"
#include "core/pipeline/record/SourceNames.h"
#include "core/source/Identity.h"
#include "core/source/TraceIr.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

bool parseProgram(std::string text, const Target &target, MLIRContext &context,
                  const AnalysisRequest &request, Program &program) {
  program.trace = {};
  program.trace.options = request.run;
  ParseOptions parse = request.parse;
  parse.splitInput = false;
  program.text = text;
  program.target = target;
  ParsedDocument document =
      parseDocument({"-", std::move(text)}, context, parse, program.trace);
  program.module = std::move(document.chunks.front().module);
  return bool(program.module);
}

Id Program::functionOp() const {
  return target.function == none ? none : trace.functions[target.function].op;
}

llvm::DenseSet<Operation *> Program::neededOps() const {
  auto isNeeded = [&](Id id) {
    if (id == none)
      return false;
    if (id == target.op || id == functionOp())
      return true;
    if (target.value == none)
      return false;
    const trace::Value &value = trace.values[target.value];
    return value.op == id || (value.op == none && value.block != none &&
                              trace.blocks[value.block].parentOp == id);
  };
  llvm::DenseSet<Operation *> needed;
  module.get()->walk([&](Operation *op) {
    if (isNeeded(taggedOp(op->getLoc())))
      for (; op; op = op->getParentOp())
        needed.insert(op);
  });
  return needed;
}

//===--- Ids that a module gets once it is printed and parsed -------------===//

namespace {
/// As IrLister counts: results with their op, arguments with their block.
struct Numbers {
  llvm::DenseMap<Id, Id> ops, values, functions;
  Id nextOp = 0, nextValue = 0, nextFunction = 0;

  void number(Operation *op, const trace::Trace &trace);
};
} // namespace

void Numbers::number(Operation *op, const trace::Trace &trace) {
  Id tag = taggedOp(op->getLoc());
  Id id = nextOp++;
  bool isFirst = tag != none && ops.try_emplace(tag, id).second;
  for (OpResult result : op->getResults()) {
    Id number = nextValue++;
    if (!isFirst || size_t(tag) >= trace.ops.size())
      continue;
    const std::vector<Id> &before = trace.ops[tag].results;
    if (before.size() == op->getNumResults())
      values.try_emplace(before[result.getResultNumber()], number);
    else if (size_t(result.getResultNumber()) < before.size())
      // Dropped results leave their tag on those kept: see Regions.cpp.
      if (auto kept = op->getAttrOfType<DenseI32ArrayAttr>(keptResultsName))
        values.try_emplace(before[kept[result.getResultNumber()]], number);
  }
  if (isa<FunctionOpInterface>(op)) {
    Id function = nextFunction++;
    for (const trace::Function &known : trace.functions)
      if (known.op == tag && isFirst)
        functions.try_emplace(known.id, function);
  }
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments()) {
        Id number = nextValue++;
        if (Id value = taggedArgument(argument.getLoc()); value != none)
          values.try_emplace(value, number);
      }
      for (Operation &inner : block)
        this->number(&inner, trace);
    }
}

//===--- Text -------------------------------------------------------------===//

/// Without the comment that names the blocks leading to this one.
static llvm::StringRef withoutPredecessors(llvm::StringRef line) {
  size_t at = line.rfind("  // ");
  if (!line.ltrim().starts_with("^") || at == llvm::StringRef::npos)
    return line;
  llvm::StringRef comment = line.drop_front(at + 5);
  bool isIt = comment.starts_with("pred: ") || comment.contains(" preds: ") ||
              comment == "no predecessors";
  return isIt ? line.take_front(at) : line;
}

/// Without the `module {` around it, where that says nothing, and without empty
/// lines.
static std::string tidied(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  auto module = llvm::find(lines, "module {");
  bool isPlain =
      module != lines.end() && lines.back() == "}" &&
      // Only aliases stand in front of it.
      llvm::all_of(llvm::make_range(lines.begin(), module),
                   [](llvm::StringRef line) {
                     return line.starts_with("#") || line.starts_with("!");
                   });
  std::string out;
  for (auto [index, line] : llvm::enumerate(lines)) {
    bool isAround = isPlain && (lines.begin() + index == module ||
                                index + 1 == lines.size());
    if (isAround)
      continue;
    if (isPlain && lines.begin() + index > module)
      line.consume_front("  ");
    out += (withoutPredecessors(line) + "\n").str();
  }
  return out;
}

//===--- Names ------------------------------------------------------------===//

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

/// `%r#1` is `%r` if it is the only one left of its group.
static void renumber(std::vector<Id> &results, trace::Trace &trace) {
  std::map<std::string, std::vector<Id>> groups;
  for (Id id : results)
    groups[llvm::StringRef(trace.values[id].name).split('#').first.str()]
        .push_back(id);
  for (auto &[base, ids] : groups)
    for (auto [number, id] : llvm::enumerate(ids))
      if (trace.values[id].name != base || ids.size() > 1)
        trace.values[id].name =
            ids.size() == 1 ? base : base + "#" + std::to_string(number);
}

/// Block of the trace that this one was; `none` if nothing tells.
static Id blockBefore(Block &block, const trace::Trace &trace) {
  for (Operation &op : block)
    if (Id tag = taggedOp(op.getLoc());
        tag != none && size_t(tag) < trace.ops.size() &&
        op.getName().getStringRef() ==
            llvm::StringRef(trace.ops[tag].name.str()))
      return trace.ops[tag].block;
  return none;
}

/// Arguments of other blocks than the first go by their number.
static void adoptArguments(Region &region, trace::Trace &trace) {
  std::set<Id> done;
  for (Block &block : llvm::drop_begin(region)) {
    Id before = blockBefore(block, trace);
    if (before == none || !done.insert(before).second)
      continue;
    std::vector<Id> &arguments = trace.blocks[before].arguments;
    arguments.clear();
    for (BlockArgument argument : block.getArguments())
      arguments.push_back(taggedArgument(argument.getLoc()));
  }
}

/// Tells the trace which results an op has lost and which types are others, so
/// that what is left is taken for what it was.
static void adoptChanges(ModuleOp module, trace::Trace &trace) {
  auto setType = [&](Id id, Type type) {
    if (id != none && size_t(id) < trace.values.size())
      trace.values[id].type = typeText(type);
  };
  module->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          setType(taggedArgument(argument.getLoc()), argument.getType());
    for (Region &region : op->getRegions())
      if (!region.empty())
        adoptArguments(region, trace);
    Id tag = taggedOp(op->getLoc());
    if (tag == none || size_t(tag) >= trace.ops.size())
      return;
    std::vector<Id> &results = trace.ops[tag].results;
    if (auto kept = op->getAttrOfType<DenseI32ArrayAttr>(keptResultsName)) {
      std::vector<Id> left;
      for (int32_t number : kept.asArrayRef())
        left.push_back(results[size_t(number)]);
      results = std::move(left);
      renumber(results, trace);
      op->removeAttr(keptResultsName);
    }
    if (results.size() == op->getNumResults())
      for (OpResult result : op->getResults())
        setType(results[result.getResultNumber()], result.getType());
  });
}

std::optional<Edited> printEdited(Program &program) {
  ModuleOp module = *program.module;
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  Numbers numbers;
  numbers.number(module, program.trace);
  Target target = program.target;
  auto move = [](llvm::DenseMap<Id, Id> &ids, Id &id) {
    if (id == none)
      return true;
    auto found = ids.find(id);
    if (found == ids.end())
      return false;
    id = found->second;
    return true;
  };
  if (!move(numbers.ops, target.op) || !move(numbers.values, target.value) ||
      !move(numbers.functions, target.function))
    return std::nullopt;
  adoptChanges(module, program.trace);
  if (failed(verify(module)))
    return std::nullopt;
  addIrToTrace(module, 0, program.trace, /*tagged=*/true);
  return Edited{
      tidied(
          SourceNames(module, program.trace, {}).putInto(printTagged(module))),
      target};
}

Size sizeOf(ModuleOp module, const std::string &text) {
  Size size;
  size.bytes = text.size();
  auto add = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && shaped.hasRank())
      for (int64_t dimension : shaped.getShape())
        size.extent += ShapedType::isDynamic(dimension) ? 0 : dimension;
  };
  module->walk([&](Operation *op) {
    ++size.ops;
    llvm::for_each(op->getResultTypes(), add);
    size.values += op->getNumResults() + op->getNumOperands();
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        ++size.blocks;
        size.values += block.getNumArguments();
        llvm::for_each(block.getArgumentTypes(), add);
      }
  });
  return size;
}

} // namespace memreflens
