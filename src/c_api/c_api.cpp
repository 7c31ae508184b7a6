// SPDX-License-Identifier: BSD-3-Clause
// Fatwood's side of include/fatwood/c.h. No exception leaves this file: it becomes a text in the
// caller's fatwood_error, which needs no memory, and a failed call.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "app/node_choice.hpp"
#include "c_api/hop_rows.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/sort_unique.hpp"
#include "core/time_limit.hpp"
#include "core/transpose.hpp"
#include "fatwood/c.h"
#include "routing/engine.hpp"
#include "routing/tables/multicast.hpp"
#include "tasks/change/keep_installed.hpp"
#include "topology/builder.hpp"
#include "topology/model.hpp"

using namespace fatwood;

struct fatwood_fabric {
  FabricBuilder builder;
};

namespace fatwood {
// Data shared by routes of one fabric: those of fatwood_route, and those that fatwood_keep makes of
// them.
struct RoutedFabric {
  RoutedFabric(Fabric fabric, ModelHints hints) : model(std::move(fabric), std::move(hints)) {}

  Model model;
  unsigned max_lanes = 1;
  std::chrono::duration<double> limit{};  // of fatwood_keep; 0: none
  fatwood_seconds seconds{};
  // By LID: where a path starts and what it is to.
  Table<Lid, Switch> source_switch = Table<Lid, Switch>(0x10000, kNone<Switch>);
  Table<Lid, Destination> destination = Table<Lid, Destination>(0x10000, kNone<Destination>);
  std::size_t lid_end = 1;  // behind the highest LID
};
}  // namespace fatwood

struct fatwood_routes {
  const Fabric& fabric() const { return of->model.fabric(); }

  std::shared_ptr<const RoutedFabric> of;
  Routing routing;
  ForwardingTables final_tables = {};  // empty unless entries wait for a further round
};

namespace {

void set_error(fatwood_error* error, const char* text) noexcept {
  if (error != nullptr) std::snprintf(error->text, sizeof error->text, "%s", text);
}

template <class Work>
int guarded(fatwood_error* error, const Work& work) noexcept {
  try {
    work();
    return 0;
  } catch (const std::bad_alloc&) {
    set_error(error, "out of memory");
  } catch (const std::exception& thrown) {
    set_error(error, thrown.what());
  } catch (...) {
    set_error(error, "an unknown error");
  }
  return -1;
}

constexpr double kMostSeconds = 1e9;  // what a clock can add

// Engines that route by pair have no tables, adaptive ones several ports per entry.
bool fills_tables(const Engine& engine) {
  return engine.pairs != Pairs::kPerPair && !engine.has(Engine::kAdaptive);
}

FabricBuilder::Handle handle(const fatwood_fabric& fabric, std::uint32_t node) {
  if (node >= fabric.builder.num_nodes()) {
    throw InputError(
        fmt::format("no node has handle {}: {} were added", node, fabric.builder.num_nodes()));
  }
  return FabricBuilder::Handle{node};
}

fatwood_seconds clock_now() {
  const auto read = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  return {read(CLOCK_MONOTONIC), read(CLOCK_PROCESS_CPUTIME_ID)};
}

NodeChoice file_of_nodes(const char* path) { return {.file = path == nullptr ? "" : path}; }

RouteOptions route_options(const fatwood_options& options, const Fabric& fabric) {
  if (options.max_lanes == 0) throw InputError("max_lanes is 0; expected 1 at least");
  RouteOptions asked;
  asked.lmc = options.lmc;
  asked.max_lanes = options.max_lanes;
  asked.order = find_terminals(fabric, file_of_nodes(options.order_file), "order_file");
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (options.manager_guid != 0 && fabric.address(t).guid == options.manager_guid &&
        fabric.leaf(t) != kNone<Switch>) {
      asked.manager = fabric.leaf(t);
    }
  }
  return asked;
}

// The meaning of each LID, as a source and as a destination.
void index_lids(const ForwardingTables& tables, RoutedFabric& routes) {
  const Fabric& fabric = routes.model.fabric();
  const auto note = [&](Lid lid, Switch source, Destination destination) {
    if (index(lid) > 0xffff) return;
    routes.source_switch[lid] = source;
    routes.destination[lid] = destination;
    routes.lid_end = std::max(routes.lid_end, std::size_t{index(lid)} + 1);
  };
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Lid base = fabric.address(t).lid;
    for (std::uint32_t offset = 0; base != kNoLid && offset < 1U << tables.lmc(); ++offset) {
      note(base + offset, fabric.leaf(t), tables.destination(t, offset));
    }
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Lid lid = fabric.address(s).lid;
    if (lid != kNoLid) note(lid, s, tables.destination(s));
  }
}

fatwood_kept c_figures(const KeepFigures& figures) {
  constexpr std::array kTaken{FATWOOD_KEPT, FATWOOD_NEW_UNPROVED, FATWOOD_NEW_UNEVEN};
  return {.taken = kTaken[static_cast<std::size_t>(figures.taken)],
          .entries = figures.entries,
          .blocks = figures.blocks,
          .held = figures.held,
          .spare_blocks = figures.spare_blocks,
          .drift = figures.drift,
          .mixed_unsafe = figures.mixed_unsafe ? 1 : 0};
}

