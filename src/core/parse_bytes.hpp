// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes in bytes as people type them: "2048", "4k", "16M".

#include <cstdint>
#include <string>
#include <string_view>

namespace fatwood {

// A whole number, with k, M or G for powers of 1024. InputError unless it is 1 or more, and at most
// 1 TiB.
std::uint64_t parse_bytes(std::string_view text);

// "1.5 GiB", "300 bytes".
std::string size_text(double bytes);

}  // namespace fatwood
