//===- core/text/Bytes.cpp ------------------------------------------------===//

#include "core/text/Bytes.h"

#include <charconv>

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

std::optional<uint64_t> bytesIn(std::string_view text) {
  uint64_t unit = 1, number = 0;
  if (text.ends_with("B")) {
    text.remove_suffix(1);
    for (const std::string_view name : {"Ki", "Mi", "Gi", "Ti"}) {
      unit *= 1024;
      if (text.ends_with(name)) {
        text.remove_suffix(name.size());
        break;
      }
      if (name == "Ti")
        unit = 1;
    }
  }
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.empty() ||
      end != text.data() + text.size() ||
      __builtin_mul_overflow(number, unit, &number))
    return std::nullopt;
  return number;
}

} // namespace memreflens
