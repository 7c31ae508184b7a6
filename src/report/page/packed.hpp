// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bytes for a page: deflated (zlib), in base64; and gzip for what is sent to a browser.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fatwood {

std::string packed(std::span<const std::uint8_t> bytes);
// Nothing if it would have more than `most` digits.
std::optional<std::string> packed_within(std::span<const std::uint8_t> bytes, std::size_t most);

// Stores differences of consecutive numbers modulo 2^32, because these are often small:
// zigzag-coded (0, -1, 1, -2, ..), first the lowest bytes of all, then the next.
std::string packed(std::span<const std::uint32_t> numbers);
// Little-endian, 8 bytes each.
std::string packed(std::span<const std::uint64_t> numbers);

// A gzip file, packed for speed: while someone waits for it.
std::string gzipped(std::string_view text);

}  // namespace fatwood
