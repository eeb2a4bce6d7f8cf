//===- core/trace/Pack.cpp ------------------------------------------------===//
//
// A record is the set of its fields that are no defaults, one bit each, and
// these fields' values. Integers have seven bits in a byte.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Pack.h"
#include "core/text/Zstd.h"
#include "core/trace/Fields.h"

#include <array>
#include <type_traits>
#include <utility>

namespace memreflens::trace {

namespace {

template <class T>
constexpr size_t fieldCount = std::tuple_size_v<decltype(fields::of<T>())>;

/// Calls `visit` with each field of the struct and its bit.
template <class T, class Visit> void forEachBit(Visit &&visit) {
  static_assert(fieldCount<T> <= 64);
  uint64_t bit = 1;
  fields::forEach<T>([&](const auto &field) {
    visit(field, bit);
    bit <<= 1;
  });
}

template <class T>
constexpr bool isNumber = std::is_integral_v<T> || std::is_enum_v<T>;

class Packer {
public:
  std::string bytes;

  void writeNumber(uint64_t number) {
    for (; number >= 0x80; number >>= 7)
      bytes += char(uint8_t(number) | 0x80);
    bytes += char(number);
  }
  template <class T>
    requires isNumber<T>
  void write(T number) {
    const auto wide = int64_t(number);
    // Small ones below zero are short, too.
    writeNumber((uint64_t(wide) << 1) ^ uint64_t(wide >> 63));
  }
  void write(const Range &range) {
    writeNumber(range.begin);
    writeNumber(range.end);
  }
  void write(const std::string &text) {
    writeNumber(text.size());
    bytes += text;
  }
  void write(const Name &name) { writeNumber(name.getNumber()); }
  template <class T> void write(const std::vector<T> &elements) {
    writeElements(elements);
  }
  template <class T> void write(const List<T> &elements) {
    writeElements(elements);
  }
  template <class T>
    requires std::is_class_v<T>
  void write(const T &object) {
    writeFields(object);
  }
  void write(const Event &event) {
    writeFields(event);
    writeNumber(event.detail.index());
    std::visit([&](const auto &detail) { writeFields(detail); }, event.detail);
  }

private:
  template <class Elements> void writeElements(const Elements &elements) {
    writeNumber(elements.size());
    for (size_t i = 0; i < elements.size(); ++i)
      write(elements[i]);
  }
  template <class T> void writeFields(const T &object) {
    uint64_t present = 0;
    forEachBit<T>([&](const auto &field, uint64_t bit) {
      if (!isDefault<T>(object, field))
        present |= bit;
    });
    writeNumber(present);
    forEachBit<T>([&](const auto &field, uint64_t bit) {
      if (present & bit)
        write(object.*field.member);
    });
  }
  template <class T, class Field>
  static bool isDefault(const T &object, const Field &field) {
    static const T defaults;
    const auto &value = object.*field.member;
    if constexpr (requires { value.empty() && value.size() == 0; })
      return value.empty();
    else if constexpr (requires { value == defaults.*field.member; })
      return value == defaults.*field.member;
    else
      return false;
  }
};

class Unpacker {
public:
  explicit Unpacker(std::string_view bytes) : bytes(bytes) {}

  bool isAtEnd() const { return at == bytes.size(); }
  uint64_t readNumber() {
    uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = uint8_t(bytes[at++]);
      number |= uint64_t(byte & 0x7F) << shift;
      if (!(byte & 0x80))
        return number;
    }
  }
  template <class T>
    requires isNumber<T>
  void read(T &number) {
    const uint64_t zigzag = readNumber();
    number = T(int64_t(zigzag >> 1) ^ -int64_t(zigzag & 1));
  }
  void read(Range &range) {
    range.begin = decltype(range.begin)(readNumber());
    range.end = decltype(range.end)(readNumber());
  }
  void read(std::string &text) {
    const size_t size = readNumber();
    text.assign(bytes.substr(at, size));
    at += size;
  }
  void read(Name &name) { name = Name::ofNumber(uint32_t(readNumber())); }
  template <class T> void read(std::vector<T> &elements) {
    readElements(elements);
  }
  template <class T> void read(List<T> &elements) { readElements(elements); }
  template <class T>
    requires std::is_class_v<T>
  void read(T &object) {
    readFields(object);
  }
  void read(Event &event) {
    readFields(event);
    using Detail = decltype(event.detail);
    static constexpr auto makers = []<size_t... kinds>(
                                       std::index_sequence<kinds...>) {
      return std::array{+[](Detail &detail) { detail.emplace<kinds>(); }...};
    }(std::make_index_sequence<std::variant_size_v<Detail>>());
    makers[readNumber()](event.detail);
    std::visit([&](auto &detail) { readFields(detail); }, event.detail);
  }

private:
  template <class Elements> void readElements(Elements &elements) {
    const size_t size = readNumber();
    elements.reserve(size);
    for (size_t i = 0; i < size; ++i)
      read(elements.emplace_back());
  }
  void readElements(std::vector<bool> &) = delete;
  template <class T> void readFields(T &object) {
    const uint64_t present = readNumber();
    forEachBit<T>([&](const auto &field, uint64_t bit) {
      if (present & bit)
        read(object.*field.member);
    });
  }

  std::string_view bytes;
  size_t at = 0;
};

} // namespace

template <class T> std::string pack(std::span<const T> records) {
  if (records.empty())
    return {};
  Packer packer;
  for (const T &record : records)
    packer.write(record);
  return zstdOf(packer.bytes);
}

template <class T> std::vector<T> unpack(std::string_view packed) {
  std::vector<T> records;
  if (packed.empty())
    return records;
  const std::string bytes = unzstdOf(packed);
  for (Unpacker unpacker(bytes); !unpacker.isAtEnd();)
    unpacker.read(records.emplace_back());
  return records;
}

#define MEMREFLENS_PACKED(T)                                                   \
  template std::string pack<T>(std::span<const T>);                            \
  template std::vector<T> unpack<T>(std::string_view);
MEMREFLENS_PACKED(Function)
MEMREFLENS_PACKED(Block)
MEMREFLENS_PACKED(Op)
MEMREFLENS_PACKED(Value)
MEMREFLENS_PACKED(Event)
#undef MEMREFLENS_PACKED

} // namespace memreflens::trace
