// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/cables.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    fatwood::run_data(fatwood::read_cables(input), fatwood::fuzz::small_fabric());
  });
}
