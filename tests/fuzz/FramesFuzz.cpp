//===- tests/fuzz/FramesFuzz.cpp - bytes on the language server's wire ----===//
//
// Any stream of bytes gives the same frames whatever the pieces that it comes
// in, no frame is longer than the limit, and behind whatever came before, good
// frames are read again. What parses as a message is written and read back.
//
// Input: how it is cut (one byte of flags, a count, the sizes), then the
// stream.
//
//===----------------------------------------------------------------------===//

#include "lsp/wire/Frames.h"
#include "lsp/wire/Message.h"
#include "lsp/wire/Strings.h"
#include "tests/fuzz/Fuzz.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

using namespace memreflens;
using namespace memreflens::lsp;
using fuzz::require;

namespace {

void readAll(FrameReader &reader, size_t limit, std::vector<Frame> &frames) {
  while (std::optional<Frame> frame = reader.next()) {
    require(frame->error.empty() ? frame->body.size() <= limit
                                 : frame->body.empty(),
            "a frame is within the limit, and an error has no body");
    require(frame->error.size() < 200, "an error is one short sentence");
    frames.push_back(std::move(*frame));
  }
}

/// The frames of a stream that comes in pieces of these sizes, in turn.
std::vector<Frame> framesOf(std::string_view stream, size_t limit,
                            std::string_view sizes) {
  FrameReader reader(limit);
  std::vector<Frame> frames;
  for (size_t piece = 0; !stream.empty(); ++piece) {
    size_t size = sizes.empty() ? stream.size()
                                : uint8_t(sizes[piece % sizes.size()]) + 1u;
    size = std::min(size, stream.size());
    reader.add(stream.substr(0, size));
    stream.remove_prefix(size);
    readAll(reader, limit, frames);
  }
  return frames;
}

void requireSame(const std::vector<Frame> &a, const std::vector<Frame> &b) {
  bool same =
      std::equal(a.begin(), a.end(), b.begin(), b.end(),
                 [](const Frame &one, const Frame &other) {
                   return one.body == other.body && one.error == other.error;
                 });
  require(same, "pieces of any size give the same frames",
          std::to_string(a.size()) + " and " + std::to_string(b.size()));
}

/// Whatever state the stream leaves the reader in, it comes back once more
/// bytes have come than a message that is skipped and a header may have.
void requireRecovery(std::string_view stream, size_t limit) {
  std::string more(stream);
  more.append(17 * limit + 8192, 'a');
  more += encodeFrame("{\"last\":1}");
  std::vector<Frame> frames = framesOf(more, limit, {});
  require(!frames.empty() && frames.back().body == "{\"last\":1}",
          "good frames are read again behind any bytes");
  requireSame(frames, framesOf(more, limit, "\xff"));
}

/// Of which length ever a string is taken apart, it is what the library reads
/// and writes.
void checkStrings(const std::string &body) {
  const std::optional<Json> whole = parseMessage(body, SIZE_MAX);
  for (size_t longString : {0, 1, 3, 9})
    require(parseMessage(body, longString) == whole,
            "long strings are read as others", body);
  const std::string text = jsonQuoted(body);
  require(text == toBytes(body), "a long string is written as others", body);
  const std::string_view inside(text.data() + 1, text.size() - 2);
  require(jsonUnquoted(inside) == Json::parse(text).get<std::string>(),
          "what was written is read back");
}

void checkMessage(const std::string &body) {
  checkStrings(body);
  std::optional<Json> message = parseMessage(body);
  if (!message)
    return;
  std::string bytes = toBytes(*message);
  std::optional<Json> again = parseMessage(bytes);
  require(again && *again == *message, "a message is read back equal", bytes);
  require(toBytes(*again) == bytes, "and written with the same bytes", bytes);
  const Json &id = member(*message, "id");
  Json result = makeResult(id, member(*message, "params"));
  require(member(result, "id") == id, "an answer bears the request's id");
  require(parseMessage(toBytes(makeError(id, internalError, body))).has_value(),
          "an answer can be read whatever it quotes");
  (void)stringIn(*message, "method");
  (void)boolIn(member(*message, "params"), "value", false);
  int64_t number = integerIn(*message, "id", 7);
  require(id.is_number_integer() || number == 7,
          "what is no number is the default");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Choices choices(data, size);
  uint8_t flags = choices.byte();
  size_t limit = flags & 1 ? 64 : 1 << 16;
  std::string_view sizes = choices.take(choices.below(8));
  std::string_view stream = choices.rest();
  std::vector<Frame> frames = framesOf(stream, limit, {});
  char small = char(stream.size() / 64);
  requireSame(frames, framesOf(stream, limit, std::string_view(&small, 1)));
  if (!sizes.empty())
    requireSame(frames, framesOf(stream, limit, sizes));
  if (flags == 3)
    requireRecovery(stream, limit);
  for (const Frame &frame : frames)
    if (frame.error.empty())
      checkMessage(frame.body);
  if (flags & 8)
    checkMessage(std::string(stream));
  return 0;
}
