//===- core/execute/Arguments.cpp -----------------------------------------===//

#include "core/execute/Arguments.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace memreflens::execute {

static bool isNumber(std::string_view text, int64_t &number) {
  const char *end = text.data() + text.size();
  auto [rest, fault] = std::from_chars(text.data(), end, number);
  return fault == std::errc() && rest == end && !text.empty();
}

//===--- Values -----------------------------------------------------------===//

/// "16x16xf32": sizes, then what is left.
static bool takeShape(std::string_view text, ArgumentSpec &spec) {
  while (true) {
    const size_t at = text.find('x');
    int64_t extent = 0;
    if (at == text.npos || !isNumber(text.substr(0, at), extent) || extent < 0)
      break;
    spec.shape.push_back(extent);
    text.remove_prefix(at + 1);
  }
  spec.element = text;
  return !text.empty();
}

static bool takeContent(std::string_view text, ArgumentSpec &spec) {
  if (text == "random")
    spec.content = Content::random;
  else if (text == "zeros")
    spec.content = Content::zeros;
  else if (text == "iota")
    spec.content = Content::iota;
  else if (text.ends_with(".npy")) {
    spec.content = Content::file;
    spec.path = text;
  } else
    return false;
  return true;
}

static bool takeScalar(const std::string &text, ArgumentSpec &spec) {
  spec.isScalar = true;
  if (text == "true" || text == "false") {
    spec.integer = text == "true";
    spec.number = double(spec.integer);
    return true;
  }
  if (isNumber(text, spec.integer)) {
    spec.number = double(spec.integer);
    return true;
  }
  const char *end = text.data() + text.size();
  auto [rest, fault] = std::from_chars(text.data(), end, spec.number);
  if (fault != std::errc() || rest != end || text.empty())
    return false;
  const bool fits = spec.number > -9e18 && spec.number < 9e18;
  spec.integer = fits ? int64_t(spec.number) : 0;
  return true;
}

std::optional<ArgumentSpec> parseArgument(const std::string &text,
                                          std::string &error) {
  ArgumentSpec spec;
  const size_t equals = text.find('=');
  std::string key = text.substr(0, equals);
  if (key.starts_with('%'))
    key.erase(0, 1);
  if (equals == text.npos || key.empty()) {
    error = "takes NAME=VALUE or NUMBER=VALUE, not '" + text + "'";
    return std::nullopt;
  }
  spec.key = key;
  spec.text = text.substr(equals + 1);
  if (takeScalar(spec.text, spec))
    return spec;
  spec.isScalar = false;
  const size_t colon = spec.text.find(':');
  const std::string_view value = spec.text;
  const bool isRight =
      colon == value.npos
          ? takeContent(value, spec) || takeShape(value, spec)
          : (colon == 0 || takeShape(value.substr(0, colon), spec)) &&
                takeContent(value.substr(colon + 1), spec);
  if (isRight)
    return spec;
  error = "takes a number, or a buffer such as '16x16xf32:random', 'zeros', "
          "'iota' or 'FILE.npy', not '" +
          spec.text + "'";
  return std::nullopt;
}

std::optional<StubSpec> parseStub(const std::string &text, std::string &error) {
  StubSpec stub;
  const size_t equals = text.find('=');
  stub.function = text.substr(0, equals);
  if (stub.function.starts_with('@'))
    stub.function.erase(0, 1);
  const std::string what =
      equals == text.npos ? std::string() : text.substr(equals + 1);
  int64_t number = 0;
  if (what == "fresh")
    stub.behaviour = Behaviour::fresh;
  else if (what == "kept")
    stub.behaviour = Behaviour::kept;
  else if (what == "noop")
    stub.behaviour = Behaviour::nothing;
  else if (what.starts_with("alias:") &&
           isNumber(std::string_view(what).substr(6), number) && number >= 0) {
    stub.behaviour = Behaviour::alias;
    stub.argument = unsigned(number);
  } else {
    stub.function.clear();
  }
  if (!stub.function.empty())
    return stub;
  error = "takes @NAME=fresh, @NAME=kept, @NAME=alias:NUMBER or @NAME=noop, "
          "not '" +
          text + "'";
  return std::nullopt;
}

std::string wordOf(const StubSpec &stub) {
  switch (stub.behaviour) {
  case Behaviour::fresh:
    return "fresh";
  case Behaviour::kept:
    return "kept";
  case Behaviour::alias:
    return "alias:" + std::to_string(stub.argument);
  case Behaviour::nothing:
    return "noop";
  }
  return {};
}

//===--- Files of numpy ---------------------------------------------------===//

