//===- core/text/Zstd.h - bytes made small, and back ----------------------===//
//
// By libzstd, as `zstd` and `zstdcat` read and write them (RFC 8878).
//
//   ZstdWriter file([&](std::string_view bytes) { return out.write(bytes); });
//   ...file.write("...")...
//   bool isWhole = file.end();
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TEXT_ZSTD_H
#define MEMREFLENS_TEXT_ZSTD_H

#include <functional>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace memreflens {

/// Whether they begin as what `ZstdWriter` writes.
bool isZstd(std::string_view bytes);

/// In one piece, fast rather than small. From any thread.
std::string zstdOf(std::string_view bytes);
/// Of what `zstdOf` gave; empty for other bytes.
std::string unzstdOf(std::string_view bytes);

/// Bytes that come piece by piece. Equal bytes are written equally, however
/// they were cut.
class ZstdWriter {
public:
  /// False if that could not be written; nothing more is, then.
  using Write = std::function<bool(std::string_view)>;

  explicit ZstdWriter(Write write);
  ~ZstdWriter();

  bool write(std::string_view bytes);
  /// Writes what is still to be written. Without it the file is not whole.
  bool end();

private:
  bool compress(bool isLast);

  struct Stream;
  std::unique_ptr<Stream> stream;
  Write target;
  std::string waiting, made;
  bool isGood = true;
};

/// Reads what a `ZstdWriter` wrote, from a stream that must outlive it. Ends at
/// a fault, which `getError` tells then, and where there is more text than the
/// limit. Can be set back to its beginning, and nowhere else.
class ZstdReader : public std::streambuf {
public:
  /// `limit` in bytes of text.
  ZstdReader(std::streambuf &from, size_t limit);
  ~ZstdReader() override;

  /// In libzstd's words; empty as long as all is well.
  const std::string &getError() const { return error; }

protected:
  int_type underflow() override;
  pos_type seekpos(pos_type position, std::ios_base::openmode which) override;

private:
  struct Stream;
  std::unique_ptr<Stream> stream;
  std::streambuf &from;
  size_t limit, given = 0;
  std::string read, text, error;
  size_t readFrom = 0, readEnd = 0;
  bool isAtFrameEnd = false;
};

} // namespace memreflens

#endif // MEMREFLENS_TEXT_ZSTD_H
