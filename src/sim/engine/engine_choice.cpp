// SPDX-License-Identifier: BSD-3-Clause
// The engine's choice among the ports of a group, for adaptive tables. An entry is
//   free     the packet takes the port with the fewest flits in its lane of the output; on a tie,
//            the next in cyclic order from (destination mod their number);
//   bounded  as free, but packets with the same port of arrival and destination use the same port,
//            until there was none for Model::burst_silence cycles;
//   hashed   a hash of source, destination, path and switch selects the port.
//
// A packet does not leave by the port that it came by, unless there is no other. The port is chosen
// once, when the packet makes its request; the packet then waits for that port.
// Cost: O(ports of the group) per packet-hop.

#include "sim/engine/engine_part.hpp"

namespace fatwood::sim {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

// Flits in the lane of the output that the packet would take.
std::uint32_t EnginePart::flits_queued(std::uint32_t output, const Packet& packet, Time t) const {
  const OutPort& port = this->port(output);
  const unsigned lane = lane_of(kind(port), packet.service_level);
  const std::uint32_t used = out((output << shift_) | lane).used;
  const bool left = port.leaving_flits != 0 && port.leaving_lane == lane && port.link_free <= t;
  return left ? used - port.leaving_flits : used;
}

std::uint32_t EnginePart::least_queued_of(std::span<const fatwood::Port> ports,
                                          const Packet& packet, std::uint32_t in_port,
                                          Time t) const {
  const std::uint32_t first = port(in_port).first;
  std::uint32_t best = kNil;
  std::uint32_t least = 0;
  std::size_t at = packet.dest % ports.size();
  for (std::size_t i = 0; i < ports.size(); ++i, at = at + 1 == ports.size() ? 0 : at + 1) {
    const std::uint32_t output = first + index(ports[at]);
    if (output == in_port && ports.size() > 1) continue;
    const std::uint32_t used = flits_queued(output, packet, t);
    if (best != kNil && used >= least) continue;
    best = output;
    least = used;
    if (least == 0) break;
  }
  return best;
}

std::uint32_t EnginePart::choose_from_group(const Packet& packet, Place place, Time t) {
  const std::uint32_t first = switch_first_[place.owner()];
  const std::uint32_t in_port = first + place.port();
  const PortSets& sets = *routes_.sets();
  const auto destination = static_cast<Destination>(packet.route.at);
  const auto owner = static_cast<Switch>(place.owner());
  const PortSets::Kind kind = sets.kind(owner, destination);
  if (kind == 0) {
    Itinerary route = packet.route;
    return routes_.output(route, place.owner(), first, packet.dest, t);
  }
  const PortSets::KindOf of = sets.of(owner, kind);
  if (of.state == EntryState::kHashed) {
    const std::uint64_t flow =
        std::uint64_t{messages_[packet.message].source} << 32U | packet.route.at;
    const std::uint64_t hash = mix(mix(mix(state_.seed) ^ flow) + place.owner());
    std::size_t at = hash % of.ports.size();
    if (first + index(of.ports[at]) == in_port && of.ports.size() > 1)
      at = (at + 1) % of.ports.size();
    return first + index(of.ports[at]);
  }
  if (of.state == EntryState::kFree) return least_queued_of(of.ports, packet, in_port, t);
  Burst& burst = bursts_[std::uint64_t{in_port} << 32U | packet.route.at];
  const Time silence = static_cast<Time>(model_.burst_silence) * net_.cycle;
  if (burst.output == kNil || t - burst.last > silence) {
    burst.output = least_queued_of(of.ports, packet, in_port, t);
  }
  burst.last = t;
  return burst.output;
}

}  // namespace fatwood::sim
