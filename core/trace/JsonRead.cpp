//===- core/trace/JsonRead.cpp - a trace from JSON ------------------------===//
//
// Fills the trace while the text goes by: of the document nothing is kept but
// the record being read. Checks every name, type and bound on the way in; the
// path of the element at fault is put together only when there is one.
//
//===----------------------------------------------------------------------===//

#include "core/text/Zstd.h"
#include "core/trace/Fields.h"
#include "core/trace/Json.h"
#include "core/trace/JsonFault.h"
#include "core/trace/JsonScanner.h"
#include "core/trace/Names.h"
#include "core/trace/Utf8.h"
#include "core/trace/Validate.h"

#include <charconv>
#include <sstream>
#include <utility>

namespace memreflens::trace {

namespace {

class Reader {
public:
  template <class Text> explicit Reader(Text &&text) : scanner(text) {}

  /// Place (innermost part first while it is unwound) and what is wrong there.
  /// Empty where the text is no JSON: JsonFault.h says more.
  std::string path, error;

  bool read(Trace &trace) {
    if (scanner.peek() != '{')
      return fail("not a trace: expected an object, got " + describe());
    if (!readMembers(trace, [&](const std::string &name) {
          return name == "schemaVersion" ? readVersion() : unknown(name);
        }))
      return false;
    return scanner.peek() == JsonScanner::end;
  }

private:
  using Bounds = fields::Bounds;
  /// Notes nest; all else is at most 6 deep.
  static constexpr int maxDepth = maxJsonDepth;

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
  bool unknown(const std::string &name) {
    fail("unknown field");
    return failIn(name.substr(0, 64));
  }
  /// What comes next.
  std::string describe() {
    int c = scanner.peek();
    if (c == '"')
      return "a string";
    if (c == '[' || c == '{')
      return c == '[' ? "an array" : "an object";
    if (isNumber(c))
      return takeInteger() ? "the number " + token : "a number with a fraction";
    return scanner.takeWord(token) ? token : "nothing";
  }
  bool expected(const char *what) {
    return fail("expected " + std::string(what) + ", got " + describe());
  }

  //===--- Objects ---===//

  /// Calls `member` with each name of an object, which then takes the value.
  template <class Member> bool forEachMember(Member &&member) {
    if (!scanner.take('{') || ++depth > maxDepth)
      return false;
    if (!scanner.take('}')) {
      std::string name;
      do {
        if (!scanner.takeString(name) || !scanner.take(':') || !member(name))
          return false;
      } while (scanner.take(','));
      if (!scanner.take('}'))
        return false;
    }
    --depth;
    return true;
  }

  enum class Taken { no, yes, failed };

  /// Reads the value of the field of that name, if T has one.
  template <class T>
  Taken readField(const std::string &name, T &object, uint32_t &seen) {
    Taken taken = Taken::no;
    uint32_t bit = 1;
    fields::forEach<T>([&](const auto &field) {
      uint32_t mine = bit;
      bit <<= 1;
      if (taken != Taken::no || name != field.name)
        return;
      bool isNew = !(seen & mine);
      seen |= mine;
      bool good = isNew ? read(object.*field.member, field.bounds)
                        : fail("given twice");
      taken = good ? Taken::yes : Taken::failed;
      if (!good)
        failIn(name);
    });
    return taken;
  }

  template <class T> bool hasAllRequired(uint32_t seen) {
    uint32_t bit = 1;
    bool good = true;
    fields::forEach<T>([&](const auto &field) {
      bool isMissing = !(seen & bit) && field.required;
      if (good && isMissing)
        good = fail(std::string(field.name) + " is missing");
      bit <<= 1;
    });
    return good;
  }

  /// `other` takes the value of a member that is no field of T.
  template <class T, class Other> bool readMembers(T &object, Other &&other) {
    uint32_t seen = 0;
    return forEachMember([&](const std::string &name) {
             Taken taken = readField(name, object, seen);
             return taken == Taken::no ? other(name) : taken == Taken::yes;
           }) &&
           hasAllRequired<T>(seen);
  }

  template <class T>
    requires std::is_class_v<T>
  bool read(T &object, Bounds) {
    if (scanner.peek() != '{')
      return expected("an object");
    return readMembers(object,
                       [&](const std::string &name) { return unknown(name); });
  }

  /// JsonFault.h tells which version it is.
  bool readVersion() {
    bool isMine = isNumber(scanner.peek()) && takeInteger() &&
                  token == std::to_string(schemaVersion);
    return isMine || fail("another version");
  }

