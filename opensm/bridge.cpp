// Fatwood's side of bridge.h. Exceptions end here: whatever is thrown becomes a line for OpenSM's
// log and a failed call, never the end of the subnet manager.

#include "bridge.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "io/node_list.hpp"
#include "routing/engine.hpp"
#include "routing/port_graph.hpp"
#include "topology/builder.hpp"

using namespace fatwood;

struct fatwood_bridge {
  const Engine* engine = nullptr;
  std::string error;
  FabricBuilder builder;
  std::unordered_map<std::uint64_t, FabricBuilder::Handle> by_guid;
  Fabric fabric;
  Routing routing;
  fatwood_seconds engine_seconds{};
  // By LID, for path_sl: where a path starts and what it is to.
  std::vector<Switch> source_switch;
  std::vector<Target> target;
};

namespace {

// Engines that route by pair have nothing to put into switches.
std::vector<const Engine*> table_engines() {
  std::vector<const Engine*> list;
  for (const Engine& engine : engines()) {
    if (engine.pairs != Pairs::kPerPair) list.push_back(&engine);
  }
  return list;
}

template <class Work>
int guarded(fatwood_bridge* bridge, const Work& work) {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    bridge->error = error.what();
  } catch (...) {
    bridge->error = "an unknown error";
  }
  return -1;
}

FabricBuilder::Handle handle(const fatwood_bridge& bridge, std::uint64_t guid) {
  const auto at = bridge.by_guid.find(guid);
  if (at == bridge.by_guid.end()) throw InputError("a cable leads to a node that was not told");
  return at->second;
}

constexpr std::uint8_t kNoPath = 255;
constexpr std::uint16_t kMostHops = 64;  // of InfiniBand

// Hop counts of one switch. Its rows are few bytes each and stay in cache, port after port.
void write_hops_of(const PortGraph& graph, const std::vector<std::uint16_t>& hops, std::uint32_t s,
                   const std::vector<std::uint8_t*>& rows, unsigned ports) {
  const std::size_t n = graph.switches;
  const std::uint16_t* const own = hops.data() + s * n;
  std::vector<std::uint8_t> least(n);
  for (std::size_t d = 0; d < n; ++d) {
    least[d] = own[d] <= kMostHops ? static_cast<std::uint8_t>(own[d]) : kNoPath;
    rows[d][0] = least[d];
  }
  for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
    const std::uint16_t* const there = hops.data() + std::size_t{graph.neighbour[g]} * n;
    for (const std::uint8_t port : graph.ports(g)) {
      if (port >= ports) continue;
      for (std::size_t d = 0; d < n; ++d) {
        rows[d][port] = there[d] + 1 == own[d] ? least[d] : kNoPath;
      }
    }
  }
}

// What each LID is, as a source and as a destination.
void index_lids(fatwood_bridge& bridge) {
  const Fabric& fabric = bridge.fabric;
  const ForwardingTables& tables = bridge.routing.tables;
  bridge.source_switch.assign(0x10000, kNone<Switch>);
  bridge.target.assign(0x10000, kNone<Target>);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
      const std::size_t lid = std::size_t{fabric.address(t).lid} + offset;
      if (fabric.address(t).lid == 0 || lid > 0xffff) continue;
      bridge.source_switch[lid] = fabric.leaf(t);
      bridge.target[lid] = tables.target(t, offset);
    }
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (fabric.address(s).lid == 0) continue;
    bridge.source_switch[fabric.address(s).lid] = s;
    bridge.target[fabric.address(s).lid] = tables.target(s);
  }
}

}  // namespace

size_t fatwood_engine_count(void) { return table_engines().size(); }
const char* fatwood_engine_name(size_t i) { return table_engines()[i]->name.data(); }

fatwood_bridge* fatwood_begin(const char* engine) {
  try {
    auto* bridge = new fatwood_bridge;
    bridge->engine = &find_engine(engine);
    return bridge;
  } catch (...) {
    return nullptr;
  }
}

void fatwood_end(fatwood_bridge* bridge) { delete bridge; }
const char* fatwood_error(const fatwood_bridge* bridge) { return bridge->error.c_str(); }

int fatwood_tell_node(fatwood_bridge* bridge, const fatwood_node* node) {
  return guarded(bridge, [&] {
    const std::string id = node->description;
    FabricBuilder& builder = bridge->builder;
    const auto added =
        node->kind == FATWOOD_SWITCH   ? builder.add_switch(id, node->ports, node->guid)
        : node->kind == FATWOOD_ROUTER ? builder.add_router(id, node->ports, node->guid)
                                       : builder.add_adapter(id, node->ports, node->guid);
    builder.set_hardware(added, {node->system_guid, node->vendor, node->device});
    bridge->by_guid.emplace(node->guid, added);
  });
}

int fatwood_tell_address(fatwood_bridge* bridge, uint64_t node_guid, uint8_t port, uint64_t guid,
                         uint16_t lid, uint8_t lmc) {
  return guarded(bridge, [&] {
    bridge->builder.set_address(handle(*bridge, node_guid), port,
                                {.guid = guid, .lid = lid, .lmc = lmc});
  });
}

