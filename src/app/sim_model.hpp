// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parameters of a simulation that describe switches, links and adapters, and their model.

#include <optional>
#include <string>
#include <vector>

#include "app/parameter.hpp"
#include "sim/engine/model.hpp"
#include "sim/engine/routes.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

struct SwitchModelChoice {
  std::optional<std::uint32_t> packet_flits;
  std::string mtu;  // bytes, in place of packet_flits
  std::uint32_t flit_bytes = 64;
  std::optional<std::uint32_t> buffer_packets;
  std::optional<std::uint32_t> input_flits, output_flits;  // no value: buffer_packets
  unsigned lanes = 0;                                      // 0: as many as the routing has
  std::string queueing = "output";
  std::string receivers = "link";
  std::string crossbar = "unlimited";
  std::uint32_t link_latency = 0, switch_latency = 0;
  std::optional<double> link_gigabits, terminal_gigabits, port0_gigabits;
  std::string links;  // file of exceptions
  std::vector<std::string> shares;
  std::uint32_t high_limit = 0;
  std::vector<std::string> sl_to_vl;
};

template <class Visitor>
void describe(Visitor& visit, SwitchModelChoice& o) {
  constexpr const char* kHeading = "Switches, links, adapters";
  const auto add = [&](auto& value, Parameter parameter) {
    parameter.heading = kHeading;
    visit(value, parameter);
  };
  add(o.packet_flits, {.name = "packet_flits", .help = "flits of a packet (default: 10)"});
  add(o.mtu, {.name = "mtu", .help = "bytes of a packet, instead of its flits"});
  add(o.flit_bytes, {.name = "flit_bytes", .help = "bytes of a flit"});
  add(o.buffer_packets,
      {.name = "buffer_packets", .help = "packets that a lane's buffer holds (default: 4)"});
  add(o.input_flits, {.name = "input_flits", .help = "buffer of an input lane, in flits"});
  add(o.output_flits, {.name = "output_flits", .help = "buffer of an output lane, in flits"});
  add(o.queueing, {.name = "queueing",
                   .help = "input lanes queue by output, or as one FIFO",
                   .words = {"output", "fifo"}});
  add(o.receivers, {.name = "receivers",
                    .help = "receive at the speed of their link, or everything at once (unlimited)",
                    .words = {"link", "unlimited"}});
  add(o.crossbar, {.name = "crossbar",
                   .help = "speed-up of the crossbar: 1, 2, .. (one packet at a time into an "
                           "output lane), or unlimited"});
  add(o.link_latency, {.name = "link_latency", .help = "cycles (default: 0)"});
  add(o.switch_latency, {.name = "switch_latency", .help = "cycles (default: 0)"});
  add(o.link_gigabits,
      {.name = "link_speed", .help = "Gb/s of every link (default: the fabric's)"});
  add(o.links, {.name = "links",
                .help = "file of links with a speed and latency of their own",
                .file = true});
  add(o.terminal_gigabits,
      {.name = "terminal_speed", .help = "Gb/s that a host moves in or out (default: no limit)"});
  add(o.port0_gigabits, {.name = "port0_speed", .help = "Gb/s of a switch's own port"});
  add(o.lanes, {.name = "lanes",
                .help = "virtual lanes (default: what the routing needs)",
                .least = 1,
                .most = sim::kMaxLanes});
  add(o.shares, {.name = "shares",
                 .help = "of each lane: high:WEIGHT or low:WEIGHT, in flits",
                 .commas = true});
  add(o.high_limit, {.name = "high_limit",
                     .help = "flits of high priority before a waiting packet of low (0: no "
                             "limit)"});
  add(o.sl_to_vl,
      {.name = "sl_to_vl", .help = "lane of each of the 16 service levels", .commas = true});
}

// How a source picks among several paths.
template <class Visitor>
void describe_paths(Visitor& visit, std::string& paths) {
  visit(paths, {.name = "paths",
                .help = "how a source picks among several paths",
                .words = {"packet-random", "packet-turns", "packet-order", "message-random",
                          "message-turns"}});
}

// Everything but the number of lanes. InputError, with the option, for an impossible value, or an
// option that another one makes useless.
sim::Model make_model(const Fabric& fabric, const SwitchModelChoice& choice);

sim::PathChoice parse_path_choice(const std::string& text);

}  // namespace fatwood
