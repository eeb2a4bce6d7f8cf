//===- core/trace/JsonFault.cpp - why a text is no trace ------------------===//

#include "core/trace/JsonFault.h"

#include "core/trace/Model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <optional>

namespace memreflens::trace {

namespace {

using Json = nlohmann::json;

/// Offset at which the text nests too deep, if it does.
template <class Bytes> std::optional<size_t> tooDeepAt(Bytes at, Bytes end) {
  int depth = 0;
  bool isString = false, isEscaped = false;
  for (size_t offset = 0; at != end; ++at, ++offset) {
    char c = *at;
    if (isString) {
      isString = isEscaped || c != '"';
      isEscaped = !isEscaped && c == '\\';
    } else if (c == '"') {
      isString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxJsonDepth)
        return offset;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::nullopt;
}

/// Notes what the version is said to be, and the first place that is no JSON.
class Listener : public nlohmann::json_sax<Json> {
public:
  std::string fault() const {
    if (!syntax.empty())
      return "not JSON: " + syntax;
    if (!isObject)
      return "";
    if (version.empty())
      return "schemaVersion is missing: this is not a trace of "
             "memref-lens, or one from before version 1";
    if (!isInteger)
      return "schemaVersion: expected an integer, got " + version;
    if (version == std::to_string(schemaVersion))
      return "";
    return "schemaVersion: the trace has version " + version +
           ", this memref-lens reads version " + std::to_string(schemaVersion) +
           (isNewer ? ": open it with a newer memref-lens, or write the trace "
                      "again with this one"
                    : ": write the trace again with this memref-lens");
  }

  bool null() override { return value("null"); }
  bool boolean(bool is) override { return value(is ? "true" : "false"); }
  bool number_integer(number_integer_t number) override {
    return integer(std::to_string(number), number > schemaVersion);
  }
  bool number_unsigned(number_unsigned_t number) override {
    return integer(std::to_string(number), number > schemaVersion);
  }
  bool number_float(number_float_t, const string_t &) override {
    return value("a number with a fraction");
  }
  bool string(string_t &) override { return value("a string"); }
  bool binary(binary_t &) override { return value("bytes"); }
  bool key(string_t &name) override {
    isVersion = depth == 1 && isObject && name == "schemaVersion";
    return true;
  }
  bool start_object(size_t) override {
    isObject |= depth == 0;
    value("an object");
    return ++depth;
  }
  bool end_object() override {
    --depth;
    return true;
  }
  bool start_array(size_t) override {
    value("an array");
    return ++depth;
  }
  bool end_array() override { return end_object(); }
  /// The library's message without its own prefix.
  bool parse_error(size_t, const std::string &,
                   const Json::exception &error) override {
    std::string_view what = error.what();
    size_t prefix = what.find("] ");
    syntax = what.substr(prefix == what.npos ? 0 : prefix + 2);
    return false;
  }

private:
  bool value(std::string described, bool isWhole = false) {
    if (!isVersion)
      return true;
    isVersion = false;
    version = std::move(described);
    isInteger = isWhole;
    return true;
  }
  bool integer(std::string digits, bool isLater) {
    isNewer = isVersion ? isLater : isNewer;
    return value(std::move(digits), true);
  }

  int depth = 0;
  bool isObject = false, isVersion = false, isInteger = false, isNewer = false;
  std::string version, syntax;
};

std::string tooDeep(size_t offset) {
  return "not a trace: nested more than " + std::to_string(maxJsonDepth) +
         " deep at byte " + std::to_string(offset);
}

constexpr const char *isEmpty = "not a trace: the input is empty";

} // namespace

std::string faultOf(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return isEmpty;
  if (auto offset = tooDeepAt(text.begin(), text.end()))
    return tooDeep(*offset);
  Listener listener;
  Json::sax_parse(text.begin(), text.end(), &listener);
  return listener.fault();
}

std::string faultOf(std::istream &stream) {
  auto rewind = [&]() -> std::istream & {
    stream.clear();
    return stream.seekg(0);
  };
  using Bytes = std::istreambuf_iterator<char>;
  // Not std::ws, which takes more for space than JSON does.
  auto isSpace = [](char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  };
  if (std::find_if_not(Bytes(rewind()), Bytes(), isSpace) == Bytes())
    return isEmpty;
  if (auto offset = tooDeepAt(Bytes(rewind()), Bytes()))
    return tooDeep(*offset);
  Listener listener;
  Json::sax_parse(rewind(), &listener);
  return listener.fault();
}

} // namespace memreflens::trace
