//===- core/symexec/SymbolicExpr.cpp --------------------------------------===//

#include "core/symexec/SymbolicExpr.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <utility>

namespace memreflens::symexec {

static constexpr uint32_t maxSize = 400;

/// Numbers are kept as they would be, sign extended; an i1 as 0 or 1.
static int64_t wrap(int64_t value, unsigned width) {
  if (width == 1)
    return value & 1;
  if (width >= 64)
    return value;
  uint64_t shifted = uint64_t(value) << (64 - width);
  return int64_t(shifted) >> (64 - width);
}

static uint32_t hashOfExpr(ExprKind kind, unsigned width, int64_t value,
                           llvm::ArrayRef<SymbolicExpr> arguments,
                           llvm::StringRef tag) {
  uint64_t hash = uint64_t(kind) << 8 | width;
  auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  add(uint64_t(value));
  for (SymbolicExpr argument : arguments)
    add(uint64_t(argument));
  if (!tag.empty())
    add(llvm::xxh3_64bits(tag));
  return uint32_t(hash);
}

void SymbolicExprs::growSlots() {
  slots.assign(std::max<size_t>(256, 2 * slots.size()), noExpr);
  for (auto [expr, node] : llvm::enumerate(nodes))
    if (node.kind != ExprKind::symbol) {
      size_t slot = node.hash & (slots.size() - 1);
      while (slots[slot] != noExpr)
        slot = (slot + 1) & (slots.size() - 1);
      slots[slot] = SymbolicExpr(expr);
    }
}

SymbolicExpr SymbolicExprs::intern(ExprKind kind, unsigned width, int64_t value,
                                   llvm::ArrayRef<SymbolicExpr> arguments,
                                   llvm::StringRef tag, uint32_t size,
                                   mlir::Value source) {
  if (2 * interned >= slots.size())
    growSlots();
  const uint32_t hash = hashOfExpr(kind, width, value, arguments, tag);
  size_t slot = hash & (slots.size() - 1);
  for (; slots[slot] != noExpr; slot = (slot + 1) & (slots.size() - 1)) {
    const ExprNode &node = nodes[slots[slot]];
    if (node.hash == hash && node.kind == kind && node.width == width &&
        node.value == value && node.tag == tag &&
        llvm::ArrayRef<SymbolicExpr>(node.arguments) == arguments)
      return slots[slot];
  }
  const bool mayBeDecided = (width == 1 && kind != ExprKind::constant) ||
                            llvm::any_of(arguments, [&](SymbolicExpr part) {
                              return nodes[part].mayBeDecided;
                            });
  ExprNode &node = nodes.emplace_back();
  node.kind = kind;
  node.width = uint8_t(width);
  node.mayBeDecided = mayBeDecided;
  node.size = size;
  node.hash = hash;
  node.value = value;
  node.arguments.assign(arguments.begin(), arguments.end());
  node.tag = tag.str();
  node.source = source;
  ++interned;
  return slots[slot] = SymbolicExpr(nodes.size() - 1);
}

SymbolicExpr SymbolicExprs::constant(int64_t value, unsigned width) {
  const bool isSmall = width == 64 && uint64_t(value) < smallest.size();
  if (isSmall && smallest[value] != noExpr)
    return smallest[value];
  const SymbolicExpr made =
      intern(ExprKind::constant, width, wrap(value, width), {}, {}, 1, {});
  if (isSmall)
    smallest[value] = made;
  return made;
}

SymbolicExpr SymbolicExprs::fresh(unsigned width, mlir::Value source) {
  ExprNode node;
  node.width = uint8_t(width);
  node.source = source;
  node.mayBeDecided = width == 1;
  nodes.push_back(std::move(node));
  return SymbolicExpr(nodes.size() - 1);
}

Hash hashOf(llvm::ArrayRef<uint64_t> words) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 8});
  return {hash.low64, hash.high64};
}

