// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/parse_bytes.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/error.hpp"

namespace fatwood {

std::uint64_t parse_bytes(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const unsigned shift = unit == "k" || unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  const bool good = error == std::errc{} && value > 0 && (shift > 0 || unit.empty());
  if (!good || value > (std::uint64_t{1} << 40 >> shift)) {
    throw InputError(fmt::format(
        "expected a size from 1 byte to 1024G, like 2048, 4k or 16M, not \"{}\"", text));
  }
  return value << shift;
}

std::string size_text(double bytes) {
  for (const auto& [unit, name] :
       {std::pair{1073741824.0, "GiB"}, std::pair{1048576.0, "MiB"}, std::pair{1024.0, "KiB"}}) {
    if (bytes >= unit) return fmt::format("{:.4g} {}", bytes / unit, name);
  }
  return bytes == 1 ? "1 byte" : fmt::format("{:.4g} bytes", bytes);
}

std::string amount_text(double bytes) {
  for (const auto& [unit, name] :
       {std::pair{1e18, "EB"}, {1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}) {
    if (bytes >= unit) return fmt::format("{:.3g} {}", bytes / unit, name);
  }
  return fmt::format("{:.0f} B", bytes);
}

}  // namespace fatwood
