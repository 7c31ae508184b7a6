// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/load_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "io/base/input.hpp"
#include "io/fabric/live.hpp"
#include "io/ibdiagnet/run_files.hpp"
#include "io/routes/read_routes.hpp"
#include "io/routes/route_records.hpp"
#include "io/tables/far.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/lid_owners.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kNotMe = "a route by port 0 to an address that is not the switch's own";

class Filler {
 public:
  Filler(const Fabric& fabric, const EndPorts& ends, const LidOwners& map, Warnings& warnings)
      : fabric_(fabric), ends_(ends), map_(map), warnings_(warnings) {
    result_.tables = ForwardingTables(fabric.num_terminals(), fabric.num_switches(), map.lmc);
    result_.lids.lmc = map.lmc;
    result_.lids.own = map.own;
    for (std::uint32_t e = 0; e < ends.size(); ++e) {
      if (ends.is_switch(e)) {
        result_.lids.switches.push_back(map.base[e]);
      } else {
        result_.lids.terminal.push_back(map.base[e]);
      }
    }
  }

  LoadedTables run(LidTables& read) {
    std::size_t unknown = 0;
    for (const Lid lid : ids<Lid>(kNumLids)) {
      if (lid == kNoLid) continue;
      const std::uint32_t end = map_.owner[lid];
      if (end == kNone<std::uint32_t>) {
        if (read.row[lid] && unknown++ == 0) unknown_lid_ = lid;
        continue;
      }
      const std::uint32_t offset = index(lid) - index(map_.base[end]);
      if (offset >> (ends_.is_switch(end) ? 0U : map_.lmc) != 0) continue;
      const Destination destination = fill(end, offset, lid, read.row[lid].get());
      read.row[lid].reset();
      if (read.sets) fill_kinds(destination, lid, read);
    }
    if (read.sets) result_.sets = std::move(*read.sets).build(result_.tables.num_destinations());
    if (unknown > 0) {
      warnings_.add(
          fmt::format("tables and fabric disagree on {} LIDs, which no port of the fabric has; the "
                      "first is {}. "
                      "Are they from the same run?",
                      unknown, index(unknown_lid_)));
    }
    find_unknown(read);
    report_gaps(read);
    report_wrong_deliveries();
    return std::move(result_);
  }

 private:
  Destination fill(std::uint32_t end, std::uint32_t offset, Lid lid, const Port* row) {
    const bool is_switch = ends_.is_switch(end);
    const auto me = static_cast<Switch>(end - fabric_.num_terminals());
    const auto terminal = static_cast<Terminal>(end);
    const Destination destination =
        is_switch ? result_.tables.destination(me) : result_.tables.destination(terminal, offset);
    const std::span<Port> to = result_.tables.row(destination);
    if (row != nullptr && std::memchr(row, 0, to.size()) == nullptr) {
      std::memcpy(to.data(), row, to.size());
      return destination;
    }
    for (std::size_t s = 0; row != nullptr && s < to.size(); ++s) {
      if (row[s] == kOwnPort && !(is_switch && s == index(me))) {
        if (not_me_++ == 0) not_me_lid_ = lid;
        continue;
      }
      to[s] = row[s];
    }
    return destination;
  }

  void fill_kinds(Destination destination, Lid lid, LidTables& read) {
    const LidRow<std::uint8_t> low = std::move(read.kind_low[lid]);
    const LidRow<std::uint8_t> high = std::move(read.kind_high[lid]);
    if (!low) return;
    kinds_.assign(fabric_.num_switches(), 0);
    for (std::size_t s = 0; s < kinds_.size(); ++s) kinds_[s] = low[s];
    for (std::size_t s = 0; high && s < kinds_.size(); ++s) {
      kinds_[s] = static_cast<PortSets::Kind>(kinds_[s] | unsigned{high[s]} << 8U);
    }
    if (result_.tables.is_switch(destination))
      kinds_[index(result_.tables.as_switch(destination))] = 0;
    read.sets->set_row(destination, kinds_);
  }

