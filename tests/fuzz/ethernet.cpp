// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz.hpp"
#include "io/ethernet/read_ethernet.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size,
                                    [](fatwood::Input& input) { fatwood::read_ethernet(input); });
}
