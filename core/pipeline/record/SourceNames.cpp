//===- core/pipeline/record/SourceNames.cpp -------------------------------===//
//
// The printer is told to name values by their locations, which are our tags:
// `%lens$op12`, and `%lens$op12_0` for the op's second group of results. Those
// tokens are then replaced by names from the trace.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/record/SourceNames.h"
#include "core/source/Identity.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

/// Bytes that are printed before they are added to a text.
static constexpr size_t printBuffer = 1 << 14;

/// As `Operation::print` does it, and a line's end.
static std::string print(Operation *op, OpPrintingFlags flags,
                         const PrintFacts &facts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The printer writes a few characters at a time.
  os.SetBufferSize(printBuffer);
  flags.assumeVerified(facts.verified == Verified::yes);
  const bool isAlone = facts.named == Named::no && !op->getParentOp();
  flags.useLocalScope(isAlone);
  if (facts.resources) {
    AsmState state(op, flags, /*locationMap=*/nullptr, facts.resources);
    op->print(os, state);
  } else {
    op->print(os, flags);
  }
  // Behind a module, resources begin on a line of their own.
  os << (isAlone ? "\n\n" : "\n");
  os.flush();
  return text;
}

std::string printAsUpstream(Operation *op, const PrintFacts &facts) {
  return print(op, OpPrintingFlags(), facts);
}

std::string printTagged(Operation *op, const PrintFacts &facts) {
  return print(op, OpPrintingFlags().printNameLocAsPrefix(true), facts);
}

//===--- Names ------------------------------------------------------------===//

/// Whether `%base:n` defines the results that the user knows by `%base#k`.
static bool isWholeGroup(const trace::Op &op, llvm::StringRef base,
                         const trace::Trace &trace) {
  size_t first = op.results.size(), size = 0;
  for (size_t i = 0; i < op.results.size(); ++i) {
    if (op.results[i] == none)
      continue;
    auto [group, number] =
        llvm::StringRef(trace.values[op.results[i]].name).split('#');
    if (group != base)
      continue;
    first = std::min(first, i);
    if (number != std::to_string(i - first))
      return false;
    ++size;
  }
  return size > 1;
}

void SourceNames::add(Operation *op, const trace::Trace &trace,
                      const std::vector<NewOp> &made, FunctionNames &inUse) {
  const Id id = taggedOp(op->getLoc());
  if (op->getNumResults() == 0 || id == none || size_t(id) >= results.size())
    return;
  results[id] = {uint32_t(names.size()), op->getNumResults()};
  if (size_t(id) >= trace.ops.size()) {
    const NewOp &one = made[size_t(id) - trace.ops.size()];
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      names.push_back(inUse.add(one.block, one.name));
    return;
  }
  const trace::Op &known = trace.ops[id];
  // Groups of results, of which there are few, and whether they are whole.
  llvm::SmallVector<std::pair<llvm::StringRef, bool>, 2> groups;
  auto isPart = [&](llvm::StringRef group) {
    for (auto [asked, isWhole] : groups)
      if (asked == group)
        return !isWhole;
    groups.push_back({group, isWholeGroup(known, group, trace)});
    return !groups.back().second;
  };
  for (OpResult result : op->getResults()) {
    const unsigned index = result.getResultNumber();
    if (index >= known.results.size() || known.results[index] == none) {
      names.push_back(roleName(result, id, trace, inUse));
      continue;
    }
    const trace::Value &value = trace.values[known.results[index]];
    auto [group, number] = llvm::StringRef(value.name).split('#');
    // `%r#1` cannot be written where `%r#0` is gone: `%result_r_1`.
    names.push_back(
        group.size() < value.name.size() && isPart(group)
            ? inUse.add(value.block, ("result_" + group + "_" + number).str())
            : value.name);
  }
}

void SourceNames::add(BlockArgument argument, const trace::Trace &trace) {
  const Id id = taggedArgument(argument.getLoc());
  if (id == none || size_t(id) >= arguments.size())
    return;
  names.push_back(trace.values[id].name);
  arguments[id] = uint32_t(names.size());
}

SourceNames::SourceNames(Operation *root, const trace::Trace &trace,
                         PartStart start, const std::vector<NewOp> &made)
    : results(trace.ops.size() + made.size()), arguments(trace.values.size()) {
  Operation *module = root;
  while (Operation *parent = module->getParentOp())
    module = parent;
  const TracePart part(trace, taggedOp(module->getLoc()), start);
  FunctionNames inUse(trace, part);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    add(op, trace, made, inUse);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          add(argument, trace);
  });
}

//===--- Text -------------------------------------------------------------===//

namespace {
/// One `%lens$...` in the text.
struct Token {
  bool isArgument = false;
  Id id = none;
  /// 0 for the plain name, k+1 for the suffix `_k`. Suffixes grow over the
  /// whole text; their order within a definition is that of the op's result
  /// groups.
  unsigned group = 0;
  /// Number after `#`, or count after `:` in a definition.
  std::optional<unsigned> element;
  std::optional<unsigned> count;
  size_t length = 0;
};
} // namespace

