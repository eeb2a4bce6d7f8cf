//===- core/symexec/State.cpp ---------------------------------------------===//

#include "core/symexec/State.h"
#include "core/symexec/IrFacts.h"
#include "core/symexec/LiveContents.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace memreflens::symexec {

static auto findValue(auto &values, unsigned number) {
  return std::lower_bound(
      values.begin(), values.end(), number,
      [](const auto &entry, unsigned wanted) { return entry.first < wanted; });
}

PathValue lookUp(const Frame &frame, unsigned value) {
  auto entry = findValue(frame.values, value);
  if (entry == frame.values.end() || entry->first != value)
    return {};
  return entry->second;
}

void bind(Frame &frame, unsigned number, PathValue value) {
  auto entry = findValue(frame.values, number);
  if (entry != frame.values.end() && entry->first == number)
    entry->second = value;
  else
    frame.values.insert(entry, {number, value});
}

void unbind(Frame &frame, unsigned number) {
  auto entry = findValue(frame.values, number);
  if (entry != frame.values.end() && entry->first == number)
    frame.values.erase(entry);
}

void unbindFrom(Frame &frame, unsigned first,
                llvm::function_ref<bool(unsigned)> isGone) {
  auto begin = findValue(frame.values, first);
  frame.values.erase(
      std::remove_if(begin, frame.values.end(),
                     [&](const auto &entry) { return isGone(entry.first); }),
      frame.values.end());
}

static auto findCell(auto &cells, const CellKey &key) {
  return llvm::lower_bound(cells, key, [](const auto &cell, const CellKey &k) {
    return cell.first < k;
  });
}

const PathValue *contentOf(const Object &object, const CellKey &key) {
  auto cell = findCell(object.cells, key);
  return cell != object.cells.end() && cell->first == key ? &cell->second
                                                          : nullptr;
}

void writeCell(Object &object, const CellKey &key, PathValue value) {
  auto cell = findCell(object.cells, key);
  if (cell != object.cells.end() && cell->first == key)
    cell->second = value;
  else
    object.cells.insert(cell, {key, value});
}

template <typename List> static uint64_t wordsOf(const List &list) {
  using Item = std::decay_t<decltype(*list.begin())>;
  return list.size() * (sizeof(Item) / sizeof(uint64_t));
}

uint64_t sizeOf(const State &state) {
  uint64_t size =
      wordsOf(state.objects) + wordsOf(state.frames) + wordsOf(state.decisions);
  for (const Object &object : state.objects)
    size += wordsOf(object.cells);
  for (const Frame &frame : state.frames)
    size += wordsOf(frame.values) + wordsOf(frame.scopes);
  return size;
}

namespace {
/// Walks a state in a fixed order, numbers what it meets, and writes all that
/// matters for what comes next.
class Normaliser {
public:
  Normaliser(State &state, SymbolicExprs &exprs, const IrFacts &ir,
             const LiveContents &liveContents, bool measures)
      : state(state), exprs(exprs), ir(ir), liveContents(liveContents),
        measures(measures), scratch(exprs.emptied()) {}
  Normalised run();

private:
  bool mayHaveSize(const Object &object) const;
  void forgetContents();
  void write(uint64_t word) { words.push_back(word); }
  void writeValue(PathValue &value);
  void writeExpr(SymbolicExpr expr);
  void writeFrame(Frame &frame);
  void writeObject(int32_t old);
  void writeTwin(const Object &object);
  bool isAwaited(const Object &object) const;
  int32_t numberOf(int32_t object);
  void writeDecisions();
  void keep(SymbolicExpr expr);
  bool mayBeMade(SymbolicExpr expr) const;

  State &state;
  SymbolicExprs &exprs;
  const IrFacts &ir;
  const LiveContents &liveContents;
  bool measures;
  llvm::SmallVector<unsigned, 4> iterations;
  llvm::SmallVector<uint64_t, 512> words;
  /// Words that were written and taken back.
  size_t compared = 0;
  llvm::SmallVector<int32_t, 128> newNumbers;
  llvm::SmallVector<int32_t, 128> order;
  /// Memories of twins, in the order in which they are met.
  llvm::SmallVector<unsigned, 4> memories;
  /// What each expression is, given what is decided, and its symbols by when
  /// they were met first: their ids are of the exploration, and differ between
  /// states that go on alike.
  SymbolicExprs::Scratch &scratch;
};
} // namespace

