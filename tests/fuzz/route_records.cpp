// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/route_records.hpp"

#include "fuzz.hpp"
#include "io/routes/switch_routes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    if (!fatwood::looks_like_records(input.peek())) return;
    for (const fatwood::RouteRecord& record : fatwood::read_records(input)) {
      fatwood::SwitchRoutes routes;
      fatwood::Warnings warnings("fuzz");
      fatwood::Input answer(record.answer, "fuzz");
      if (fatwood::read_switch_routes(answer, routes, warnings)) fatwood::settle_routes(routes);
    }
  });
}
