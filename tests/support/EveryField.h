//===- tests/support/EveryField.h - traces that hold everything -----------===//
//
// Built from Fields.h, so that a new field or enumerator is covered by itself:
// `traceWithEveryField()` has every event kind, every enumerator, and every
// field once with a value that is not its default; `sameTrace` compares all
// fields.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_SUPPORT_EVERYFIELD_H
#define MEMREFLENS_TESTS_SUPPORT_EVERYFIELD_H

#include "core/trace/Fields.h"
#include "core/trace/Names.h"

namespace memreflens::trace::test {

/// Sets fields to values that differ from the default and from each other. Ids
/// are all 0, which is in range wherever there is one record of each kind.
class Filler {
public:
  /// Which enumerator to use, counted modulo each enumeration's size.
  int round = 0;

  template <class T> void fillObject(T &object) {
    fields::forEach<T>([&](const auto &field) {
      if (field.ref != fields::Ref::self)
        fill(object.*field.member, field);
    });
  }

  template <class T, class Field> void fill(T &value, const Field &field) {
    if constexpr (std::is_same_v<T, bool>)
      value = !value;
    else if constexpr (std::is_same_v<T, Name>)
      value = std::string(field.name) + " \"\\\n\t\x01\xC3\xA9";
    else if constexpr (std::is_same_v<T, Range>)
      value = {uint32_t(round % 3), 4};
    else if constexpr (std::is_same_v<T, std::string>)
      value = std::string(field.name) + " \"\\\n\t\x01\xC3\xA9";
    else if constexpr (std::is_enum_v<T>)
      value = enumerator<T>();
    else if constexpr (std::is_integral_v<T>)
      value = field.ref != fields::Ref::notAnId ? T(0) : otherNumber(value);
    else
      fillObject(value);
  }
  template <class T, class Field>
  void fill(std::vector<T> &elements, const Field &field) {
    if (depth == 2)
      return;
    ++depth;
    elements.resize(1);
    fill(elements.front(), field);
    --depth;
  }

  template <class T, class Field>
  void fill(List<T> &elements, const Field &field) {
    std::vector<T> filled;
    fill(filled, field);
    elements = filled;
  }

private:
  template <class T> T enumerator() const {
    int count = 0;
    while (!nameOf(T(count)).empty())
      ++count;
    return T(round % count);
  }
  template <class T> static T otherNumber(T byDefault) {
    return byDefault == 1 ? T(0) : T(1);
  }

  int depth = 0;
};

template <size_t alternative = 0>
void addEventsOfEveryKind(Trace &trace, Filler &filler) {
  if constexpr (alternative < std::variant_size_v<decltype(Event::detail)>) {
    Event event;
    filler.fillObject(event);
    filler.fillObject(event.detail.emplace<alternative>());
    event.id = Id(trace.events.size());
    trace.events.push_back(event);
    addEventsOfEveryKind<alternative + 1>(trace, filler);
  }
}

/// Lists lie too deep in these for the filler; positions must be in range.
inline FunctionAliases everyAliasField(Filler &filler) {
  FunctionAliases aliases;
  filler.fillObject(aliases);
  MemrefSources memref;
  filler.fillObject(memref);
  aliases.memrefs = {memref, memref};
  aliases.pairs.resize(1);
  filler.fillObject(aliases.pairs[0]);
  aliases.pairs[0].first = 0;
  aliases.pairs[0].second = 1;
  aliases.accesses.resize(2);
  filler.fillObject(aliases.accesses[0]);
  aliases.stated.resize(1);
  filler.fillObject(aliases.stated[0]);
  return aliases;
}

inline Trace traceWithEveryField() {
  // More rounds than the largest enumeration has enumerators.
  constexpr int rounds = 64;
  Trace trace;
  Filler filler;
  filler.fillObject(trace);
  trace.events.clear();
  trace.aliases.clear();
  trace.chunks[0].stages[0].number = 0;
  trace.source.text = "text \xF0\x9F\x98\x80";
  for (filler.round = 0; filler.round < rounds; ++filler.round) {
    addEventsOfEveryKind(trace, filler);
    Function function;
    filler.fillObject(function);
    function.id = Id(trace.functions.size());
    function.blocks.clear();
    trace.functions.push_back(function);
    Value value;
    filler.fillObject(value);
    value.id = Id(trace.values.size());
    trace.values.push_back(value);
    Problem problem;
    filler.fillObject(problem);
    trace.problems.push_back(problem);
    trace.aliases.push_back(everyAliasField(filler));
  }
  for (auto *id : {&trace.chunks[0].id, &trace.functions[0].id,
                   &trace.blocks[0].id, &trace.ops[0].id, &trace.values[0].id})
    *id = 0;
  // The one op would lie inside itself.
  trace.ops.push_back(trace.ops[0]);
  trace.ops[1].id = 1;
  trace.ops[0].results.clear();
  trace.ops[0].block = none;
  trace.ops[1].regions.clear();
  trace.blocks[0].ops = {1};
  trace.ops[1].results = {1};
  trace.values[1].op = 1;
  // A fresh stage and chunk: numbers other than their position are rejected.
  Stage stage = trace.chunks[0].stages[0];
  stage.number = 1;
  trace.chunks[0].stages.push_back(stage);
  return trace;
}

template <class T> bool same(const std::vector<T> &a, const std::vector<T> &b);
template <class T> bool same(const List<T> &a, const List<T> &b);
inline bool same(const Event &a, const Event &b);

template <class T> bool same(const T &a, const T &b) {
  if constexpr (requires { a == b; } && !std::is_same_v<T, Event>) {
    return a == b;
  } else {
    bool equal = true;
    fields::forEach<T>([&](const auto &field) {
      equal = equal && same(a.*field.member, b.*field.member);
    });
    return equal;
  }
}
template <class T> bool same(const std::vector<T> &a, const std::vector<T> &b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i]))
      return false;
  return true;
}
template <class T> bool same(const List<T> &a, const List<T> &b) {
  return same(std::vector<T>(a), std::vector<T>(b));
}
inline bool same(const Event &a, const Event &b) {
  return same<Event>(a, b) && a.detail.index() == b.detail.index() &&
         std::visit(
             [&](const auto &detail) {
               using Detail = std::remove_cvref_t<decltype(detail)>;
               return same(detail, std::get<Detail>(b.detail));
             },
             a.detail);
}

inline bool sameTrace(const Trace &a, const Trace &b) { return same(a, b); }

} // namespace memreflens::trace::test

#endif // MEMREFLENS_TESTS_SUPPORT_EVERYFIELD_H
