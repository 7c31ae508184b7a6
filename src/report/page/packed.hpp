// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bytes for a page: deflated (zlib), in base64.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fatwood {

std::string packed(std::span<const std::uint8_t> bytes);

// Little-endian, 4 bytes each.
std::string packed(std::span<const std::uint32_t> numbers);
// The same, 8 bytes each.
std::string packed(std::span<const std::uint64_t> numbers);

}  // namespace fatwood
