//===- lsp/documents/Uri.cpp ----------------------------------------------===//

#include "lsp/documents/Uri.h"

#include <charconv>
#include <cstdint>

namespace memreflens::lsp {

std::string percentDecoded(std::string_view text) {
  std::string plain;
  for (std::string_view left = text; !left.empty();) {
    uint8_t letter = 0;
    const bool isCode =
        left.size() > 2 && left[0] == '%' &&
        std::from_chars(&left[1], &left[1] + 2, letter, 16).ptr == &left[1] + 2;
    plain += isCode ? char(letter) : left[0];
    left.remove_prefix(isCode ? 3 : 1);
  }
  return plain;
}

std::string fileOfUri(std::string_view uri) {
  for (std::string_view head : {"file://localhost/", "file:///"})
    if (uri.starts_with(head))
      return percentDecoded(uri.substr(head.size() - 1));
  return "";
}

} // namespace memreflens::lsp
