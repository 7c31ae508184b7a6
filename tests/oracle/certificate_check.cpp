// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/certificate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "oracle/certificate_read.hpp"
#include "routing/tables/fingerprint.hpp"

namespace fatwood::oracle {

namespace {

// Walks packets and remembers the first route that does not ascend.
class CertificateWalker {
 public:
  CertificateWalker(const Fabric& fabric, const Routing& routing, const Certificate& certificate)
      : fabric_(fabric), routing_(routing), certificate_(certificate), on_(fabric.num_switches()) {
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (fabric.leaf(t) != kNone<Switch>) on_[index(fabric.leaf(t))].push_back(t);
    }
  }

  struct Result {
    std::string why_not;
    std::uint64_t routes = 0;
  };

  // All sources to one routed address.
  Result to_destination(Destination destination) const {
    Result result;
    const ForwardingTables& tables = routing_.tables;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      const std::vector<Terminal>& terminals = on_[index(s)];
      const bool own =
          !tables.is_switch(destination) && fabric_.leaf(tables.terminal(destination)) == s;
      const std::size_t sources = terminals.size() - (own ? 1 : 0);
      if (certificate_.terminals_only && sources == 0) continue;
      result.routes += sources + (certificate_.terminals_only ? 0 : 1);
      const unsigned lane = routing_.lanes.at(destination, s);
      const std::vector<std::uint32_t>& place = certificate_.place[lane];
      const Channel first = out(s, tables.at(destination, s));
      for (const Terminal t : terminals) {
        if (!tables.is_switch(destination) && tables.terminal(destination) == t) continue;
        result.why_not = compare(place, fabric_.terminal_channel(t), first);
        if (!result.why_not.empty()) break;
      }
      if (result.why_not.empty()) result.why_not = ascend(place, destination, first);
      if (result.why_not.empty()) continue;
      result.why_not = fmt::format("lane {}, from {} to {}: {}", lane,
                                   port_name(fabric_, fabric_.channel(fabric_.node(s), kOwnPort)),
                                   name(destination), result.why_not);
      break;
    }
    return result;
  }

  // All sources to one routed address of adaptive tables, whatever is chosen.
  Result to_destination_adaptive(Destination destination) const {
    Result result;
    for (std::size_t lane = 0; lane < certificate_.place.size(); ++lane) {
      for (const Switch s : ids<Switch>(fabric_.num_switches())) {
        if (routing_.lanes.at(destination, s) != lane) continue;
        result.routes +=
            came_from_hosts(destination, s).size() + (certificate_.terminals_only ? 0 : 1);
      }
      if (!certificate_.some_choice && all_ascend(destination, lane)) continue;
      result.why_not = find_drop(destination, lane);
      if (!result.why_not.empty()) break;
    }
    return result;
  }

