//===- core/symexec/SymbolicExpr.h - numbers and conditions, known or not -===//
//
// Scalars of a path as expressions: constants, unknown symbols, and what is
// computed of them. Equal expressions have equal ids, so one condition asked
// twice is one condition; what a path has decided turns expressions into
// constants.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_SYMBOLICEXPR_H
#define MEMREFLENS_SYMEXEC_SYMBOLICEXPR_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace memreflens::symexec {

using SymbolicExpr = int32_t;
inline constexpr SymbolicExpr noExpr = -1;

enum class ExprKind : uint8_t {
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

struct ExprNode {
  ExprKind kind = ExprKind::symbol;
  uint8_t width = 64;
  /// A condition, or made of one: what is decided may change it.
  bool mayBeDecided = false;
  /// Nodes below, itself included; too large ones become symbols.
  uint32_t size = 1;
  /// Of all that makes it what it is.
  uint32_t hash = 0;
  int64_t value = 0;
  llvm::SmallVector<SymbolicExpr, 3> arguments;
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

/// An expression but for which symbols it is made of: two expressions of one
/// form differ in their symbols alone.
struct ExprForm {
  Hash hash;
  /// In the order in which the expression names them, each once.
  llvm::SmallVector<SymbolicExpr, 2> symbols;
};

/// A map from expressions that is emptied at once and keeps its memory: it is
/// filled anew for each state.
class ExprMap {
public:
  void clear() { ++round; }
  /// Null where there is none.
  const int32_t *find(SymbolicExpr expr) const {
    return size_t(expr) < entries.size() && entries[expr].round == round
               ? &entries[expr].value
               : nullptr;
  }
  void set(SymbolicExpr expr, int32_t value) {
    if (size_t(expr) >= entries.size())
      entries.resize(size_t(expr) + size_t(expr) / 2 + 1);
    entries[expr] = {round, value};
  }

private:
  struct Entry {
    uint32_t round = 0;
    int32_t value = 0;
  };
  std::vector<Entry> entries;
  uint32_t round = 1;
};

/// What a path has decided, sorted by expression.
using Decisions = std::vector<std::pair<SymbolicExpr, bool>>;

/// All expressions of an exploration; never shrinks, shared by all paths.
class SymbolicExprs {
public:
  SymbolicExpr constant(int64_t value, unsigned width);
  SymbolicExpr boolean(bool value) {
    SymbolicExpr &known = truths[value];
    return known == noExpr ? known = constant(value, 1) : known;
  }
  /// Unlike any other.
  SymbolicExpr fresh(unsigned width, mlir::Value source = {});
  SymbolicExpr make(ExprKind kind, unsigned width,
                    llvm::ArrayRef<SymbolicExpr> arguments,
                    mlir::Value source = {}, llvm::StringRef tag = {});
  SymbolicExpr negate(SymbolicExpr condition) {
    return make(ExprKind::bitXor, 1, {condition, boolean(true)});
  }

  const ExprNode &operator[](SymbolicExpr expr) const { return nodes[expr]; }
  /// Stays where it is.
  const ExprForm &formOf(SymbolicExpr expr) {
    const bool isMade = size_t(expr) < formsByExpr.size() &&
                        formsByExpr[size_t(expr)] != nullptr;
    return isMade ? *formsByExpr[size_t(expr)] : makeForm(expr);
  }
  std::optional<int64_t> constantOf(SymbolicExpr expr) const;
  /// What expressions are, given what is decided.
  using Resolved = ExprMap;
  /// The expression, given what is decided.
  SymbolicExpr resolve(SymbolicExpr expr, const Decisions &decisions,
                       Resolved &resolved);
  SymbolicExpr resolve(SymbolicExpr expr, const Decisions &decisions) {
    resolvedOnce.clear();
    return resolve(expr, decisions, resolvedOnce);
  }
  /// For one state at a time.
  struct Scratch {
    Resolved resolved;
    /// SymbolicExprs that the state has.
    ExprMap kept;
    /// When each symbol was met first.
    ExprMap symbols;
    int32_t symbolCount = 0;
  };
  Scratch &emptied() {
    scratch.resolved.clear();
    scratch.kept.clear();
    scratch.symbols.clear();
    scratch.symbolCount = 0;
    return scratch;
  }
  /// A condition in `expr` that has to be decided first.
  SymbolicExpr undecided(SymbolicExpr expr) const;
  /// Gives an unnamed expression a value to be named by.
  void name(SymbolicExpr expr, mlir::Value source) {
    if (!nodes[expr].source)
      nodes[expr].source = source;
  }

private:
  /// The expression that is this one already, or it, added.
  SymbolicExpr intern(ExprKind kind, unsigned width, int64_t value,
                      llvm::ArrayRef<SymbolicExpr> arguments,
                      llvm::StringRef tag, uint32_t size, mlir::Value source);
  void growSlots();
  const ExprForm &makeForm(SymbolicExpr expr);
  SymbolicExpr resolveAnew(SymbolicExpr expr, const Decisions &decisions,
                           Resolved &resolved);
  SymbolicExpr openChoice(SymbolicExpr expr) const;
  std::optional<SymbolicExpr> simplify(ExprKind kind, unsigned width,
                                       llvm::ArrayRef<SymbolicExpr> arguments);

  Resolved resolvedOnce;
  Scratch scratch;
  std::vector<ExprNode> nodes;
  /// Made on first need. References stay good while it grows.
  std::deque<ExprForm> forms;
  /// Null for those that are not made.
  std::vector<const ExprForm *> formsByExpr;
  /// Those that are made of something, by a hash of that: `noExpr` where there
  /// is none.
  std::vector<SymbolicExpr> slots;
  size_t interned = 0;
  /// The smallest numbers of 64 bits.
  std::array<SymbolicExpr, 4> smallest = {noExpr, noExpr, noExpr, noExpr};
  SymbolicExpr truths[2] = {noExpr, noExpr};
  bool isResolving = false;
};

/// Bits of a number as SymbolicExprs keeps it.
uint64_t asUnsigned(int64_t value, unsigned width);

Hash hashOf(llvm::ArrayRef<uint64_t> words);

/// Looks `expr` up in `decisions`.
std::optional<bool> decisionOn(SymbolicExpr expr, const Decisions &decisions);
void decide(Decisions &decisions, SymbolicExpr expr, bool value);

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_SYMBOLICEXPR_H
