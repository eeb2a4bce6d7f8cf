//===- core/text/Bytes.h - sizes as text ----------------------------------===//

#ifndef MEMREFLENS_TEXT_BYTES_H
#define MEMREFLENS_TEXT_BYTES_H

#include <cstdint>
#include <string>

namespace memreflens {

/// "128 B", "1.5 KiB".
std::string bytesText(uint64_t bytes);

} // namespace memreflens

#endif // MEMREFLENS_TEXT_BYTES_H
