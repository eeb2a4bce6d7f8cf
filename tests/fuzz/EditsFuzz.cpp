//===- tests/fuzz/EditsFuzz.cpp - an editor's edits in three encodings ----===//
//
// A document that is edited at positions of UTF-8, UTF-16 or UTF-32 holds the
// text that a plain model holds, knows the same lines, and tells the other
// processes the same edits in bytes. Positions of one encoding become those of
// another.
//
// Input: encoding and size of the first text, that text, then edits.
//
//===----------------------------------------------------------------------===//

#include "lsp/documents/Store.h"
#include "tests/fuzz/Fuzz.h"
#include "tests/fuzz/Naive.h"

#include <algorithm>

using namespace memreflens;
using namespace memreflens::lsp;
using fuzz::require;

namespace {

int bitsOf(Encoding encoding) {
  return encoding == Encoding::utf8 ? 8 : encoding == Encoding::utf16 ? 16 : 32;
}

std::string_view textOf(std::string_view text, fuzz::NaiveLine line) {
  return text.substr(line.begin, line.end - line.begin);
}

size_t naiveOffset(std::string_view text, Position place, Encoding encoding) {
  std::vector<fuzz::NaiveLine> lines = fuzz::naiveLines(text, /*bareCr=*/true);
  if (place.line >= lines.size())
    return text.size();
  fuzz::NaiveLine line = lines[place.line];
  return line.begin + fuzz::naiveBytes(textOf(text, line), place.character,
                                       bitsOf(encoding));
}

Position takePosition(fuzz::Choices &choices) {
  auto number = [&]() -> uint32_t {
    uint8_t byte = choices.byte();
    return byte < 250 ? byte % 24 : byte == 250 ? UINT32_MAX : byte;
  };
  uint32_t line = number();
  return {line, number()};
}

Json toJson(Position place) {
  return {{"line", place.line}, {"character", place.character}};
}

/// The document against the model, everywhere.
void checkLines(const OpenDocument &document) {
  std::string_view text = document.text;
  std::vector<fuzz::NaiveLine> lines = fuzz::naiveLines(text, /*bareCr=*/true);
  require(document.lines.count() == lines.size(), "as many lines");
  for (size_t number = 0; number < lines.size(); ++number) {
    std::string_view line = textOf(text, lines[number]);
    require(document.lines.line(text, number) == line,
            "a line is its text without its end");
    for (Encoding encoding :
         {Encoding::utf8, Encoding::utf16, Encoding::utf32}) {
      // Within a character, UTF-8 counts bytes; nobody asks for such a place.
      for (size_t at = 0; at <= line.size();
           at += at < line.size() ? fuzz::naiveCharacter(line.substr(at)) : 1) {
        Position place =
            document.lines.positionOf(text, lines[number].begin + at, encoding);
        require(place.line == number &&
                    place.character ==
                        fuzz::naiveColumn(line, at, bitsOf(encoding)),
                "an offset is at its line and column",
                std::string(nameOf(encoding)));
        require(document.lines.offsetOf(text, place, encoding) ==
                    lines[number].begin + at,
                "and the position leads back");
      }
    }
  }
}

void checkConversion(Store &store, const OpenDocument &document, Position place,
                     Encoding from, Encoding to) {
  std::vector<fuzz::NaiveLine> lines =
      fuzz::naiveLines(document.text, /*bareCr=*/true);
  if (place.line >= lines.size())
    return;
  std::string_view line = textOf(document.text, lines[place.line]);
  if (place.character > fuzz::naiveColumn(line, line.size(), bitsOf(from)))
    return;
  Json asked = {{"uri", document.uri}, {"range", {{"start", toJson(place)}}}};
  Json made = convertPositions(asked, nullptr, store, from, to);
  size_t bytes = fuzz::naiveBytes(line, place.character, bitsOf(from));
  Position want{place.line,
                uint32_t(fuzz::naiveColumn(line, bytes, bitsOf(to)))};
  require(made["range"]["start"] == toJson(want),
          "a position is the same place in another encoding", made.dump());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Choices choices(data, size);
  auto encoding = Encoding(choices.below(3));
  auto other = Encoding(choices.below(3));
  std::string model(choices.take(choices.below(64)));
  Store store;
  // As bytes: JSON would reject what is no UTF-8.
  OpenDocument &document =
      store.open({{"uri", "file:///f.mlir"}, {"text", model}});
  std::string follower = model;
  checkLines(document);
  for (int round = 0; round < 12 && !choices.empty(); ++round) {
    Position start = takePosition(choices), end = takePosition(choices);
    std::string text(choices.take(choices.below(12)));
    size_t from = naiveOffset(model, start, encoding);
    size_t to = naiveOffset(model, end, encoding);
    if (to < from)
      std::swap(from, to);
    model.replace(from, to - from, text);
    Json edits = store.change(
        document,
        Json::array(
            {{{"range", {{"start", toJson(start)}, {"end", toJson(end)}}},
              {"text", text}}}),
        encoding);
    for (const Json &edit : edits) {
      size_t begin = edit["begin"].get<size_t>();
      require(begin <= edit["end"].get<size_t>() &&
                  edit["end"].get<size_t>() <= follower.size(),
              "an edit lies in the text");
      follower.replace(begin, edit["end"].get<size_t>() - begin,
                       edit["text"].get<std::string>());
    }
    require(document.text == model, "the document holds the model's text");
    require(follower == model, "so does who follows the edits in bytes");
    // A wrong line stays wrong, so not after every edit.
    if (round % 4 == 1 || choices.empty())
      checkLines(document);
    checkConversion(store, document, start, encoding, other);
  }
  return 0;
}
