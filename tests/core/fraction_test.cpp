// SPDX-License-Identifier: BSD-3-Clause
#include "core/fraction.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace fatwood {
namespace {

TEST(Fraction, ArithmeticIsExact) {
  EXPECT_EQ((Fraction{1, 3} + Fraction{1, 6}).to_string(), "1/2");
  EXPECT_EQ((Fraction{1, 3} - Fraction{1, 3}).to_string(), "0");
  EXPECT_EQ((Fraction{4, 6} * 3).to_string(), "2");
  EXPECT_EQ((Fraction{4} / Fraction{-6}).to_string(), "-2/3");
  EXPECT_LT(Fraction(333333333, 1000000000), Fraction(1, 3));
  EXPECT_THROW(Fraction(1, INT64_MAX) * Fraction(1, 2), std::overflow_error);
  EXPECT_THROW(Fraction(1) / Fraction(0), std::overflow_error);
}

TEST(Fraction, Parse) {
  EXPECT_EQ(parse_fraction("4/6"), Fraction(2, 3));
  EXPECT_EQ(parse_fraction("0.25"), Fraction(1, 4));
  EXPECT_EQ(parse_fraction("-3"), Fraction(-3));
  for (const char* wrong : {"", "x", "1/0", "1/-2", "1.", "1,5", "1e3", "99999999999999999999",
                            "0.123456789012345678"}) {
    EXPECT_THROW(parse_fraction(wrong), InputError) << wrong;
  }
  EXPECT_EQ(parse_fraction("0.00000000000000001"), Fraction(1, 100000000000000000));
}

}  // namespace
}  // namespace fatwood