  //===--- Events ---===//

  bool read(Event &event, Bounds) {
    if (scanner.peek() != '{')
      return expected("an object");
    uint32_t seen = 0;
    bool hasKind = false;
    // Of a detail that stands before the kind, which says how to read it.
    std::vector<std::pair<std::string, std::string>> waiting;
    auto other = [&](const std::string &name) {
      if (name == "kind")
        return !hasKind ? (hasKind = readKind(event))
                        : (fail("given twice"), failIn(name));
      if (hasKind)
        return readDetail(name, event, seen);
      waiting.emplace_back(name, "");
      return scanner.takeRaw(waiting.back().second);
    };
    if (!readMembers(event, other))
      return false;
    if (!hasKind)
      return fail("kind is missing");
    for (const auto &[name, text] : waiting) {
      JsonScanner whole = std::exchange(scanner, JsonScanner(text));
      bool good =
          readDetail(name, event, seen) && scanner.peek() == JsonScanner::end;
      scanner = std::move(whole);
      if (!good)
        return false;
    }
    return std::visit(
        [&]<class T>(const T &) { return hasAllRequired<T>(seen); },
        event.detail);
  }

  bool readKind(Event &event) {
    if (scanner.peek() != '"') {
      expected("a kind");
      return failIn("kind");
    }
    return scanner.takeString(token) && emplaceKind<0>(event);
  }
  template <size_t alternative> bool emplaceKind(Event &event) {
    if constexpr (alternative < std::variant_size_v<decltype(event.detail)>) {
      if (token != kindName(alternative))
        return emplaceKind<alternative + 1>(event);
      event.detail.template emplace<alternative>();
      return true;
    }
    fail("unknown kind '" + token.substr(0, 64) + "'");
    return failIn("kind");
  }
  bool readDetail(const std::string &name, Event &event, uint32_t &seen) {
    return std::visit(
        [&](auto &detail) {
          Taken taken = readField(name, detail, seen);
          return taken == Taken::no ? unknown(name) : taken == Taken::yes;
        },
        event.detail);
  }

  //===--- Lists ---===//

  /// `element` takes the value with that number.
  template <class Element> bool forEachElement(Element &&element) {
    if (!scanner.take('[') || ++depth > maxDepth)
      return false;
    if (!scanner.take(']')) {
      size_t index = 0;
      do {
        if (!element(index))
          return error.empty() ? false : failAt(index);
        ++index;
      } while (scanner.take(','));
      if (!scanner.take(']'))
        return false;
    }
    --depth;
    return true;
  }

  bool read(std::vector<Id> &elements, Bounds bounds) {
    if (scanner.peek() != '[')
      return expected("an array");
    ids.clear();
    bool good = forEachElement(
        [&](size_t) { return read(ids.emplace_back(), bounds); });
    elements.assign(ids.begin(), ids.end());
    return good;
  }
  template <class T> bool read(std::vector<T> &elements, Bounds bounds) {
    if (scanner.peek() != '[')
      return expected("an array");
    bool good = forEachElement(
        [&](size_t) { return read(elements.emplace_back(), bounds); });
    // What a growing vector keeps to spare is up to half of it.
    elements.shrink_to_fit();
    return good;
  }

  template <class T> bool read(List<T> &list, Bounds bounds) {
    std::vector<T> elements;
    bool good = read(elements, bounds);
    list = elements;
    return good;
  }
  bool read(Name &name, Bounds bounds) {
    std::string text;
    bool good = read(text, bounds);
    name = text;
    return good;
  }

  bool read(Range &range, Bounds) {
    constexpr const char *pair = "a range [begin, end]";
    if (scanner.peek() != '[')
      return expected(pair);
    size_t count = 0;
    bool good = forEachElement([&](size_t index) {
      count = index + 1;
      return index < 2 && read(index ? range.end : range.begin, Bounds());
    });
    if (good && count == 2)
      return true;
    return !error.empty()
               ? false
               : fail("expected " + std::string(pair) + ", got an array");
  }

  //===--- Plain values ---===//

  static bool isNumber(int c) { return c == '-' || (c >= '0' && c <= '9'); }

