// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/ports_report.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(
      data, size, [](fatwood::Input& input) { fatwood::read_ports_report(input); });
}
