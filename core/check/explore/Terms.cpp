//===- core/check/explore/Terms.cpp ---------------------------------------===//

#include "core/check/explore/Terms.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <utility>

namespace memreflens::explorer {

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

static uint32_t hashOfTerm(TermKind kind, unsigned width, int64_t value,
                           llvm::ArrayRef<Term> arguments,
                           llvm::StringRef tag) {
  uint64_t hash = uint64_t(kind) << 8 | width;
  auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  add(uint64_t(value));
  for (Term argument : arguments)
    add(uint64_t(argument));
  if (!tag.empty())
    add(llvm::xxh3_64bits(tag));
  return uint32_t(hash);
}

void Terms::growSlots() {
  slots.assign(std::max<size_t>(256, 2 * slots.size()), noTerm);
  for (auto [term, node] : llvm::enumerate(nodes))
    if (node.kind != TermKind::symbol) {
      size_t slot = node.hash & (slots.size() - 1);
      while (slots[slot] != noTerm)
        slot = (slot + 1) & (slots.size() - 1);
      slots[slot] = Term(term);
    }
}

Term Terms::intern(TermKind kind, unsigned width, int64_t value,
                   llvm::ArrayRef<Term> arguments, llvm::StringRef tag,
                   uint32_t size, mlir::Value source) {
  if (2 * interned >= slots.size())
    growSlots();
  const uint32_t hash = hashOfTerm(kind, width, value, arguments, tag);
  size_t slot = hash & (slots.size() - 1);
  for (; slots[slot] != noTerm; slot = (slot + 1) & (slots.size() - 1)) {
    const TermNode &node = nodes[slots[slot]];
    if (node.hash == hash && node.kind == kind && node.width == width &&
        node.value == value && node.tag == tag &&
        llvm::ArrayRef<Term>(node.arguments) == arguments)
      return slots[slot];
  }
  const bool mayBeDecided = (width == 1 && kind != TermKind::constant) ||
                            llvm::any_of(arguments, [&](Term part) {
                              return nodes[part].mayBeDecided;
                            });
  TermNode &node = nodes.emplace_back();
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
  return slots[slot] = Term(nodes.size() - 1);
}

Term Terms::constant(int64_t value, unsigned width) {
  const bool isSmall = width == 64 && uint64_t(value) < smallest.size();
  if (isSmall && smallest[value] != noTerm)
    return smallest[value];
  const Term made =
      intern(TermKind::constant, width, wrap(value, width), {}, {}, 1, {});
  if (isSmall)
    smallest[value] = made;
  return made;
}

Term Terms::fresh(unsigned width, mlir::Value source) {
  TermNode node;
  node.width = uint8_t(width);
  node.source = source;
  node.mayBeDecided = width == 1;
  nodes.push_back(std::move(node));
  return Term(nodes.size() - 1);
}

Hash hashOf(llvm::ArrayRef<uint64_t> words) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 8});
  return {hash.low64, hash.high64};
}

const TermForm &Terms::makeForm(Term term) {
  if (formsByTerm.size() <= size_t(term))
    formsByTerm.resize(nodes.size());
  TermForm &form = forms.emplace_back();
  formsByTerm[size_t(term)] = &form;
  const TermNode &node = nodes[size_t(term)];
  llvm::SmallVector<uint64_t, 16> words = {uint64_t(node.kind), node.width,
                                           uint64_t(node.value)};
  if (node.kind == TermKind::symbol)
    form.symbols.push_back(term);
  if (!node.tag.empty())
    words.push_back(llvm::xxh3_64bits(node.tag));
  llvm::SmallDenseMap<Term, unsigned> numbers;
  for (Term argument : node.arguments) {
    const TermForm &part = formOf(argument);
    words.append({part.hash.first, part.hash.second});
    for (Term symbol : part.symbols) {
      auto [number, isNew] = numbers.try_emplace(symbol, numbers.size());
      if (isNew)
        form.symbols.push_back(symbol);
      words.push_back(number->second);
    }
  }
  form.hash = hashOf(words);
  return form;
}

std::optional<int64_t> Terms::constantOf(Term term) const {
  if (term == noTerm || nodes[term].kind != TermKind::constant)
    return std::nullopt;
  return nodes[term].value;
}