/// One of its sizes is a number, or may be one when more is decided.
bool Normaliser::mayHaveSize(const Object &object) const {
  return llvm::any_of(object.shape, [&](SymbolicExpr size) {
    return exprs.constantOf(size) ||
           (size != noExpr && exprs[size].mayBeDecided);
  });
}

/// Sizes and contents, where no op to come asks for them. Values of functions
/// that are called are not looked at: they are gone soon.
void Normaliser::forgetContents() {
  llvm::SmallVector<bool, 128> isAsked(state.objects.size(), false);
  llvm::SmallVector<int32_t, 16> open;
  auto ask = [&](int32_t object) {
    if (!isAsked[object]) {
      isAsked[object] = true;
      open.push_back(object);
    }
  };
  Frame &own = state.frames.front();
  const unsigned now = liveContents.positionOf(own.scopes.back().next);
  for (auto &[number, value] : own.values)
    if (value.isMemref()) {
      mlir::Value buffer = ir.valueOf(number);
      if (now <= liveContents.askedUntil(buffer) ||
          (measures && now <= liveContents.clonedUntil(buffer) &&
           mayHaveSize(state.objects[value.object])))
        ask(value.object);
      else
        value.plain = false;
    }
  for (const Frame &frame : llvm::drop_begin(state.frames))
    for (const auto &[number, value] : frame.values)
      if (value.isMemref())
        ask(value.object);
  for (auto [number, object] : llvm::enumerate(state.objects))
    if (object.kind == ObjectKind::global)
      ask(int32_t(number));
  while (!open.empty())
    for (const auto &[key, value] : state.objects[open.pop_back_val()].cells)
      if (value.isMemref())
        ask(value.object);
  for (auto [object, asked] : llvm::zip(state.objects, isAsked))
    if (!asked) {
      object.shape.clear();
      object.cells.clear();
    }
}

int32_t Normaliser::numberOf(int32_t object) {
  if (object < 0)
    return object;
  if (newNumbers[object] < 0) {
    newNumbers[object] = int32_t(order.size());
    order.push_back(object);
  }
  return newNumbers[object];
}

void Normaliser::writeExpr(SymbolicExpr expr) {
  if (expr == noExpr)
    return write(0);
  keep(expr);
  const ExprForm &form = exprs.formOf(expr);
  write(form.hash.first);
  write(form.hash.second);
  for (SymbolicExpr symbol : form.symbols) {
    const int32_t *known = scratch.symbols.find(symbol);
    const int32_t number = known ? *known : scratch.symbolCount++;
    if (!known)
      scratch.symbols.set(symbol, number);
    write(uint64_t(number));
  }
}

void Normaliser::writeValue(PathValue &value) {
  if (value.expr != noExpr)
    value.expr = exprs.resolve(value.expr, state.decisions, scratch.resolved);
  value.object = numberOf(value.object);
  write(uint64_t(value.kind) | uint64_t(value.plain) << 8);
  write(uint64_t(value.object));
  writeExpr(value.expr);
}

void Normaliser::writeFrame(Frame &frame) {
  write(uint64_t(frame.function));
  write(uint64_t(frame.call));
  write(frame.scopes.size());
  for (Scope &scope : frame.scopes) {
    write(uint64_t(scope.next));
    write(uint64_t(scope.region));
    if (scope.isCounted)
      write(scope.iteration);
    else
      iterations.push_back(scope.iteration);
    writeExpr(scope.induction);
    write(scope.visits.size());
    for (auto &[block, count] : scope.visits) {
      write(uint64_t(block));
      write(count);
    }
  }
  write(frame.values.size());
  for (auto &[number, value] : frame.values) {
    write(number);
    writeValue(value);
  }
}

void Normaliser::writeObject(int32_t old) {
  Object &object = state.objects[old];
  write(uint64_t(object.kind) | uint64_t(object.freed) << 8 |
        uint64_t(object.escaped) << 9 | uint64_t(object.frame) << 16);
  write(uint64_t(object.origin));
  writeExpr(object.grows);
  write(object.shape.size());
  for (SymbolicExpr &expr : object.shape) {
    expr = exprs.resolve(expr, state.decisions, scratch.resolved);
    writeExpr(expr);
  }
  write(object.cells.size());
  for (auto &[key, value] : object.cells) {
    for (int64_t index : key)
      write(uint64_t(index));
    writeValue(value);
  }
  writeTwin(object);
}

const Twin *twinOf(const State &state, const Object &object) {
  for (const Twin &twin : state.twins)
    if (twin.serial == object.serial)
      return &twin;
  return nullptr;
}

