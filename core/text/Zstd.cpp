//===- core/text/Zstd.cpp -------------------------------------------------===//

#include "core/text/Zstd.h"

#include <zstd.h>

namespace memreflens {

/// A trace repeats itself so much that the fastest level makes it as small as
/// the ninth does.
static constexpr int level = 1;
/// Bytes that are given to libzstd at once, so that blocks begin at the same
/// places whoever writes.
static constexpr size_t pieceBytes = size_t(1) << 20;

bool isZstd(std::string_view bytes) {
  return bytes.starts_with(std::string_view("\x28\xB5\x2F\xFD", 4));
}

std::string zstdOf(std::string_view bytes) {
  std::string made(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress(made.data(), made.size(), bytes.data(),
                                    bytes.size(), level);
  made.resize(ZSTD_isError(size) ? 0 : size);
  made.shrink_to_fit();
  return made;
}

std::string unzstdOf(std::string_view bytes) {
  const unsigned long long whole =
      ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (whole == ZSTD_CONTENTSIZE_ERROR || whole == ZSTD_CONTENTSIZE_UNKNOWN)
    return {};
  std::string text(size_t(whole), '\0');
  const size_t size =
      ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  return ZSTD_isError(size) ? std::string() : text;
}

//===--- Piece by piece ---------------------------------------------------===//

struct ZstdWriter::Stream {
  Stream() {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  }
  ~Stream() { ZSTD_freeCCtx(context); }
  ZSTD_CCtx *context = ZSTD_createCCtx();
};

ZstdWriter::ZstdWriter(Write write)
    : stream(std::make_unique<Stream>()), target(std::move(write)),
      made(ZSTD_CStreamOutSize(), '\0') {
  waiting.reserve(pieceBytes);
}
ZstdWriter::~ZstdWriter() = default;

bool ZstdWriter::compress(bool isLast) {
  ZSTD_inBuffer in{waiting.data(), waiting.size(), 0};
  for (bool isDone = false; isGood && !isDone;) {
    ZSTD_outBuffer out{made.data(), made.size(), 0};
    const size_t left = ZSTD_compressStream2(
        stream->context, &out, &in, isLast ? ZSTD_e_end : ZSTD_e_continue);
    isGood = !ZSTD_isError(left) &&
             (out.pos == 0 || target(std::string_view(made.data(), out.pos)));
    isDone = isLast ? left == 0 : in.pos == in.size;
  }
  waiting.clear();
  return isGood;
}

bool ZstdWriter::write(std::string_view bytes) {
  while (isGood && !bytes.empty()) {
    const std::string_view piece = bytes.substr(0, pieceBytes - waiting.size());
    waiting += piece;
    bytes.remove_prefix(piece.size());
    if (waiting.size() == pieceBytes)
      compress(/*isLast=*/false);
  }
  return isGood;
}

bool ZstdWriter::end() { return compress(/*isLast=*/true); }

struct ZstdReader::Stream {
  ~Stream() { ZSTD_freeDCtx(context); }
  ZSTD_DCtx *context = ZSTD_createDCtx();
};

ZstdReader::ZstdReader(std::streambuf &from, size_t limit)
    : stream(std::make_unique<Stream>()), from(from), limit(limit),
      read(ZSTD_DStreamInSize(), '\0'), text(ZSTD_DStreamOutSize(), '\0') {}
ZstdReader::~ZstdReader() = default;

ZstdReader::int_type ZstdReader::underflow() {
  while (error.empty()) {
    if (readFrom == readEnd) {
      readFrom = 0;
      readEnd = size_t(from.sgetn(read.data(), std::streamsize(read.size())));
      if (readEnd == 0 && !isAtFrameEnd)
        error = "the file ends too early";
      if (readEnd == 0)
        break;
    }
    ZSTD_inBuffer in{read.data(), readEnd, readFrom};
    ZSTD_outBuffer out{text.data(), text.size(), 0};
    const size_t left = ZSTD_decompressStream(stream->context, &out, &in);
    readFrom = in.pos;
    if (ZSTD_isError(left)) {
      error = ZSTD_getErrorName(left);
      break;
    }
    isAtFrameEnd = left == 0;
    given += out.pos;
    if (given > limit)
      error = "it holds more than " + std::to_string(limit >> 20) + " MiB";
    if (out.pos == 0 || !error.empty())
      continue;
    setg(text.data(), text.data(), text.data() + out.pos);
    return traits_type::to_int_type(*gptr());
  }
  return traits_type::eof();
}

ZstdReader::pos_type ZstdReader::seekpos(pos_type position,
                                         std::ios_base::openmode which) {
  if (position != pos_type(0) || from.pubseekpos(0, which) != pos_type(0))
    return pos_type(off_type(-1));
  ZSTD_DCtx_reset(stream->context, ZSTD_reset_session_only);
  error.clear();
  readFrom = readEnd = given = 0;
  isAtFrameEnd = false;
  setg(nullptr, nullptr, nullptr);
  return position;
}

} // namespace memreflens