/// Writes the text again with every token replaced.
class Renamer {
public:
  Renamer(llvm::StringRef text, const SourceNames &names)
      : text(text), names(names) {}
  std::string run();

private:
  std::optional<Token> tokenAt(size_t position) const;
  void collectGroups();
  void append(std::string &out, const Token &token) const;
  llvm::StringRef resultOf(Id op, unsigned index) const;

  llvm::StringRef text;
  const SourceNames &names;
  /// First result of each group of an op's results, by op and suffix.
  llvm::DenseMap<std::pair<Id, unsigned>, unsigned> groupStarts;
};

static std::optional<unsigned> eatNumber(llvm::StringRef &rest) {
  unsigned value = 0;
  if (rest.consumeInteger(10, value))
    return std::nullopt;
  return value;
}

std::optional<Token> Renamer::tokenAt(size_t position) const {
  llvm::StringRef rest = text.substr(position);
  Token token;
  if (!rest.consume_front("%"))
    return std::nullopt;
  if (rest.consume_front(argumentTag))
    token.isArgument = true;
  else if (!rest.consume_front(opTag))
    return std::nullopt;
  std::optional<unsigned> id = eatNumber(rest);
  if (!id)
    return std::nullopt;
  token.id = Id(*id);
  // The same characters may stand in a string of the user's.
  if (token.isArgument
          ? *id >= names.arguments.size() || names.arguments[*id] == 0
          : *id >= names.results.size() || names.results[*id].count == 0)
    return std::nullopt;
  llvm::StringRef mark = rest;
  if (rest.consume_front("_"))
    if (std::optional<unsigned> suffix = eatNumber(rest))
      token.group = *suffix + 1;
  mark = rest;
  if (rest.consume_front("#"))
    token.element = eatNumber(rest);
  else if (rest.consume_front(":"))
    token.count = eatNumber(rest);
  if (!token.element && !token.count)
    rest = mark;
  token.length = text.size() - position - rest.size();
  return token;
}

/// The results that a line defines, `%x, %y:2` of `%x, %y:2 = ...`. Lines may
/// be long: a dealloc has as many operands as a function has buffers.
static llvm::StringRef definitionsOf(llvm::StringRef line) {
  line = line.ltrim();
  llvm::StringRef rest = line;
  while (rest.consume_front("%"))
    rest = rest.drop_until([](char c) { return c == ' '; }).ltrim();
  if (!rest.starts_with("= "))
    return {};
  return line.drop_back(rest.size());
}

void Renamer::collectGroups() {
  llvm::DenseMap<Id, unsigned> nextStart;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    rest = tail;
    llvm::StringRef defined = definitionsOf(line);
    const size_t base = size_t(defined.data() - text.data());
    size_t position = 0;
    // The only results of an op begin with the first.
    if (defined.count('%') == 1)
      continue;
    while ((position = defined.find('%', position)) != llvm::StringRef::npos) {
      std::optional<Token> token = tokenAt(base + position);
      if (!token) {
        ++position;
        continue;
      }
      if (token->group > 0 || token->count || !token->element) {
        unsigned &next = nextStart[token->id];
        groupStarts[{token->id, token->group}] = next;
        next += token->count.value_or(1);
      }
      position += token->length;
    }
  }
}

llvm::StringRef Renamer::resultOf(Id op, unsigned index) const {
  const auto [first, count] = names.results[size_t(op)];
  return index < count ? llvm::StringRef(names.names[first + index]) : "";
}

void Renamer::append(std::string &out, const Token &token) const {
  out += '%';
  if (token.isArgument) {
    out += names.names[names.arguments[size_t(token.id)] - 1];
    return;
  }
  unsigned start = groupStarts.lookup({token.id, token.group});
  if (!token.count) {
    out += resultOf(token.id, start + token.element.value_or(0));
    return;
  }
  // The user's groups stay groups: `%a:2, %own_a`.
  auto groupAt = [&](unsigned index) {
    return resultOf(token.id, index).split('#').first;
  };
  for (unsigned index = start; index < start + *token.count;) {
    if (index > start)
      out += ", %";
    const llvm::StringRef group = groupAt(index);
    const bool isGroup = group.size() < resultOf(token.id, index).size();
    unsigned next = index + 1;
    while (isGroup && next < start + *token.count && groupAt(next) == group)
      ++next;
    out += group;
    if (isGroup)
      out += ":" + std::to_string(next - index);
    index = next;
  }
}

std::string Renamer::run() {
  collectGroups();
  std::string out;
  out.reserve(text.size());
  size_t done = 0;
  for (size_t position = text.find('%'); position != llvm::StringRef::npos;
       position = text.find('%', position)) {
    std::optional<Token> token = tokenAt(position);
    if (!token) {
      ++position;
      continue;
    }
    out += text.slice(done, position);
    append(out, *token);
    done = position += token->length;
  }
  out += text.substr(done);
  return out;
}

std::string SourceNames::putInto(llvm::StringRef tagged) const {
  return Renamer(tagged, *this).run();
}

} // namespace memreflens
