// SPDX-License-Identifier: BSD-3-Clause
#include "report/trace_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fatwood {

std::string trace_text(const Fabric& fabric, const Trace& trace, unsigned lane) {
  std::string text;
  for (const Channel c : trace.channels) {
    text += fmt::format("{} -> {}\n", port_name(fabric, c), port_name(fabric, fabric.peer(c)));
  }
  text += trace.failure.empty()
              ? fmt::format("reached in {} hops, lane {}\n", trace.channels.size(), lane)
              : fmt::format("not reached: {}\n", trace.failure);
  return text;
}

std::string trace_json(const Fabric& fabric, const Trace& trace, unsigned lane) {
  nlohmann::ordered_json json{{"reached", trace.failure.empty()},
                              {"failure", trace.failure},
                              {"lane", lane},
                              {"hops", nlohmann::ordered_json::array()}};
  for (const Channel c : trace.channels) {
    json["hops"].push_back({{"from", display_name(fabric, fabric.owner(c))},
                            {"out", fabric.port(c)},
                            {"to", display_name(fabric, fabric.neighbour(c))},
                            {"in", fabric.port(fabric.peer(c))}});
  }
  return json.dump() + "\n";
}

}  // namespace fatwood