uint64_t asUnsigned(int64_t value, unsigned width) {
  return width >= 64 ? uint64_t(value)
                     : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

static std::optional<int64_t> foldConstants(TermKind kind, unsigned width,
                                            int64_t left, int64_t right) {
  switch (kind) {
  case TermKind::bitAnd:
    return left & right;
  case TermKind::bitOr:
    return left | right;
  case TermKind::bitXor:
    return left ^ right;
  case TermKind::equal:
    return left == right;
  case TermKind::lessSigned:
    return left < right;
  case TermKind::lessUnsigned:
    return asUnsigned(left, width) < asUnsigned(right, width);
  case TermKind::add:
    return int64_t(uint64_t(left) + uint64_t(right));
  case TermKind::multiply:
    return int64_t(uint64_t(left) * uint64_t(right));
  default:
    return std::nullopt;
  }
}

std::optional<Term> Terms::simplify(TermKind kind, unsigned width,
                                    llvm::ArrayRef<Term> arguments) {
  if (kind == TermKind::choice) {
    if (auto condition = constantOf(arguments[0]))
      return *condition ? arguments[1] : arguments[2];
    if (arguments[1] == arguments[2])
      return arguments[1];
    return std::nullopt;
  }
  if (kind == TermKind::other || arguments.size() != 2)
    return std::nullopt;
  Term left = arguments[0], right = arguments[1];
  auto leftValue = constantOf(left), rightValue = constantOf(right);
  // Compares are as wide as what they compare.
  unsigned operandWidth = nodes[left].width;
  if (leftValue && rightValue)
    return constant(*foldConstants(kind, operandWidth, *leftValue, *rightValue),
                    width);
  int64_t ones = width == 1 ? 1 : -1;
  switch (kind) {
  case TermKind::bitAnd:
    if (left == right || rightValue == ones)
      return left;
    if (rightValue == 0)
      return right;
    return std::nullopt;
  case TermKind::bitOr:
    if (left == right || rightValue == 0)
      return left;
    if (rightValue == ones)
      return right;
    return std::nullopt;
  case TermKind::bitXor:
    if (left == right)
      return constant(0, width);
    if (rightValue == 0)
      return left;
    // Twice negated.
    if (rightValue && nodes[left].kind == TermKind::bitXor &&
        nodes[left].arguments[1] == right)
      return nodes[left].arguments[0];
    return std::nullopt;
  case TermKind::equal:
    if (left == right)
      return boolean(true);
    if (operandWidth == 1 && rightValue)
      return *rightValue ? left : negate(left);
    return std::nullopt;
  case TermKind::lessSigned:
  case TermKind::lessUnsigned:
    if (left == right)
      return boolean(false);
    return std::nullopt;
  case TermKind::add:
    if (rightValue == 0)
      return left;
    return std::nullopt;
  case TermKind::multiply:
    if (rightValue == 1)
      return left;
    if (rightValue == 0)
      return right;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Term Terms::make(TermKind kind, unsigned width, llvm::ArrayRef<Term> arguments,
                 mlir::Value source, llvm::StringRef tag) {
  llvm::SmallVector<Term, 3> ordered(arguments);
  bool commutes = kind == TermKind::bitAnd || kind == TermKind::bitOr ||
                  kind == TermKind::bitXor || kind == TermKind::equal ||
                  kind == TermKind::add || kind == TermKind::multiply;
  // Constants last, then by age.
  if (commutes && ordered.size() == 2) {
    bool leftConstant = constantOf(ordered[0]).has_value();
    bool rightConstant = constantOf(ordered[1]).has_value();
    if (leftConstant != rightConstant ? leftConstant : ordered[0] > ordered[1])
      std::swap(ordered[0], ordered[1]);
  }
  if (std::optional<Term> simple = simplify(kind, width, ordered))
    return *simple;
  uint32_t size = 1;
  for (Term argument : ordered)
    size += nodes[argument].size;
  // Not while resolving: what is asked about must stay what it is.
  if (size > maxSize && !isResolving)
    return fresh(width, source);
  return intern(kind, width, 0, ordered, tag, size, source);
}

Term Terms::resolveAnew(Term term, const Decisions &decisions,
                        Resolved &resolved) {
  if (auto decided = decisionOn(term, decisions))
    return boolean(*decided);
  // A copy: the vector may grow.
  const llvm::SmallVector<Term, 3> before = nodes[term].arguments;
  llvm::SmallVector<Term, 3> arguments;
  for (Term argument : before)
    arguments.push_back(resolve(argument, decisions, resolved));
  if (arguments == before)
    return term;
  const TermNode node = nodes[term];
  bool wasResolving = std::exchange(isResolving, true);
  Term made = make(node.kind, node.width, arguments, node.source, node.tag);
  isResolving = wasResolving;
  if (auto decided = decisionOn(made, decisions))
    return boolean(*decided);
  return made;
}

Term Terms::resolve(Term term, const Decisions &decisions, Resolved &resolved) {
  if (decisions.empty() || !nodes[term].mayBeDecided)
    return term;
  if (const Term *before = resolved.find(term))
    return *before;
  Term found = resolveAnew(term, decisions, resolved);
  resolved.set(term, found);
  return found;
}

/// Condition of a choice inside a number; `noTerm` if there is none.
Term Terms::openChoice(Term term) const {
  const TermNode &node = nodes[term];
  if (node.kind == TermKind::choice)
    return undecided(node.arguments[0]);
  for (Term argument : node.arguments)
    if (Term found = openChoice(argument); found != noTerm)
      return found;
  return noTerm;
}

Term Terms::undecided(Term term) const {
  const TermNode &node = nodes[term];
  switch (node.kind) {
  case TermKind::bitAnd:
  case TermKind::bitOr:
  case TermKind::bitXor:
  case TermKind::choice:
    for (Term argument : node.arguments)
      if (nodes[argument].width == 1 && !constantOf(argument))
        return undecided(argument);
    return term;
  default:
    if (Term open = openChoice(term); open != noTerm)
      return open;
    return term;
  }
}

static auto findDecision(auto &decisions, Term term) {
  return std::lower_bound(
      decisions.begin(), decisions.end(), term,
      [](const auto &entry, Term wanted) { return entry.first < wanted; });
}

std::optional<bool> decisionOn(Term term, const Decisions &decisions) {
  auto entry = findDecision(decisions, term);
  if (entry == decisions.end() || entry->first != term)
    return std::nullopt;
  return entry->second;
}

void decide(Decisions &decisions, Term term, bool value) {
  auto entry = findDecision(decisions, term);
  decisions.insert(entry, {term, value});
}

} // namespace memreflens::explorer
