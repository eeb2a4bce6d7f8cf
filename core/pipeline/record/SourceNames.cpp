//===- core/pipeline/record/SourceNames.cpp -------------------------------===//
//
// The printer is told to name values by their locations, which are our tags:
// `%memref-lens.op.12`, and `%memref-lens.op.12_0` for the op's second group of
// results. Those tokens are then replaced by names from the trace.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/record/SourceNames.h"
#include "core/pipeline/record/RoleNames.h"
#include "core/pipeline/record/TracePart.h"
#include "core/source/Identity.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

/// As `Operation::print` does it, and a line's end.
static std::string print(Operation *op, OpPrintingFlags flags,
                         Verified verified, Named named) {
  std::string text;
  llvm::raw_string_ostream os(text);
  flags.assumeVerified(verified == Verified::yes);
  const bool isAlone = named == Named::no && !op->getParentOp();
  op->print(os, flags.useLocalScope(isAlone));
  // Behind a module, resources begin on a line of their own.
  os << (isAlone ? "\n\n" : "\n");
  return text;
}

std::string printAsUpstream(Operation *op, Verified verified, Named named) {
  return print(op, OpPrintingFlags(), verified, named);
}

namespace {
/// One `%memref-lens...` in the text.
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

/// Writes the text again with every token replaced.
class Renamer {
public:
  Renamer(llvm::StringRef text, const trace::Trace &trace,
          const RoleNames &roles, FunctionNames &inUse)
      : text(text), trace(trace), roles(roles), inUse(inUse) {}
  std::string run();

private:
  std::optional<Token> tokenAt(size_t position) const;
  void collectGroups();
  void append(std::string &out, const Token &token);
  void appendResult(std::string &out, const trace::Op &op, unsigned index);
  bool isWholeGroup(const trace::Op &op, llvm::StringRef base);
  const std::string &nameOfPart(const trace::Value &value);

  llvm::StringRef text;
  const trace::Trace &trace;
  /// Of results that no event speaks of.
  const RoleNames &roles;
  FunctionNames &inUse;
  /// First result of each group of an op's results, by op and suffix.
  llvm::DenseMap<std::pair<Id, unsigned>, unsigned> groupStarts;
  /// Groups that were asked about, by op and name.
  std::map<std::pair<Id, std::string>, bool> wholeGroups;
  /// Of values whose group has lost others.
  llvm::DenseMap<Id, std::string> partNames;
};
} // namespace

static constexpr llvm::StringLiteral opPrefix = "%memref-lens.op.";
static constexpr llvm::StringLiteral argumentPrefix = "%memref-lens.arg.";

static std::optional<unsigned> eatNumber(llvm::StringRef &rest) {
  unsigned value = 0;
  if (rest.consumeInteger(10, value))
    return std::nullopt;
  return value;
}

std::optional<Token> Renamer::tokenAt(size_t position) const {
  llvm::StringRef rest = text.substr(position);
  Token token;
  if (rest.consume_front(argumentPrefix))
    token.isArgument = true;
  else if (!rest.consume_front(opPrefix))
    return std::nullopt;
  std::optional<unsigned> id = eatNumber(rest);
  if (!id)
    return std::nullopt;
  token.id = Id(*id);
  // The same characters may stand in a string of the user's.
  if (*id >= (token.isArgument ? trace.values.size() : trace.ops.size()))
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
    while ((position = defined.find(opPrefix, position)) !=
           llvm::StringRef::npos) {
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

/// Whether `%base:n` defines the results that the user knows by `%base#k`.
bool Renamer::isWholeGroup(const trace::Op &op, llvm::StringRef base) {
  auto [known, isNew] = wholeGroups.try_emplace({op.id, base.str()}, false);
  if (!isNew)
    return known->second;
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
  return known->second = size > 1;
}

/// `%r#1` cannot be written where `%r#0` is gone: `%result_r_1`.
const std::string &Renamer::nameOfPart(const trace::Value &value) {
  std::string &name = partNames[value.id];
  if (!name.empty())
    return name;
  auto [base, number] = llvm::StringRef(value.name).split('#');
  return name = inUse.add(value.block, ("result_" + base + "_" + number).str());
}

void Renamer::appendResult(std::string &out, const trace::Op &op,
                           unsigned index) {
  out += '%';
  if (index < op.results.size() && op.results[index] != none) {
    const trace::Value &value = trace.values[op.results[index]];
    llvm::StringRef base = llvm::StringRef(value.name).split('#').first;
    bool isPart = base != value.name && !isWholeGroup(op, base);
    out += isPart ? nameOfPart(value) : value.name;
    return;
  }
  auto known = roles.find(op.id);
  out += known != roles.end() && index < known->second.size()
             ? known->second[index]
             : "unnamed." + std::to_string(op.id) + "." + std::to_string(index);
}

void Renamer::append(std::string &out, const Token &token) {
  if (token.isArgument) {
    out += '%' + trace.values[token.id].name;
    return;
  }
  const trace::Op &op = trace.ops[token.id];
  unsigned start = groupStarts.lookup({token.id, token.group});
  if (!token.count)
    return appendResult(out, op, start + token.element.value_or(0));
  // The user's groups stay groups: `%a:2, %own_a`.
  for (unsigned index = start; index < start + *token.count;) {
    if (index > start)
      out += ", ";
    std::string name;
    appendResult(name, op, index);
    llvm::StringRef group = llvm::StringRef(name).split('#').first;
    unsigned next = index + 1;
    for (; next < start + *token.count && group != name; ++next) {
      std::string other;
      appendResult(other, op, next);
      if (llvm::StringRef(other).split('#').first != group)
        break;
    }
    out += group;
    if (group != name)
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

std::string printWithSourceNames(Operation *op, const trace::Trace &trace,
                                 PartStart start, Verified verified,
                                 Named named) {
  const std::string text =
      print(op, OpPrintingFlags().printNameLocAsPrefix(true), verified, named);
  Operation *module = op;
  while (Operation *parent = module->getParentOp())
    module = parent;
  TracePart part(trace, taggedOp(module->getLoc()), start);
  FunctionNames inUse(trace, part);
  return Renamer(text, trace, roleNames(op, trace, inUse), inUse).run();
}

} // namespace memreflens
