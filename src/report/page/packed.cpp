// SPDX-License-Identifier: BSD-3-Clause
#include "report/page/packed.hpp"

#include <zlib.h>

#include <new>

namespace fatwood {

namespace {

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t three = static_cast<std::uint32_t>(bytes[i]) << 16 |
                                (left > 1 ? static_cast<std::uint32_t>(bytes[i + 1]) << 8 : 0U) |
                                (left > 2 ? static_cast<std::uint32_t>(bytes[i + 2]) : 0U);
    text += kDigits[three >> 18];
    text += kDigits[three >> 12 & 63];
    text += left > 1 ? kDigits[three >> 6 & 63] : '=';
    text += left > 2 ? kDigits[three & 63] : '=';
  }
  return text;
}

template <class Number>
std::vector<std::uint8_t> little_endian(std::span<const Number> numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(numbers.size() * sizeof(Number));
  for (const Number number : numbers) {
    for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(number >> shift));
    }
  }
  return bytes;
}

}  // namespace

std::string packed(std::span<const std::uint8_t> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<std::uint8_t> deflated(size);
  // Fails only for want of memory: the bound is large enough.
  if (compress2(deflated.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), 9) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  return base64({deflated.data(), size});
}

std::string packed(std::span<const std::uint32_t> numbers) {
  return packed(little_endian(numbers));
}
std::string packed(std::span<const std::uint64_t> numbers) {
  return packed(little_endian(numbers));
}

}  // namespace fatwood
