// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/routing_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/load_tables.hpp"
#include "io/tables/sl2vl_file.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

// A warning, or InputError, when the file leaves paths out.
Lanes lanes_of_file(const Fabric& fabric, const ForwardingTables& tables, const Lids& lids,
                    const LaneFiles& files, std::vector<std::string>& warnings) {
  FileLanes read = load_lanes(files.sl, fabric, tables, lids);
  if (read.left_out == 0) return std::move(read.lanes);
  const std::string gap = fmt::format(
      "{} paths between switches have no service level, {} of them between terminals; the first "
      "is from {} to LID {}",
      read.left_out, read.left_out_hosts, unique_name(fabric, read.first_source),
      index(lids.of(tables, read.first_destination)));
  if (files.whole) throw InputError({.file = files.sl}, gap);
  warnings.push_back(fmt::format("{}: {}; they are taken to have level 0", files.sl, gap));
  return std::move(read.lanes);
}

}  // namespace

LoadedRouting load_routing_files(const std::string& path, const Fabric& fabric,
                                 const LaneFiles& lanes, int threads, const Names& labels) {
  LoadedTables loaded = load_tables(path, fabric, threads, labels);
  LoadedRouting result{{},
                       std::move(loaded.lids),
                       std::move(loaded.warnings),
                       std::move(loaded.contradictions),
                       std::move(loaded.prefixes)};
  Routing& routing = result.routing;
  routing.engine = path;
  routing.tables = std::move(loaded.tables);
  routing.sets = std::move(loaded.sets);
  routing.unknown = std::move(loaded.unknown);
  routing.may_return = loaded.may_return;
  if (lanes.sl.empty()) return result;
  routing.lanes = lanes_of_file(fabric, routing.tables, result.lids, lanes, result.warnings);
  if (lanes.sl2vl.empty()) return result;
  Sl2vl sl2vl = load_sl2vl(lanes.sl2vl, fabric);
  routing.sl2vl = std::move(sl2vl.map);
  if (routing.sl2vl.empty()) routing.lanes = take_lanes(sl2vl.same, std::move(routing.lanes));
  return result;
}

void save_tables(const std::string& path, const Fabric& fabric, const ForwardingTables& tables) {
  const Lids lids = assign_lids(fabric, tables.lmc());
  write_output(path, [&](std::ostream& out) { write_lfts(out, fabric, tables, lids); });
}

std::vector<std::string> save_routing(const std::string& tables, const std::string& levels,
                                      const Fabric& fabric, const Routing& routing,
                                      const Lids& lids) {
  std::vector<std::string> files;
  if (!tables.empty()) {
    write_output(tables, [&](std::ostream& out) { write_lfts(out, fabric, routing.tables, lids); });
    files.push_back(tables);
  }
  if (!levels.empty()) {
    write_output(levels, [&](std::ostream& out) { write_lanes(out, fabric, routing, lids); });
    files.push_back(levels);
  }
  return files;
}

void write_addresses(std::ostream& out, const Fabric& fabric, const AddressChoice& choice) {
  out << "# source destination offset[,offset...]\n";
  std::vector<std::string> name;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    name.emplace_back(unique_name(fabric, fabric.adapter_node(t)));
  }
  for (const Terminal s : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal d : ids<Terminal>(fabric.num_terminals())) {
      if (s == d) continue;
      out << fmt::format("{} {} {}\n", name[index(s)], name[index(d)],
                         fmt::join(choice.offsets(s, d), ","));
    }
  }
}

}  // namespace fatwood
