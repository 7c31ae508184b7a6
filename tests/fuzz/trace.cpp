// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz.hpp"
#include "sim/workload/lists.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fatwood::Model fabric(fatwood::fuzz::small_fabric());
  static const fatwood::sim::Model model;
  static const fatwood::sim::Network network = fatwood::sim::make_network(fabric.fabric(), model);
  return fatwood::fuzz::try_stream(data, size, [](std::istream& text) {
    fatwood::sim::parse_trace(text, "fuzz", fabric, network, model);
  });
}
