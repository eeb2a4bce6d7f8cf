//===- core/text/Parts.cpp ------------------------------------------------===//

#include "core/text/Parts.h"
#include "core/text/Comments.h"

namespace memreflens {

static constexpr std::string_view marker = "// -----";

/// Whether a comment that begins with a marker is one: nothing follows it on
/// its line, or another comment does, as in what --mlir-print-ir-after-all
/// prints.
static bool isMarker(std::string_view comment) {
  comment.remove_prefix(marker.size());
  size_t rest = comment.find_first_not_of(" \t");
  return rest == std::string_view::npos ||
         comment.substr(rest).starts_with("//");
}

/// Position of the next marker from `from` on, or npos.
static size_t findMarker(std::string_view text, size_t from) {
  for (size_t at = text.find(marker, from); at != std::string_view::npos;
       at = text.find(marker, at)) {
    if (at + marker.size() == text.size())
      return std::string_view::npos;
    size_t end = endOfComment(text, at);
    if (isMarker(text.substr(at, end - at)))
      return at;
    at = end;
  }
  return std::string_view::npos;
}

std::vector<TextRange> partsOf(std::string_view text) {
  std::vector<TextRange> parts;
  size_t begin = 0;
  for (size_t at = findMarker(text, 0); at != std::string_view::npos;
       at = findMarker(text, begin)) {
    parts.push_back({begin, at});
    begin = endOfComment(text, at);
    begin += text.substr(begin).starts_with("\r\n") ? 2 : begin < text.size();
  }
  parts.push_back({begin, text.size()});
  return parts;
}

} // namespace memreflens
