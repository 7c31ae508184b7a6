// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parses a node description into the host and its adapter.
//
// The last word is a device if it looks like one; the words before it are the host:
//   "luna-0129 mlx5_3"    luna-0129, adapter 3
//   "a05-c01 HCA-5"       a05-c01, adapter 4: vendor scripts count from 1, mlx5_N from 0
//   "gpu7 ibp139s0f1"     gpu7, adapter (139, 0, 1): ordered as numbers, not as text
//   "node3 hfi1_0", "node3 qib0", "node3 mlx4_0", "node3 rocep1s0f0", "node3 ens4f0np0"
//   "node3"               node3, no device
// The text of an adapter that nobody renamed ("MT4129 ConnectX7   Mellanox Technologies") names no
// host, nor do several words without a device. A stock name ("localhost") is left behind by an
// installer and does not identify a host. Leading and trailing blanks are ignored.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

// The adapter within its host. Compares by style, then by numbers.
struct Device {
  std::string style;  // "": none, "#": counted from 0, otherwise the letters ("ibp")
  std::vector<std::uint32_t> numbers;

  bool known() const { return !style.empty(); }
  friend auto operator<=>(const Device&, const Device&) = default;
};

struct DescribedAdapter {
  std::string_view host;         // points into the description; empty: none
  std::string_view device_text;  // as written
  Device device;
  bool stock = false;  // a name that installers leave behind
};

DescribedAdapter described_adapter(std::string_view description);

}  // namespace fatwood
