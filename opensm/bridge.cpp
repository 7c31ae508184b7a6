// Fatwood's side of bridge.h. Exceptions end here: whatever is thrown becomes a line for OpenSM's
// log and a failed call, never the end of the subnet manager.

#include "bridge.h"

#include <algorithm>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "io/node_list.hpp"
#include "routing/engine.hpp"
#include "topology/builder.hpp"

using namespace fatwood;

struct fatwood_bridge {
  const Engine* engine = nullptr;
  std::string error;
  FabricBuilder builder;
  std::unordered_map<std::uint64_t, FabricBuilder::Handle> by_guid;
  Fabric fabric;
  Routing routing;
  std::vector<std::uint8_t> hops;
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

// Breadth-first search from each switch over switches.
std::vector<std::uint8_t> least_hops(const Fabric& fabric) {
  const std::size_t count = fabric.num_switches();
  std::vector<std::uint8_t> hops(count * count, 255);
  std::vector<std::uint32_t> queue(count);
  for (std::uint32_t source = 0; source < count; ++source) {
    std::uint8_t* row = hops.data() + std::size_t{source} * count;
    row[source] = 0;
    queue[0] = source;
    std::size_t end = 1;
    for (std::size_t begin = 0; begin < end; ++begin) {
      const std::uint32_t at = queue[begin];
      const Node node = fabric.node(static_cast<Switch>(at));
      for (Port port = 1; port <= fabric.ports(node); ++port) {
        const Channel c = fabric.channel(node, port);
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        const std::uint32_t next = index(fabric.as_switch(fabric.neighbour(c)));
        if (row[next] != 255 || row[at] >= 64) continue;
        row[next] = static_cast<std::uint8_t>(row[at] + 1);
        queue[end++] = next;
      }
    }
  }
  return hops;
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
    bridge->routing = route(*bridge->engine, fabric, asked);
    bridge->hops = least_hops(fabric);
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
  for (std::size_t lid0 = 0; lid0 < lft_size; lid0 += kBlock) {
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
  }
}

const uint8_t* fatwood_hops(const fatwood_bridge* bridge) { return bridge->hops.data(); }
unsigned fatwood_lanes(const fatwood_bridge* bridge) { return bridge->routing.lanes.count; }

unsigned fatwood_lane(const fatwood_bridge* bridge, uint16_t source_lid, uint16_t destination_lid) {
  const Switch source = bridge->source_switch[source_lid];
  const Target target = bridge->target[destination_lid];
  if (source == kNone<Switch> || target == kNone<Target>) return 0;
  return bridge->routing.lanes.at(target, source);
}
