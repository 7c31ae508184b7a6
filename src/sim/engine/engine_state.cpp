// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engine/engine_state.hpp"

#include <algorithm>
#include <bit>

#include "core/error.hpp"

namespace fatwood::sim {

namespace {

unsigned lane_bits(unsigned lanes) { return static_cast<unsigned>(std::bit_width(lanes - 1)); }

// Packets that an event can name (EnginePart::plan), but for those that lie idle in parts.
constexpr std::size_t kMostNumbers = (std::size_t{1} << 28U) - (std::size_t{1} << 24U);

// More packets than can be anywhere: each has a flit in some buffer, or is on its way into a
// receiver without limit, which its input link brought it to one after the other.
std::size_t most_packets(const Network& net, const Model& model) {
  const std::size_t buffers = std::size_t{model.lanes} * (model.input_flits + model.output_flits);
  const bool unlimited = model.receivers == Receivers::kUnlimited;
  const std::size_t arriving = unlimited ? std::size_t{model.lanes} * model.input_flits +
                                               2 * static_cast<std::size_t>(usual_delay(net, model))
                                         : 0;
  return std::min<std::size_t>(net.ports.size() * (buffers + arriving), kMostNumbers);
}

}  // namespace

Time usual_delay(const Network& net, const Model& model) {
  Time flit = 0;
  Time latency = 0;
  for (const NetPort& port : net.ports) {
    flit = std::max<Time>(flit, std::max(port.flit_ticks, port.adapter_ticks));
    latency = std::max<Time>(latency, port.latency);
  }
  return (model.packet_flits + 1) * flit + latency + net.switch_latency + 1;
}

EngineState::EngineState(const Network& network, const Model& model_, const Routes& routes_,
                         PathChoice choice_, std::uint64_t seed_, Workload& workload_,
                         std::vector<std::uint16_t> part_of_, unsigned threads)
    : net(network),
      model(model_),
      routes(routes_),
      choice(choice_),
      seed(seed_),
      workload(workload_),
      shift(lane_bits(model.lanes)),
      stride(model.lanes + 1),
      part_of(std::move(part_of_)),
      packets(most_packets(net, model), threads),
      messages(most_packets(net, model) + net.endpoints(), threads) {
  set_lanes();
  build_ports();
  build_lanes();
  sources.resize(net.endpoints());
  sink_free.assign(net.endpoints(), 0);
  path_turn.assign(net.endpoints(), 0);
  random.reserve(net.endpoints());
  constexpr std::uint32_t kPathStream = 1;
  for (std::uint32_t e = 0; e < net.endpoints(); ++e) {
    sources[e].port = net.endpoint_port[e];
    random.emplace_back(seed, e, kPathStream);
  }
}

void EngineState::set_lanes() {
  std::uint32_t most_slots = 1;
  for (const std::uint32_t slots : net.switch_ports) most_slots = std::max(most_slots, slots);
  words = ((most_slots << shift) + 63) / 64;
  weight.assign(model.lanes, LaneShare{}.weight);
  for (unsigned lane = 0; lane < model.shares.size(); ++lane) {
    weight[lane] = model.shares[lane].weight;
    if (model.shares[lane].priority == Priority::kHigh) high_lanes |= 1U << lane;
  }
  sl_to_vl = model.sl_to_vl;
  if (!sl_to_vl.empty()) return;
  sl_to_vl.emplace_back();
  for (unsigned sl = 0; sl < kServiceLevels; ++sl) {
    sl_to_vl[0][sl] = static_cast<std::uint8_t>(sl % model.lanes);
  }
}

void EngineState::build_ports() {
  cells.resize(net.ports.size() * stride);
  if (model.lanes > 1) turns.resize(net.ports.size());
  for (std::uint32_t p = 0; p < net.ports.size(); ++p) {
    const NetPort& from = net.ports[p];
    OutPort port{};
    port.first = from.owner == kNil ? from.endpoint : from.first;
    port.peer = from.peer;
    LinkKind kind{.flit_ticks = from.flit_ticks,
                  .latency = from.latency,
                  .sl_to_vl = static_cast<std::uint16_t>(from.sl_to_vl),
                  .unlimited = model.receivers == Receivers::kUnlimited && net.leads_to_receiver(p),
                  .from_adapter = from.endpoint != kNil};
    if (from.peer != kNil) {
      const NetPort& to = net.ports[from.peer];
      kind.far_part = part_of[from.peer];
      kind.to_adapter = to.endpoint != kNil;
      port.peer = kind.to_adapter ? to.endpoint : Place(to.owner, from.peer - to.first).number;
      kind.adapter_ticks = kind.from_adapter ? from.adapter_ticks
                           : kind.to_adapter ? net.ports[from.peer].adapter_ticks
                                             : 0;
      kind.early = from.latency == 0 && net.switch_latency == 0 && net.crossbar_ticks == 0 &&
                   model.queueing == Queueing::kByOutput &&
                   (!kind.to_adapter || kind.adapter_ticks == 0);
    }
    port.kind = kind_number(kind);
    cells[std::size_t{p} * stride].port = port;
  }
}

void EngineState::build_lanes() {
  const std::size_t count = net.ports.size() << shift;
  in.assign(count, {kNil, kNil, 0, kNil, kNil, 0});
  times.resize(count);
  if (words > 1) masks.assign(count * words, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    if ((i & lane_mask()) >= model.lanes) continue;
    cells[cell_of_lane(i)].lane = {{0}, kNil, kNil, 0, model.input_flits, 0, 0, 0};
    const NetPort& port = net.ports[i >> shift];
    if (port.owner != kNil) in[i].place = Place(port.owner, (i >> shift) - port.first).number;
    if (port.peer == kNil) continue;
    const NetPort& sender = net.ports[port.peer];
    in[i].kind = kind_number({.flit_ticks = sender.flit_ticks,
                              .latency = sender.latency,
                              .far_part = part_of[port.peer]});
    in[i].sender = (port.peer << shift) | (i & lane_mask());
  }
}

std::uint16_t EngineState::kind_number(const LinkKind& kind) {
  // Links that follow each other are mostly alike: the last kinds first.
  const auto found = std::find(kinds.rbegin(), kinds.rend(), kind);
  if (found != kinds.rend()) return static_cast<std::uint16_t>(kinds.rend() - found - 1);
  if (kinds.size() > UINT16_MAX) {
    throw InputError("the links have more than 65536 pairs of speed and latency; round them");
  }
  kinds.push_back(kind);
  return static_cast<std::uint16_t>(kinds.size() - 1);
}

}  // namespace fatwood::sim
