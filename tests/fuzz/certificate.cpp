// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "fuzz.hpp"
#include "verify/certificate/certificate_check.hpp"

namespace {

// Every switch sends everything out of its first port, in lane 1.
fatwood::LaneMap some_map(const fatwood::Fabric& fabric) {
  fatwood::LaneMap map(fabric);
  fatwood::LaneOfLevel lanes{};
  lanes.fill(1);
  for (const fatwood::Switch s : fatwood::ids<fatwood::Switch>(fabric.num_switches())) {
    for (const auto in : fatwood::ids<fatwood::Port>(fabric.ports(fabric.node(s)) + 1)) {
      map.set(s, in, fatwood::Port{1}, lanes);
    }
  }
  return map;
}

fatwood::Routing some_routing(const fatwood::Fabric& fabric) {
  fatwood::Routing routing;
  routing.tables = fatwood::ForwardingTables(fabric.num_terminals(), fabric.num_switches(), 0);
  for (const fatwood::Target target : fatwood::ids<fatwood::Target>(routing.tables.num_targets())) {
    std::ranges::fill(routing.tables.row(target), fatwood::Port{1});
  }
  return routing;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fatwood::Fabric& fabric = fatwood::fuzz::small_fabric();
  static const fatwood::Routing keeping = some_routing(fabric);
  static const fatwood::Routing changing = [] {
    fatwood::Routing routing = some_routing(fabric);
    routing.sl2vl = some_map(fabric);
    return routing;
  }();
  for (const fatwood::Routing* routing : {&keeping, &changing}) {
    fatwood::fuzz::try_stream(data, size, [&](std::istream& text) {
      fatwood::check_certificate(text, "fuzz", fabric, *routing, 1);
    });
  }
  return 0;
}