// A square of 16 LIDs and 16 switches at a time: rows are destinations, the caller's tables are
// switches.
void write_square_column(const fatwood_routes& routes, std::uint8_t* const* out, std::size_t lid0,
                         std::size_t width, const Port* nowhere) {
  const ForwardingTables& tables = routes.routing.tables;
  const std::size_t switches = tables.num_switches();
  std::array<const Port*, kSquare> rows;
  for (std::size_t i = 0; i < kSquare; ++i) {
    const Destination destination =
        i < width ? routes.of->destination[static_cast<Lid>(lid0 + i)] : kNone<Destination>;
    rows[i] = destination == kNone<Destination> ? nowhere : tables.row(destination).data();
  }
  std::size_t s = 0;
  for (; width == kSquare && s + kSquare <= switches; s += kSquare) {
    std::array<Bytes16, kSquare> square;
    for (std::size_t i = 0; i < kSquare; ++i) square[i] = load16(rows[i] + s);
    square = transposed(square);
    for (std::size_t i = 0; i < kSquare; ++i) store16(out[s + i] + lid0, square[i]);
  }
  for (; s < switches; ++s) {
    for (std::size_t i = 0; i < width; ++i)
      out[s][lid0 + i] = static_cast<std::uint8_t>(rows[i][s]);
  }
}

}  // namespace

size_t fatwood_engine_count(void) {
  return static_cast<std::size_t>(std::ranges::count_if(engines(), fills_tables));
}

const char* fatwood_engine_name(size_t i) {
  for (const Engine& engine : engines()) {
    if (fills_tables(engine) && i-- == 0) return engine.name.data();  // of a literal
  }
  return nullptr;
}

fatwood_fabric* fatwood_fabric_new(void) {
  fatwood_fabric* fabric = nullptr;
  guarded(nullptr, [&] { fabric = new fatwood_fabric; });
  return fabric;
}

void fatwood_fabric_free(fatwood_fabric* fabric) { delete fabric; }

int fatwood_add_node(fatwood_fabric* fabric, const fatwood_node* node, fatwood_error* error) {
  return guarded(error, [&] {
    const char* const id = node->description != nullptr ? node->description : "";
    FabricBuilder& builder = fabric->builder;
    const NodeKind kind = node->kind == FATWOOD_SWITCH   ? NodeKind::kSwitch
                          : node->kind == FATWOOD_ROUTER ? NodeKind::kRouter
                                                         : NodeKind::kAdapter;
    const auto added = builder.add(kind, id, node->ports, node->guid);
    builder.set_hardware(added, {node->system_guid, node->vendor, node->device});
  });
}

int fatwood_set_address(fatwood_fabric* fabric, uint32_t node, uint8_t port, uint64_t guid,
                        uint16_t lid, uint8_t lmc, fatwood_error* error) {
  return guarded(error, [&] {
    fabric->builder.set_address(handle(*fabric, node), Port{port},
                                {.guid = guid, .lid = Lid{lid}, .lmc = lmc});
  });
}

int fatwood_connect(fatwood_fabric* fabric, uint32_t node_a, uint8_t port_a, uint32_t node_b,
                    uint8_t port_b, fatwood_error* error) {
  return guarded(error, [&] {
    fabric->builder.connect(handle(*fabric, node_a), Port{port_a}, handle(*fabric, node_b),
                            Port{port_b});
  });
}

fatwood_routes* fatwood_route(const fatwood_fabric* fabric, const char* engine,
                              const fatwood_options* options, fatwood_error* error) {
  std::unique_ptr<fatwood_routes> routes;
  guarded(error, [&] {
    fatwood_options asked{};
    asked.max_lanes = RouteOptions{}.max_lanes;
    if (options != nullptr) asked = *options;
    if (!(asked.seconds >= 0 && asked.seconds < kMostSeconds)) {
      throw InputError(fmt::format("seconds is {}; expected 0 or more, below {:g}", asked.seconds,
                                   kMostSeconds));
    }
    const std::chrono::duration<double> seconds(asked.seconds);
    const TimeLimit limit(seconds);
    const Engine& chosen = find_engine(engine);
    if (!fills_tables(chosen)) {
      throw InputError(fmt::format("engine {} has no tables with one port per entry", chosen.name));
    }
    Fabric built = fabric->builder.build();
    ModelHints hints = find_hints(
        built,
        {.roots = file_of_nodes(asked.roots_file), .compute = file_of_nodes(asked.compute_file)},
        {});
    const auto of = std::make_shared<RoutedFabric>(std::move(built), std::move(hints));
    const RouteOptions route_asked = route_options(asked, of->model.fabric());
    of->max_lanes = route_asked.max_lanes;
    of->limit = seconds;
    const fatwood_seconds start = clock_now();
    Routing routing = route(chosen, of->model, route_asked);
    const fatwood_seconds end = clock_now();
    of->seconds = {end.wall - start.wall, end.cpu - start.cpu};
    index_lids(routing.tables, *of);
    routes.reset(new fatwood_routes{of, std::move(routing)});
  });
  return routes.release();
}

