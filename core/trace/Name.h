//===- core/trace/Name.h - a text of which there are few ------------------===//
//
// Names of patterns stand in very many events and are always the same few: each
// is kept once for the process, and a `Name` is its number.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_NAME_H
#define MEMREFLENS_TRACE_NAME_H

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace memreflens::trace {

/// Four bytes; equal for equal texts. Any thread may make and read names.
class Name {
public:
  Name() = default;
  Name(std::string_view text) : number(numberOf(text)) {}
  Name(const std::string &text) : Name(std::string_view(text)) {}
  Name(const char *text) : Name(std::string_view(text)) {}

  const std::string &str() const;
  operator std::string_view() const { return str(); }
  operator const std::string &() const { return str(); }
  bool empty() const { return number == 0; }
  bool operator==(const Name &) const = default;
  /// Reads the text, so that nothing is added to the names.
  template <class Text>
    requires(std::convertible_to<const Text &, std::string_view> &&
             !std::same_as<Text, Name>)
  bool operator==(const Text &text) const {
    return std::string_view(str()) == std::string_view(text);
  }
  static constexpr size_t npos = std::string::npos;
  size_t find(std::string_view text) const { return str().find(text); }
  bool starts_with(std::string_view text) const {
    return str().starts_with(text);
  }

  /// Of this text in this process, and in no other.
  uint32_t getNumber() const { return number; }
  /// `known` is what `getNumber` gave.
  static Name ofNumber(uint32_t known) {
    Name name;
    name.number = known;
    return name;
  }

private:
  static uint32_t numberOf(std::string_view text);

  /// 0 is the empty text.
  uint32_t number = 0;
};

inline std::string operator+(std::string text, const Name &name) {
  return std::move(text.append(name.str()));
}
inline std::string operator+(const Name &name, std::string_view text) {
  return std::string(name.str()).append(text);
}

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_NAME_H
