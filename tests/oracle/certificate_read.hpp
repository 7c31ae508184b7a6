// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A certificate as it stands in its file (format: certificate.hpp), for the checker.

#include <cstdint>
#include <istream>
#include <limits>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood::oracle {

inline constexpr std::uint32_t kUnplaced = std::numeric_limits<std::uint32_t>::max();

struct Certificate {
  std::uint64_t fabric = 0;
  std::uint64_t tables = 0;
  bool changing = false;  // lanes
  std::uint64_t lane_map = 0;
  bool adaptive = false;  // tables
  std::uint64_t sets = 0;
  bool some_choice = false;
  bool terminals_only = false;
  std::vector<std::vector<std::uint32_t>> place;  // [lane][channel]
};

// InputError with file and line when the text is not a certificate of this fabric: a wrong word,
// number, node or port, a channel twice, too few or too many lines.
Certificate read_certificate(std::istream& text, const std::string& name, const Fabric& fabric);

}  // namespace fatwood::oracle
