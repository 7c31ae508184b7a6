// SPDX-License-Identifier: BSD-3-Clause
#include "report/jobs/sim_faults_report.hpp"

#include <fmt/format.h>

namespace fatwood {

namespace {

std::string packet_text(const Fabric& fabric, const sim::Network& network, const sim::Wait& wait) {
  return fmt::format("packet {} of message {} from {} to {}", wait.packet, wait.message,
                     sim::endpoint_text(fabric, network, wait.source),
                     sim::endpoint_text(fabric, network, wait.dest));
}
std::string buffer_text(const Fabric& fabric, const sim::Network& network,
                        const sim::Wait::Buffer& buffer) {
  return fmt::format("{} buffer of {} lane {}", buffer.output ? "output" : "input",
                     sim::port_text(fabric, network, buffer.port), buffer.lane);
}
Json buffer_json(const Fabric& fabric, const sim::Network& network,
                 const sim::Wait::Buffer& buffer) {
  return {{"port", sim::port_text(fabric, network, buffer.port)},
          {"lane", buffer.lane},
          {"buffer", buffer.output ? "output" : "input"}};
}

}  // namespace

std::string deadlock_text(const Fabric& fabric, const sim::Network& network,
                          const sim::Deadlock& deadlock) {
  std::string text = fmt::format("deadlock: {} packets wait in a cycle\n", deadlock.size());
  for (const sim::Wait& wait : deadlock) {
    text += fmt::format(
        "  {}\n    holds the {}\n    wants the {}\n", packet_text(fabric, network, wait),
        buffer_text(fabric, network, wait.holds), buffer_text(fabric, network, wait.wants));
  }
  return text;
}

Json deadlock_json(const Fabric& fabric, const sim::Network& network,
                   const sim::Deadlock& deadlock) {
  Json cycle = Json::array();
  for (const sim::Wait& wait : deadlock) {
    cycle.push_back({{"source", sim::endpoint_text(fabric, network, wait.source)},
                     {"destination", sim::endpoint_text(fabric, network, wait.dest)},
                     {"message", wait.message},
                     {"packet", wait.packet},
                     {"holds", buffer_json(fabric, network, wait.holds)},
                     {"wants", buffer_json(fabric, network, wait.wants)}});
  }
  return cycle;
}

std::string switched_text(const Fabric& fabric, const sim::Network& network,
                          const std::optional<sim::TableSwitch>& switched) {
  if (!switched) return {};
  std::string text =
      fmt::format("\ntables changed: {} packets discarded without a route, {} in a loop",
                  switched->discarded, switched->looping);
  if (switched->first_looping) {
    text += fmt::format(" (the first from {} to {})",
                        sim::endpoint_text(fabric, network, switched->first_looping->source),
                        sim::endpoint_text(fabric, network, switched->first_looping->dest));
  }
  return text + '\n';
}
Json switched_json(const Fabric& fabric, const sim::Network& network,
                   const std::optional<sim::TableSwitch>& switched) {
  if (!switched) return nullptr;
  Json loop = nullptr;
  if (const auto& pair = switched->first_looping) {
    loop = {{"source", sim::endpoint_text(fabric, network, pair->source)},
            {"destination", sim::endpoint_text(fabric, network, pair->dest)}};
  }
  return {{"packets_discarded", switched->discarded},
          {"packets_looping", switched->looping},
          {"loop", loop}};
}

}  // namespace fatwood
