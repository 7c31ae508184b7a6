// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/lane_file.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fatwood::Fabric& fabric = fatwood::fuzz::small_fabric();
  static const fatwood::ForwardingTables tables(fabric.num_terminals(), fabric.num_switches(), 0);
  static const fatwood::Lids lids = fatwood::assign_lids(fabric, 0);
  return fatwood::fuzz::try_reading(
      data, size, [](fatwood::Input& input) { fatwood::read_lanes(input, fabric, tables, lids); });
}
