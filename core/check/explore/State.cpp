//===- core/check/explore/State.cpp ---------------------------------------===//

#include "core/check/explore/State.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace memreflens::explorer {

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
  Normaliser(State &state, Terms &terms) : state(state), terms(terms) {}
  Normalised run();

private:
  void write(uint64_t word) { words.push_back(word); }
  void writeValue(PathValue &value);
  void writeTerm(Term term);
  void writeFrame(Frame &frame);
  void writeObject(int32_t old);
  int32_t numberOf(int32_t object);
  void writeDecisions();
  bool isKnown(Term term);
  StateKey keyOf(size_t begin) const;

  State &state;
  Terms &terms;
  std::vector<uint64_t> words;
  /// Words that were written and taken back.
  size_t compared = 0;
  std::vector<int32_t> newNumbers;
  std::vector<int32_t> order;
  /// What each term is, given what is decided.
  Terms::Resolved resolved;
  /// Terms of more than a constant, by when they were met first: ids are of the
  /// exploration and differ between states that go on alike.
  llvm::DenseMap<Term, unsigned> met;
  llvm::DenseMap<Term, bool> known;
  /// The order of decisions is not fixed: nothing is numbered by them.
  bool isDeciding = false;
};
} // namespace

int32_t Normaliser::numberOf(int32_t object) {
  if (object < 0)
    return object;
  if (newNumbers[object] < 0) {
    newNumbers[object] = int32_t(order.size());
    order.push_back(object);
  }
  return newNumbers[object];
}

/// Not a kind of term.
static constexpr uint64_t metBefore = 255;

void Normaliser::writeTerm(Term term) {
  if (term == noTerm)
    return write(0);
  const TermNode &node = terms[term];
  if (node.kind == TermKind::constant) {
    write(1 + uint64_t(node.kind));
    write(node.width);
    return write(uint64_t(node.value));
  }
  if (auto before = met.find(term); before != met.end()) {
    write(metBefore);
    return write(before->second);
  }
  write(1 + uint64_t(node.kind));
  write(node.width);
  if (node.kind != TermKind::symbol) {
    write(llvm::xxh3_64bits(node.tag));
    write(node.arguments.size());
    for (Term argument : node.arguments)
      writeTerm(argument);
  }
  if (!isDeciding)
    met.try_emplace(term, met.size());
}

void Normaliser::writeValue(PathValue &value) {
  if (value.term != noTerm)
    value.term = terms.resolve(value.term, state.decisions, resolved);
  value.object = numberOf(value.object);
  write(uint64_t(value.kind) | uint64_t(value.plain) << 8);
  write(uint64_t(value.object));
  writeTerm(value.term);
}

void Normaliser::writeFrame(Frame &frame) {
  write(uint64_t(frame.function));
  write(uint64_t(frame.call));
  write(frame.scopes.size());
  for (Scope &scope : frame.scopes) {
    write(uint64_t(scope.next));
    write(uint64_t(scope.region));
    write(scope.iteration);
    writeTerm(scope.induction);
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
  // Where it came from is told in reports, so it tells objects apart.
  write(uint64_t(object.site));
  write(object.shape.size());
  for (Term &term : object.shape) {
    term = terms.resolve(term, state.decisions, resolved);
    writeTerm(term);
  }
  write(object.cells.size());
  for (auto &[key, value] : object.cells) {
    for (int64_t index : key)
      write(uint64_t(index));
    writeValue(value);
  }
}

/// Whether all that the term is made of occurs in the state.
bool Normaliser::isKnown(Term term) {
  const TermNode &node = terms[term];
  if (node.kind == TermKind::symbol || met.contains(term))
    return met.contains(term);
  if (auto before = known.find(term); before != known.end())
    return before->second;
  bool isAllKnown = llvm::all_of(
      node.arguments, [&](Term argument) { return isKnown(argument); });
  return known[term] = isAllKnown;
}

/// Decisions about what can still be asked; the others are forgotten.
void Normaliser::writeDecisions() {
  llvm::erase_if(state.decisions, [&](auto &decision) {
    return terms[decision.first].kind == TermKind::symbol ||
           !isKnown(decision.first);
  });
  isDeciding = true;
  std::vector<StateKey> keys;
  keys.reserve(state.decisions.size());
  const size_t begin = words.size();
  for (auto &[term, value] : state.decisions) {
    writeTerm(term);
    write(value);
    keys.push_back(keyOf(begin));
    compared += words.size() - begin;
    words.resize(begin);
  }
  llvm::sort(keys);
  for (auto &[first, second] : keys) {
    write(first);
    write(second);
  }
}

/// Of what was written since `begin`.
StateKey Normaliser::keyOf(size_t begin) const {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(words.data() + begin),
       (words.size() - begin) * sizeof(uint64_t)});
  return {hash.low64, hash.high64};
}

Normalised Normaliser::run() {
  newNumbers.assign(state.objects.size(), -1);
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
              state.objects[seed].escaped ||
              (state.objects[seed].mayBeShared() &&
               !state.objects[seed].cells.empty()))))
      ++seed;
    if (seed == state.objects.size())
      break;
    (void)numberOf(int32_t(seed));
  }
  writeDecisions();
  std::vector<Object> kept;
  kept.reserve(order.size());
  for (int32_t old : order)
    kept.push_back(std::move(state.objects[old]));
  state.objects = std::move(kept);
  return {keyOf(0), words.size() + compared};
}

Normalised normalise(State &state, Terms &terms) {
  return Normaliser(state, terms).run();
}

} // namespace memreflens::explorer
