//===- lsp/wire/Frames.h - messages on a stream of bytes ------------------===//
//
// Cuts what comes in at its Content-Length headers, whatever the pieces that it
// comes in. A header that makes no sense is an event too, and the reader goes
// on at the next header that does.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_WIRE_FRAMES_H
#define MEMREFLENS_LSP_WIRE_FRAMES_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memreflens::lsp {

struct Frame {
  /// The message's body; without meaning if there is an error.
  std::string body;
  /// Why the frame was rejected; empty for a good one.
  std::string error;
};

class FrameReader {
public:
  explicit FrameReader(size_t maxBytes) : maxBytes(maxBytes) {}

  void add(std::string_view bytes);
  /// The next whole frame, or nothing until more bytes come.
  std::optional<Frame> next();

private:
  std::optional<Frame> readHeader();
  std::optional<Frame> reject(std::string error);
  /// Drops bytes up to the next header; false if none has come yet.
  bool resynchronize();
  void consume(size_t bytes);

  size_t maxBytes;
  std::string buffer;
  size_t begin = 0;
  /// Length of the body to come, once its header was read.
  std::optional<size_t> length;
  bool lost = false;
};

std::string encodeFrame(std::string_view body);
/// Of a body in pieces.
std::string encodeFrame(const std::vector<std::string_view> &pieces);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_WIRE_FRAMES_H
