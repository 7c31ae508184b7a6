// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parses sizes and ranges: "4k", "16M", "4k:16M", "0.1:1.0:0.05".

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/text/parse_bytes.hpp"

namespace fatwood::sim {

using fatwood::parse_bytes;
// "4k:16M": powers of two from the first to the last; or a list "4k,64k"; or one size.
std::vector<std::uint64_t> parse_byte_range(std::string_view text);
// "0.1:1.0:0.05" (both ends included), "0.2,0.5", "0.3". InputError unless 0 < load <= 1.
std::vector<double> parse_loads(std::string_view text);

}  // namespace fatwood::sim
