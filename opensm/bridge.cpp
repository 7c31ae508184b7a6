// Fatwood's side of bridge.h. Exceptions end here: whatever is thrown becomes a line for OpenSM's
// log and a failed call, never the end of the subnet manager.

#include "bridge.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/transpose.hpp"
#include "io/node_list.hpp"
#include "routing/engine.hpp"
#include "routing/multicast.hpp"
#include "topology/builder.hpp"
#include "topology/port_graph.hpp"

using namespace fatwood;

struct fatwood_bridge {
  const Engine* engine = nullptr;
  std::string error;
  FabricBuilder builder;
  std::optional<Model> model;  // of the last fabric told
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

FabricBuilder::Handle handle(std::uint32_t node) { return FabricBuilder::Handle{node}; }

constexpr std::uint8_t kNoPath = 255;
constexpr std::uint16_t kMostHops = 64;  // of InfiniBand

// Hop counts of one switch, a row of ports for each destination switch. Which neighbours are nearer
// is a bit for each; destinations one after the other mostly agree in them, and have the same row.
class HopRows {
 public:
  HopRows(const PortGraph& graph, const std::vector<std::uint16_t>& hops)
      : graph_(graph), hops_(hops) {}

  // `rows` by LID: those missing are made as OpenSM makes them, which also frees them.
  void write(std::uint32_t s, const std::vector<std::uint16_t>& lids, std::uint8_t** rows,
             unsigned ports) {
    const std::size_t n = graph_.switches;
    const std::uint16_t* const own = hops_.data() + s * n;
    find_nearer(s);
    row_.assign(ports, kNoPath);
    for (std::size_t d = 0; d < n; ++d) {
      if (d == 0 || own[d] != own[d - 1] || !as_before(d)) make_row(s, d);
      std::uint8_t*& row = rows[lids[d]];
      if (row == nullptr) row = static_cast<std::uint8_t*>(std::malloc(ports));
      if (row == nullptr) throw std::bad_alloc();
      std::copy(row_.begin(), row_.end(), row);
    }
  }

 private:
  void find_nearer(std::uint32_t s) {
    const std::size_t n = graph_.switches;
    const std::uint16_t* const own = hops_.data() + s * n;
    const std::uint32_t groups = graph_.first[s + 1] - graph_.first[s];
    words_ = (groups + 63) / 64;
    nearer_.assign(words_ * n, 0);
    for (std::uint32_t i = 0; i < groups; ++i) {
      const std::uint32_t neighbour = graph_.neighbour[graph_.first[s] + i];
      const std::uint16_t* const there = hops_.data() + std::size_t{neighbour} * n;
      std::uint64_t* const bits = nearer_.data() + i / 64 * n;
      for (std::size_t d = 0; d < n; ++d) {
        bits[d] |= std::uint64_t{there[d] + 1 == own[d]} << i % 64;
      }
    }
  }
  bool as_before(std::size_t d) const {
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t* const bits = nearer_.data() + word * graph_.switches;
      if (bits[d] != bits[d - 1]) return false;
    }
    return true;
  }
  void make_row(std::uint32_t s, std::size_t d) {
    const std::uint16_t hops = hops_[s * graph_.switches + d];
    std::ranges::fill(row_, kNoPath);
    if (hops > kMostHops) return;
    const auto least = static_cast<std::uint8_t>(hops);
    row_[0] = least;
    for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
      const std::uint32_t i = g - graph_.first[s];
      if ((nearer_[i / 64 * graph_.switches + d] >> i % 64 & 1) == 0) continue;
      for (const std::uint8_t port : graph_.ports(g)) {
        if (port < row_.size()) row_[port] = least;
      }
    }
  }

  const PortGraph& graph_;
  const std::vector<std::uint16_t>& hops_;  // [switch][switch]
  std::size_t words_ = 0;
  std::vector<std::uint64_t> nearer_;  // [word][destination]
  std::vector<std::uint8_t> row_;
};

// What each LID is, as a source and as a destination.
void index_lids(fatwood_bridge& bridge) {
  const Fabric& fabric = bridge.model->fabric();
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
  });
}

int fatwood_tell_address(fatwood_bridge* bridge, uint32_t node, uint8_t port, uint64_t guid,
                         uint16_t lid, uint8_t lmc) {
  return guarded(bridge, [&] {
    bridge->builder.set_address(handle(node), port, {.guid = guid, .lid = lid, .lmc = lmc});
  });
}

int fatwood_tell_cable(fatwood_bridge* bridge, uint32_t node_a, uint8_t port_a, uint32_t node_b,
                       uint8_t port_b) {
  return guarded(bridge,
                 [&] { bridge->builder.connect(handle(node_a), port_a, handle(node_b), port_b); });
}

