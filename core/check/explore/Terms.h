//===- core/check/explore/Terms.h - numbers and conditions, known or not --===//
//
// Scalars of a path as terms: constants, unknown symbols, and what is computed
// of them. Equal terms have equal ids, so one condition asked twice is one
// condition; what a path has decided turns terms into constants.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_EXPLORE_TERMS_H
#define MEMREFLENS_CHECK_EXPLORE_TERMS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace memreflens::explorer {

using Term = int32_t;
inline constexpr Term noTerm = -1;

enum class TermKind : uint8_t {
  constant,
  symbol,
  bitAnd,
  bitOr,
  bitXor,
  choice, ///< condition, then, else
  equal,
  lessSigned,
  lessUnsigned,
  add,
  multiply,
  other ///< some function of the arguments, named by `tag`
};

struct TermNode {
  TermKind kind = TermKind::symbol;
  uint8_t width = 64;
  /// A condition, or made of one: what is decided may change it.
  bool mayBeDecided = false;
  /// Nodes below, itself included; too large ones become symbols.
  uint32_t size = 1;
  /// Of all that makes it what it is.
  uint32_t hash = 0;
  int64_t value = 0;
  llvm::SmallVector<Term, 3> arguments;
  std::string tag;
  /// First SSA value that had it, to name it by.
  mlir::Value source;
};

/// 128 bits of a hash.
using Hash = std::pair<uint64_t, uint64_t>;
/// For sets of them: each half is as good as random.
struct HashOfHash {
  size_t operator()(const Hash &hash) const { return size_t(hash.first); }
};

/// A term but for which symbols it is made of: two terms of one form differ in
/// their symbols alone.
struct TermForm {
  Hash hash;
  /// In the order in which the term names them, each once.
  llvm::SmallVector<Term, 2> symbols;
};

/// A map from terms that is emptied at once and keeps its memory: it is filled
/// anew for each state.
class TermMap {
public:
  void clear() { ++round; }
  /// Null where there is none.
  const int32_t *find(Term term) const {
    return size_t(term) < entries.size() && entries[term].round == round
               ? &entries[term].value
               : nullptr;
  }
  void set(Term term, int32_t value) {
    if (size_t(term) >= entries.size())
      entries.resize(size_t(term) + size_t(term) / 2 + 1);
    entries[term] = {round, value};
  }

private:
  struct Entry {
    uint32_t round = 0;
    int32_t value = 0;
  };
  std::vector<Entry> entries;
  uint32_t round = 1;
};

/// What a path has decided, sorted by term.
using Decisions = std::vector<std::pair<Term, bool>>;

/// All terms of an exploration; never shrinks, shared by all paths.
class Terms {
public:
  Term constant(int64_t value, unsigned width);
  Term boolean(bool value) {
    Term &known = truths[value];
    return known == noTerm ? known = constant(value, 1) : known;
  }
  /// Unlike any other.
  Term fresh(unsigned width, mlir::Value source = {});
  Term make(TermKind kind, unsigned width, llvm::ArrayRef<Term> arguments,
            mlir::Value source = {}, llvm::StringRef tag = {});
  Term negate(Term condition) {
    return make(TermKind::bitXor, 1, {condition, boolean(true)});
  }

  const TermNode &operator[](Term term) const { return nodes[term]; }
  /// Stays where it is.
  const TermForm &formOf(Term term) {
    const bool isMade = size_t(term) < formsByTerm.size() &&
                        formsByTerm[size_t(term)] != nullptr;
    return isMade ? *formsByTerm[size_t(term)] : makeForm(term);
  }
  std::optional<int64_t> constantOf(Term term) const;
  /// What terms are, given what is decided.
  using Resolved = TermMap;
  /// The term, given what is decided.
  Term resolve(Term term, const Decisions &decisions, Resolved &resolved);
  Term resolve(Term term, const Decisions &decisions) {
    resolvedOnce.clear();
    return resolve(term, decisions, resolvedOnce);
  }
  /// For one state at a time.
  struct Scratch {
    Resolved resolved;
    /// Terms that the state has.
    TermMap kept;
    /// When each symbol was met first.
    TermMap symbols;
    int32_t symbolCount = 0;
  };
  Scratch &emptied() {
    scratch.resolved.clear();
    scratch.kept.clear();
    scratch.symbols.clear();
    scratch.symbolCount = 0;
    return scratch;
  }
  /// A condition in `term` that has to be decided first.
  Term undecided(Term term) const;
  /// Gives an unnamed term a value to be named by.
  void name(Term term, mlir::Value source) {
    if (!nodes[term].source)
      nodes[term].source = source;
  }

private:
  /// The term that is this one already, or it, added.
  Term intern(TermKind kind, unsigned width, int64_t value,
              llvm::ArrayRef<Term> arguments, llvm::StringRef tag,
              uint32_t size, mlir::Value source);
  void growSlots();
  const TermForm &makeForm(Term term);
  Term resolveAnew(Term term, const Decisions &decisions, Resolved &resolved);
  Term openChoice(Term term) const;
  std::optional<Term> simplify(TermKind kind, unsigned width,
                               llvm::ArrayRef<Term> arguments);

  Resolved resolvedOnce;
  Scratch scratch;
  std::vector<TermNode> nodes;
  /// Made on first need. References stay good while it grows.
  std::deque<TermForm> forms;
  /// Null for those that are not made.
  std::vector<const TermForm *> formsByTerm;
  /// Those that are made of something, by a hash of that: `noTerm` where there
  /// is none.
  std::vector<Term> slots;
  size_t interned = 0;
  /// The smallest numbers of 64 bits.
  std::array<Term, 4> smallest = {noTerm, noTerm, noTerm, noTerm};
  Term truths[2] = {noTerm, noTerm};
  bool isResolving = false;
};

/// Bits of a number as Terms keeps it.
uint64_t asUnsigned(int64_t value, unsigned width);

Hash hashOf(llvm::ArrayRef<uint64_t> words);

/// Looks `term` up in `decisions`.
std::optional<bool> decisionOn(Term term, const Decisions &decisions);
void decide(Decisions &decisions, Term term, bool value);

} // namespace memreflens::explorer

#endif // MEMREFLENS_CHECK_EXPLORE_TERMS_H
