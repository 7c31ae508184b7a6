// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz.hpp"
#include "traffic/traffic.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fatwood::Model model(fatwood::fuzz::small_fabric());
  static const fatwood::AdapterNames names(model);
  return fatwood::fuzz::try_stream(data, size, [](std::istream& text) {
    const fatwood::Schedule schedule = fatwood::parse_traffic(text, "fuzz", names);
    if (schedule.stages > 0) schedule.stage(0);
  });
}