  // Adaptive tables are whole, or refused.
  void find_unknown(const LidTables& read) {
    if (read.sets) return;
    ForwardingTables& tables = result_.tables;
    std::vector<std::vector<Lid>> further(fabric_.num_switches());
    for (const auto& [s, lid] : read.unknown) further[index(s)].push_back(lid);
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (read.known_below[s] > kMaxLid && further[index(s)].empty()) continue;
      std::vector<bool> unknown(tables.num_destinations());
      for (const Destination destination : ids<Destination>(tables.num_destinations())) {
        const Lid lid = result_.lids.of(tables, destination);
        const bool missing =
            lid >= read.known_below[s] || std::ranges::count(further[index(s)], lid) > 0;
        unknown[index(destination)] =
            lid != kNoLid && missing && tables.at(destination, s) == kNoRoute;
      }
      result_.unknown.set(fabric_.num_switches(), s, std::move(unknown));
    }
  }

  // The switch of a terminal sends its packets elsewhere: probably LIDs have changed.
  void report_wrong_deliveries() {
    std::size_t wrong = 0;
    Destination first{};
    const ForwardingTables& tables = result_.tables;
    const std::size_t destinations = fabric_.num_terminals() << tables.lmc();
    for (const Destination destination : ids<Destination>(destinations)) {
      const Switch leaf = fabric_.leaf(tables.terminal(destination));
      if (leaf == kNone<Switch> || tables.at(destination, leaf) == kNoRoute) continue;
      if (tables.at(destination, leaf) == own_port(fabric_, tables, destination)) continue;
      if (wrong++ == 0) first = destination;
    }
    if (wrong == 0) return;
    warnings_.add(fmt::format(
        "{} of {} LIDs of adapters are sent elsewhere by the switch that the adapter is on; the "
        "first is LID {} of {}. Were tables and fabric read at the same time?",
        wrong, destinations, index(result_.lids.of(tables, first)),
        unique_name(fabric_, fabric_.adapter_node(tables.terminal(first)))));
  }

  void report_gaps(const LidTables& read) {
    if (not_me_ > 0) {
      warnings_.add(std::to_string(not_me_) + " times " + std::string(kNotMe) +
                    ": the first is LID " + std::to_string(index(not_me_lid_)));
    }
    const auto missing =
        static_cast<std::size_t>(std::count(read.filled.begin(), read.filled.end(), false));
    if (missing > 0) {
      const auto first = std::find(read.filled.begin(), read.filled.end(), false);
      const auto s = static_cast<Switch>(first - read.filled.begin());
      warnings_.add(std::to_string(missing) + " of " + std::to_string(read.filled.size()) +
                    " switches have no tables in the file: the first is " +
                    unique_name(fabric_, s));
    }
    std::size_t gaps = 0, unknown = 0;
    Destination gap{};
    for (const Destination destination : ids<Destination>(result_.tables.num_destinations())) {
      const std::span<const Port> row = std::as_const(result_.tables).row(destination);
      if (std::ranges::find(row, kNoRoute) == row.end()) continue;
      for (const Switch s : ids<Switch>(row.size())) {
        if (row[index(s)] != kNoRoute) continue;
        if (result_.unknown.at(destination, s)) {
          ++unknown;
        } else if (gaps++ == 0) {
          gap = destination;
        }
      }
    }
    if (unknown > 0) {
      warnings_.add(fmt::format("{} of {} table entries are unknown", unknown,
                                result_.tables.num_destinations() * result_.tables.num_switches()));
    }
    if (gaps > 0) {
      const ForwardingTables& tables = result_.tables;
      const Node node = tables.is_switch(gap) ? fabric_.node(tables.as_switch(gap))
                                              : fabric_.adapter_node(tables.terminal(gap));
      warnings_.add(std::to_string(gaps) + " of " +
                    std::to_string(tables.num_destinations() * tables.num_switches()) +
                    " table entries have no route: the first is towards " +
                    unique_name(fabric_, node));
    }
  }

  const Fabric& fabric_;
  const EndPorts& ends_;
  const LidOwners& map_;
  Warnings& warnings_;
  LoadedTables result_;
  std::vector<PortSets::Kind> kinds_;  // of one row
  std::size_t not_me_ = 0;
  Lid unknown_lid_ = kNoLid, not_me_lid_ = kNoLid;
};

