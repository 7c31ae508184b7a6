// SPDX-License-Identifier: BSD-3-Clause
#include "report/page/packed.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace fatwood {
namespace {

// Base64 the obvious way: six bits at a time.
std::vector<std::uint8_t> unpacked(const std::string& text, std::size_t size) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> deflated;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6 | static_cast<unsigned>(digits.find(c))) & 0xffffffU;
    held += 6;
    if (held >= 8) {
      held -= 8;
      deflated.push_back(static_cast<std::uint8_t>(bits >> held & 255U));
    }
  }
  std::vector<std::uint8_t> bytes(size + 1);
  uLongf got = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &got, deflated.data(), static_cast<uLong>(deflated.size())),
            Z_OK);
  bytes.resize(got);
  return bytes;
}

TEST(Packed, BytesComeBackAtEveryLength) {
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < 300; ++i) {
    const std::string text = packed(bytes);
    EXPECT_EQ(text.size() % 4, 0U);
    EXPECT_EQ(unpacked(text, bytes.size()), bytes);
    bytes.push_back(static_cast<std::uint8_t>(i * i * 37 + i));
  }
}

TEST(Packed, NumbersAreLittleEndian) {
  const std::vector<std::uint32_t> numbers{1, 0x01020304U, 0xffffffffU};
  EXPECT_EQ(unpacked(packed(numbers), 12),
            (std::vector<std::uint8_t>{1, 0, 0, 0, 4, 3, 2, 1, 255, 255, 255, 255}));
  const std::vector<std::uint64_t> longer{0x0102030405060708U, ~std::uint64_t{0}};
  EXPECT_EQ(
      unpacked(packed(longer), 16),
      (std::vector<std::uint8_t>{8, 7, 6, 5, 4, 3, 2, 1, 255, 255, 255, 255, 255, 255, 255, 255}));
}

}  // namespace
}  // namespace fatwood
