//===- lsp/documents/Store.cpp --------------------------------------------===//

#include "lsp/documents/Store.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

/// Schemes that upstream's server resolves by itself.
static bool isKnownUpstream(const std::string &uri) {
  return uri.starts_with("file:") || uri.starts_with("mlir.bytecode-mlir:") ||
         uri.starts_with("test:");
}

/// A file URI that stands for a document of another scheme.
static std::string fileUriFor(const std::string &uri, int number) {
  std::string name;
  for (char c : uri.substr(uri.find_last_of(":/") + 1))
    if (std::isalnum((unsigned char)c) || c == '.' || c == '-' || c == '_')
      name += c;
  return "file:///memref-lens/" + std::to_string(number) + "/" +
         (name.empty() ? "document.mlir" : name);
}

OpenDocument &Store::open(const Json &item) {
  std::string uri = stringIn(item, "uri");
  OpenDocument &document = documents[uri];
  document = OpenDocument();
  document.uri = uri;
  document.languageId = stringIn(item, "languageId");
  document.version = integerIn(item, "version", 0);
  document.text = stringIn(item, "text");
  document.lines = Lines(document.text);
  document.upstreamUri = isKnownUpstream(uri) ? uri : fileUriFor(uri, ++mapped);
  return document;
}

static uint32_t unsignedIn(const Json &json, const char *name) {
  return uint32_t(std::clamp<int64_t>(integerIn(json, name, 0), 0, UINT32_MAX));
}

Position toPosition(const Json &json) {
  return {unsignedIn(json, "line"), unsignedIn(json, "character")};
}

TextRange toTextRange(const Json &json) {
  return {toPosition(member(json, "start")), toPosition(member(json, "end"))};
}

Json Store::change(OpenDocument &document, const Json &changes,
                   Encoding encoding) {
  Json edits = Json::array();
  if (!changes.is_array())
    return edits;
  for (const Json &change : changes) {
    std::string text = stringIn(change, "text");
    const Json &range = member(change, "range");
    size_t begin = 0, end = document.text.size();
    if (range.is_object()) {
      auto [start, stop] = toTextRange(range);
      begin = document.lines.offsetOf(document.text, start, encoding);
      end = document.lines.offsetOf(document.text, stop, encoding);
      if (end < begin)
        std::swap(begin, end);
    }
    document.text.replace(begin, end - begin, text);
    document.lines.replace(document.text, begin, end, text.size());
    edits.push_back({{"begin", begin}, {"end", end}, {"text", text}});
  }
  return edits;
}

OpenDocument *Store::find(const std::string &uri) {
  auto at = documents.find(uri);
  return at == documents.end() ? nullptr : &at->second;
}

OpenDocument *Store::findUpstream(const std::string &upstreamUri) {
  if (OpenDocument *same = find(upstreamUri);
      same && same->upstreamUri == upstreamUri)
    return same;
  for (auto &[uri, document] : documents)
    if (document.upstreamUri == upstreamUri)
      return &document;
  return nullptr;
}

//===--- Positions --------------------------------------------------------===//

static bool isPosition(const Json &json) {
  return json.is_object() && json.size() == 2 && json.contains("line") &&
         json.contains("character") && json["line"].is_number_integer() &&
         json["character"].is_number_integer();
}

static Json convertOne(const Json &json, const OpenDocument *document,
                       Encoding from, Encoding to) {
  if (!document)
    return json;
  Position at = toPosition(json);
  std::string_view line = document->lines.line(document->text, at.line);
  bool isAscii = std::all_of(line.begin(), line.end(),
                             [](char c) { return (c & 0x80) == 0; });
  if (isAscii)
    return json;
  size_t bytes = bytesOf(line, at.character, from);
  return {{"line", at.line}, {"character", columnOf(line, bytes, to)}};
}

Json convertPositions(const Json &json, const OpenDocument *document,
                      Store &store, Encoding from, Encoding to) {
  if (isPosition(json))
    return convertOne(json, document, from, to);
  if (json.is_array()) {
    Json made = Json::array();
    for (const Json &one : json)
      made.push_back(convertPositions(one, document, store, from, to));
    return made;
  }
  if (!json.is_object())
    return json;
  if (std::string uri = stringIn(json, "uri"); !uri.empty())
    if (const OpenDocument *named = store.find(uri))
      document = named;
  Json made = Json::object();
  for (const auto &[name, value] : json.items()) {
    // In `changes`, URIs are keys.
    const OpenDocument *named = store.find(name);
    made[name] =
        convertPositions(value, named ? named : document, store, from, to);
  }
  return made;
}

} // namespace memreflens::lsp
