//===- core/text/Escape.h - text of the user's as plain characters --------===//
//
// What a name or string may hold without any effect on the file around it or
// on the order in which it is read.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_ESCAPE_H
#define MEMREFLENS_TEXT_ESCAPE_H

#include <string>
#include <string_view>

namespace memreflens {

/// Control characters as their pictures ("␛"), characters that turn the
/// direction of text or are not seen as "⟨U+202E⟩", line breaks and tabs as
/// spaces, and what is no UTF-8 or may not stand in XML as U+FFFD.
std::string visibleText(std::string_view text);

/// `visibleText` with the five characters of XML as entities.
std::string escapedXml(std::string_view text);

/// Code points, of text that is valid UTF-8.
size_t textWidth(std::string_view text);

} // namespace memreflens

#endif // MEMREFLENS_TEXT_ESCAPE_H