  // The same where routes change lanes, of plain tables or adaptive ones.
  Result to_destination_changing(Destination destination) const {
    Result result;
    std::unordered_set<std::uint64_t> walked;
    const ForwardingTables& tables = routing_.tables;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      std::vector<Port> starts;  // by which packets come in; 0: the switch's own
      for (const Terminal t : on_[index(s)]) {
        if (!tables.is_switch(destination) && tables.terminal(destination) == t) continue;
        starts.push_back(fabric_.leaf_port(t));
      }
      if (!certificate_.terminals_only) starts.push_back(kOwnPort);
      result.routes += starts.size();
      const bool own = tables.is_switch(destination) && tables.as_switch(destination) == s;
      for (const Port in : starts) {
        if (own && in == kOwnPort) continue;  // what a switch sends to itself takes no channel
        result.why_not = ascend_changing(destination, s, in, walked);
        if (result.why_not.empty()) continue;
        result.why_not = fmt::format("from {} to {}: {}",
                                     port_name(fabric_, fabric_.channel(fabric_.node(s), in)),
                                     name(destination), result.why_not);
        return result;
      }
    }
    return result;
  }

  // All source routes from one switch, with the terminals on both ends.
  Result from_switch(Switch s) const {
    Result result;
    const std::vector<std::uint32_t>& place = certificate_.place[0];
    for (const Switch d : ids<Switch>(fabric_.num_switches())) {
      const auto& ends = on_[index(d)];
      if (certificate_.terminals_only && (ends.empty() || on_[index(s)].empty())) continue;
      std::vector<Channel> path(routing_.source_routes.at(s, d).begin(),
                                routing_.source_routes.at(s, d).end());
      if (!in_one_piece(path, s, d)) continue;  // carries no packet
      const std::uint64_t self = s == d ? 1 : 0;
      result.routes += on_[index(s)].size() * ends.size() - self * ends.size();
      if (!certificate_.terminals_only) {
        result.routes += on_[index(s)].size() + ends.size() + 1 - self;
      }
      for (std::size_t i = 0; i + 1 < path.size() && result.why_not.empty(); ++i) {
        result.why_not = compare(place, path[i], path[i + 1]);
      }
      for (const Terminal t : on_[index(s)]) {
        if (path.empty() || !result.why_not.empty()) break;
        result.why_not = compare(place, fabric_.terminal_channel(t), path.front());
      }
      for (const Terminal t : ends) {
        if (!result.why_not.empty()) break;
        const Channel into = fabric_.peer(fabric_.terminal_channel(t));
        if (!path.empty()) result.why_not = compare(place, path.back(), into);
        for (const Terminal from : on_[index(s)]) {
          if (!path.empty() || from == t || !result.why_not.empty()) continue;
          result.why_not = compare(place, fabric_.terminal_channel(from), into);
        }
      }
      if (result.why_not.empty()) continue;
      result.why_not = fmt::format(
          "from {} to {}: {}", port_name(fabric_, fabric_.channel(fabric_.node(s), kOwnPort)),
          port_name(fabric_, fabric_.channel(fabric_.node(d), kOwnPort)), result.why_not);
      break;
    }
    return result;
  }

 private:
  // The channel a switch sends by; kNone where the packet ends: no entry, no such port, no cable,
  // or the switch itself.
  Channel out(Switch s, Port entry) const {
    const Node node = fabric_.node(s);
    if (entry == kOwnPort || index(entry) > fabric_.ports(node)) return kNone<Channel>;
    const Channel c = fabric_.channel(node, entry);
    return fabric_.connected(c) ? c : kNone<Channel>;
  }

  std::vector<Channel> came_from_hosts(Destination destination, Switch s) const {
    const ForwardingTables& tables = routing_.tables;
    std::vector<Channel> came;
    for (const Terminal t : on_[index(s)]) {
      if (!tables.is_switch(destination) && tables.terminal(destination) == t) continue;
      came.push_back(fabric_.terminal_channel(t));
    }
    return came;
  }

  // Calls visit(switch, channel) for each channel that packets of the lane may come to a switch by,
  // and returns those switches. Where packets start, the channels of their hosts.
  template <class Visit>
  std::vector<Switch> each_arrival(Destination destination, std::size_t lane,
                                   const Visit& visit) const {
    std::vector<Switch> queue;
    std::vector<std::uint8_t> seen(fabric_.num_switches());
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (routing_.lanes.at(destination, s) != lane) continue;
      const std::vector<Channel> came = came_from_hosts(destination, s);
      if (certificate_.terminals_only && came.empty()) continue;
      for (const Channel c : came) visit(s, c);
      seen[index(s)] = 1;
      queue.push_back(s);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Port port : routing_.ports(queue[i], destination)) {
        const Channel c = out(queue[i], port);
        if (c == kNone<Channel> || !fabric_.is_switch(fabric_.neighbour(c))) continue;
        const Switch next = fabric_.next_switch(c);
        visit(next, c);
        if (seen[index(next)] != 0) continue;
        seen[index(next)] = 1;
        queue.push_back(next);
      }
    }
    return queue;
  }

  // Whether at each switch the highest place come by is below the lowest gone by. False also where
  // only a closer look can tell.
  bool all_ascend(Destination destination, std::size_t lane) const {
    const std::vector<std::uint32_t>& place = certificate_.place[lane];
    std::vector<std::uint64_t> highest(fabric_.num_switches(), 0);  // and one more
    const std::vector<Switch> visited = each_arrival(destination, lane, [&](Switch s, Channel c) {
      highest[index(s)] = std::max(highest[index(s)], std::uint64_t{place[index(c)]} + 1);
    });
    return std::ranges::all_of(visited, [&](Switch s) {
      return std::ranges::all_of(routing_.ports(s, destination), [&](Port port) {
        const Channel c = out(s, port);
        return c == kNone<Channel> ||
               (place[index(c)] != kUnplaced && place[index(c)] >= highest[index(s)]);
      });
    });
  }

  // The first step that breaks the certificate; empty when there is none.
  std::string find_drop(Destination destination, std::size_t lane) const {
    std::vector<std::vector<Channel>> came(fabric_.num_switches());
    const std::vector<Switch> visited =
        each_arrival(destination, lane, [&](Switch s, Channel c) { came[index(s)].push_back(c); });
    for (const Switch s : visited) {
      const std::string why_not =
          ascends_by_choice(certificate_.place[lane], destination, s, came[index(s)]);
      if (why_not.empty()) continue;
      return fmt::format("lane {}, packets to {} at {}: {}", lane, name(destination),
                         port_name(fabric_, fabric_.channel(fabric_.node(s), kOwnPort)), why_not);
    }
    return {};
  }

  // Of packets that came to s by any of these channels. What a packet came by it does not go back
  // by, unless there is no other port.
  std::string ascends_by_choice(const std::vector<std::uint32_t>& place, Destination destination,
                                Switch s, const std::vector<Channel>& came) const {
    const std::span<const Port> ports = routing_.ports(s, destination);
    for (const Channel held : came) {
      bool any = ports.empty();
      std::string why_not;
      for (const Port port : ports) {
        const Channel wanted = out(s, port);
        if (ports.size() > 1 && wanted != kNone<Channel> && wanted == fabric_.peer(held)) continue;
        if (ascends(place, held, wanted)) {
          any = true;
        } else if (why_not.empty()) {
          why_not = compare(place, held, wanted);
        }
      }
      if (!why_not.empty() && !(certificate_.some_choice && any)) return why_not;
    }
    return {};
  }

  std::string ascend(const std::vector<std::uint32_t>& place, Destination destination,
                     Channel first) const {
    for (Channel c = first; c != kNone<Channel>;) {
      const Node at = fabric_.neighbour(c);
      if (!fabric_.is_switch(at)) return {};
      const Switch here = fabric_.as_switch(at);
      const Channel next = out(here, routing_.tables.at(destination, here));
      if (!ascends(place, c, next)) return compare(place, c, next);
      c = next;
    }
    return {};
  }

  // From switch to switch, each step in the lane of its ports and the path's level, by every port
  // but the one that a packet came by where there are others. `walked`: (channel, lane, level) that
  // packets to this destination were followed from.
  std::string ascend_changing(Destination destination, Switch start, Port start_in,
                              std::unordered_set<std::uint64_t>& walked) const {
    struct Arrived {
      Switch at;
      Port in;
      Channel held;
      unsigned lane;
    };
    const unsigned level = routing_.lanes.at(destination, start);
    std::vector<Arrived> open{{start, start_in, kNone<Channel>, 0}};
    while (!open.empty()) {
      const Arrived here = open.back();
      open.pop_back();
      const std::span<const Port> ports = routing_.ports(here.at, destination);
      for (const Port port : ports) {
        if (ports.size() > 1 && port == here.in) continue;
        const Channel wanted = out(here.at, port);
        if (wanted == kNone<Channel> || !fabric_.is_switch(fabric_.neighbour(wanted))) continue;
        const unsigned lane = routing_.sl2vl.lane(here.at, here.in, port, level);
        const std::string why_not = compare_in_lanes(here.held, here.lane, wanted, lane);
        if (!why_not.empty()) return why_not;
        const std::uint64_t key = (std::uint64_t{index(wanted)} << 16U) | (lane << 8U) | level;
        if (!walked.insert(key).second) continue;
        open.push_back(
            {fabric_.next_switch(wanted), fabric_.port(fabric_.peer(wanted)), wanted, lane});
      }
    }
    return {};
  }

  // Empty when the step ascends, or is the first.
  std::string compare_in_lanes(Channel held, unsigned lane, Channel wanted,
                               unsigned next_lane) const {
    const std::uint32_t there = certificate_.place[next_lane][index(wanted)];
    if (there == kUnplaced) {
      return fmt::format("channel {} has no place in lane {}", port_name(fabric_, wanted),
                         next_lane);
    }
    if (held == kNone<Channel> || certificate_.place[lane][index(held)] < there) return {};
    return fmt::format("channel {} in lane {} (place {}) waits for {} in lane {} (place {})",
                       port_name(fabric_, held), lane, certificate_.place[lane][index(held)],
                       port_name(fabric_, wanted), next_lane, there);
  }

  static bool ascends(const std::vector<std::uint32_t>& place, Channel held, Channel wanted) {
    // What has no place has the highest: neither side of a step may have it.
    return wanted == kNone<Channel> ||
           (place[index(held)] < place[index(wanted)] && place[index(wanted)] != kUnplaced);
  }
  // Empty when the step ascends.
  std::string compare(const std::vector<std::uint32_t>& place, Channel held, Channel wanted) const {
    if (ascends(place, held, wanted)) return {};
    const std::uint32_t a = place[index(held)];
    const std::uint32_t b = place[index(wanted)];
    if (a == kUnplaced || b == kUnplaced) {
      return fmt::format("channel {} has no place in the order",
                         port_name(fabric_, a == kUnplaced ? held : wanted));
    }
    return fmt::format("channel {} (place {}) waits for {} (place {})", port_name(fabric_, held), a,
                       port_name(fabric_, wanted), b);
  }

  bool in_one_piece(const std::vector<Channel>& path, Switch s, Switch d) const {
    Node at = fabric_.node(s);
    for (const Channel c : path) {
      if (index(c) >= fabric_.num_channels() || fabric_.owner(c) != at || !fabric_.connected(c)) {
        return false;
      }
      at = fabric_.neighbour(c);
    }
    return at == fabric_.node(d);
  }

  std::string name(Destination destination) const {
    const ForwardingTables& tables = routing_.tables;
    return port_name(fabric_,
                     tables.is_switch(destination)
                         ? fabric_.channel(fabric_.node(tables.as_switch(destination)), kOwnPort)
                         : fabric_.terminal_channel(tables.terminal(destination)));
  }

  const Fabric& fabric_;
  const Routing& routing_;
  const Certificate& certificate_;
  std::vector<std::vector<Terminal>> on_;  // terminals of each switch
};

