// SPDX-License-Identifier: BSD-3-Clause
#include "simgrid.hpp"

#include <simgrid/s4u.hpp>
#include <string>

namespace fatwood::test {

namespace s4u = simgrid::s4u;

std::vector<double> simgrid_ends(const std::vector<double>& bandwidth,
                                 const std::vector<SimGridFlow>& flows) {
  std::string name = "fatwood";
  std::string quiet = "--log=root.thres:critical";
  char* argv[] = {name.data(), quiet.data(), nullptr};
  int argc = 2;
  s4u::Engine engine(&argc, argv);
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  s4u::Engine::set_config("network/TCP-gamma:0");
  s4u::Engine::set_config("network/latency-factor:0");
  s4u::Engine::set_config("network/bandwidth-factor:1");
  s4u::Engine::set_config("network/weight-S:0");
  s4u::Engine::set_config("maxmin/precision:1e-12");
  s4u::Engine::set_config("surf/precision:1e-12");
  auto* zone = s4u::create_full_zone("zone");
  std::vector<const s4u::Link*> links;
  for (std::size_t l = 0; l < bandwidth.size(); ++l) {
    links.push_back(
        zone->create_link("l" + std::to_string(l), bandwidth[l])->set_latency(0)->seal());
  }
  std::vector<double> ends(flows.size(), 0);
  std::vector<std::pair<s4u::Host*, s4u::Host*>> hosts;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    auto* from = zone->create_host("a" + std::to_string(f), 1e9)->seal();
    auto* to = zone->create_host("b" + std::to_string(f), 1e9)->seal();
    std::vector<s4u::LinkInRoute> route;
    for (const std::uint32_t link : flows[f].links) route.emplace_back(links[link]);
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, route, false);
    hosts.emplace_back(from, to);
  }
  zone->seal();
  for (std::size_t f = 0; f < flows.size(); ++f) {
    s4u::Actor::create("flow", hosts[f].first, [&ends, &hosts, &flows, f] {
      s4u::Comm::sendto(hosts[f].first, hosts[f].second,
                        static_cast<std::uint64_t>(flows[f].bytes));
      ends[f] = s4u::Engine::get_clock();
    });
  }
  engine.run();
  return ends;
}

}  // namespace fatwood::test