void fatwood_routes_free(fatwood_routes* routes) { delete routes; }

fatwood_seconds fatwood_engine_seconds(const fatwood_routes* routes) { return routes->of->seconds; }

size_t fatwood_switch_count(const fatwood_routes* routes) {
  return routes->fabric().num_switches();
}
uint64_t fatwood_switch_guid(const fatwood_routes* routes, size_t s) {
  const Fabric& fabric = routes->fabric();
  return fabric.guid(fabric.node(static_cast<Switch>(s)));
}
uint16_t fatwood_switch_lid(const fatwood_routes* routes, size_t s) {
  const Lid lid = routes->fabric().address(static_cast<Switch>(s)).lid;
  return static_cast<std::uint16_t>(lid);
}

int fatwood_write_tables(const fatwood_routes* routes, uint8_t* const* tables, size_t size,
                         fatwood_error* error) {
  return guarded(error, [&] {
    const std::size_t lids = std::min(size, routes->of->lid_end);
    const std::vector<Port> nowhere(routes->routing.tables.num_switches(), kNoRoute);
    parallel_for((lids + kSquare - 1) / kSquare, 0,
                 [&](std::size_t block, int) {
                   const std::size_t lid0 = block * kSquare;
                   write_square_column(*routes, tables, lid0, std::min(kSquare, lids - lid0),
                                       nowhere.data());
                 },
                 64);
  });
}

fatwood_routes* fatwood_keep(const fatwood_routes* routes, const uint8_t* const* old, size_t size,
                             const fatwood_keep_options* options, fatwood_kept* kept,
                             fatwood_error* error) {
  std::unique_ptr<fatwood_routes> result;
  guarded(error, [&] {
    const TimeLimit limit(routes->of->limit);
    const fatwood_keep_options asked = options != nullptr ? *options : fatwood_keep_options{};
    const auto destinations = [](const fatwood_routes& all) {
      return std::span(all.of->destination.data(), all.of->lid_end);
    };
    std::optional<EarlierRoutes> earlier;
    if (const fatwood_routes* const before = asked.before) {
      const bool waits = before->final_tables.num_destinations() != 0;
      earlier.emplace(EarlierRoutes{before->fabric(),
                                    waits ? before->final_tables : before->routing.tables,
                                    before->routing.lanes, destinations(*before)});
    }
    KeepResult found =
        keep_installed(routes->of->model, routes->routing, {old, size, destinations(*routes)},
                       {.rebalance = asked.rebalance != 0,
                        .spare_blocks = asked.spare_blocks,
                        .most_drift = asked.most_drift,
                        .max_lanes = routes->of->max_lanes},
                       earlier ? &*earlier : nullptr);
    result.reset(new fatwood_routes{routes->of, {}, std::move(found.final_tables)});
    result->routing.engine = routes->routing.engine;
    result->routing.tables = std::move(found.tables);
    result->routing.lanes = std::move(found.lanes);
    *kept = c_figures(found.figures);
  });
  return result.release();
}

int fatwood_write_hops(const fatwood_routes* routes, uint8_t** const* hops, const uint8_t* ports,
                       fatwood_error* error) {
  return guarded(error, [&] {
    const Fabric& fabric = routes->fabric();
    const PortGraph& graph = routes->of->model.port_graph();
    const std::vector<std::uint16_t> all = hop_counts(graph, 0);
    std::vector<Lid> lids;
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

unsigned fatwood_lane_count(const fatwood_routes* routes) { return routes->routing.lanes.count; }

unsigned fatwood_service_level(const fatwood_routes* routes, uint16_t source_lid,
                               uint16_t destination_lid) {
  const Switch source = routes->of->source_switch[Lid{source_lid}];
  const Destination destination = routes->of->destination[Lid{destination_lid}];
  if (source == kNone<Switch> || destination == kNone<Destination>) return 0;
  return routes->routing.lanes.at(destination, source);
}

int fatwood_multicast_tree(const fatwood_routes* routes, const uint16_t* members, size_t count,
                           const uint8_t* capable, uint32_t group,
                           void (*use)(void* context, size_t s, uint8_t port), void* context,
                           size_t* left_out, fatwood_error* error) {
  return guarded(error, [&] {
    const Fabric& fabric = routes->fabric();
    Table<Switch, char> can;
    for (const Switch s : ids<Switch>(fabric.num_switches())) can.push_back(capable[index(s)] != 0);
    std::vector<Switch> at;
    *left_out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Switch s = routes->of->source_switch[Lid{members[i]}];
      if (s == kNone<Switch>) {
        ++*left_out;
      } else {
        at.push_back(s);
      }
    }
    sort_unique(at);
    const MulticastTree tree =
        multicast_tree(fabric, routes->of->model.port_graph(), at, can, group);
    *left_out += tree.left_out.size();
    for (const Channel c : tree.up) {
      for (const Channel end : {c, fabric.peer(c)}) {
        use(context, index(fabric.as_switch(fabric.owner(end))),
            static_cast<std::uint8_t>(fabric.port(end)));
      }
    }
  });
}
