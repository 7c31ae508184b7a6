// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/jobs/job_loads.hpp"

#include <algorithm>
#include <utility>

#include "analysis/jobs/job_counts.hpp"
#include "routing/adaptive/destination_classes.hpp"

namespace fatwood {
namespace {

// Plain tables.
class TableJobLoads : public JobLoads {
 public:
  TableJobLoads(const JobSetting& setting, const ForwardingTables& tables)
      : setting_(setting),
        tables_(tables),
        counts_(setting.model.fabric().num_channels()),
        hops_(setting.model) {}

  std::unique_ptr<JobLoads> copy() const override {
    return std::make_unique<TableJobLoads>(setting_, tables_);
  }

  JobPeaks peaks(const JobFlows& flows) override {
    bool arrives = true;
    for (const JobPort& to : flows.ports()) {
      for (std::uint32_t offset = 0; offset < 1U << tables_.lmc(); ++offset) {
        const auto row = tables_.row(tables_.destination(to.terminal, offset));
        arrives &= at_once(flows, to, row);
        if (flows.rails() > 1) arrives &= direct(flows, to, row);
        arrives &= slots(flows, to, row);
      }
    }
    JobPeaks peaks = counts_.take(setting_, 1.0 / static_cast<double>(1U << tables_.lmc()));
    peaks.lost = !arrives;
    return peaks;
  }

 private:
  using Row = std::span<const Port>;

  void add(std::span<const JobSenders> senders, const JobPort& to) {
    for (const JobSenders& from : senders) {
      if (!setting_.connected(from.leaf, to.leaf)) continue;
      hops_.add(from.leaf, from.ports * setting_.sources.units(from.kind, to.kind));
    }
  }
  Port last(const JobPort& to) const { return setting_.model.fabric().leaf_port(to.terminal); }

  bool at_once(const JobFlows& flows, const JobPort& to, Row row) {
    add(flows.senders(to.rail), to);
    for (const JobPort& own : flows.ports(to.member, to.rail)) {
      hops_.subtract(own.leaf, setting_.units(own, to));
    }
    return hops_.run(
        to.leaf, last(to), [&](std::uint32_t s) { return row.subspan(s, 1); },
        [&](std::size_t c, std::uint64_t amount) { counts_.add_at_once(c, amount); });
  }

  bool direct(const JobFlows& flows, const JobPort& to, Row row) {
    add(flows.all_senders(), to);
    for (std::uint32_t rail = 0; rail < flows.rails(); ++rail) {
      for (const JobPort& own : flows.ports(to.member, rail)) {
        hops_.subtract(own.leaf, setting_.units(own, to));
      }
    }
    return hops_.run(
        to.leaf, last(to), [&](std::uint32_t s) { return row.subspan(s, 1); },
        [&](std::size_t c, std::uint64_t amount) { counts_.add_direct(c, amount); });
  }

  bool slots(const JobFlows& flows, const JobPort& to, Row row) {
    bool arrives = row[to.leaf] == last(to);
    for (std::uint32_t slot = 0; slot < flows.slots(); ++slot) {
      for (const JobPort& from : flows.ports(flows.sender(slot, to.member), to.rail)) {
        const std::uint64_t units = setting_.units(from, to);
        if (units == 0) continue;
        std::uint32_t s = from.leaf;
        for (std::size_t hop = 0; s != to.leaf; ++hop) {
          const Port port = row[s];
          const Hop next = hops_.map().at(s, port);
          if (!next.to_switch() || hop > hops_.switches()) {
            arrives = false;
            break;
          }
          counts_.add_slot(hops_.channel(s, port), slot, units);
          s = next.next();
        }
      }
    }
    return arrives;
  }

  const JobSetting& setting_;
  const ForwardingTables& tables_;
  JobCounts<std::uint64_t, std::uint32_t> counts_;
  HopByHop<std::uint64_t> hops_;
};

// Adaptive tables: destinations by class.
class AdaptiveJobLoads : public JobLoads {
 public:
  AdaptiveJobLoads(const JobSetting& setting, const Routing& routing,
                   std::shared_ptr<const Table<Destination, std::uint32_t>> class_of)
      : setting_(setting),
        routing_(routing),
        class_of_(std::move(class_of)),
        counts_(setting.model.fabric().num_channels()),
        hops_(setting.model) {}

  std::unique_ptr<JobLoads> copy() const override {
    return std::make_unique<AdaptiveJobLoads>(setting_, routing_, class_of_);
  }

  JobPeaks peaks(const JobFlows& flows) override {
    const ForwardingTables& tables = routing_.tables;
    std::vector<Member> members;
    for (const JobPort& port : flows.ports()) {
      for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
        const Destination to = tables.destination(port.terminal, offset);
        members.push_back({(*class_of_)[to], to, &port});
      }
    }
    std::ranges::stable_sort(members, {}, &Member::of_class);
    bool arrives = true;
    for (std::size_t begin = 0; begin < members.size();) {
      std::size_t end = begin;
      while (end < members.size() && members[end].of_class == members[begin].of_class) ++end;
      arrives &= add_class(flows, std::span(members).subspan(begin, end - begin));
      begin = end;
    }
    JobPeaks peaks = counts_.take(setting_, 1.0 / static_cast<double>(1U << tables.lmc()));
    peaks.lost = !arrives;
    return peaks;
  }

 private:
  struct Member {
    std::uint32_t of_class;
    Destination destination;
    const JobPort* port;
  };

  template <class Visit>
  bool run(const Member& one, const Visit& visit) {
    // The packets of a class leave their switch by one port each; `last` of the first stands for
    // all, because classes compare the other switches only.
    const std::uint32_t home = one.port->leaf;
    const Port last = setting_.model.fabric().leaf_port(one.port->terminal);
    return hops_.run(
        home, last, [&](std::uint32_t s) { return routing_.ports(Switch{s}, one.destination); },
        visit);
  }

