//===- core/trace/JsonScanner.h - JSON, token by token --------------------===//
//
// Reads JSON from a text or a stream without keeping the document: the caller
// asks for what it expects. Strict, as RFC 8259 has it; strings are UTF-8.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_JSONSCANNER_H
#define MEMREFLENS_TRACE_JSONSCANNER_H

#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace memreflens::trace {

class JsonScanner {
public:
  /// The text must outlive the scanner.
  explicit JsonScanner(std::string_view text);
  explicit JsonScanner(std::streambuf &stream);

  /// First byte of what comes next, behind white space; `end` if nothing does.
  static constexpr int end = -1;
  int peek();
  /// Takes one of `[]{}:,` if it comes next.
  bool take(char mark);

  /// These take a token, or return false: then the text is no JSON.
  bool takeString(std::string &text);
  /// As it is written: `-1.5e3`.
  bool takeNumber(std::string &digits);
  /// `true`, `false` or `null`.
  bool takeWord(std::string &word);
  /// The text of a whole value; whether it is JSON inside is not asked.
  bool takeRaw(std::string &value);

private:
  int current() { return at != last || refill() ? uint8_t(*at) : end; }
  bool refill();
  void skipByteOrderMark();
  bool takeDigits(std::string &digits);
  bool takeEscape(std::string &text);
  bool takeHex(unsigned &unit);

  const char *at, *last;
  std::streambuf *stream = nullptr;
  std::unique_ptr<char[]> buffer;
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_JSONSCANNER_H
