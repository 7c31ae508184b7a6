// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/read_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "io/routes/narrow_groups.hpp"
#include "io/routes/route_classes.hpp"
#include "io/routes/route_files.hpp"
#include "io/routes/route_names.hpp"
#include "io/routes/switch_routes.hpp"
#include "routing/adaptive/least_hop_groups.hpp"

namespace fatwood {

namespace {

using What = RouteEntry::What;

class RouteReader {
 public:
  RouteReader(const std::string& path, const Fabric& fabric, const Names& labels, int threads)
      : path_(path),
        fabric_(fabric),
        labels_(labels),
        threads_(threads),
        warnings_(path),
        notes_(fabric.num_switches()),
        tables_(fabric.num_switches()) {}

  LoadedTables run() {
    RouteFiles files(path_, fabric_, threads_);
    files.each([&](Switch s, SwitchRoutes& routes) { place(s, routes); });
    files.report(warnings_);
    for (const Notes& notes : notes_) {
      if (notes.unplaced > 0 && unplaced_ == 0) first_unplaced_ = notes.first_unplaced;
      unplaced_ += notes.unplaced;
    }
    classes_ = find_route_classes(fabric_, tables_, threads_);
    choose_destinations();
    fill();
    report();
    result_.format = "routes";
    result_.may_return = true;
    result_.warnings = warnings_.texts();
    return std::move(result_);
  }

 private:
  // Translates names of ports.
  void place(Switch s, SwitchRoutes& routes) {
    tables_[s].known = true;
    settle_routes(routes);
    const PortNames names(fabric_, labels_, s);
    // Most routes share few groups.
    std::map<std::pair<std::uint64_t, RouteKind>, RouteEntry> of_object;
    for (const SwitchRoute& route : routes.routes) {
      if (!route.object) {
        tables_[s].add(route.prefix, entry_of(s, names, route.kind, route.hops));
        continue;
      }
      const auto [at, added] = of_object.try_emplace({*route.object, route.kind});
      if (added) at->second = entry_of(s, names, route.kind, hops_of(routes, route));
      tables_[s].add(route.prefix, at->second);
    }
  }

  RouteEntry entry_of(Switch s, const PortNames& names, RouteKind kind,
                      const std::vector<RouteHop>& hops) {
    RouteEntry entry;
    bool unknown = false, to_switch = false, host = false;
    for (const RouteHop& hop : hops) {
      const Port port = names.find(hop.port);
      if (port != kNoRoute) {
        put(entry.ports, port);
        const bool leads = fabric_.to_switch(fabric_.channel(fabric_.node(s), port));
        (leads ? to_switch : host) = true;
      } else if (kind == RouteKind::kConnected || is_for_hosts(hop.port)) {
        host = true;
      } else {
        unknown = true;
        note_port(s, hop.port);
      }
      entry.weighted = entry.weighted || hop.weight != hops.front().weight;
    }
    if (kind == RouteKind::kOwn) {
      entry = {.what = What::kOwn};
    } else if (unknown) {
      entry = {.what = What::kUnknown};
    } else if (to_switch) {
      entry.what = What::kPorts;
    } else if (kind == RouteKind::kConnected) {
      entry.what = What::kHosts;
    } else if (host) {
      entry.what = count_ports(entry.ports) > 0 ? What::kPorts : What::kUnknown;
    }
    return entry;
  }

  void note_port(Switch s, const std::string& port) {
    Notes& notes = notes_[s];
    if (notes.unplaced++ == 0) {
      notes.first_unplaced = fmt::format("{} of {}", port, unique_name(fabric_, s));
    }
  }

  // Classes of each switch: those of hosts, and that of its own address.
  void choose_destinations() {
    of_hosts_ = Table<Switch, std::vector<std::size_t>>(fabric_.num_switches());
    own_class_ = Table<Switch, std::size_t>(fabric_.num_switches(), kNoClass);
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const RouteClass& one = classes_[c];
      if (one.owners.size() > 1) {
        if (several_++ == 0) first_several_ = to_string(one.prefix);
      }
      for (const Switch s : one.owners) {
        if (!one.own) {
          of_hosts_[s].push_back(c);
        } else if (own_class_[s] == kNoClass) {
          own_class_[s] = c;
        } else if (further_own_++ == 0) {
          first_further_ = to_string(one.prefix);
        }
      }
    }
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      of_terminal_.push_back(classes_of(t));
    }
    std::size_t most = 1;
    for (const std::vector<std::size_t>& some : of_terminal_) most = std::max(most, some.size());
    lmc_ = std::min(kMaxLmc, static_cast<unsigned>(std::bit_width(most - 1)));
    if (most > std::size_t{1} << lmc_) {
      warnings_.add(
          fmt::format("a switch has {} prefixes of hosts with different routes: the "
                      "first {} count",
                      most, 1U << lmc_));
    }
  }

  // Those that name its port, or else those that name none.
  std::vector<std::size_t> classes_of(Terminal t) const {
    std::vector<std::size_t> by_port, any;
    const Switch leaf = fabric_.leaf(t);
    if (leaf == kNone<Switch>) return any;
    for (const std::size_t c : of_hosts_[leaf]) {
      const RouteEntry& entry = classes_[c].entries[index(leaf)];
      if (count_ports(entry.ports) == 0) any.push_back(c);
      if (has(entry.ports, fabric_.leaf_port(t))) by_port.push_back(c);
    }
    return by_port.empty() ? any : by_port;
  }

