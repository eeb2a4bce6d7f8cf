//===- core/explain/PlainText.h - text that drives no terminal ------------===//
//
// A name or a path can hold any byte, also those that make a terminal move,
// hide or colour what it shows: they are shown as "\x1b".
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXPLAIN_PLAINTEXT_H
#define MEMREFLENS_EXPLAIN_PLAINTEXT_H

#include <string>
#include <string_view>

namespace memreflens {

/// Line breaks and tabs stay. Other control characters, and bytes that are no
/// UTF-8, become "\x1b", what turns the direction of text "\u202e".
std::string plainText(std::string_view text);

/// For one word in a line: a line break becomes "\x0a".
std::string plainWord(std::string_view text);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_PLAINTEXT_H