/// Nothing of the function need use it any more, but others do at the end.
bool Normaliser::isAwaited(const Object &object) const {
  if (object.kind != ObjectKind::argument && object.kind != ObjectKind::global)
    return false;
  return twinOf(state, object) != nullptr;
}

void Normaliser::writeTwin(const Object &object) {
  if (state.twins.empty())
    return;
  const Twin *twin = twinOf(state, object);
  write(twin != nullptr);
  if (!twin)
    return;
  auto known = llvm::find(memories, twin->memory);
  write(uint64_t(known - memories.begin()));
  if (known == memories.end())
    memories.push_back(twin->memory);
  write(uint64_t(twin->copy) | uint64_t(twin->isAligned));
  for (const LostWrite &lost : twin->lost) {
    write(uint64_t(lost.write));
    write(uint64_t(lost.copy) | uint64_t(lost.isMaybe));
    write(uint64_t(lost.stored.getAsOpaquePointer()));
    write(lost.place ? lost.place->size() : ~uint64_t(0));
    // SymbolicExprs are others in a state that goes on alike.
    if (lost.place)
      for (const AccessIndex &index : *lost.place)
        write(index.isNumber ? uint64_t(index.value) : ~uint64_t(1));
  }
}

/// The state has the expression, and ops to come may make others of it. What it
/// is made of they get only where a decision to come, or an op undone, leaves a
/// part of it.
void Normaliser::keep(SymbolicExpr expr) {
  if (scratch.kept.find(expr))
    return;
  scratch.kept.set(expr, 1);
  const ExprNode &node = exprs[expr];
  if (node.mayBeDecided || node.kind == ExprKind::bitXor)
    for (SymbolicExpr part : node.arguments)
      keep(part);
}

/// Whether ops to come can ask about the expression again.
bool Normaliser::mayBeMade(SymbolicExpr expr) const {
  const ExprNode &node = exprs[expr];
  return node.kind == ExprKind::constant || scratch.kept.find(expr) ||
         (node.kind != ExprKind::symbol &&
          llvm::all_of(node.arguments,
                       [&](SymbolicExpr part) { return mayBeMade(part); }));
}

/// Decisions about what can still be asked; the others are forgotten. What the
/// state has was decided already: of it only parts are left.
void Normaliser::writeDecisions() {
  llvm::erase_if(state.decisions,
                 [&](auto &decision) { return !mayBeMade(decision.first); });
  // Their order is that in which expressions were made, which says nothing: a
  // sum.
  Hash sum = {0, 0};
  const size_t begin = words.size();
  for (auto &[expr, value] : state.decisions) {
    writeExpr(expr);
    write(value);
    Hash hash = hashOf(llvm::ArrayRef<uint64_t>(words).drop_front(begin));
    sum.first += hash.first;
    sum.second += hash.second;
    compared += words.size() - begin;
    words.resize(begin);
  }
  write(state.decisions.size());
  write(sum.first);
  write(sum.second);
}

Normalised Normaliser::run() {
  forgetContents();
  newNumbers.assign(state.objects.size(), -1);
  write(uint64_t(state.live));
  for (Frame &frame : state.frames)
    writeFrame(frame);
  // What others can still reach, and what is owned and lost, matters at the
  // end.
  for (size_t next = 0, seed = 0;;) {
    if (next < order.size()) {
      writeObject(order[next++]);
      continue;
    }
    while (seed < state.objects.size() &&
           (newNumbers[seed] >= 0 ||
            !((state.objects[seed].isOwned() && !state.objects[seed].freed) ||
              state.objects[seed].escaped || isAwaited(state.objects[seed]) ||
              (state.objects[seed].mayBeShared() &&
               !state.objects[seed].cells.empty()))))
      ++seed;
    if (seed == state.objects.size())
      break;
    (void)numberOf(int32_t(seed));
  }
  writeDecisions();
  // Most often each is where it was.
  if (order.size() != state.objects.size() || !llvm::is_sorted(order)) {
    std::vector<Object> kept;
    kept.reserve(order.size());
    for (int32_t old : order)
      kept.push_back(std::move(state.objects[old]));
    state.objects = std::move(kept);
    llvm::erase_if(state.twins, [&](const Twin &twin) {
      return llvm::none_of(state.objects, [&](const Object &object) {
        return object.serial == twin.serial;
      });
    });
  }
  return {hashOf(words), words.size() + compared, std::move(iterations)};
}

Normalised normalise(State &state, SymbolicExprs &exprs, const IrFacts &ir,
                     const LiveContents &liveContents, bool measures) {
  return Normaliser(state, exprs, ir, liveContents, measures).run();
}

} // namespace memreflens::symexec
