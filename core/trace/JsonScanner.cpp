//===- core/trace/JsonScanner.cpp - JSON, token by token ------------------===//

#include "core/trace/JsonScanner.h"

#include "core/text/Plain.h"
#include "core/trace/Utf8.h"

namespace memreflens::trace {

static constexpr size_t bufferSize = size_t(1) << 16;

JsonScanner::JsonScanner(std::string_view text)
    : at(text.data()), last(text.data() + text.size()) {
  skipByteOrderMark();
}

JsonScanner::JsonScanner(std::streambuf &stream)
    : at(nullptr), last(nullptr), stream(&stream),
      buffer(std::make_unique<char[]>(bufferSize)) {
  skipByteOrderMark();
}

void JsonScanner::skipByteOrderMark() {
  // Of a part of it, what is left is no JSON.
  for (int byte : {0xEF, 0xBB, 0xBF}) {
    if (current() != byte)
      return;
    ++at;
  }
}

bool JsonScanner::refill() {
  if (!stream)
    return false;
  at = buffer.get();
  last = at + stream->sgetn(buffer.get(), std::streamsize(bufferSize));
  return at != last;
}

int JsonScanner::peek() {
  while (true) {
    int c = current();
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
      return c;
    ++at;
  }
}

bool JsonScanner::take(char mark) {
  if (peek() != mark)
    return false;
  ++at;
  return true;
}

bool JsonScanner::takeHex(unsigned &unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    int c = current();
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
      return false;
    unit = unit * 16 + unsigned(digit);
    ++at;
  }
  return true;
}

static void appendUtf8(std::string &text, unsigned code) {
  if (code < 0x80) {
    text += char(code);
    return;
  }
  if (code < 0x800) {
    text += char(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    text += char(0xE0 | code >> 12);
    text += char(0x80 | (code >> 6 & 63));
  } else {
    text += char(0xF0 | code >> 18);
    text += char(0x80 | (code >> 12 & 63));
    text += char(0x80 | (code >> 6 & 63));
  }
  text += char(0x80 | (code & 63));
}

/// Behind the backslash.
bool JsonScanner::takeEscape(std::string &text) {
  constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  int c = current();
  if (c == end)
    return false;
  ++at;
  if (size_t which = names.find(char(c)); which != names.npos) {
    text += meant[which];
    return true;
  }
  unsigned unit = 0, low = 0;
  if (c != 'u' || !takeHex(unit) || (unit >= 0xDC00 && unit < 0xE000))
    return false;
  if (unit < 0xD800 || unit >= 0xE000) {
    appendUtf8(text, unit);
    return true;
  }
  // The second half of a pair must follow.
  if (current() != '\\' || (++at, current() != 'u') || (++at, !takeHex(low)) ||
      low < 0xDC00 || low >= 0xE000)
    return false;
  appendUtf8(text, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
  return true;
}

bool JsonScanner::takeString(std::string &text) {
  text.clear();
  if (!take('"'))
    return false;
  bool isAscii = true;
  while (current() != end) {
    const char *from = at;
    while ((at += plainBytes({at, last})) != last && uint8_t(*at) >= 0x80) {
      isAscii = false;
      ++at;
    }
    text.append(from, at);
    if (at == last)
      continue;
    char c = *at++;
    if (c == '"')
      return isAscii || isValidUtf8(text);
    if (c != '\\' || !takeEscape(text))
      return false;
  }
  return false;
}

bool JsonScanner::takeDigits(std::string &digits) {
  size_t before = digits.size();
  for (int c = current(); c >= '0' && c <= '9'; c = current()) {
    digits += char(c);
    ++at;
  }
  return digits.size() != before;
}

bool JsonScanner::takeNumber(std::string &digits) {
  digits.clear();
  if (take('-'))
    digits += '-';
  size_t first = digits.size();
  if (!takeDigits(digits) ||
      (digits[first] == '0' && digits.size() > first + 1))
    return false;
  if (current() == '.') {
    digits += *at++;
    if (!takeDigits(digits))
      return false;
  }
  if (current() != 'e' && current() != 'E')
    return true;
  digits += *at++;
  if (current() == '+' || current() == '-')
    digits += *at++;
  return takeDigits(digits);
}

bool JsonScanner::takeWord(std::string &word) {
  word.clear();
  peek();
  for (int c = current(); c >= 'a' && c <= 'z' && word.size() < 6;
       c = current()) {
    word += char(c);
    ++at;
  }
  return word == "true" || word == "false" || word == "null";
}

bool JsonScanner::takeRaw(std::string &value) {
  value.clear();
  int depth = 0;
  bool isString = false;
  for (int c = peek(); c != end; c = current()) {
    bool isMark = c == ',' || c == ']' || c == '}';
    if (!isString && depth == 0 && isMark)
      break;
    if (!isString && (c == '[' || c == '{'))
      ++depth;
    if (!isString && (c == ']' || c == '}'))
      --depth;
    isString ^= c == '"';
    value += char(c);
    ++at;
    if (!isString || c != '\\' || current() == end)
      continue;
    value += *at++;
  }
  return !value.empty() && depth == 0 && !isString;
}

} // namespace memreflens::trace
