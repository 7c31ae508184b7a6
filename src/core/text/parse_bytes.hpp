// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parses sizes in bytes: "2048", "4k", "16M".

#include <cstdint>
#include <string>
#include <string_view>

namespace fatwood {

// An integer with k, M or G for powers of 1024. InputError unless it is from 1 to 1 TiB.
std::uint64_t parse_bytes(std::string_view text);

// "1.5 GiB", "300 bytes".
std::string size_text(double bytes);
// In powers of 1000, for amounts sent: "1.04 PB".
std::string amount_text(double bytes);

}  // namespace fatwood