int fatwood_tell_cable(fatwood_bridge* bridge, uint64_t guid_a, uint8_t port_a, uint64_t guid_b,
                       uint8_t port_b, const char* rate) {
  return guarded(bridge, [&] {
    bridge->builder.connect(handle(*bridge, guid_a), port_a, handle(*bridge, guid_b), port_b,
                            parse_rate(rate).value_or(Rate{}));
  });
}

int fatwood_route(fatwood_bridge* bridge, const fatwood_options* options) {
  return guarded(bridge, [&] {
    bridge->fabric = bridge->builder.build();
    bridge->builder = {};
    bridge->by_guid.clear();
    const Fabric& fabric = bridge->fabric;
    RouteOptions asked;
    asked.lmc = options->lmc;
    asked.max_lanes = options->max_lanes;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (fabric.address(t).guid == options->manager_guid && fabric.leaf(t) != kNone<Switch>) {
        asked.manager = fabric.leaf(t);
      }
    }
    if (options->roots_file) asked.roots = read_switch_list(fabric, options->roots_file);
    if (options->compute_file) asked.compute = read_terminal_list(fabric, options->compute_file);
    if (options->order_file) asked.order = read_terminal_list(fabric, options->order_file);
    const fatwood_seconds start = fatwood_clock();
    bridge->routing = route(*bridge->engine, fabric, asked);
    const fatwood_seconds end = fatwood_clock();
    bridge->engine_seconds = {end.wall - start.wall, end.cpu - start.cpu};
    index_lids(*bridge);
  });
}

size_t fatwood_switch_count(const fatwood_bridge* bridge) { return bridge->fabric.num_switches(); }
uint64_t fatwood_switch_guid(const fatwood_bridge* bridge, size_t s) {
  return bridge->fabric.guid(bridge->fabric.node(static_cast<Switch>(s)));
}
uint16_t fatwood_switch_lid(const fatwood_bridge* bridge, size_t s) {
  return bridge->fabric.address(static_cast<Switch>(s)).lid;
}

// Rows are destinations and OpenSM's tables are switches: transposed block by block, so that both
// sides stay in cache.
void fatwood_write_lfts(const fatwood_bridge* bridge, uint8_t* const* lfts, size_t lft_size) {
  const ForwardingTables& tables = bridge->routing.tables;
  constexpr std::size_t kBlock = 64;
  const std::size_t switches = tables.num_switches();
  const std::size_t blocks = (lft_size + kBlock - 1) / kBlock;
  const auto write_block = [&](std::size_t block, int) {
    const std::size_t lid0 = block * kBlock;
    const std::size_t lid_end = std::min(lid0 + kBlock, lft_size);
    for (std::size_t s0 = 0; s0 < switches; s0 += kBlock) {
      const std::size_t s_end = std::min(s0 + kBlock, switches);
      for (std::size_t lid = lid0; lid < lid_end; ++lid) {
        const Target target = bridge->target[lid];
        if (target == kNone<Target>) continue;
        const auto row = tables.row(target);
        for (std::size_t s = s0; s < s_end; ++s) {
          if (row[s] != kNoRoute) lfts[s][lid] = row[s];
        }
      }
    }
  };
  parallel_for(blocks, 0, write_block, 4);
}

int fatwood_write_hops(fatwood_bridge* bridge, uint8_t** const* hops, const uint8_t* ports) {
  return guarded(bridge, [&] {
    const Fabric& fabric = bridge->fabric;
    const PortGraph graph = port_graph(fabric);
    const std::vector<std::uint16_t> all = hop_counts(graph, 0);
    const auto write_switch = [&](std::size_t s, int) {
      std::vector<std::uint8_t*> rows;
      rows.reserve(fabric.num_switches());
      for (const Switch d : ids<Switch>(fabric.num_switches())) {
        rows.push_back(hops[s][fabric.address(d).lid]);
      }
      write_hops_of(graph, all, static_cast<std::uint32_t>(s), rows, ports[s]);
    };
    parallel_for(fabric.num_switches(), 0, write_switch, 4);
  });
}

fatwood_seconds fatwood_engine_seconds(const fatwood_bridge* bridge) {
  return bridge->engine_seconds;
}

fatwood_seconds fatwood_clock(void) {
  const auto read = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  return {read(CLOCK_MONOTONIC), read(CLOCK_PROCESS_CPUTIME_ID)};
}

unsigned fatwood_lanes(const fatwood_bridge* bridge) { return bridge->routing.lanes.count; }

unsigned fatwood_lane(const fatwood_bridge* bridge, uint16_t source_lid, uint16_t destination_lid) {
  const Switch source = bridge->source_switch[source_lid];
  const Target target = bridge->target[destination_lid];
  if (source == kNone<Switch> || target == kNone<Target>) return 0;
  return bridge->routing.lanes.at(target, source);
}
