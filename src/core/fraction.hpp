// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Exact fractions: 64-bit numerator and denominator in lowest terms, denominator positive.
// Arithmetic uses 128 bits; a result that does not fit throws std::overflow_error instead of being
// rounded. Written as "4/3", or "2" if it is an integer.

#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fatwood {

class Fraction {
 public:
  constexpr Fraction() = default;
  constexpr Fraction(std::int64_t whole) : num_(whole) {}  // NOLINT(google-explicit-constructor)
  constexpr Fraction(std::int64_t num, std::int64_t den) : Fraction(reduced(num, den)) {}

  constexpr std::int64_t num() const { return num_; }
  constexpr std::int64_t den() const { return den_; }
  double value() const { return static_cast<double>(num_) / static_cast<double>(den_); }
  std::string to_string() const {
    return den_ == 1 ? std::to_string(num_) : std::to_string(num_) + '/' + std::to_string(den_);
  }

  friend constexpr Fraction operator+(Fraction a, Fraction b) {
    return reduced(Wide{a.num_} * b.den_ + Wide{b.num_} * a.den_, Wide{a.den_} * b.den_);
  }
  friend constexpr Fraction operator-(Fraction a, Fraction b) {
    return reduced(Wide{a.num_} * b.den_ - Wide{b.num_} * a.den_, Wide{a.den_} * b.den_);
  }
  friend constexpr Fraction operator*(Fraction a, Fraction b) {
    return reduced(Wide{a.num_} * b.num_, Wide{a.den_} * b.den_);
  }
  friend constexpr Fraction operator/(Fraction a, Fraction b) {
    return reduced(Wide{a.num_} * b.den_, Wide{a.den_} * b.num_);
  }
  constexpr Fraction& operator+=(Fraction b) { return *this = *this + b; }

  friend constexpr bool operator==(Fraction, Fraction) = default;
  friend constexpr std::strong_ordering operator<=>(Fraction a, Fraction b) {
    return Wide{a.num_} * b.den_ <=> Wide{b.num_} * a.den_;
  }

 private:
  using Wide = __int128;
  static constexpr Fraction reduced(Wide num, Wide den) {
    if (den == 0) throw std::overflow_error("a fraction with denominator 0");
    if (den < 0) {
      num = -num;
      den = -den;
    }
    Wide a = num < 0 ? -num : num;
    Wide b = den;
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    num /= a;
    den /= a;
    constexpr Wide kMost = INT64_MAX;
    if (num > kMost || num < -kMost || den > kMost) {
      throw std::overflow_error("a fraction too long for 64 bits");
    }
    Fraction result;
    result.num_ = static_cast<std::int64_t>(num);
    result.den_ = static_cast<std::int64_t>(den);
    return result;
  }

  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

// "7", "4/3", "-2", "0.25"; otherwise InputError with what was expected.
Fraction parse_fraction(std::string_view text);

}  // namespace fatwood