const ExprForm &SymbolicExprs::makeForm(SymbolicExpr expr) {
  if (formsByExpr.size() <= size_t(expr))
    formsByExpr.resize(nodes.size());
  ExprForm &form = forms.emplace_back();
  formsByExpr[size_t(expr)] = &form;
  const ExprNode &node = nodes[size_t(expr)];
  llvm::SmallVector<uint64_t, 16> words = {uint64_t(node.kind), node.width,
                                           uint64_t(node.value)};
  if (node.kind == ExprKind::symbol)
    form.symbols.push_back(expr);
  if (!node.tag.empty())
    words.push_back(llvm::xxh3_64bits(node.tag));
  llvm::SmallDenseMap<SymbolicExpr, unsigned> numbers;
  for (SymbolicExpr argument : node.arguments) {
    const ExprForm &part = formOf(argument);
    words.append({part.hash.first, part.hash.second});
    for (SymbolicExpr symbol : part.symbols) {
      auto [number, isNew] = numbers.try_emplace(symbol, numbers.size());
      if (isNew)
        form.symbols.push_back(symbol);
      words.push_back(number->second);
    }
  }
  form.hash = hashOf(words);
  return form;
}

std::optional<int64_t> SymbolicExprs::constantOf(SymbolicExpr expr) const {
  if (expr == noExpr || nodes[expr].kind != ExprKind::constant)
    return std::nullopt;
  return nodes[expr].value;
}