/// The text behind `'key':` in the header.
static std::string_view entryOf(std::string_view header, std::string_view key) {
  const size_t at = header.find("'" + std::string(key) + "'");
  if (at == header.npos)
    return {};
  const size_t colon = header.find(':', at);
  if (colon == header.npos)
    return {};
  header.remove_prefix(colon + 1);
  while (header.starts_with(' '))
    header.remove_prefix(1);
  return header;
}

/// "'<f4'" as MLIR has it; empty for others.
static std::string elementOf(std::string_view text) {
  if (text.size() < 5 || (text[0] != '\'' && text[0] != '"'))
    return {};
  const size_t end = text.find(text[0], 1);
  const std::string_view type =
      text.substr(1, end == text.npos ? end : end - 1);
  static constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"<f2", "f16"},          {"<f4", "f32"},          {"<f8", "f64"},
      {"|i1", "i8"},           {"<i2", "i16"},          {"<i4", "i32"},
      {"<i8", "i64"},          {"|u1", "i8"},           {"<u2", "i16"},
      {"<u4", "i32"},          {"<u8", "i64"},          {"|b1", "i1"},
      {"<c8", "complex<f32>"}, {"<c16", "complex<f64>"}};
  for (auto [theirs, ours] : known)
    if (theirs == type)
      return std::string(ours);
  return {};
}

/// "'<f4'": 4.
static uint64_t widthOf(std::string_view text) {
  int64_t width = 0;
  const size_t end = text.find(text[0], 1);
  return end != text.npos && end > 3 && isNumber(text.substr(3, end - 3), width)
             ? uint64_t(width)
             : 0;
}

/// Nothing where it is more than a number can say.
static std::optional<uint64_t> bytesOf(const std::vector<int64_t> &shape,
                                       uint64_t width) {
  if (std::ranges::find(shape, 0) != shape.end())
    return 0;
  uint64_t bytes = width;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(bytes, uint64_t(extent), &bytes))
      return std::nullopt;
  return bytes;
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text;
}

bool readNpy(const std::string &bytes, ArgumentSpec &spec, std::string &error) {
  static constexpr char magic[] = "\x93NUMPY";
  if (bytes.size() < 12 || std::memcmp(bytes.data(), magic, 6) != 0) {
    error = "is no file of numpy's (.npy)";
    return false;
  }
  const bool isOld = bytes[6] == 1;
  size_t length = 0;
  for (int i = isOld ? 1 : 3; i >= 0; --i)
    length = length << 8 | uint8_t(bytes[8 + size_t(i)]);
  const size_t begin = isOld ? 10 : 12;
  if (length > bytes.size() - begin) {
    error = "ends within its header";
    return false;
  }
  const std::string_view header(bytes.data() + begin, length);
  spec.element = elementOf(entryOf(header, "descr"));
  if (spec.element.empty()) {
    error = "has elements that no memref has here: f2, f4, f8, i1 to i8, u1 to "
            "u8, b1, c8 or c16, little-endian, can be read";
    return false;
  }
  std::string_view shape = entryOf(header, "shape");
  if (!shape.starts_with('(') || shape.find(')') == shape.npos) {
    error = "has no shape in its header";
    return false;
  }
  const bool isFortran = entryOf(header, "fortran_order").starts_with("True");
  shape = shape.substr(0, shape.find(')'));
  spec.shape.clear();
  while (!shape.empty()) {
    const size_t end = shape.find_first_not_of("0123456789");
    int64_t extent = 0;
    if (isNumber(shape.substr(0, end), extent))
      spec.shape.push_back(extent);
    else if (end != 0) {
      error = "has a shape that cannot be read";
      return false;
    }
    shape.remove_prefix(end == shape.npos ? shape.size() : end + 1);
  }
  if (isFortran && spec.shape.size() > 1) {
    error = "is in the order of Fortran; save it with "
            "numpy.ascontiguousarray";
    return false;
  }
  const uint64_t has = bytes.size() - begin - length;
  const std::optional<uint64_t> needs =
      bytesOf(spec.shape, widthOf(entryOf(header, "descr")));
  if (!needs || *needs > has) {
    error = "ends too early: its " + shapeText(spec.shape) + spec.element +
            " need " +
            (needs ? std::to_string(*needs) : "more than all memory has") +
            " bytes, and it has " + std::to_string(has);
    return false;
  }
  spec.bytes.assign(bytes.begin() + std::ptrdiff_t(begin + length),
                    bytes.begin() +
                        std::ptrdiff_t(begin + length + size_t(*needs)));
  return true;
}

} // namespace memreflens::execute
