//===- tests/fuzz/TraceEdits.h - other traces, made of one ----------------===//
//
// Sets any field of any record of a trace to something else that a field of
// its kind may hold. Built from Fields.h, so that a new field is covered by
// itself. What the validator then rejects is undone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_FUZZ_TRACEEDITS_H
#define MEMREFLENS_TESTS_FUZZ_TRACEEDITS_H

#include "core/trace/Fields.h"
#include "core/trace/Names.h"
#include "core/trace/Validate.h"
#include "tests/fuzz/Fuzz.h"

#include <array>

namespace memreflens::fuzz {

class TraceEditor {
public:
  TraceEditor(trace::Trace &trace, Choices &choices)
      : trace(trace), choices(choices) {}

  /// As many edits as there are bytes for, up to `most`.
  void editAll(unsigned most) {
    for (; most > 0 && !choices.empty(); --most)
      editOne();
  }

private:
  void editOne() {
    switch (choices.below(9)) {
    case 0:
      return editIn(trace.chunks);
    case 1:
      return editIn(trace.functions);
    case 2:
      return editIn(trace.blocks);
    case 3:
      return editIn(trace.ops);
    case 4:
      return editIn(trace.values);
    case 5:
      return editIn(trace.problems);
    case 6:
      return editIn(trace.aliases);
    default:
      return editIn(trace.events);
    }
  }

  template <class T> T &oneOf(std::vector<T> &records) {
    return records[choices.below(unsigned(records.size()))];
  }

  template <class T> void editIn(std::vector<T> &records) {
    if (records.empty())
      return;
    T &record = oneOf(records);
    T before = record;
    editRecord(record);
    if (trace::validate(trace))
      record = std::move(before);
  }

  template <class T> void editRecord(T &record) { editObject(record); }

  void editRecord(trace::Event &event) {
    if (choices.chance(30))
      return editObject(event);
    if (choices.chance(10))
      event.detail = trace::Event(oneOf(trace.events)).detail;
    std::visit([&](auto &detail) { editObject(detail); }, event.detail);
  }

  template <class T> void editObject(T &object) {
    constexpr size_t count =
        std::tuple_size_v<decltype(trace::fields::of<T>())>;
    size_t wanted = choices.below(count), at = 0;
    trace::fields::forEach<T>([&](const auto &field) {
      if (at++ == wanted && field.ref != trace::fields::Ref::self)
        edit(object.*field.member, field);
    });
  }

  size_t sizeOf(trace::fields::Ref ref) const {
    using enum trace::fields::Ref;
    switch (ref) {
    case chunk:
      return trace.chunks.size();
    case function:
      return trace.functions.size();
    case block:
      return trace.blocks.size();
    case op:
      return trace.ops.size();
    case value:
      return trace.values.size();
    case event:
      return trace.events.size();
    default:
      return 5;
    }
  }

  std::string text() {
    static const std::array<std::string, 12> texts = {
        "",
        "%a",
        "a",
        "0#1",
        "memref<4xf32>",
        "memref.alloc",
        "scf.if",
        "cf.cond_br",
        "</script><img src=x>\x1b[2J",
        "](javascript:1) `|\n\r\t\\",
        "\xff\xfe\xe2\x80\xae",
        "func.func @f(%a: memref<?xf32>) {\n^bb1(%b: i1):\n  return\n}\n"};
    return texts[choices.below(unsigned(texts.size()))];
  }

  template <class T, class Field> void edit(T &value, const Field &field) {
    using trace::fields::Ref;
    if constexpr (std::is_same_v<T, bool>) {
      value = !value;
    } else if constexpr (std::is_same_v<T, trace::Range>) {
      auto size = uint32_t(trace.source.text.size());
      value.begin = choices.byte() * 7u % (size + 1);
      value.end = std::min(size, value.begin + choices.byte());
    } else if constexpr (std::is_same_v<T, trace::Name> ||
                         std::is_same_v<T, std::string>) {
      value = text();
    } else if constexpr (std::is_enum_v<T>) {
      unsigned count = 0;
      while (!trace::nameOf(T(count)).empty())
        ++count;
      value = T(choices.below(count));
    } else if constexpr (std::is_integral_v<T>) {
      if (field.ref != Ref::notAnId)
        value = T(choices.below(unsigned(sizeOf(field.ref) + 1))) - 1;
      else
        value =
            choices.chance(80)
                ? T(std::clamp<int64_t>(int64_t(choices.below(12)) - 2,
                                        field.bounds.min, field.bounds.max))
                : T(choices.chance(50) ? field.bounds.min : field.bounds.max);
    } else {
      editObject(value);
    }
  }

  template <class T, class Field>
  void edit(std::vector<T> &elements, const Field &field) {
    unsigned where =
        elements.empty() ? 0 : choices.below(unsigned(elements.size()));
    switch (elements.empty() ? 3 : choices.below(5)) {
    case 0:
      return elements.clear();
    case 1:
      elements.erase(elements.begin() + where);
      return;
    case 2:
      elements.push_back(T(elements[where]));
      return;
    case 3:
      elements.emplace_back();
      where = unsigned(elements.size()) - 1;
      [[fallthrough]];
    default:
      return edit(elements[where], field);
    }
  }

  template <class T, class Field>
  void edit(trace::List<T> &elements, const Field &field) {
    std::vector<T> list(elements.begin(), elements.end());
    edit(list, field);
    elements = list;
  }

  trace::Trace &trace;
  Choices &choices;
};

} // namespace memreflens::fuzz

#endif // MEMREFLENS_TESTS_FUZZ_TRACEEDITS_H
