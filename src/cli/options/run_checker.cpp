// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/run_checker.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/outcome.hpp"
#include "core/error.hpp"
#include "core/text/printable.hpp"
#include "core/version.hpp"
#include "io/base/output.hpp"
#include "io/base/run_program.hpp"
#include "io/base/scratch_folder.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/tables/far.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/sl2vl_file.hpp"
#include "routing/tables/lids.hpp"
#include "topology/change/fabric_change.hpp"

namespace fatwood::cli {

namespace {

namespace fs = std::filesystem;

// As FATWOOD_CHECK says, where fatwood is installed, in the build tree, on the path.
std::string checker() {
  if (const char* const given = std::getenv("FATWOOD_CHECK")) return given;
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const char* const place : {"fatwood-check", "../../check/fatwood-check"}) {
    if (fs::exists(folder / place, none)) return folder / place;
  }
  return "fatwood-check";
}

// Adaptive tables name destinations by LID alone: so the fabric's file must have them.
Fabric with_lids(const Fabric& fabric, const Lids& lids) {
  FabricBuilder builder;
  const auto node = copy_fabric(builder, fabric, FabricChange(fabric));
  const auto set = [&](Channel c, Address address, Lid lid, unsigned lmc) {
    address.lid = lid;
    address.lmc = static_cast<std::uint8_t>(lmc);
    builder.set_address(node[fabric.owner(c)], fabric.port(c), address);
  };
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    set(fabric.terminal_channel(t), fabric.address(t), lids.terminal[t], lids.lmc);
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    set(fabric.channel(fabric.node(s), kOwnPort), fabric.address(s), lids.switches[s], 0);
  }
  return builder.build();
}

// The files of the fabric and its routes, as words of a command.
std::vector<std::string> write_all(const ScratchFolder& folder, const Fabric& fabric,
                                   const Routing& routing, const std::string& proof) {
  const Lids lids = assign_lids(fabric, routing.tables.lmc());
  require_real_lids(lids);
  const std::string net = folder / "fabric", tables = folder / "tables";
  write_output(net, [&](std::ostream& out) {
    write_ibnetdiscover(out, lids.own ? fabric : with_lids(fabric, lids));
  });
  write_output(tables, [&](std::ostream& out) {
    if (!routing.sets.empty()) return write_far(out, fabric, routing, lids);
    write_lfts(out, fabric, routing.tables, lids);
  });
  std::vector<std::string> words{net, tables, proof};
  if (!routing.lanes.lane.empty() || !routing.sl2vl.empty()) {
    const std::string levels = folder / "levels";
    write_output(levels, [&](std::ostream& out) { write_lanes(out, fabric, routing, lids); });
    words.insert(words.end(), {"--sl", levels});
  }
  if (!routing.sl2vl.empty()) {
    const std::string map = folder / "lanes";
    write_output(map, [&](std::ostream& out) { write_sl2vl(out, fabric, routing.sl2vl); });
    words.insert(words.end(), {"--sl2vl", map});
  }
  return words;
}

}  // namespace

void run_checker(const Fabric& fabric, const Routing& routing, const std::string& proof,
                 Session& session) {
  if (!routing.source_routes.empty()) {
    throw InputError(
        fmt::format("{} has a route for each pair and no tables: a proof of it can't "
                    "be checked from files",
                    routing.engine));
  }
  const ScratchFolder folder("fatwood-check");
  std::vector<std::string> words = write_all(folder, fabric, routing, proof);
  if (session.json) words.emplace_back("--json");
  ProgramOutput output =
      run_program({.name = "fatwood-check", .path = checker(), .words = std::move(words)});
  say(printable_text(output.err));
  if (output.status > 1) throw InputError(fmt::format("fatwood-check could not check {}", proof));
  // The version, as in every JSON of fatwood.
  if (session.json) output.out.replace(0, 1, fmt::format("{{\"fatwood\":\"{}\",", version()));
  print(session, output.out);
  session.status = output.status;
}

}  // namespace fatwood::cli
