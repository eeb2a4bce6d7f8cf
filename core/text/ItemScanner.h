//===- core/text/ItemScanner.h - the top-level items of a chunk -----------===//
//
// Finds by brackets, strings and comments alone where each top-level function,
// alias and symbol of a chunk begins and ends. A function that is cut short, as
// while it is typed, ends where the next one begins.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_ITEMSCANNER_H
#define MEMREFLENS_TEXT_ITEMSCANNER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens {

enum class ItemKind : uint8_t {
  function,
  alias,
  symbol,
  moduleHead,
  moduleTail,
  other
};

struct Item {
  ItemKind kind = ItemKind::other;
  size_t begin = 0, end = 0;
  /// Offset of the '{' that opens a function's body; 0 for a declaration.
  size_t body = 0;
};

/// False if the chunk holds something whose functions cannot be told apart.
bool scanItems(std::string_view chunk, std::vector<Item> &items);

/// What a bare symbol or the name of an alias is written with.
bool isSymbolCharacter(char c);
/// The first symbol of an item, with its '@', quoted or bare as it is written;
/// empty without one.
std::string symbolOf(std::string_view item);
/// All symbols of a text, each once, in order.
std::vector<std::string> symbolsIn(std::string_view text);

/// On one line, with comments gone.
std::string withoutComments(std::string_view text);

} // namespace memreflens

#endif // MEMREFLENS_TEXT_ITEMSCANNER_H
