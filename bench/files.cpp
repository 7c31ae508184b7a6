// SPDX-License-Identifier: BSD-3-Clause
// How fast files are read and written, against the limit that the same bytes set: one pass that
// looks for line ends (what wc -l does), in the same run.
//   bench_files [FABRIC]     a spec or a file; default ft(24,3)

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>

#include "clock.hpp"
#include "io/base/input.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/tables/far.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/load_tables.hpp"
#include "routing/adaptive/port_sets_builder.hpp"
#include "routing/engine.hpp"
#include "topology/levels/levels.hpp"

namespace {

using namespace fatwood;

template <class Work>
double best_of_three(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double start = bench::wall_seconds();
    work();
    best = std::min(best, bench::wall_seconds() - start);
  }
  return best;
}

std::size_t count_lines(const std::string& text) {
  std::size_t lines = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
    at = static_cast<const char*>(found) + 1;
    ++lines;
  }
  return lines;
}

void print_speed(std::string_view what, const std::string& text, double seconds) {
  std::size_t lines = 0;
  const double limit = best_of_three([&] { lines = count_lines(text); });
  fmt::print("{:28} {:9.2f} MB {:9} lines {:9.2f} ms {:8.0f} MB/s {:7.1f} x the line count\n", what,
             static_cast<double>(text.size()) / 1e6, lines, seconds * 1e3,
             static_cast<double>(text.size()) / 1e6 / seconds, seconds / limit);
}

// Every entry that goes up can take all ports up: what an adaptive engine gives on a complete tree.
Routing with_groups(const Fabric& fabric, Routing routing) {
  const Levels levels = find_levels(fabric);
  PortSetsBuilder builder(fabric);
  std::vector<std::vector<bool>> up(fabric.num_switches());
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    PortGroup group(1);
    up[index(s)].resize(256);
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
      if (levels.level[fabric.as_switch(fabric.neighbour(c))] <= levels.level[s]) continue;
      group[0].ports.push_back(fabric.port(c));
      up[index(s)][index(fabric.port(c))] = true;
    }
    builder.add_group(s, 1, group);
  }
  std::vector<PortSets::Kind> row(fabric.num_switches());
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const Port port = routing.tables.at(destination, s);
      const EntryState state = up[index(s)][index(port)] ? EntryState::kFree : EntryState::kStatic;
      row[index(s)] = builder.kind(s, state, 1, port);
    }
    builder.set_row(destination, row);
  }
  routing.sets = std::move(builder).build(routing.tables.num_destinations());
  return routing;
}

// Nodes, ports and links as ibdiagnet2.db_csv has them.
void write_db_csv(std::ostream& out, const Fabric& fabric) {
  out << "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n";
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    out << fmt::format("\"{}\",{},{},{:#018x}\n", fabric.id(node), fabric.ports(node),
                       fabric.is_switch(node) ? 2 : 1, fabric.guid(node));
  }
  out << "END_NODES\nSTART_PORTS\nNodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,LMC,"
         "PortState,OpVLs\n";
  std::string links, counters;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    const std::uint64_t guid = fabric.guid(fabric.owner(c));
    out << fmt::format("{:#018x},{:#018x},{},0,2,2052,0,4,3\n", guid, guid, index(fabric.port(c)));
    counters += fmt::format("{:#018x},{:#018x},{}", guid, guid, index(fabric.port(c)));
    for (int i = 0; i < 50; ++i)
      counters += fmt::format(",{}", index(c) * 1000 + static_cast<unsigned>(i));
    counters += '\n';
    const Channel peer = fabric.peer(c);
    if (index(peer) < index(c)) continue;
    links += fmt::format("{:#018x},{},{:#018x},{}\n", guid, index(fabric.port(c)),
                         fabric.guid(fabric.owner(peer)), index(fabric.port(peer)));
  }
  out << "END_PORTS\nSTART_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"
      << links << "END_LINKS\n";
  out << "START_PM_INFO\nNodeGUID,PortGUID,PortNumber";
  for (int i = 0; i < 50; ++i) out << ",counter" << i;
  out << "\n" << counters << "END_PM_INFO\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "ft(24,3)";
  const Fabric fabric = load_fabric(name).fabric;
  fmt::print("{}: {} switches, {} adapters, {} links\n", name, fabric.num_switches(),
             fabric.num_adapters(), fabric.num_cables());
  const auto both = [&](std::string_view format, auto write) {
    std::string text;
    const double writing = best_of_three([&] {
      std::ostringstream out;
      write(out, fabric);
      text = std::move(out).str();
    });
    print_speed(fmt::format("write {}", format), text, writing);
    print_speed(fmt::format("read {}", format), text, best_of_three([&] {
                  Input input(text, "bench");
                  read_fabric(input);
                }));
  };
  both("ibnetdiscover", write_ibnetdiscover);
  both("ibsim", write_ibsim);
  both("json", write_json_fabric);
  both("db_csv", write_db_csv);

  Routing routing = find_engine("minhop").route(Model(fabric), {});
  const Lids lids = assign_lids(fabric, 0);
  std::string text;
  const double writing = best_of_three([&] {
    std::ostringstream out;
    write_lfts(out, fabric, routing.tables, lids);
    text = std::move(out).str();
  });
  print_speed("write lfts.dump", text, writing);
  print_speed("read lfts.dump", text, best_of_three([&] {
                Input input(text, "bench");
                read_tables(input, fabric);
              }));

  routing = with_groups(fabric, std::move(routing));
  fmt::print("plain tables {:.2f} MB, sets of ports {:.2f} MB in {} rows\n",
             static_cast<double>(routing.tables.num_destinations() * fabric.num_switches()) / 1e6,
             static_cast<double>(routing.sets.bytes()) / 1e6, routing.sets.num_rows());
  const double writing_far = best_of_three([&] {
    std::ostringstream out;
    write_far(out, fabric, routing, lids);
    text = std::move(out).str();
  });
  print_speed("write far", text, writing_far);
  print_speed("read far", text, best_of_three([&] {
                Input input(text, "bench");
                read_tables(input, fabric);
              }));
  return 0;
}
