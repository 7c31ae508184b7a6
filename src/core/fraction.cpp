// SPDX-License-Identifier: BSD-3-Clause
#include "core/fraction.hpp"

#include <charconv>

#include "core/error.hpp"

namespace fatwood {

[[noreturn]] static void no_fraction(std::string_view text) {
  throw InputError("expected a number such as 7, 4/3 or 0.25, found \"" + std::string(text) + '"');
}

static std::int64_t whole(std::string_view digits, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    throw InputError("the number \"" + std::string(text) + "\" is too large");
  }
  if (error != std::errc{} || end != digits.data() + digits.size()) no_fraction(text);
  return value;
}

Fraction parse_fraction(std::string_view text) {
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::int64_t den = whole(text.substr(slash + 1), text);
    if (den <= 0) {
      throw InputError("the denominator of \"" + std::string(text) + "\" must be at least 1");
    }
    return {whole(text.substr(0, slash), text), den};
  }
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return whole(text, text);
  // 0.25 is 025 / 10^2: exact, without doubles.
  std::string digits(text.substr(0, point));
  digits += text.substr(point + 1);
  if (point + 1 == text.size() || text.size() - point > 18) no_fraction(text);
  std::int64_t den = 1;
  for (std::size_t i = point + 1; i < text.size(); ++i) den *= 10;
  return {whole(digits, text), den};
}

}  // namespace fatwood
