// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/sim_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/text_file.hpp"
#include "core/text/words.hpp"
#include "sim/workload/sizes.hpp"
#include "topology/node_names.hpp"

namespace fatwood::cli {

namespace {

constexpr double kMostGigabits = 4e6;

// 0 when nothing is asked for.
std::uint32_t megabits(std::optional<double> gigabits, const char* option) {
  if (!gigabits) return 0;
  const double rounded = std::round(*gigabits * 1000);
  if (!(rounded >= 1 && *gigabits <= kMostGigabits)) {
    throw InputError(
        fmt::format("{} {}: expected Gb/s, from 0.001 to {}", option, *gigabits, kMostGigabits));
  }
  return static_cast<std::uint32_t>(rounded);
}

std::uint32_t whole(const std::string& text, const char* what) {
  const auto value = parse_number<std::uint32_t>(text);
  if (!value) {
    throw InputError(fmt::format("{}: expected a whole number, not \"{}\"", what, text));
  }
  return *value;
}

// "high:64" or "low:16".
sim::LaneShare parse_share(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string priority = text.substr(0, colon);
  if (colon == std::string::npos || (priority != "high" && priority != "low")) {
    throw InputError(fmt::format("--shares: expected high:WEIGHT or low:WEIGHT, not \"{}\"", text));
  }
  return {priority == "high" ? sim::Priority::kHigh : sim::Priority::kLow,
          whole(text.substr(colon + 1), "--shares")};
}

std::uint32_t read_megabits(const std::string& text) {
  const auto value = parse_number<double>(text);
  if (!value) throw InputError(fmt::format("expected gigabits a second, not \"{}\"", text));
  return megabits(*value, "speed");
}

// Lines "port gigabits [latency]" with a PORT of node_names.hpp; both directions of its cable.
void read_links(const Fabric& fabric, const std::string& path, sim::Model& model) {
  std::ifstream in = open_text(path);
  TextLines lines(in, path);
  const NodeNames names(fabric);
  model.speeds.resize(fabric.num_channels());
  model.latencies.resize(fabric.num_channels(), model.link_latency);
  while (const auto line = lines.next()) {
    const Location where = lines.where();
    const std::vector<Word> word = split_words(*line, where);
    if (word.empty()) continue;
    if (word.size() != 2 && word.size() != 3) {
      throw InputError({path, where.line, word.back().column},
                       "expected \"port gigabits [latency]\"");
    }
    const Location port{path, where.line, word[0].column};
    const Channel at = names.find_port(word[0].text, port);
    if (at == kNone<Channel> || !fabric.connected(at)) {
      throw InputError(port, fmt::format("no cable is at a port \"{}\"", word[0].text));
    }
    const std::uint32_t speed = read_word(where, word[1], read_megabits);
    const std::uint32_t latency = word.size() == 2
                                      ? model.link_latency
                                      : read_word(where, word[2], [](const std::string& text) {
                                          return whole(text, "latency in cycles");
                                        });
    for (const Channel c : {at, fabric.peer(at)}) {
      model.speeds[c] = speed;
      model.latencies[c] = latency;
    }
  }
}

}  // namespace

void refuse_two_sizes(const ModelOptions& o) {
  if (!o.mtu.empty() && o.packet_flits) throw InputError("give either --mtu or --packet-flits");
  if (o.buffer_packets && o.input_flits && o.output_flits) {
    throw InputError("give either --buffer-packets, or --input-flits and --output-flits");
  }
}

void add_model_options(Verb& verb, ModelOptions& o) {
  const Heading under(verb, "Switches, links, adapters");
  verb.add_option("--packet-flits", o.packet_flits, "flits of a packet (default: 10)");
  verb.add_option("--mtu", o.mtu, "bytes of a packet, instead of --packet-flits");
  verb.add_option("--flit-bytes", o.flit_bytes, "bytes of a flit");
  verb.add_option("--buffer-packets", o.buffer_packets,
                  "packets that a lane's buffer holds (default: 4)");
  verb.add_option("--input-flits", o.input_flits, "buffer of an input lane, in flits");
  verb.add_option("--output-flits", o.output_flits, "buffer of an output lane, in flits");
  verb.add_option("--queueing", o.queueing, "input lanes queue by output, or as one FIFO")
      ->one_of({"output", "fifo"});
  verb.add_option("--receivers", o.receivers,
                  "receive at the speed of their link, or everything at once (unlimited)")
      ->one_of({"link", "unlimited"});
  verb.add_option("--crossbar", o.crossbar,
                  "speed-up of the crossbar: 1, 2, .. (one packet at a time into an output lane), "
                  "or unlimited");
  verb.add_option("--link-latency", o.link_latency, "cycles (default: 0)");
  verb.add_option("--switch-latency", o.switch_latency, "cycles (default: 0)");
  verb.add_option("--link-speed", o.link_gigabits, "Gb/s of every link (default: the fabric's)");
  verb.add_option("--links", o.links, "file of links with a speed and latency of their own");
  verb.add_option("--terminal-speed", o.terminal_gigabits,
                  "Gb/s that a host moves in or out (default: no limit)");
  verb.add_option("--port0-speed", o.port0_gigabits, "Gb/s of a switch's own port");
  verb.add_option("--lanes", o.lanes, "virtual lanes (default: what the routing needs)")
      ->range(1U, sim::kMaxLanes);
  verb.add_option("--shares", o.shares, "of each lane: high:WEIGHT or low:WEIGHT, in flits")
      ->separated_by(',');
  verb.add_option("--high-limit", o.high_limit,
                  "flits of high priority before a waiting packet of low (0: no limit)");
  verb.add_option("--sl-to-vl", o.sl_to_vl, "lane of each of the 16 service levels")
      ->separated_by(',');
}

sim::Model make_model(const Fabric& fabric, const ModelOptions& o) {
  sim::Model model;
  model.flit_bytes = o.flit_bytes;
  if (o.flit_bytes == 0) throw InputError("--flit-bytes 0: a flit needs at least one byte");
  refuse_two_sizes(o);
  model.packet_flits = o.packet_flits.value_or(model.packet_flits);
  if (!o.mtu.empty()) {
    model.packet_flits =
        static_cast<std::uint32_t>((sim::parse_bytes(o.mtu) + o.flit_bytes - 1) / o.flit_bytes);
  }
  const std::uint32_t packets = o.buffer_packets.value_or(4);
  if (packets == 0) throw InputError("--buffer-packets 0: a buffer holds at least one");
  const std::uint64_t buffer = std::uint64_t{packets} * model.packet_flits;
  if (buffer > 0x7fffffff) throw InputError("--buffer-packets: too many flits");
  model.input_flits = o.input_flits.value_or(static_cast<std::uint32_t>(buffer));
  model.output_flits = o.output_flits.value_or(static_cast<std::uint32_t>(buffer));
  model.queueing = o.queueing == "fifo" ? sim::Queueing::kFifo : sim::Queueing::kByOutput;
  model.receivers = o.receivers == "unlimited" ? sim::Receivers::kUnlimited : sim::Receivers::kLink;
  model.crossbar_speedup = o.crossbar == "unlimited" ? 0 : whole(o.crossbar, "--crossbar");
  if (o.crossbar != "unlimited" && (model.crossbar_speedup == 0 || model.crossbar_speedup > 64)) {
    throw InputError("--crossbar: expected 1 to 64, or unlimited");
  }
  constexpr std::uint32_t kMostLatency = 1'000'000;
  if (o.link_latency > kMostLatency || o.switch_latency > kMostLatency) {
    throw InputError("a latency of more than a million cycles");
  }
  model.link_latency = o.link_latency;
  model.switch_latency = o.switch_latency;
  model.link_speed = megabits(o.link_gigabits, "--link-speed");
  model.terminal_speed = megabits(o.terminal_gigabits, "--terminal-speed");
  model.port0_speed = megabits(o.port0_gigabits, "--port0-speed");
  for (const std::string& share : o.shares) model.shares.push_back(parse_share(share));
  model.high_limit = o.high_limit;
  if (!o.sl_to_vl.empty()) {
    if (o.sl_to_vl.size() != sim::kServiceLevels) {
      throw InputError(fmt::format("--sl-to-vl: expected 16 lanes, not {}", o.sl_to_vl.size()));
    }
    sim::SlToVl map{};
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (o.sl_to_vl[i] >= sim::kMaxLanes) {
        throw InputError(fmt::format("--sl-to-vl: there is no lane {}", o.sl_to_vl[i]));
      }
      map[i] = static_cast<std::uint8_t>(o.sl_to_vl[i]);
    }
    model.sl_to_vl.push_back(map);
  }
  if (!o.links.empty()) read_links(fabric, o.links, model);
  return model;
}

sim::PathChoice parse_path_choice(const std::string& text) {
  if (text == "packet-random") return sim::PathChoice::kRandomPerPacket;
  if (text == "packet-turns") return sim::PathChoice::kRoundRobinPerPacket;
  if (text == "packet-order") return sim::PathChoice::kInOrderPerPacket;
  if (text == "message-random") return sim::PathChoice::kRandomPerMessage;
  return sim::PathChoice::kRoundRobinPerMessage;
}

}  // namespace fatwood::cli