LoadedTables as_tables(LidTables& read, const Fabric& fabric, Warnings& warnings) {
  const EndPorts ends(fabric);
  LidContradictions contradictions = find_contradictions(fabric, ends, read);
  if (contradictions.lids > 0) {
    warnings.add(fmt::format(
        "tables and fabric disagree on {} LIDs; the first is LID {}: {} by the port GUIDs of the "
        "tables, which count here, {} in the fabric. Were they read at the same time?",
        contradictions.lids, index(contradictions.first), contradictions.by_guid,
        contradictions.in_fabric.empty() ? "no port" : contradictions.in_fabric));
  }
  const LidOwners map = find_lid_owners(fabric, ends, read);
  LoadedTables loaded = Filler(fabric, ends, map, warnings).run(read);
  loaded.contradictions = std::move(contradictions);
  loaded.format = read.format;
  loaded.warnings = warnings.texts();
  return loaded;
}

// A switch a file, or several in each.
LoadedTables read_files(const RunFiles& files, const std::vector<std::size_t>& numbers,
                        const Fabric& fabric) {
  LidRows rows(fabric, LidRows::Kinds::kNone);
  Warnings all(files.path());
  for (const std::size_t number : numbers) {
    Input input = files.open(number);
    Warnings warnings(input.name());
    read_lfts(input, rows, warnings);
    all.append(warnings);
  }
  LidTables read = std::move(rows).finish(files.path());
  return as_tables(read, fabric, all);
}

}  // namespace

LoadedTables read_tables(Input& input, const Fabric& fabric, int threads) {
  Warnings warnings(input.name());
  const auto is_tables = [&] {
    return looks_like_far(input.peek()) || looks_like_lfts(input.peek());
  };
  if (!is_tables()) input.skip_noise(warnings);  // perhaps more than peek() shows
  const bool far = looks_like_far(input.peek());
  if (!is_tables()) {
    // dump_mfts and ibroute -M; opensm.mcfdbs
    const bool multicast = input.peek().find("Multicast mlids") != std::string_view::npos ||
                           input.peek().find(": Out Port(s)") != std::string_view::npos;
    throw InputError({input.name(), 1, 1},
                     fmt::format("{}expected forwarding tables: opensm-lfts.dump, dump_fts, "
                                 "opensm.fdbs, or ibdiagnet2's fdbs or far",
                                 multicast ? "multicast tables are not checked; " : ""));
  }
  if (far) {
    LidTables read = read_far(input, fabric, warnings, threads);
    return as_tables(read, fabric, warnings);
  }
  LidRows rows(fabric, LidRows::Kinds::kNone);
  read_lfts(input, rows, warnings);
  LidTables read = std::move(rows).finish(input.name());
  return as_tables(read, fabric, warnings);
}

LoadedTables load_tables(const std::string& path, const Fabric& fabric, int threads,
                         const Names& labels) {
  if (is_live(path)) {
    Input input = live_tables(path);
    return read_tables(input, fabric, threads);
  }
  if (!RunFiles::is_run(path)) {
    Input input(path);
    if (looks_like_records(input.peek())) return read_routes(path, fabric, labels, threads);
    return read_tables(input, fabric, threads);
  }
  const RunFiles files(path);
  for (const RunFile part : {RunFile::kAdaptiveTables, RunFile::kLfts}) {
    const std::vector<std::size_t> numbers = files.all(part);
    if (part == RunFile::kLfts && numbers.size() > 1) return read_files(files, numbers, fabric);
    if (numbers.empty()) continue;
    Input input = files.open(part);
    return read_tables(input, fabric, threads);
  }
  return read_routes(path, fabric, labels, threads);
}

}  // namespace fatwood
