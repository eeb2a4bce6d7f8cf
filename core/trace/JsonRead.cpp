//===- core/trace/JsonRead.cpp - a trace from JSON ------------------------===//
//
// Checks every name, type and bound on the way in; the path of the element at
// fault is put together only when there is one.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Fields.h"
#include "core/trace/Json.h"
#include "core/trace/Names.h"
#include "core/trace/Utf8.h"
#include "core/trace/Validate.h"

#include <nlohmann/json.hpp>

namespace memreflens::trace {

namespace {

using Json = nlohmann::json;

/// Deepest nesting of a trace that the parser, which recurses when it frees
/// the document, is given. Notes nest; all else is at most 6 deep.
constexpr int maxDepth = 128;

/// Offset at which the text nests too deep, if it does.
std::optional<size_t> tooDeepAt(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > maxDepth)
        return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::nullopt;
}

class Reader {
public:
  /// Place (innermost part first while it is unwound) and what is wrong there.
  std::string path;
  std::string error;

  bool read(const Json &json, Trace &trace) {
    if (!json.is_object())
      return fail("not a trace: expected an object, got " + describe(json));
    return readVersion(json) && readFields(json, trace) &&
           onlyKnown<Trace>(json, {"schemaVersion"});
  }

private:
  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }
  bool failIn(const std::string &part) {
    bool joined = path.empty() || path.front() == '[';
    path = joined ? part + path : part + "." + path;
    return false;
  }
  bool failAt(size_t index) {
    std::string part = "[";
    part += std::to_string(index);
    part += ']';
    return failIn(part);
  }
  static std::string describe(const Json &json) {
    if (json.is_number_float())
      return "a number with a fraction";
    if (json.is_number())
      return "the number " + json.dump();
    if (json.is_string())
      return "a string";
    return json.is_array()    ? "an array"
           : json.is_object() ? "an object"
                              : json.dump();
  }
  bool expected(const char *what, const Json &json) {
    return fail("expected " + std::string(what) + ", got " + describe(json));
  }

  bool readVersion(const Json &json) {
    auto version = json.find("schemaVersion");
    if (version == json.end())
      return fail("schemaVersion is missing: this is not a trace of "
                  "memref-lens, or one from before version 1");
    if (!version->is_number_integer()) {
      expected("an integer", *version);
      return failIn("schemaVersion");
    }
    if (*version == schemaVersion)
      return true;
    bool newer = *version > schemaVersion;
    fail("the trace has version " + version->dump() +
         ", this memref-lens reads version " + std::to_string(schemaVersion) +
         (newer ? ": open it with a newer memref-lens, or write the trace "
                  "again with this one"
                : ": write the trace again with this memref-lens"));
    return failIn("schemaVersion");
  }

  template <class T> bool readFields(const Json &json, T &object) {
    bool good = true;
    fields::forEach<T>([&](const auto &field) {
      if (!good)
        return;
      auto found = json.find(field.name);
      if (found != json.end()) {
        good = read(*found, object.*field.member, field.bounds) ||
               failIn(field.name);
      } else if (field.required || std::is_same_v<T, Trace>) {
        good = fail(std::string(field.name) + " is missing");
      }
    });
    return good;
  }

  /// Refuses members that are neither fields of Ts nor in `others`.
  template <class... Ts>
  bool onlyKnown(const Json &json,
                 std::initializer_list<std::string_view> others = {}) {
    for (const auto &[name, value] : json.items()) {
      bool known =
          std::find(others.begin(), others.end(), name) != others.end();
      auto compare = [&](const auto &field) { known |= name == field.name; };
      (fields::forEach<Ts>(compare), ...);
      if (!known) {
        fail("unknown field");
        return failIn(name.substr(0, 64));
      }
    }
    return true;
  }

