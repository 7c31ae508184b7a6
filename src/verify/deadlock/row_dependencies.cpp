// SPDX-License-Identifier: BSD-3-Clause
#include "verify/deadlock/row_dependencies.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/parallel.hpp"
#include "verify/reach/common_hops.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kRowsAtOnce = 32;
constexpr std::size_t kEntryValues = 256;

using PortBits = std::array<std::uint64_t, kEntryValues>;  // the bit of each port, 0: none

// Of one thread.
struct OnwardSets {
  std::vector<std::uint64_t> own;     // [switch][entry]
  std::vector<std::uint64_t> common;  // [eight switches][entry]: of all eight
};

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

struct RowPass {
  std::size_t switches;
  CommonHops common;
  std::vector<std::uint32_t> next;  // next_switches()
  PortBits bits;
};

// Adds the dependencies of kCount switches from s on, in one row.
template <std::size_t kCount>
void add_switches(const RowPass& pass, const Port* row, std::size_t s, OnwardSets& sets) {
  const std::uint32_t* const next = pass.next.data() + s * kEntryValues;
  std::uint64_t* const onward = sets.own.data() + s * kEntryValues;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t entry = i * kEntryValues + index(row[s + i]);
    onward[entry] |= pass.bits[index(row[next[entry]])];
  }
}

void add_rows(const RowPass& pass, std::span<const Port> rows, OnwardSets& sets) {
  const Port* const end = rows.data() + rows.size();
  std::uint32_t s = 0;
  for (; s + 8 <= pass.switches; s += 8) {
    for (const Port* row = rows.data(); row < end; row += pass.switches) {
      const std::uint32_t next = pass.common.next(s, row[s]);
      if (next != CommonHops::kNobody && eight_equal(row + s)) {
        sets.common[s / 8 * kEntryValues + index(row[s])] |= pass.bits[index(row[next])];
      } else {
        add_switches<8>(pass, row, s, sets);
      }
    }
  }
  for (; s < pass.switches; ++s) {
    for (const Port* row = rows.data(); row < end; row += pass.switches) {
      add_switches<1>(pass, row, s, sets);
    }
  }
}

// Threads that had no rows have no sets.
std::vector<std::uint64_t> merged(const std::vector<OnwardSets>& of_threads, std::size_t switches) {
  std::vector<std::uint64_t> all(switches * kEntryValues);
  for (const OnwardSets& sets : of_threads) {
    for (std::size_t i = 0; i < sets.own.size(); ++i) all[i] |= sets.own[i];
    for (std::size_t i = 0; i < sets.common.size() * 8; ++i) {
      const std::size_t eight = i / (8 * kEntryValues);
      all[i] |= sets.common[eight * kEntryValues + i % kEntryValues];
    }
  }
  return all;
}

}  // namespace

DependencyGraph find_row_dependencies(const Fabric& fabric, const HopMap& map,
                                      const ForwardingTables& tables, int threads) {
  DependencyGraph graph(fabric);
  const std::size_t switches = tables.num_switches();
  RowPass rows{switches, CommonHops(map, switches), next_switches(map, switches), {}};
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
    rows.bits = bits_of_pass(pass);
    std::vector<OnwardSets> onward(static_cast<std::size_t>(thread_count(threads)));
    parallel_for(
        (destinations + kRowsAtOnce - 1) / kRowsAtOnce, threads, [&](std::size_t item, int thread) {
          OnwardSets& sets = onward[static_cast<std::size_t>(thread)];
          if (sets.own.empty()) {
            sets.own.resize(switches * kEntryValues);
            sets.common.resize(switches / 8 * kEntryValues);
          }
          const std::size_t begin = item * kRowsAtOnce;
          const std::size_t count = std::min(kRowsAtOnce, destinations - begin);
          add_rows(rows, tables.entries().subspan(begin * switches, count * switches), sets);
        });
    const std::vector<std::uint64_t> all = merged(onward, switches);
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
