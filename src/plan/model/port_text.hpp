// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Translates the text next to a port into the number that the subnet manager has for it.
//
//   "7", "Port 7", "P7", "j7", "swp7"   7
//   "1/7"                   ASIC or module 1, port 7 (MLNX-OS up to HDR); or cage 1, port 7
//   "1/5/2"                 ASIC 1, cage 5, port 2
//   "sw5p2", "sw5p2s1"      NVOS: cage, port, and the part of a split port
//   "Ethernet24"            SONiC: counts from 0, in steps of the lanes of a port
//   "Blade 03_Port 1/20"    director: card 3, chip 1, port 20; "L03/P20": card 3
//
// "1/2" is ambiguous, so the texts of a device decide together. If the second number never exceeds
// 2 while the first does, the second is the port within a cage. Port p of cage c with f ports has
// number f * (c - 1) + p. On a split switch, port 5 has the number of 5/1.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

struct PortText {
  enum class Style : std::uint8_t { kNumbers, kCage, kFromZero };
  Style style = Style::kNumbers;
  std::string card;                    // "L03"; "" for none
  std::vector<std::uint32_t> numbers;  // one to four
};

// No value if the text has no port number.
std::optional<PortText> parse_port_text(std::string_view text);

struct ChipPort {
  std::string chip;  // "" or "L03/U1"
  std::uint32_t port = 0;
};

// The numbering of the ports of one device: decided by all its texts, or, if these are ambiguous,
// by those of the whole plan.
class PortNumbering {
 public:
  PortNumbering(std::span<const PortText> of_device, std::span<const PortText> of_plan);
  // No value if the number would be 0 or above kMaxPorts.
  std::optional<ChipPort> number(const PortText& text) const;

 private:
  std::uint32_t ports_per_cage_ = 1;
  bool cage_first_ = false;     // "5/2" means cage and port
  bool several_chips_ = false;  // the first of three numbers varies
  std::uint32_t step_ = 1;      // of kFromZero
};

// "Port 7", or "Blade 3_Port 1/20" for a chip "L03/U1": as NDT files have it.
std::string port_text(std::string_view chip, std::uint32_t port);

// The adapter and port of a host that a text means: "mlx5_0", "gpu1 mlx5_0" on host gpu1,
// "mlx5_0/2", "U2/P1" (second adapter), "3" (mlx5_2: hosts count ports from 1), any other word.
ChipPort host_port(std::string_view text, std::string_view host);
// Whether the text can only be the port of a host.
bool is_adapter_text(std::string_view text, std::string_view host);

}  // namespace fatwood