// Why a certificate is not about these routes, and its line; nothing when it is.
std::optional<std::pair<std::size_t, std::string>> mismatch(const Certificate& certificate,
                                                            const Fabric& fabric,
                                                            const Routing& routing) {
  const bool changing = !routing.sl2vl.empty();
  const std::size_t after_sets = certificate.adaptive ? 6 : 4;  // the line
  const unsigned lanes = changing                     ? routing.sl2vl.lanes()
                         : routing.lanes.lane.empty() ? 1
                                                      : routing.lanes.count;
  if (certificate.fabric != fingerprint(fabric)) {
    return {{2, fmt::format("it is about a fabric with fingerprint {:#018x}; this one has {:#018x}",
                            certificate.fabric, fingerprint(fabric))}};
  }
  if (certificate.tables != fingerprint(fabric, routing)) {
    return {{3, fmt::format("it is about tables with fingerprint {:#018x}; these have {:#018x}",
                            certificate.tables, fingerprint(fabric, routing))}};
  }
  if (certificate.adaptive != !routing.sets.empty()) {
    return {{4, certificate.adaptive ? "it is about adaptive tables; these have one port an entry"
                                     : "it is about plain tables; these are adaptive"}};
  }
  if (certificate.adaptive && certificate.sets != fingerprint_of_sets(fabric, routing)) {
    return {{4, fmt::format(
                    "it is about groups of ports with fingerprint {:#018x}; these have {:#018x}",
                    certificate.sets, fingerprint_of_sets(fabric, routing))}};
  }
  if (certificate.changing != changing) {
    return {{after_sets, certificate.changing
                             ? "it is about routes that change lanes; these keep theirs"
                             : "it is about routes that keep their lanes; these change them"}};
  }
  if (changing && certificate.lane_map != fingerprint(fabric, routing.sl2vl)) {
    return {
        {after_sets,
         fmt::format("it is about lanes of levels with fingerprint {:#018x}; these have {:#018x}",
                     certificate.lane_map, fingerprint(fabric, routing.sl2vl))}};
  }
  if (certificate.place.size() != lanes) {
    return {{after_sets + (changing ? 2 : 1),
             fmt::format("it has {} lanes; the routes use {}", certificate.place.size(), lanes)}};
  }
  return std::nullopt;
}

}  // namespace