int fatwood_route(fatwood_bridge* bridge, const fatwood_options* options) {
  return guarded(bridge, [&] {
    Fabric told = bridge->builder.build();
    bridge->builder = {};
    ModelHints hints;
    if (options->roots_file) hints.roots = read_switch_list(told, options->roots_file);
    if (options->compute_file) hints.compute = read_terminal_list(told, options->compute_file);
    const Fabric& fabric = bridge->model.emplace(std::move(told), std::move(hints)).fabric();
    RouteOptions asked;
    asked.lmc = options->lmc;
    asked.max_lanes = options->max_lanes;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (fabric.address(t).guid == options->manager_guid && fabric.leaf(t) != kNone<Switch>) {
        asked.manager = fabric.leaf(t);
      }
    }
    if (options->order_file) asked.order = read_terminal_list(fabric, options->order_file);
    const fatwood_seconds start = fatwood_clock();
    bridge->routing = route(*bridge->engine, *bridge->model, asked);
    const fatwood_seconds end = fatwood_clock();
    bridge->engine_seconds = {end.wall - start.wall, end.cpu - start.cpu};
    index_lids(*bridge);
  });
}

size_t fatwood_switch_count(const fatwood_bridge* bridge) {
  return bridge->model->fabric().num_switches();
}
uint64_t fatwood_switch_guid(const fatwood_bridge* bridge, size_t s) {
  return bridge->model->fabric().guid(bridge->model->fabric().node(static_cast<Switch>(s)));
}
uint16_t fatwood_switch_lid(const fatwood_bridge* bridge, size_t s) {
  return bridge->model->fabric().address(static_cast<Switch>(s)).lid;
}

// Rows are destinations and OpenSM's tables are switches: turned in squares.
void fatwood_write_lfts(const fatwood_bridge* bridge, uint8_t* const* lfts, size_t lft_size) {
  const ForwardingTables& tables = bridge->routing.tables;
  const std::size_t switches = tables.num_switches();
  const auto last = std::find_if(bridge->target.rbegin(), bridge->target.rend(),
                                 [](Target target) { return target != kNone<Target>; });
  lft_size = std::min(lft_size, static_cast<std::size_t>(bridge->target.rend() - last));
  const std::vector<std::uint8_t> nowhere(switches, kNoRoute);
  const auto write_block = [&](std::size_t block, int) {
    const std::size_t lid0 = block * kSquare;
    const std::size_t width = std::min(kSquare, lft_size - lid0);
    std::array<const std::uint8_t*, kSquare> rows;
    for (std::size_t i = 0; i < kSquare; ++i) {
      const Target target = i < width ? bridge->target[lid0 + i] : kNone<Target>;
      rows[i] = target == kNone<Target> ? nowhere.data() : tables.row(target).data();
    }
    std::size_t s = 0;
    for (; width == kSquare && s + kSquare <= switches; s += kSquare) {
      std::array<Bytes16, kSquare> square;
      for (std::size_t i = 0; i < kSquare; ++i) square[i] = load16(rows[i] + s);
      square = transposed(square);
      for (std::size_t i = 0; i < kSquare; ++i) store16(lfts[s + i] + lid0, square[i]);
    }
    for (; s < switches; ++s) {
      for (std::size_t i = 0; i < width; ++i) lfts[s][lid0 + i] = rows[i][s];
    }
  };
  parallel_for((lft_size + kSquare - 1) / kSquare, 0, write_block, 64);
}

int fatwood_write_hops(fatwood_bridge* bridge, uint8_t** const* hops, const uint8_t* ports) {
  return guarded(bridge, [&] {
    const Fabric& fabric = bridge->model->fabric();
    const PortGraph& graph = bridge->model->port_graph();
    const std::vector<std::uint16_t> all = hop_counts(graph, 0);
    std::vector<std::uint16_t> lids;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      lids.push_back(fabric.address(s).lid);
    }
    constexpr std::size_t kSwitches = 8;  // of one piece of work
    const std::size_t pieces = (lids.size() + kSwitches - 1) / kSwitches;
    parallel_for(pieces, 0, [&](std::size_t piece, int) {
      HopRows rows(graph, all);
      const std::size_t end = std::min(lids.size(), (piece + 1) * kSwitches);
      for (std::size_t s = piece * kSwitches; s < end; ++s) {
        rows.write(static_cast<std::uint32_t>(s), lids, hops[s], ports[s]);
      }
    });
  });
}

int fatwood_multicast(fatwood_bridge* bridge, const uint16_t* members, size_t count,
                      const uint8_t* capable, uint32_t group,
                      void (*use)(void* context, size_t s, uint8_t port), void* context,
                      size_t* left_out) {
  return guarded(bridge, [&] {
    const Fabric& fabric = bridge->model->fabric();
    Table<Switch, char> can;
    for (const Switch s : ids<Switch>(fabric.num_switches())) can.push_back(capable[index(s)] != 0);
    std::vector<Switch> at;
    *left_out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Switch s = bridge->source_switch[members[i]];
      if (s == kNone<Switch>)
        ++*left_out;
      else
        at.push_back(s);
    }
    std::ranges::sort(at);
    at.erase(std::ranges::unique(at).begin(), at.end());
    const MulticastTree tree = multicast_tree(fabric, bridge->model->port_graph(), at, can, group);
    *left_out += tree.left_out.size();
    const auto use_port = [&](Channel c) {
      use(context, index(fabric.as_switch(fabric.owner(c))),
          static_cast<std::uint8_t>(fabric.port(c)));
    };
    for (const Channel c : tree.up) {
      use_port(c);
      use_port(fabric.peer(c));
    }
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