  bool add_class(const JobFlows& flows, std::span<const Member> members) {
    bool arrives = true;
    for (const Member& one : members) {
      add_to(flows.senders(one.port->rail), *one.port, one.port->rail, one.port->rail + 1, flows);
      const std::span<const Port> home = routing_.ports(Switch{one.port->leaf}, one.destination);
      arrives &=
          home.size() == 1 && home[0] == setting_.model.fabric().leaf_port(one.port->terminal);
    }
    arrives &= run(members[0], [&](std::size_t c, double a) { counts_.add_at_once(c, a); });
    if (flows.rails() > 1) {
      for (const Member& one : members) {
        add_to(flows.all_senders(), *one.port, 0, flows.rails(), flows);
      }
      arrives &= run(members[0], [&](std::size_t c, double a) { counts_.add_direct(c, a); });
    }
    for (std::uint32_t slot = 0; slot < flows.slots(); ++slot) {
      for (const Member& one : members) {
        const JobPort& to = *one.port;
        for (const JobPort& from : flows.ports(flows.sender(slot, to.member), to.rail)) {
          hops_.add(from.leaf, static_cast<double>(setting_.units(from, to)));
        }
      }
      arrives &= run(members[0], [&](std::size_t c, double a) { counts_.add_slot(c, slot, a); });
    }
    return arrives;
  }

  // Amounts are added as integers, so that what a host would send to itself is taken off exactly.
  void add_to(std::span<const JobSenders> senders, const JobPort& to, std::uint32_t first_rail,
              std::uint32_t last_rail, const JobFlows& flows) {
    for (const JobSenders& from : senders) {
      if (!setting_.connected(from.leaf, to.leaf)) continue;
      std::uint64_t units = from.ports * setting_.sources.units(from.kind, to.kind);
      for (std::uint32_t rail = first_rail; rail < last_rail; ++rail) {
        for (const JobPort& own : flows.ports(to.member, rail)) {
          if (own.leaf == from.leaf && own.kind == from.kind) units -= setting_.units(own, to);
        }
      }
      hops_.add(from.leaf, static_cast<double>(units));
    }
  }

  const JobSetting& setting_;
  const Routing& routing_;
  std::shared_ptr<const Table<Destination, std::uint32_t>> class_of_;
  JobCounts<double, double> counts_;
  HopByHop<double> hops_;
};

// Any routes whose paths can be listed.
class PathJobLoads : public JobLoads {
 public:
  PathJobLoads(const JobSetting& setting, const PathSource& paths)
      : setting_(setting), paths_(paths), counts_(setting.model.fabric().num_channels()) {}

  std::unique_ptr<JobLoads> copy() const override {
    return std::make_unique<PathJobLoads>(setting_, paths_);
  }

  JobPeaks peaks(const JobFlows& flows) override {
    bool arrives = true;
    const std::uint32_t n = flows.size();
    for (std::uint32_t to = 0; to < n; ++to) {
      for (std::uint32_t rail = 0; rail < flows.rails(); ++rail) {
        for (std::uint32_t from = 0; from < n; ++from) {
          if (from == to) continue;
          arrives &= add(flows, {from, rail}, {to, rail},
                         [&](std::size_t c, double a) { counts_.add_at_once(c, a); });
          if (flows.rails() == 1) continue;
          for (std::uint32_t other = 0; other < flows.rails(); ++other) {
            arrives &= add(flows, {from, other}, {to, rail},
                           [&](std::size_t c, double a) { counts_.add_direct(c, a); });
          }
        }
        for (std::uint32_t slot = 0; slot < flows.slots(); ++slot) {
          arrives &= add(flows, {flows.sender(slot, to), rail}, {to, rail},
                         [&](std::size_t c, double a) { counts_.add_slot(c, slot, a); });
        }
      }
    }
    JobPeaks peaks = counts_.take(setting_, 1);
    peaks.lost = !arrives;
    return peaks;
  }

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // member, rail

  template <class Visit>
  bool add(const JobFlows& flows, Place from, Place to, const Visit& visit) {
    const auto sources = flows.ports(from.first, from.second);
    const auto destinations = flows.ports(to.first, to.second);
    double units = 0;
    for (const JobPort& a : sources) {
      for (const JobPort& b : destinations) units += static_cast<double>(setting_.units(a, b));
    }
    if (units == 0) return true;
    const Adapters& adapters = setting_.model.adapters();
    const PathList list = paths_.paths(adapters.of(sources.front().terminal),
                                       adapters.of(destinations.front().terminal));
    for (const Channel c : list.all()) {
      if (!setting_.model.fabric().between_switches(c)) continue;
      visit(index(c), units / static_cast<double>(list.size()));
    }
    return !list.empty();
  }

  const JobSetting& setting_;
  const PathSource& paths_;
  JobCounts<double, double> counts_;
};

}  // namespace

std::unique_ptr<JobLoads> table_loads(const JobSetting& setting, const ForwardingTables& tables) {
  return std::make_unique<TableJobLoads>(setting, tables);
}

std::unique_ptr<JobLoads> adaptive_loads(const JobSetting& setting, const Routing& routing,
                                         int threads) {
  const DestinationClasses classes = destination_classes(setting.model.fabric(), routing, threads);
  return std::make_unique<AdaptiveJobLoads>(
      setting, routing,
      std::make_shared<const Table<Destination, std::uint32_t>>(classes.class_of()));
}

std::unique_ptr<JobLoads> path_loads(const JobSetting& setting, const PathSource& paths) {
  return std::make_unique<PathJobLoads>(setting, paths);
}

}  // namespace fatwood
