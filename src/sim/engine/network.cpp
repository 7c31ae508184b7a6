// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engine/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"

namespace fatwood::sim {

namespace {

constexpr std::uint64_t kMostTicks = 1U << 16;  // of a flit on the slowest link

void check_sizes(const Model& model) {
  if (model.packet_flits == 0) throw InputError("a packet needs at least one flit");
  if (model.packet_flits > 0xffff) throw InputError("a packet can't have more than 65535 flits");
  if (model.flit_bytes == 0) throw InputError("a flit needs at least one byte");
  for (const std::uint32_t flits : {model.input_flits, model.output_flits}) {
    if (flits < model.packet_flits) {
      throw InputError(
          fmt::format("a buffer of {} flits can't hold a packet of {}", flits, model.packet_flits));
    }
  }
}

void check_lanes(const Fabric& fabric, const Model& model) {
  if (model.lanes == 0 || model.lanes > kMaxLanes) {
    throw InputError(fmt::format("lanes must be 1..{}, not {}", kMaxLanes, model.lanes));
  }
  if (!model.shares.empty() && model.shares.size() != model.lanes) {
    throw InputError(fmt::format("{} has {} of {} lanes: give one share for each lane",
                                 param("shares"), model.shares.size(), model.lanes));
  }
  for (std::size_t lane = 0; lane < model.shares.size(); ++lane) {
    if (model.shares[lane].weight == 0) {
      throw InputError(fmt::format("lane {} has weight 0: it would never be served", lane));
    }
  }
  for (const SlToVl& map : model.sl_to_vl) {
    for (const std::uint8_t lane : map) {
      if (lane >= model.lanes) {
        throw InputError(fmt::format("the SL-to-VL map names lane {}, and there are lanes 0 to {}",
                                     lane, model.lanes - 1));
      }
    }
  }
  if (model.sl_to_vl_of.empty()) return;
  if (model.sl_to_vl_of.size() != fabric.num_channels()) {
    throw InputError("the SL-to-VL maps are for another fabric");
  }
  for (const std::uint16_t map : model.sl_to_vl_of) {
    if (map >= model.sl_to_vl.size()) throw InputError("a port names no SL-to-VL map");
  }
}

std::uint64_t link_speed(const Fabric& fabric, const Model& model, Channel c) {
  if (!model.speeds.empty() && model.speeds[c] != 0) return model.speeds[c];
  if (model.link_speed != 0) return model.link_speed;
  double gigabit = gigabits(fabric.rate(c));
  if (gigabit <= 0) gigabit = gigabits(kDefaultRate);
  return static_cast<std::uint64_t>(std::llround(gigabit * 1000));
}

// Ticks of a flit at each speed: whole numbers in the inverse ratio of the speeds.
class Ticks {
 public:
  Ticks(std::vector<std::uint64_t> speeds, std::uint64_t speedup) {
    std::sort(speeds.begin(), speeds.end());
    speeds.erase(std::unique(speeds.begin(), speeds.end()), speeds.end());
    std::uint64_t divisor = 0;
    for (const std::uint64_t speed : speeds) divisor = std::gcd(divisor, speed);
    for (const std::uint64_t speed : speeds) {
      multiple_ = std::lcm(multiple_, speed / divisor);
      if (multiple_ / (speeds.front() / divisor) > kMostTicks) {
        throw InputError("link speeds have no common time unit; round them");
      }
    }
    multiple_ *= std::max<std::uint64_t>(speedup, 1);
    divisor_ = divisor;
  }
  std::uint32_t of(std::uint64_t speed) const {
    return static_cast<std::uint32_t>(multiple_ / (speed / divisor_));
  }

