// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_bound.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/union_find.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

// The largest share of a part, when each switch is of part[s].
Fraction bound_of_parts(const EvenNet& net, std::span<const std::uint32_t> part) {
  std::vector<std::int64_t> out(net.size());
  std::vector<std::int64_t> in(net.size());
  std::vector<std::int64_t> capacity_out(net.size());
  std::vector<std::int64_t> capacity_in(net.size());
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    for (const Port port : net.cabled_ports(s)) {
      const std::uint32_t slot = net.slot(s, port);
      const std::uint32_t next = net.channel[slot].next;
      if (part[next] == part[s]) continue;
      capacity_out[part[s]] += static_cast<std::int64_t>(net.capacity(slot));
      capacity_in[part[next]] += static_cast<std::int64_t>(net.capacity(slot));
    }
  }
  if (net.all_to_all()) {
    for (std::uint32_t kind = 0; kind < net.num_kinds(); ++kind) {
      std::vector<std::int64_t> sent(net.size());
      std::vector<std::int64_t> addresses(net.size());
      std::int64_t all_addresses = 0;
      for (std::uint32_t i = 0; i < net.sources().size(); ++i) {
        const std::uint32_t s = net.sources()[i].at;
        sent[part[s]] += static_cast<std::int64_t>(net.sent(i, kind));
        for (const EvenDestination& to : net.destinations(s)) {
          if (to.kind != kind) continue;
          ++addresses[part[s]];
          ++all_addresses;
        }
      }
      const auto all_sent = static_cast<std::int64_t>(net.sent_to(kind));
      for (std::uint32_t p = 0; p < net.size(); ++p) {
        out[p] += sent[p] * (all_addresses - addresses[p]);
        in[p] += (all_sent - sent[p]) * addresses[p];
      }
    }
  } else {
    for (const EvenSource& source : net.sources()) {
      for (const EvenDestination& to : net.destinations(source.at)) {
        net.each_sender(source.at, to, [&](std::uint32_t from, std::uint64_t weight) {
          const std::uint32_t p = part[net.sources()[from].at];
          if (p == part[source.at]) return;
          out[p] += static_cast<std::int64_t>(weight);
          in[part[source.at]] += static_cast<std::int64_t>(weight);
        });
      }
    }
  }
  Fraction most = 0;
  for (std::uint32_t p = 0; p < net.size(); ++p) {
    if (capacity_out[p] > 0) most = std::max(most, Fraction(out[p], capacity_out[p]));
    if (capacity_in[p] > 0) most = std::max(most, Fraction(in[p], capacity_in[p]));
  }
  return most;
}

}  // namespace

Fraction tree_cut_bound(const EvenNet& net, const UpDownOrder& up_down) {
  std::vector<std::uint32_t> part(net.size());
  std::iota(part.begin(), part.end(), 0U);
  Fraction most = bound_of_parts(net, part);
  UnionFind sets(net.size());
  const Level top = up_down.highest_level();
  for (Level level = up_down.lowest_level(); level < top; ++level) {
    for (std::uint32_t s = 0; s < net.size(); ++s) {
      if (up_down.level(Switch{s}) > level) continue;
      for (const Port port : net.cabled_ports(s)) {
        const std::uint32_t next = net.channel[net.slot(s, port)].next;
        if (up_down.level(Switch{next}) <= level) sets.join(s, next);
      }
    }
    for (std::uint32_t s = 0; s < net.size(); ++s) part[s] = sets.find(s);
    most = std::max(most, bound_of_parts(net, part));
  }
  return most;
}

namespace {

// What can't be split, each on the fastest channel of its source.
Fraction largest_demand(const EvenNet& net) {
  std::vector<std::uint64_t> fastest(net.size());
  for (const EvenSource& source : net.sources()) {
    for (const Port port : net.cabled_ports(source.at)) {
      fastest[source.at] = std::max(fastest[source.at], net.capacity(net.slot(source.at, port)));
    }
  }
  Fraction most = 0;
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : net.destinations(source.at)) {
      net.each_sender(source.at, to, [&](std::uint32_t from, std::uint64_t weight) {
        const std::uint64_t speed = fastest[net.sources()[from].at];
        if (speed == 0) return;
        most = std::max(
            most, Fraction(static_cast<std::int64_t>(weight), static_cast<std::int64_t>(speed)));
      });
    }
  }
  return most;
}

}  // namespace

Fraction table_bound(const EvenNet& net) {
  Fraction most = 0;
  if (!net.all_to_all()) return largest_demand(net);
  std::vector<std::int64_t> addresses(net.num_kinds());
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : net.destinations(source.at)) ++addresses[to.kind];
  }
  for (std::uint32_t number = 0; number < net.sources().size(); ++number) {
    const EvenSource& source = net.sources()[number];
    const std::span<const Port> ports = net.cabled_ports(source.at);
    if (ports.empty()) continue;
    std::vector<std::int64_t> elsewhere(addresses);
    for (const EvenDestination& to : net.destinations(source.at)) --elsewhere[to.kind];
    const auto chunk = static_cast<std::int64_t>(net.chunk(number));
    std::int64_t chunks = 0;
    for (std::uint32_t kind = 0; kind < net.num_kinds(); ++kind) {
      chunks += static_cast<std::int64_t>(net.sent(number, kind)) / chunk * elsewhere[kind];
    }
    // Chunks are dealt out one by one, each to the channel that is then the least full.
    std::vector<std::int64_t> dealt(ports.size());
    Fraction largest = 0;
    const auto capacity = [&](std::size_t i) {
      return static_cast<std::int64_t>(net.capacity(net.slot(source.at, ports[i])));
    };
    std::int64_t total = 0;
    for (std::size_t i = 0; i < ports.size(); ++i) total += capacity(i);
    std::int64_t left = chunks;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      dealt[i] = chunks * capacity(i) / total;
      left -= dealt[i];
    }
    for (; left > 0; --left) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < ports.size(); ++i) {
        if ((dealt[i] + 1) * capacity(best) < (dealt[best] + 1) * capacity(i)) best = i;
      }
      ++dealt[best];
    }
    for (std::size_t i = 0; i < ports.size(); ++i) {
      largest = std::max(largest, Fraction(dealt[i] * chunk, capacity(i)));
    }
    most = std::max(most, largest);
  }
  return most;
}

Fraction all_to_all_bound(const Model& model) {
  const UpDownOrder up_down(model.port_graph(), model.levels());
  const auto tables = ForwardingTables::unfilled(model.fabric().num_terminals(), up_down.size(), 0);
  const EvenNet net(model, up_down, tables, {});
  return tree_cut_bound(net, up_down) *
         Fraction(model.speeds().usual(), static_cast<std::int64_t>(net.units_in_one()));
}

}  // namespace fatwood
