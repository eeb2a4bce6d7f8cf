//===- core/text/Bytes.cpp ------------------------------------------------===//

#include "core/text/Bytes.h"

#include <cstdio>
#include <iterator>

namespace memreflens {

std::string bytesText(uint64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double amount = double(bytes);
  size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < std::size(units); ++unit)
    amount /= 1024;
  char text[32];
  bool isWhole = amount == double(uint64_t(amount));
  std::snprintf(text, sizeof text, isWhole ? "%.0f %s" : "%.1f %s", amount,
                units[unit]);
  return text;
}

} // namespace memreflens