  void fill() {
    const std::size_t switches = fabric_.num_switches();
    result_.prefixes.classes = classes_.size();
    result_.tables = ForwardingTables(fabric_.num_terminals(), switches, lmc_);
    ForwardingTables& tables = result_.tables;
    GroupTable groups{std::vector<std::vector<PortMask>>(switches, {PortMask{}}), {}, {}};
    for (const RouteClass& one : classes_) {
      for (std::size_t s = 0; s < switches; ++s) {
        const RouteEntry& entry = one.entries[s];
        const bool several = entry.what == What::kPorts && count_ports(entry.ports) > 1;
        groups.number.push_back(several ? groups.number_of(s, entry.ports) : std::uint16_t{0});
      }
    }
    groups.number.resize((classes_.size() + 1) * switches);  // the last: nothing is known
    std::vector<std::vector<bool>> unknown(switches, std::vector<bool>(tables.num_destinations()));
    for (const Destination destination : ids<Destination>(tables.num_destinations())) {
      const std::size_t c = class_of(destination);
      groups.class_of.push_back(static_cast<std::uint32_t>(std::min(c, classes_.size())));
      result_.prefixes.of.push_back(c == kNoClass ? "" : to_string(classes_[c].prefix));
      const Switch home = home_of(fabric_, tables, destination);
      for (const Switch s : ids<Switch>(switches)) {
        Port& to = tables.row(destination)[index(s)];
        if (s == home) {
          to = own_port(fabric_, tables, destination);
          continue;
        }
        const RouteEntry entry =
            c == kNoClass ? RouteEntry{.what = What::kUnknown} : classes_[c].entries[index(s)];
        if (entry.what == What::kPorts) {
          to = lowest_port(entry.ports);
        } else if (entry.what != What::kNone) {  // unknown, or it ends at another owner
          unknown[index(s)][index(destination)] = true;
        }
      }
      if (c == kNoClass) ++without_class_;
    }
    const RouteOptions hashed{.choice = EntryState::kHashed};
    result_.sets = sets_of(fabric_, groups, tables, "routes", hashed);
    for (const Switch s : ids<Switch>(switches)) {
      if (std::ranges::find(unknown[index(s)], true) == unknown[index(s)].end()) continue;
      result_.unknown.set(switches, s, std::move(unknown[index(s)]));
    }
    result_.lids = assign_lids(fabric_, lmc_);
  }

  std::size_t class_of(Destination destination) const {
    const ForwardingTables& tables = result_.tables;
    if (tables.is_switch(destination)) return own_class_[tables.as_switch(destination)];
    const std::vector<std::size_t>& some = of_terminal_[index(tables.terminal(destination))];
    return some.empty() ? kNoClass : some[(index(destination) & ((1U << lmc_) - 1)) % some.size()];
  }

  void report() {
    const auto say = [&](std::size_t count, const std::string& text) {
      if (count > 0) warnings_.add(text);
    };
    say(unplaced_, fmt::format("{} next hops leave by ports that are not in the fabric, the first "
                               "by {}: where they lead is unknown",
                               unplaced_, first_unplaced_));
    say(several_, fmt::format("{} prefixes belong to several switches, the first is {}: from "
                              "switches that may send to another owner, it is unknown whether "
                              "hosts are reached",
                              several_, first_several_));
    say(further_own_, fmt::format("{} further addresses of switches have other routes than the "
                                  "first, and are left out: {}, ...",
                                  further_own_, first_further_));
    say(without_class_, fmt::format("{} of {} hosts and switches have no address in any table: "
                                    "their routes are unknown",
                                    without_class_, result_.tables.num_destinations()));
    std::size_t weighted = 0;
    for (const SwitchTable& table : tables_) {
      weighted += static_cast<std::size_t>(std::ranges::count_if(
          table.matches,
          [&](const SwitchTable::Match& match) { return table.kinds[match.kind].weighted; }));
    }
    say(weighted, fmt::format("{} routes have next hops of different weights: here they count as "
                              "equal",
                              weighted));
    find_narrow_groups(fabric_, classes_, result_.prefixes);
    const Prefixes& found = result_.prefixes;
    say(found.narrow_groups,
        fmt::format("{} groups of {} prefixes are narrower than the cables towards them: {} (a "
                    "limit of paths, or a session that is down)",
                    found.narrow_groups, found.narrow_classes, first_narrow()));
  }

  // "leaf1 sends 10.0.0.0/24 by 3 of 4 ports, and not by 2"
  std::string first_narrow() const {
    if (result_.prefixes.narrow.empty()) return {};
    const NarrowGroup& one = result_.prefixes.narrow.front();
    return fmt::format("{} sends {} by {} of {} ports, and not by {}", unique_name(fabric_, one.at),
                       one.prefix, one.used.size(), one.used.size() + one.missing.size(),
                       index(one.missing.front()));
  }

  static constexpr std::size_t kNoClass = ~std::size_t{0};

  struct Notes {  // about one switch
    std::size_t unplaced = 0;
    std::string first_unplaced;
  };

  const std::string& path_;
  const Fabric& fabric_;
  const Names& labels_;
  int threads_;
  Warnings warnings_;
  Table<Switch, Notes> notes_;
  Table<Switch, SwitchTable> tables_;
  std::vector<RouteClass> classes_;
  Table<Switch, std::vector<std::size_t>> of_hosts_;  // classes
  Table<Switch, std::size_t> own_class_;
  std::vector<std::vector<std::size_t>> of_terminal_;  // classes
  unsigned lmc_ = 0;
  LoadedTables result_;
  std::size_t unplaced_ = 0, several_ = 0, further_own_ = 0, without_class_ = 0;
  std::string first_unplaced_, first_several_, first_further_;
};

}  // namespace

LoadedTables read_routes(const std::string& path, const Fabric& fabric, const Names& labels,
                         int threads) {
  return RouteReader(path, fabric, labels, threads).run();
}

}  // namespace fatwood