  bool read(const Json &json, bool &value, fields::Bounds) {
    if (!json.is_boolean())
      return expected("true or false", json);
    value = json.get<bool>();
    return true;
  }
  template <class T>
    requires std::is_integral_v<T>
  bool read(const Json &json, T &number, fields::Bounds bounds) {
    if (!json.is_number_integer())
      return expected("an integer", json);
    int64_t min = std::max<int64_t>(std::numeric_limits<T>::min(), bounds.min);
    int64_t max = std::min<int64_t>(std::numeric_limits<T>::max(), bounds.max);
    bool huge = json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX;
    int64_t value = huge ? INT64_MAX : json.get<int64_t>();
    if (value < min || value > max)
      return fail("expected an integer from " + std::to_string(min) + " to " +
                  std::to_string(max) + ", got " + json.dump());
    number = T(value);
    return true;
  }
  template <class T>
    requires std::is_enum_v<T>
  bool read(const Json &json, T &enumerator, fields::Bounds) {
    if (!json.is_string())
      return expected("a name", json);
    const auto &name = json.get_ref<const std::string &>();
    std::optional<T> known = enumeratorNamed<T>(name);
    if (!known)
      return fail("unknown name '" + name.substr(0, 64) + "'");
    enumerator = *known;
    return true;
  }
  bool read(const Json &json, std::string &text, fields::Bounds) {
    if (json.is_string()) {
      text = json.get_ref<const std::string &>();
      return true;
    }
    auto base64 = json.is_object() ? json.find("base64") : json.end();
    if (!json.is_object() || json.size() != 1 || base64 == json.end() ||
        !base64->is_string())
      return expected("a string or {\"base64\": string}", json);
    return fromBase64(base64->get_ref<const std::string &>(), text) ||
           fail("not valid base64");
  }
  bool read(const Json &json, Range &range, fields::Bounds) {
    if (!json.is_array() || json.size() != 2)
      return expected("a range [begin, end]", json);
    return (read(json[0], range.begin, {}) || failIn("[0]")) &&
           (read(json[1], range.end, {}) || failIn("[1]"));
  }
  template <class T>
  bool read(const Json &json, std::vector<T> &elements, fields::Bounds bounds) {
    if (!json.is_array())
      return expected("an array", json);
    elements.resize(json.size());
    for (size_t i = 0; i < elements.size(); ++i)
      if (!read(json[i], elements[i], bounds))
        return failAt(i);
    return true;
  }
  template <class T>
    requires std::is_class_v<T>
  bool read(const Json &json, T &object, fields::Bounds) {
    if (!json.is_object())
      return expected("an object", json);
    return readFields(json, object) && onlyKnown<T>(json);
  }
  bool read(const Json &json, Event &event, fields::Bounds) {
    if (!json.is_object())
      return expected("an object", json);
    return readFields(json, event) && readDetail(json, event);
  }

  bool readDetail(const Json &json, Event &event) {
    auto kind = json.find("kind");
    if (kind == json.end())
      return fail("kind is missing");
    if (!kind->is_string()) {
      expected("a kind", *kind);
      return failIn("kind");
    }
    return readAlternative<0>(json, kind->get_ref<const std::string &>(),
                              event);
  }
  template <size_t alternative>
  bool readAlternative(const Json &json, const std::string &kind,
                       Event &event) {
    if constexpr (alternative < std::variant_size_v<decltype(event.detail)>) {
      if (kind != kindName(alternative))
        return readAlternative<alternative + 1>(json, kind, event);
      auto &detail = event.detail.template emplace<alternative>();
      using Detail = std::remove_reference_t<decltype(detail)>;
      return readFields(json, detail) &&
             onlyKnown<Event, Detail>(json, {"kind"});
    }
    fail("unknown kind '" + kind.substr(0, 64) + "'");
    return failIn("kind");
  }
};

ReadResult failure(std::string message) {
  return {std::nullopt, std::move(message)};
}

/// "parse error at line 3, column 7: ..." without the library's own prefix.
std::string parseErrorMessage(const Json::exception &error) {
  std::string_view what = error.what();
  size_t prefix = what.find("] ");
  return std::string(
      what.substr(prefix == std::string_view::npos ? 0 : prefix + 2));
}

} // namespace

ReadResult readJson(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return failure("not a trace: the input is empty");
  if (std::optional<size_t> at = tooDeepAt(text))
    return failure("not a trace: nested more than " + std::to_string(maxDepth) +
                   " deep at byte " + std::to_string(*at));
  try {
    Trace trace;
    Reader reader;
    if (!reader.read(Json::parse(text), trace))
      return failure(reader.path.empty() ? reader.error
                                         : reader.path + ": " + reader.error);
    if (std::optional<std::string> error = validate(trace))
      return failure(*error);
    return {std::move(trace), {}};
  } catch (const Json::exception &error) {
    return failure("not JSON: " + parseErrorMessage(error));
  } catch (const std::bad_alloc &) {
    return failure("not enough memory to read the trace");
  }
}

} // namespace memreflens::trace