 private:
  std::uint64_t multiple_ = 1;
  std::uint64_t divisor_ = 1;
};

void add_switches(const Fabric& fabric, Network& net) {
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::uint32_t first = fatwood::index(fabric.channel(fabric.node(s), kOwnPort));
    const std::uint32_t slots = fabric.ports(fabric.node(s)) + 1;
    net.switch_first.push_back(first);
    net.switch_ports.push_back(slots);
    for (std::uint32_t port = first; port < first + slots; ++port) {
      net.ports[port].owner = fatwood::index(s);
      net.ports[port].first = first;
    }
    const auto own = static_cast<std::uint32_t>(net.channels + fatwood::index(s));
    net.ports[first].peer = own;
    net.ports[own].peer = first;
    net.ports[own].endpoint = static_cast<std::uint32_t>(net.terminals + fatwood::index(s));
    net.endpoint_port.push_back(own);
    net.leaf.push_back(fatwood::index(s));
  }
}

}  // namespace

Network make_network(const Fabric& fabric, const Model& model, Adapters adapters) {
  check_sizes(model);
  check_lanes(fabric, model);
  Network net;
  net.adapters = std::move(adapters);
  net.channels = fabric.num_channels();
  net.terminals = fabric.num_terminals();
  net.switches = fabric.num_switches();
  net.ports.resize(net.channels + net.switches);
  for (const Terminal t : ids<Terminal>(net.terminals)) {
    const std::uint32_t port = fatwood::index(fabric.terminal_channel(t));
    net.endpoint_port.push_back(port);
    net.ports[port].endpoint = fatwood::index(t);
    net.leaf.push_back(fatwood::index(fabric.leaf(t)));
  }
  std::vector<std::uint64_t> speeds;
  std::uint64_t fastest = 0;
  for (const Channel c : ids<Channel>(net.channels)) {
    if (!fabric.connected(c)) continue;
    net.ports[fatwood::index(c)].peer = fatwood::index(fabric.peer(c));
    speeds.push_back(link_speed(fabric, model, c));
    fastest = std::max(fastest, speeds.back());
  }
  if (speeds.empty()) throw InputError("the fabric has no link");
  add_switches(fabric, net);
  const std::uint64_t port0 = model.port0_speed != 0 ? model.port0_speed : fastest;
  speeds.push_back(port0);
  if (model.terminal_speed != 0) speeds.push_back(model.terminal_speed);
  const Ticks ticks(std::move(speeds), model.crossbar_speedup);

  net.cycle = ticks.of(fastest);
  net.tick_seconds = model.flit_bytes * 8.0 / (static_cast<double>(fastest) * 1e6) / net.cycle;
  net.switch_latency = model.switch_latency * net.cycle;
  net.crossbar_ticks = model.crossbar_speedup == 0 ? 0 : net.cycle / model.crossbar_speedup;
  for (std::uint32_t port = 0; port < net.ports.size(); ++port) {
    NetPort& p = net.ports[port];
    if (p.peer == kNil) continue;
    const auto c = static_cast<Channel>(port);
    if (port < net.channels && p.peer < net.channels) {
      p.flit_ticks = ticks.of(link_speed(fabric, model, c));
      p.latency = (model.latencies.empty() ? model.link_latency : model.latencies[c]) * net.cycle;
      if (p.endpoint != kNil && model.terminal_speed != 0) {
        p.adapter_ticks = ticks.of(model.terminal_speed);
      }
    } else {
      p.flit_ticks = ticks.of(port0);
    }
    if (port < net.channels && !model.sl_to_vl_of.empty()) p.sl_to_vl = model.sl_to_vl_of[c];
  }
  return net;
}

std::string port_text(const Fabric& fabric, const Network& network, std::uint32_t port) {
  if (port >= network.channels) {
    const auto s = static_cast<Switch>(port - network.channels);
    return unique_name(fabric, s) + " (own adapter)";
  }
  return port_name(fabric, static_cast<Channel>(port));
}

std::string endpoint_text(const Fabric& fabric, const Network& network, Endpoint e) {
  if (network.is_terminal(e)) {
    const auto t = static_cast<Terminal>(fatwood::index(e));
    const Node node = fabric.adapter_node(t);
    std::string text(unique_name(fabric, node));
    if (fabric.ports(node) > 1) {
      text += '[' + std::to_string(index(fabric.port(fabric.terminal_channel(t)))) + ']';
    }
    return text;
  }
  const auto s = static_cast<Switch>(fatwood::index(e) - network.terminals);
  return unique_name(fabric, s);
}

}  // namespace fatwood::sim