uint64_t asUnsigned(int64_t value, unsigned width) {
  return width >= 64 ? uint64_t(value)
                     : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

static std::optional<int64_t> foldConstants(ExprKind kind, unsigned width,
                                            int64_t left, int64_t right) {
  switch (kind) {
  case ExprKind::bitAnd:
    return left & right;
  case ExprKind::bitOr:
    return left | right;
  case ExprKind::bitXor:
    return left ^ right;
  case ExprKind::equal:
    return left == right;
  case ExprKind::lessSigned:
    return left < right;
  case ExprKind::lessUnsigned:
    return asUnsigned(left, width) < asUnsigned(right, width);
  case ExprKind::add:
    return int64_t(uint64_t(left) + uint64_t(right));
  case ExprKind::multiply:
    return int64_t(uint64_t(left) * uint64_t(right));
  default:
    return std::nullopt;
  }
}

std::optional<SymbolicExpr>
SymbolicExprs::simplify(ExprKind kind, unsigned width,
                        llvm::ArrayRef<SymbolicExpr> arguments) {
  if (kind == ExprKind::choice) {
    if (auto condition = constantOf(arguments[0]))
      return *condition ? arguments[1] : arguments[2];
    if (arguments[1] == arguments[2])
      return arguments[1];
    return std::nullopt;
  }
  if (kind == ExprKind::other || arguments.size() != 2)
    return std::nullopt;
  SymbolicExpr left = arguments[0], right = arguments[1];
  auto leftValue = constantOf(left), rightValue = constantOf(right);
  // Compares are as wide as what they compare.
  unsigned operandWidth = nodes[left].width;
  if (leftValue && rightValue)
    return constant(*foldConstants(kind, operandWidth, *leftValue, *rightValue),
                    width);
  int64_t ones = width == 1 ? 1 : -1;
  switch (kind) {
  case ExprKind::bitAnd:
    if (left == right || rightValue == ones)
      return left;
    if (rightValue == 0)
      return right;
    return std::nullopt;
  case ExprKind::bitOr:
    if (left == right || rightValue == 0)
      return left;
    if (rightValue == ones)
      return right;
    return std::nullopt;
  case ExprKind::bitXor:
    if (left == right)
      return constant(0, width);
    if (rightValue == 0)
      return left;
    // Twice negated.
    if (rightValue && nodes[left].kind == ExprKind::bitXor &&
        nodes[left].arguments[1] == right)
      return nodes[left].arguments[0];
    return std::nullopt;
  case ExprKind::equal:
    if (left == right)
      return boolean(true);
    if (operandWidth == 1 && rightValue)
      return *rightValue ? left : negate(left);
    return std::nullopt;
  case ExprKind::lessSigned:
  case ExprKind::lessUnsigned:
    if (left == right)
      return boolean(false);
    return std::nullopt;
  case ExprKind::add:
    if (rightValue == 0)
      return left;
    return std::nullopt;
  case ExprKind::multiply:
    if (rightValue == 1)
      return left;
    if (rightValue == 0)
      return right;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

SymbolicExpr SymbolicExprs::make(ExprKind kind, unsigned width,
                                 llvm::ArrayRef<SymbolicExpr> arguments,
                                 mlir::Value source, llvm::StringRef tag) {
  llvm::SmallVector<SymbolicExpr, 3> ordered(arguments);
  bool commutes = kind == ExprKind::bitAnd || kind == ExprKind::bitOr ||
                  kind == ExprKind::bitXor || kind == ExprKind::equal ||
                  kind == ExprKind::add || kind == ExprKind::multiply;
  // Constants last, then by age.
  if (commutes && ordered.size() == 2) {
    bool leftConstant = constantOf(ordered[0]).has_value();
    bool rightConstant = constantOf(ordered[1]).has_value();
    if (leftConstant != rightConstant ? leftConstant : ordered[0] > ordered[1])
      std::swap(ordered[0], ordered[1]);
  }
  if (std::optional<SymbolicExpr> simple = simplify(kind, width, ordered))
    return *simple;
  uint32_t size = 1;
  for (SymbolicExpr argument : ordered)
    size += nodes[argument].size;
  // Not while resolving: what is asked about must stay what it is.
  if (size > maxSize && !isResolving)
    return fresh(width, source);
  return intern(kind, width, 0, ordered, tag, size, source);
}

SymbolicExpr SymbolicExprs::resolveAnew(SymbolicExpr expr,
                                        const Decisions &decisions,
                                        Resolved &resolved) {
  if (auto decided = decisionOn(expr, decisions))
    return boolean(*decided);
  // A copy: the vector may grow.
  const llvm::SmallVector<SymbolicExpr, 3> before = nodes[expr].arguments;
  llvm::SmallVector<SymbolicExpr, 3> arguments;
  for (SymbolicExpr argument : before)
    arguments.push_back(resolve(argument, decisions, resolved));
  if (arguments == before)
    return expr;
  const ExprNode node = nodes[expr];
  bool wasResolving = std::exchange(isResolving, true);
  SymbolicExpr made =
      make(node.kind, node.width, arguments, node.source, node.tag);
  isResolving = wasResolving;
  if (auto decided = decisionOn(made, decisions))
    return boolean(*decided);
  return made;
}

SymbolicExpr SymbolicExprs::resolve(SymbolicExpr expr,
                                    const Decisions &decisions,
                                    Resolved &resolved) {
  if (decisions.empty() || !nodes[expr].mayBeDecided)
    return expr;
  if (const SymbolicExpr *before = resolved.find(expr))
    return *before;
  SymbolicExpr found = resolveAnew(expr, decisions, resolved);
  resolved.set(expr, found);
  return found;
}

/// Condition of a choice inside a number; `noExpr` if there is none.
SymbolicExpr SymbolicExprs::openChoice(SymbolicExpr expr) const {
  const ExprNode &node = nodes[expr];
  if (node.kind == ExprKind::choice)
    return undecided(node.arguments[0]);
  for (SymbolicExpr argument : node.arguments)
    if (SymbolicExpr found = openChoice(argument); found != noExpr)
      return found;
  return noExpr;
}

SymbolicExpr SymbolicExprs::undecided(SymbolicExpr expr) const {
  const ExprNode &node = nodes[expr];
  switch (node.kind) {
  case ExprKind::bitAnd:
  case ExprKind::bitOr:
  case ExprKind::bitXor:
  case ExprKind::choice:
    for (SymbolicExpr argument : node.arguments)
      if (nodes[argument].width == 1 && !constantOf(argument))
        return undecided(argument);
    return expr;
  default:
    if (SymbolicExpr open = openChoice(expr); open != noExpr)
      return open;
    return expr;
  }
}

static auto findDecision(auto &decisions, SymbolicExpr expr) {
  return std::lower_bound(decisions.begin(), decisions.end(), expr,
                          [](const auto &entry, SymbolicExpr wanted) {
                            return entry.first < wanted;
                          });
}

std::optional<bool> decisionOn(SymbolicExpr expr, const Decisions &decisions) {
  auto entry = findDecision(decisions, expr);
  if (entry == decisions.end() || entry->first != expr)
    return std::nullopt;
  return entry->second;
}

void decide(Decisions &decisions, SymbolicExpr expr, bool value) {
  auto entry = findDecision(decisions, expr);
  decisions.insert(entry, {expr, value});
}

} // namespace memreflens::symexec
