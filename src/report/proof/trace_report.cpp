// SPDX-License-Identifier: BSD-3-Clause
#include "report/proof/trace_report.hpp"

#include <fmt/format.h>

#include "report/json.hpp"

namespace fatwood {

std::string trace_text(const Fabric& fabric, const PacketPath& trace, unsigned lane) {
  std::string text;
  for (const Channel c : trace.channels) {
    text += fmt::format("{} -> {}\n", port_name(fabric, c), port_name(fabric, fabric.peer(c)));
  }
  text += trace.failure.empty()
              ? fmt::format("reached in {} hops, lane {}\n", trace.channels.size(), lane)
              : fmt::format("not reached: {}\n", trace.failure);
  return text;
}

std::string trace_json(const Fabric& fabric, const PacketPath& trace, unsigned lane) {
  Json json{{"reached", trace.failure.empty()},
            {"failure", trace.failure},
            {"lane", lane},
            {"hops", Json::array()}};
  for (const Channel c : trace.channels) {
    json["hops"].push_back({{"from", display_name(fabric, fabric.owner(c))},
                            {"out", index(fabric.port(c))},
                            {"to", display_name(fabric, fabric.neighbour(c))},
                            {"in", index(fabric.port(fabric.peer(c)))}});
  }
  return document(std::move(json));
}

}  // namespace fatwood