CertificateCheck check_certificate(std::istream& text, const std::string& name,
                                   const Fabric& fabric, const Routing& routing, int threads) {
  const Certificate certificate = read_certificate(text, name, fabric);
  CertificateCheck check;
  check.lanes = static_cast<unsigned>(certificate.place.size());
  check.terminals_only = certificate.terminals_only;
  check.some_choice = certificate.some_choice;
  if (auto why_not = mismatch(certificate, fabric, routing)) {
    std::tie(check.line, check.why_not) = *std::move(why_not);
    return check;
  }

  const CertificateWalker walker(fabric, routing, certificate);
  const bool by_table = routing.source_routes.empty();
  const std::size_t items = !by_table ? fabric.num_switches()
                            : certificate.terminals_only
                                ? routing.tables.num_destinations() - routing.tables.num_switches()
                                : routing.tables.num_destinations();
  std::vector<CertificateWalker::Result> results(items);
  parallel_for(items, threads, [&](std::size_t item, int) {
    results[item] =
        certificate.changing   ? walker.to_destination_changing(static_cast<Destination>(item))
        : certificate.adaptive ? walker.to_destination_adaptive(static_cast<Destination>(item))
        : by_table             ? walker.to_destination(static_cast<Destination>(item))
                               : walker.from_switch(static_cast<Switch>(item));
  });
  for (const CertificateWalker::Result& result : results) {
    check.routes += result.routes;
    if (check.holds()) check.why_not = result.why_not;
  }
  return check;
}

}  // namespace fatwood::oracle
