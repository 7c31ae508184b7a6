// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/net_dump_ext.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    fatwood::run_data(fatwood::read_net_dump_ext(input), fatwood::fuzz::small_fabric());
  });
}
