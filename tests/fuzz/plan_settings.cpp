// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/plan_settings.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fatwood::Input;
  for (void (*read)(Input&) : {+[](Input& input) { fatwood::read_layout(input); },
                               +[](Input& input) { fatwood::read_catalogue(input); },
                               +[](Input& input) { fatwood::read_cable_table(input); },
                               +[](Input& input) { fatwood::read_prices(input); }}) {
    fatwood::fuzz::try_reading(data, size, read);
  }
  return 0;
}
