//===- lsp/wire/Frames.cpp ------------------------------------------------===//

#include "lsp/wire/Frames.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace memreflens::lsp {

static constexpr std::string_view lengthHeader = "content-length:";
/// No sane header is longer; without an end in sight it is none.
static constexpr size_t maxHeader = 8192;

void FrameReader::add(std::string_view bytes) { buffer.append(bytes); }

void FrameReader::consume(size_t bytes) {
  begin += bytes;
  if (begin < 65536 && begin < buffer.size())
    return;
  buffer.erase(0, begin);
  begin = 0;
}

static bool startsWithLengthHeader(std::string_view text) {
  if (text.size() < lengthHeader.size())
    return false;
  return std::equal(lengthHeader.begin(), lengthHeader.end(), text.begin(),
                    [](char want, char have) {
                      return want == std::tolower((unsigned char)have);
                    });
}

bool FrameReader::resynchronize() {
  std::string_view rest = std::string_view(buffer).substr(begin);
  for (size_t at = 0; at + lengthHeader.size() <= rest.size(); ++at) {
    if (!startsWithLengthHeader(rest.substr(at)))
      continue;
    consume(at);
    lost = false;
    return true;
  }
  // Keep what may be the beginning of a header.
  if (rest.size() > lengthHeader.size())
    consume(rest.size() - lengthHeader.size());
  return false;
}

std::optional<Frame> FrameReader::reject(std::string error) {
  lost = true;
  return Frame{{}, std::move(error)};
}

/// The number behind `Content-Length:`; nothing if it is none.
static std::optional<size_t> lengthIn(std::string_view line) {
  line.remove_prefix(lengthHeader.size());
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
    line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t'))
    line.remove_suffix(1);
  size_t value = 0;
  auto [end, code] =
      std::from_chars(line.data(), line.data() + line.size(), value);
  if (code != std::errc() || end != line.data() + line.size())
    return std::nullopt;
  return value;
}

std::optional<Frame> FrameReader::readHeader() {
  // No further than a header may reach, so that the pieces that the bytes come
  // in make no difference.
  std::string_view rest = std::string_view(buffer).substr(begin, maxHeader);
  size_t end = rest.find("\r\n\r\n");
  size_t endSize = 4;
  if (size_t bare = rest.find("\n\n"); bare < end) {
    end = bare;
    endSize = 2;
  }
  if (end == std::string_view::npos) {
    if (rest.size() < maxHeader)
      return std::nullopt;
    consume(1);
    return reject("the header of a message does not end");
  }
  std::string_view header = rest.substr(0, end);
  std::optional<size_t> found;
  bool sane = true;
  while (!header.empty()) {
    size_t newline = std::min(header.find('\n'), header.size());
    std::string_view line = header.substr(0, newline);
    header.remove_prefix(std::min(newline + 1, header.size()));
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    if (startsWithLengthHeader(line))
      found = lengthIn(line);
    else
      sane &= line.find(':') != std::string_view::npos;
  }
  if (!found || !sane) {
    // The header that can be trusted may stand inside what this one spans.
    consume(1);
    return reject("a message has no usable Content-Length header");
  }
  consume(end + endSize);
  length = found;
  return std::nullopt;
}

std::optional<Frame> FrameReader::next() {
  while (true) {
    if (lost && !resynchronize())
      return std::nullopt;
    if (!length) {
      if (begin == buffer.size())
        return std::nullopt;
      if (std::optional<Frame> rejected = readHeader())
        return rejected;
      if (!length)
        return std::nullopt;
    }
    if (*length > maxBytes) {
      const size_t wanted = *length;
      length.reset();
      // A wrong number, perhaps: what comes next is not waited for. No message
      // of JSON holds a header as it is, since its line ends would be escaped.
      return reject("a message of " + std::to_string(wanted) +
                    " bytes is past the limit of " + std::to_string(maxBytes));
    }
    if (buffer.size() - begin < *length)
      return std::nullopt;
    Frame frame{buffer.substr(begin, *length), {}};
    consume(*length);
    length.reset();
    return frame;
  }
}

std::string encodeFrame(std::string_view body) {
  return encodeFrame(std::vector<std::string_view>{body});
}

std::string encodeFrame(const std::vector<std::string_view> &pieces) {
  size_t size = 0;
  for (std::string_view piece : pieces)
    size += piece.size();
  std::string frame = "Content-Length: " + std::to_string(size) + "\r\n\r\n";
  frame.reserve(frame.size() + size);
  for (std::string_view piece : pieces)
    frame += piece;
  return frame;
}

} // namespace memreflens::lsp