  /// Into `token`; false for a fraction, and for what no 64 bits hold.
  bool takeInteger() {
    if (!scanner.takeNumber(token) || token.find_first_of(".eE") != token.npos)
      return false;
    uint64_t whole = 0;
    bool isNegative = token[0] == '-';
    auto [end, failure] = std::from_chars(token.data() + isNegative,
                                          token.data() + token.size(), whole);
    return failure == std::errc() && (!isNegative || whole <= minusLeast);
  }
  static constexpr uint64_t minusLeast = uint64_t(INT64_MAX) + 1;

  bool read(bool &value, Bounds) {
    int c = scanner.peek();
    if (c != 't' && c != 'f')
      return expected("true or false");
    value = c == 't';
    return scanner.takeWord(token);
  }
  template <class T>
    requires std::is_integral_v<T>
  bool read(T &number, Bounds bounds) {
    if (!isNumber(scanner.peek()))
      return expected("an integer");
    if (!takeInteger())
      return fail("expected an integer, got a number with a fraction");
    int64_t min = std::max<int64_t>(std::numeric_limits<T>::min(), bounds.min);
    // What is over the range of int64_t is in no trace.
    int64_t max = bounds.max;
    if constexpr (sizeof(T) < sizeof(int64_t))
      max = std::min<int64_t>(std::numeric_limits<T>::max(), max);
    int64_t value = 0;
    auto [end, failure] =
        std::from_chars(token.data(), token.data() + token.size(), value);
    if (failure != std::errc() || value < min || value > max)
      return fail("expected an integer from " + std::to_string(min) + " to " +
                  std::to_string(max) + ", got " + token);
    number = T(value);
    return true;
  }
  template <class T>
    requires std::is_enum_v<T>
  bool read(T &enumerator, Bounds) {
    if (scanner.peek() != '"')
      return expected("a name");
    if (!scanner.takeString(token))
      return false;
    std::optional<T> known = enumeratorNamed<T>(token);
    if (!known)
      return fail("unknown name '" + token.substr(0, 64) + "'");
    enumerator = *known;
    return true;
  }
  bool read(std::string &text, Bounds) {
    if (scanner.peek() == '"') {
      bool good = scanner.takeString(token);
      text = token;
      return good;
    }
    constexpr const char *wanted = "a string or {\"base64\": string}";
    if (scanner.peek() != '{')
      return expected(wanted);
    size_t count = 0;
    bool isCoded = forEachMember([&](const std::string &name) {
      return ++count == 1 && name == "base64" && scanner.peek() == '"' &&
             scanner.takeString(token);
    });
    if (!isCoded || count != 1)
      return fail("expected " + std::string(wanted) + ", got an object");
    return fromBase64(token, text) || fail("not valid base64");
  }

  JsonScanner scanner;
  int depth = 0;
  /// The last string or number; one for all, since it grows to the longest.
  std::string token;
  std::vector<Id> ids;
};

ReadResult failure(std::string message) {
  return {std::nullopt, std::move(message)};
}

/// `text` is what the reader takes, and `whole` what `faultOf` does.
template <class Text, class Whole>
ReadResult readFrom(Text &text, Whole &whole) {
  try {
    Reader reader(text);
    Trace trace;
    if (reader.read(trace)) {
      if (std::optional<std::string> error = validate(trace))
        return failure(*error);
      return {std::move(trace), {}};
    }
    trace = Trace();
    if (std::string fault = faultOf(whole); !fault.empty())
      return failure(fault);
    return failure(reader.path.empty() ? reader.error
                                       : reader.path + ": " + reader.error);
  } catch (const std::bad_alloc &) {
    return failure("not enough memory to read the trace");
  }
}

} // namespace

/// Of a file that is compressed as a whole.
static ReadResult readCompressed(std::streambuf &file) {
  ZstdReader text(file, maxTraceBytes);
  std::istream stream(&text);
  ReadResult read = readFrom(text, stream);
  if (!text.getError().empty())
    return failure("zstd cannot read it: " + text.getError());
  return read;
}

ReadResult readJson(std::string_view text) {
  if (!isZstd(text))
    return readFrom(text, text);
  std::istringstream file{std::string(text)};
  return readCompressed(*file.rdbuf());
}

ReadResult readJson(std::istream &stream) {
  char start[4] = {};
  stream.read(start, sizeof(start));
  const bool isCompressed =
      isZstd(std::string_view(start, size_t(stream.gcount())));
  stream.clear();
  stream.seekg(0);
  return isCompressed ? readCompressed(*stream.rdbuf())
                      : readFrom(*stream.rdbuf(), stream);
}

} // namespace memreflens::trace
