// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/sl2vl_file.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fatwood::Fabric& fabric = fatwood::fuzz::small_fabric();
  return fatwood::fuzz::try_reading(
      data, size, [](fatwood::Input& input) { fatwood::read_sl2vl(input, fabric); });
}
