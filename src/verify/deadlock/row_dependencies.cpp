// SPDX-License-Identifier: BSD-3-Clause
#include "verify/deadlock/row_dependencies.hpp"

#include <algorithm>
#include <array>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kRowsAtOnce = 32;
constexpr std::size_t kSwitchesAtOnce = 4;  // independent writes overlap
constexpr std::size_t kEntryValues = 256;

using PortBits = std::array<std::uint64_t, kEntryValues>;  // the bit of each port, 0: none
using OnwardSets = std::vector<std::uint64_t>;             // [switch][entry]

// Pass n has the ports 64 n + 1 to 64 n + 64: port 0 leads to no switch, and 64 ports are common.
PortBits bits_of_pass(std::size_t pass) {
  PortBits bits{};
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t port = pass * 64 + 1 + i;
    if (port < index(kNoRoute)) bits[port] = std::uint64_t{1} << i;
  }
  return bits;
}

// The same bits as a set of ports.
PortMask ports_of_pass(std::size_t pass, std::uint64_t bits) {
  PortMask ports{};
  ports[pass] = bits << 1U;
  if (pass + 1 < ports.size()) ports[pass + 1] = bits >> 63U;
  return ports;
}

// [switch][entry]: the next switch, or the switch itself.
std::vector<std::uint32_t> next_switches(const HopMap& map, std::size_t switches) {
  std::vector<std::uint32_t> next(switches * kEntryValues);
  for (std::uint32_t s = 0; s < switches; ++s) {
    for (std::size_t entry = 0; entry < kEntryValues; ++entry) {
      const Hop hop = map.at(s, static_cast<Port>(entry));
      next[s * kEntryValues + entry] = hop.to_switch() ? hop.next() : s;
    }
  }
  return next;
}

struct RowBlock {
  const Port* begin;
  const Port* end;
  std::size_t switches;
};

// Adds the dependencies of kCount switches from s on.
template <std::size_t kCount>
void add_switches(const RowBlock& rows, std::size_t s, const std::uint32_t* next,
                  const PortBits& bits, std::uint64_t* onward) {
  next += s * kEntryValues;
  onward += s * kEntryValues;
  for (const Port* row = rows.begin; row < rows.end; row += rows.switches) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::size_t entry = i * kEntryValues + index(row[s + i]);
      onward[entry] |= bits[index(row[next[entry]])];
    }
  }
}

void add_rows(const RowBlock& rows, const std::vector<std::uint32_t>& next, const PortBits& bits,
              OnwardSets& onward) {
  std::size_t s = 0;
  for (; s + kSwitchesAtOnce <= rows.switches; s += kSwitchesAtOnce) {
    add_switches<kSwitchesAtOnce>(rows, s, next.data(), bits, onward.data());
  }
  for (; s < rows.switches; ++s) add_switches<1>(rows, s, next.data(), bits, onward.data());
}

// Threads that had no rows have no sets.
OnwardSets merged(std::vector<OnwardSets>& of_threads) {
  OnwardSets all;
  for (OnwardSets& sets : of_threads) {
    if (all.empty()) {
      all = std::move(sets);
      continue;
    }
    for (std::size_t i = 0; i < sets.size(); ++i) all[i] |= sets[i];
  }
  return all;
}

}  // namespace

DependencyGraph find_row_dependencies(const Fabric& fabric, const HopMap& map,
                                      const ForwardingTables& tables, int threads) {
  DependencyGraph graph(fabric);
  const std::size_t switches = tables.num_switches();
  const std::vector<std::uint32_t> next = next_switches(map, switches);
  std::vector<PortMask> to_switches(switches);
  std::size_t highest = 0;
  for (std::uint32_t s = 0; s < switches; ++s) {
    for (std::size_t port = 0; port < kEntryValues; ++port) {
      if (!map.at(s, static_cast<Port>(port)).to_switch()) continue;
      put(to_switches[s], static_cast<Port>(port));
      highest = std::max(highest, port);
    }
  }
  const std::size_t destinations = tables.num_destinations();
  for (std::size_t pass = 0; pass * 64 < highest; ++pass) {
    const PortBits bits = bits_of_pass(pass);
    std::vector<OnwardSets> onward(static_cast<std::size_t>(thread_count(threads)));
    parallel_for(
        (destinations + kRowsAtOnce - 1) / kRowsAtOnce, threads, [&](std::size_t item, int thread) {
          OnwardSets& sets = onward[static_cast<std::size_t>(thread)];
          if (sets.empty()) sets.resize(switches * kEntryValues);
          const std::size_t begin = item * kRowsAtOnce;
          const std::size_t end = std::min(begin + kRowsAtOnce, destinations);
          const Port* const rows = tables.entries().data();
          add_rows({rows + begin * switches, rows + end * switches, switches}, next, bits, sets);
        });
    const OnwardSets all = merged(onward);
    for (std::uint32_t s = 0; s < switches; ++s) {
      each_port(to_switches[s], [&](Port port) {
        const std::uint64_t set = all[s * kEntryValues + index(port)];
        if (set == 0) return;
        const Hop hop = map.at(s, port);
        const Channel arrival = fabric.channel(fabric.node(Switch{hop.next()}), hop.arrival());
        PortMask out = ports_of_pass(pass, set);
        for (std::size_t w = 0; w < out.size(); ++w) out[w] &= to_switches[hop.next()][w];
        graph.add(graph.vertex(arrival), out);
      });
    }
  }
  return graph;
}

}  // namespace fatwood
