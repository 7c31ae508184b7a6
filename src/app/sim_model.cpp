// SPDX-License-Identifier: BSD-3-Clause
#include "app/sim_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/text_file.hpp"
#include "core/text/words.hpp"
#include "sim/workload/sizes.hpp"
#include "topology/node_names.hpp"

namespace fatwood {

namespace {

constexpr double kMostGigabits = 4e6;

// 0 when nothing is asked for.
std::uint32_t megabits(std::optional<double> gigabits, const std::string& what) {
  if (!gigabits) return 0;
  const double rounded = std::round(*gigabits * 1000);
  if (!(rounded >= 1 && *gigabits <= kMostGigabits)) {
    throw InputError(
        fmt::format("{} {}: expected Gb/s, from 0.001 to {}", what, *gigabits, kMostGigabits));
  }
  return static_cast<std::uint32_t>(rounded);
}

std::uint32_t whole(const std::string& text, const std::string& what) {
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
    throw InputError(
        fmt::format("{}: expected high:WEIGHT or low:WEIGHT, not \"{}\"", param("shares"), text));
  }
  return {priority == "high" ? sim::Priority::kHigh : sim::Priority::kLow,
          whole(text.substr(colon + 1), param("shares"))};
}

sim::SlToVl parse_levels(const std::vector<std::string>& lanes) {
  if (lanes.size() != sim::kServiceLevels) {
    throw InputError(fmt::format("{}: expected 16 lanes, not {}", param("sl_to_vl"), lanes.size()));
  }
  sim::SlToVl map{};
  for (std::size_t i = 0; i < map.size(); ++i) {
    const std::uint32_t lane = whole(lanes[i], param("sl_to_vl"));
    if (lane >= sim::kMaxLanes) {
      throw InputError(fmt::format("{}: there is no lane {}", param("sl_to_vl"), lane));
    }
    map[i] = static_cast<std::uint8_t>(lane);
  }
  return map;
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

void refuse_two_sizes(const SwitchModelChoice& o) {
  if (!o.mtu.empty() && o.packet_flits)
    throw InputError(fmt::format("give either {} or {}", param("mtu"), param("packet_flits")));
  if (o.buffer_packets && o.input_flits && o.output_flits) {
    throw InputError(fmt::format("give either {}, or {} and {}", param("buffer_packets"),
                                 param("input_flits"), param("output_flits")));
  }
}

sim::Model make_model(const Fabric& fabric, const SwitchModelChoice& o) {
  sim::Model model;
  model.flit_bytes = o.flit_bytes;
  if (o.flit_bytes == 0)
    throw InputError(param("flit_bytes", "0") + ": a flit needs at least one byte");
  refuse_two_sizes(o);
  model.packet_flits = o.packet_flits.value_or(model.packet_flits);
  if (!o.mtu.empty()) {
    model.packet_flits =
        static_cast<std::uint32_t>((sim::parse_bytes(o.mtu) + o.flit_bytes - 1) / o.flit_bytes);
  }
  const std::uint32_t packets = o.buffer_packets.value_or(4);
  if (packets == 0)
    throw InputError(param("buffer_packets", "0") + ": a buffer holds at least one");
  const std::uint64_t buffer = std::uint64_t{packets} * model.packet_flits;
  if (buffer > 0x7fffffff) throw InputError(param("buffer_packets") + ": too many flits");
  model.input_flits = o.input_flits.value_or(static_cast<std::uint32_t>(buffer));
  model.output_flits = o.output_flits.value_or(static_cast<std::uint32_t>(buffer));
  model.queueing = o.queueing == "fifo" ? sim::Queueing::kFifo : sim::Queueing::kByOutput;
  model.receivers = o.receivers == "unlimited" ? sim::Receivers::kUnlimited : sim::Receivers::kLink;
  model.crossbar_speedup = o.crossbar == "unlimited" ? 0 : whole(o.crossbar, param("crossbar"));
  if (o.crossbar != "unlimited" && (model.crossbar_speedup == 0 || model.crossbar_speedup > 64)) {
    throw InputError(param("crossbar") + ": expected 1 to 64, or unlimited");
  }
  constexpr std::uint32_t kMostLatency = 1'000'000;
  if (o.link_latency > kMostLatency || o.switch_latency > kMostLatency) {
    throw InputError("a latency of more than a million cycles");
  }
  model.link_latency = o.link_latency;
  model.switch_latency = o.switch_latency;
  model.link_speed = megabits(o.link_gigabits, param("link_speed"));
  model.terminal_speed = megabits(o.terminal_gigabits, param("terminal_speed"));
  model.port0_speed = megabits(o.port0_gigabits, param("port0_speed"));
  for (const std::string& share : o.shares) model.shares.push_back(parse_share(share));
  model.high_limit = o.high_limit;
  if (!o.sl_to_vl.empty()) model.sl_to_vl.push_back(parse_levels(o.sl_to_vl));
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

}  // namespace fatwood
