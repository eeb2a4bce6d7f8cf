//===- core/text/Sentence.h - words, and where they were made -------------===//
//
// What is said to a user, with the line of our own source that says it: half of
// all sentences are put together of parts, so that no search finds them. A
// hidden option, --track-sentences, prints the lines.
//
//   Explanation told = {"the memory effects of " + op + " are unknown"};
//   told.sentence.madeAt().text()   // "core/explain/RejectionText.cpp:41"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_SENTENCE_H
#define MEMREFLENS_TEXT_SENTENCE_H

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace memreflens {

/// A line of our own source.
class SentencePlace {
public:
  SentencePlace(
      const std::source_location &where = std::source_location::current());
  /// As another process had it.
  static SentencePlace of(const std::string &file, uint32_t line);

  const char *getFile() const { return file; }
  uint32_t getLine() const { return line; }
  /// File, from the top of the source tree, and line: "core/a/B.cpp:12".
  std::string text() const;

private:
  const char *file;
  uint32_t line;
};

/// A text that knows where it became one; equal to others by its words alone.
class Sentence : public std::string {
public:
  using Where = std::source_location;

  Sentence(Where where = Where::current()) : place(where) {}
  Sentence(std::string words, Where where = Where::current())
      : std::string(std::move(words)), place(where) {}
  Sentence(const char *words, Where where = Where::current())
      : std::string(words), place(where) {}
  Sentence(std::string_view words, Where where = Where::current())
      : std::string(words), place(where) {}

  const SentencePlace &madeAt() const { return place; }
  void setMadeAt(const SentencePlace &where) { place = where; }

private:
  SentencePlace place;
};

} // namespace memreflens

#endif // MEMREFLENS_TEXT_SENTENCE_H
