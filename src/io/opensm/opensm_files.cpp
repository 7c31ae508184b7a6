// SPDX-License-Identifier: BSD-3-Clause
#include "io/opensm/opensm_files.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/opensm/opensm_lists.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/lfts.hpp"
#include "routing/engine.hpp"

namespace fatwood {

namespace {

void write_guid2lid(std::ostream& out, const Fabric& fabric, const Lids& lids, unsigned lmc) {
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const std::uint32_t first = index(lids.terminal[t]);
    fmt::print(out, "0x{:016x} 0x{:04x} 0x{:04x}\n\n", fabric.address(t).guid, first,
               first + (1U << lmc) - 1);
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::uint32_t lid = index(lids.switches[s]);
    fmt::print(out, "0x{:016x} 0x{:04x} 0x{:04x}\n\n", fabric.address(s).guid, lid, lid);
  }
}

void write_commands(std::ostream& out, const Routing& routing, const OpensmLists& lists) {
  const unsigned lmc = routing.tables.lmc();
  const std::string lmc_option = lmc == 0 ? "" : fmt::format(" -l {}", lmc);
  fmt::print(out, "# Run in this folder, as root, on the host of the subnet manager.\n\n");
  fmt::print(out, "# {}'s tables, with the LIDs they were made for:\n", routing.engine);
  fmt::print(out, "OSM_CACHE_DIR=\"$PWD\" opensm -R file,no_fallback -U \"$PWD/lfts\"{}\n\n",
             lmc_option);
  if (routing.lanes.count > 1) {
    fmt::print(
        out,
        "# These routes need {} lanes. `-R file` hands out no service levels: without them the\n"
        "# routes can deadlock. The plug-in does: event_plugin_name fatwood_opensm, and\n"
        "#   opensm -Q -R fatwood_{},no_fallback\n\n",
        routing.lanes.count, routing.engine);
  }
  if (!lists.compute.empty()) {
    fmt::print(out, "# OpenSM's own engine, with the root switches and compute nodes given:\n");
    fmt::print(
        out, "opensm -R ftree,no_fallback -a \"$PWD/roots.guids\" -u \"$PWD/compute.guids\"{}\n\n",
        !lists.io.empty() ? " -G \"$PWD/io.guids\"" : "");
  }
  fmt::print(out, "# Back to what OpenSM does by itself:\nopensm\n");
}

// The file of tables as lines of opensm.conf, each after `start`.
void write_file_lines(std::ostream& out, std::string_view start, const std::string& folder,
                      unsigned lmc) {
  fmt::print(out, "{0}routing_engine file,no_fallback\n{0}lfts_file {1}/lfts\n", start, folder);
  if (lmc > 0) fmt::print(out, "{}lmc {}\n", start, lmc);
}

// Both ways as lines of opensm.conf: the plug-in, and as comments the file of tables. The plug-in
// has engines only, so for an algebraic routing there is the file alone.
void write_conf(std::ostream& out, const std::string& given, const Routing& routing) {
  const unsigned lmc = routing.tables.lmc();
  // OpenSM runs in another folder.
  std::string folder = std::filesystem::absolute(given).lexically_normal().string();
  if (folder.ends_with('/')) folder.pop_back();
  if (!is_engine(routing.engine)) {
    fmt::print(
        out,
        "# Lines for /etc/opensm/opensm.conf, written by fatwood: the tables of this folder, "
        "with the LIDs\n# they were made for. Copy guid2lid to OpenSM's cache "
        "(/var/cache/opensm).\n");
    return write_file_lines(out, "", folder, lmc);
  }
  fmt::print(out,
             "# Lines for /etc/opensm/opensm.conf, written by fatwood. Take one of the two.\n\n"
             "# 1. The plug-in: {0} routes the fabric at each heavy sweep.\n"
             "event_plugin_name fatwood_opensm\nrouting_engine fatwood_{0},no_fallback\n",
             routing.engine);
  if (routing.lanes.count > 1) fmt::print(out, "qos TRUE\n");
  if (routing.engine == "nue") fmt::print(out, "nue_max_num_vls {}\n", routing.lanes.count);
  if (lmc > 0) fmt::print(out, "lmc {}\n", lmc);
  fmt::print(
      out,
      "# To keep what is good in the switches after a fault or a restart of OpenSM, uncomment:\n"
      "# event_plugin_options fatwood_repair fatwood_drift=0.05\n"
      "\n# 2. The tables of this folder, with the LIDs they were made for: copy guid2lid to "
      "OpenSM's\n#    cache (/var/cache/opensm), and uncomment these lines.{}\n",
      routing.lanes.count > 1 ? " They hand out no\n#    service levels, which these "
                                "routes need: take the plug-in."
                              : "");
  write_file_lines(out, "# ", folder, lmc);
}

std::string round_name(std::size_t round) { return fmt::format("round{}.lft", round + 1); }

// OpenSM writes switches in an order of its own, so it cannot do a round that needs an order.
bool is_ordered(const RoundNotes& round) { return !round.order.empty(); }

void write_no_commands(std::ostream& out, const std::vector<RoundNotes>& notes) {
  const auto round = std::ranges::find_if(notes, is_ordered);
  fmt::print(
      out,
      "# Run in this folder, as root, on the host of the subnet manager: nothing. Round {}\n"
      "# must go level by level, each level answered before the next, and OpenSM writes in an\n"
      "# order of its own: do not give it these tables as a file. (The plug-in splits such a\n"
      "# round of the tables that it makes: event_plugin_options fatwood_repair.)\n"
      "# Order of the switches: {}\n",
      round - notes.begin() + 1, fmt::join(round->order, " "));
}

void write_round_commands(std::ostream& out, const std::vector<RoundNotes>& notes) {
  if (std::ranges::any_of(notes, is_ordered)) return write_no_commands(out, notes);
  fmt::print(out,
             "# Run in this folder, as root, on the host of the subnet manager. OpenSM must run\n"
             "# with: -R file,no_fallback -U \"$PWD/now.lft\"; it reads the file at SIGHUP.\n");
  for (std::size_t i = 0; i < notes.size(); ++i) {
    fmt::print(out, "\n# Round {} of {}: {} entries.\n", i + 1, notes.size(), notes[i].entries);
    fmt::print(out, "cp {} now.lft && kill -HUP \"$(pidof opensm)\"\n", round_name(i));
    if (i + 1 < notes.size()) {
      fmt::print(out, "sleep 10 # until OpenSM says SUBNET UP{}\n",
                 notes[i].drain ? ", and packets of before are gone" : "");
    }
  }
}

}  // namespace

