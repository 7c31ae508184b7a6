// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz.hpp"
#include "io/routes/switch_routes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    fatwood::SwitchRoutes routes;
    fatwood::Warnings warnings("fuzz");
    if (!fatwood::read_switch_routes(input, routes, warnings)) return;
    fatwood::settle_routes(routes);
  });
}
