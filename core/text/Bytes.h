//===- core/text/Bytes.h - sizes as text ----------------------------------===//

#ifndef MEMREFLENS_TEXT_BYTES_H
#define MEMREFLENS_TEXT_BYTES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace memreflens {

/// "128 B", "1.5 KiB".
std::string bytesText(uint64_t bytes);

/// "600KiB" (KiB, MiB, GiB, TiB or B; bytes without a unit); nothing for other
/// text, or where it does not fit.
std::optional<uint64_t> bytesIn(std::string_view text);

} // namespace memreflens

#endif // MEMREFLENS_TEXT_BYTES_H