void add_opensm_outputs(Outputs& outputs, const std::string& option, const std::string& folder) {
  const std::pair<const char*, OutputForm> files[] = {
      {"lfts", output_form::kTables},       {"guid2lid", output_form::kGuidToLid},
      {"roots.guids", output_form::kGuids}, {"compute.guids", output_form::kGuids},
      {"io.guids", output_form::kGuids},    {"sl", output_form::kLevels},
      {"commands", output_form::kCommands}, {"opensm.conf", output_form::kConf}};
  outputs.add_folder(option, folder, files);
}

std::vector<std::string> write_opensm_files(const std::string& folder, const Fabric& fabric,
                                            const Routing& routing, const Lids& lids,
                                            const Levels& levels) {
  OutputFolder files(folder);
  const OpensmLists lists = levels.is_tree() ? opensm_lists(fabric, levels) : OpensmLists{};
  files.write("lfts", [&](std::ostream& out) { write_lfts(out, fabric, routing.tables, lids); });
  files.write("guid2lid",
              [&](std::ostream& out) { write_guid2lid(out, fabric, lids, routing.tables.lmc()); });
  if (!lists.compute.empty()) {
    files.write("roots.guids", [&](std::ostream& out) { write_guids(out, fabric, lists.roots); });
    files.write("compute.guids",
                [&](std::ostream& out) { write_guids(out, fabric, lists.compute); });
    if (!lists.io.empty()) {
      files.write("io.guids", [&](std::ostream& out) { write_guids(out, fabric, lists.io); });
    }
  }
  if (routing.lanes.count > 1) {
    files.write("sl", [&](std::ostream& out) { write_lanes(out, fabric, routing, lids); });
  }
  files.write("commands", [&](std::ostream& out) { write_commands(out, routing, lists); });
  files.write("opensm.conf", [&](std::ostream& out) { write_conf(out, folder, routing); });
  return files.finish();
}

void add_round_outputs(Outputs& outputs, const std::string& option, const std::string& folder) {
  const std::pair<const char*, OutputForm> files[] = {{"round1.lft", output_form::kTables},
                                                      {"round2.lft", output_form::kTables},
                                                      {"commands", output_form::kCommands}};
  outputs.add_folder(option, folder, files);
}

void write_round_files(const std::string& folder, const Fabric& fabric, const Lids& lids,
                       const std::vector<ForwardingTables>& rounds,
                       const std::vector<RoundNotes>& notes) {
  OutputFolder files(folder);
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    files.write(round_name(i),
                [&](std::ostream& out) { write_lfts(out, fabric, rounds[i], lids); });
  }
  files.write("commands", [&](std::ostream& out) { write_round_commands(out, notes); });
  files.finish();
}

}  // namespace fatwood
