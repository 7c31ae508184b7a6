// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/jobs/job_bound.hpp"

#include <algorithm>
#include <limits>

#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

JobCuts::JobCuts(const JobSetting& setting)
    : setting_(setting), of_(setting.model.fabric().num_switches()) {
  const Fabric& fabric = setting.model.fabric();
  const std::vector<TreeCut> cuts = tree_cuts(fabric, setting.model.levels());
  std::vector<std::uint8_t> alone(fabric.num_switches(), 0);
  for (const TreeCut& cut : cuts) {
    if (cut.switches.size() == 1) alone[index(cut.switches.front())] = 1;
  }
  for (const std::uint32_t s : sending_switches(setting.model)) {
    if (alone[s] != 0) continue;
    std::vector<Channel> links;
    for (const Channel c : fabric.channels(fabric.node(Switch{s}))) {
      if (fabric.connected(c) && fabric.between_switches(c) && fabric.next_switch(c) != Switch{s}) {
        links.push_back(c);
      }
    }
    add({Switch{s}}, links);
  }
  for (const TreeCut& cut : cuts) add(cut.switches, cut.links);  // by level: the smaller first
}

void JobCuts::add(const std::vector<Switch>& switches, const std::vector<Channel>& links) {
  if (links.empty()) return;
  Side out{0, 0, std::numeric_limits<std::int64_t>::max(), 0};
  Side in = out;
  const auto put = [&](Side& side, Channel c) {
    const std::int64_t speed = setting_.model.speeds().speed(c);
    side.capacity += speed;
    ++side.links;
    side.slowest = std::min(side.slowest, speed);
    side.fastest = std::max(side.fastest, speed);
  };
  for (const Channel c : links) {
    put(out, c);
    put(in, setting_.model.fabric().peer(c));
  }
  for (const Switch s : switches) of_[index(s)].push_back(static_cast<std::uint32_t>(out_.size()));
  out_.push_back(out);
  in_.push_back(in);
}

double JobCuts::load(const Side& side, std::uint64_t units) const {
  return static_cast<double>(units) * static_cast<double>(setting_.model.speeds().usual()) /
         static_cast<double>(side.capacity);
}

double JobCuts::whole_load(const Side& side, std::uint64_t flows) const {
  if (flows == 0) return 0;
  const auto usual = static_cast<double>(setting_.model.speeds().usual());
  const auto links = static_cast<std::uint64_t>(side.links);
  // Equal links: some link has this many. Unequal ones: every flow is on one of them.
  const std::uint64_t most = side.slowest == side.fastest ? (flows + links - 1) / links : 1;
  return std::max(load(side, flows),
                  static_cast<double>(most) * usual / static_cast<double>(side.fastest));
}

JobBound JobCuts::bound(const JobFlows& flows, FlowPaths paths) const {
  JobBound result;
  result.at_once = all_to_all(flows, JobTraffic::kAtOnce);
  if (flows.rails() > 1) result.direct = all_to_all(flows, JobTraffic::kDirect);
  result.slots = slots(flows, paths);
  return result;
}

double JobCuts::all_to_all(const JobFlows& flows, JobTraffic traffic) const {
  std::vector<double> crossing(out_.size(), 0);
  if (traffic == JobTraffic::kDirect) {
    add_rail(flows, 0, flows.rails(), flows.direct(), crossing);
  } else {
    for (std::uint32_t rail = 0; rail < flows.rails(); ++rail) {
      add_rail(flows, rail, rail + 1, flows.at_once(), crossing);
    }
  }
  double most = 0;
  for (std::size_t cut = 0; cut < crossing.size(); ++cut) {
    // What leaves equals what enters: all-to-all is symmetric.
    const auto units = static_cast<std::uint64_t>(crossing[cut]);
    most = std::max({most, load(out_[cut], units), load(in_[cut], units)});
  }
  return most;
}

// All-to-all between the ports of these rails: what they send, without what stays inside a cut.
void JobCuts::add_rail(const JobFlows& flows, std::uint32_t first_rail, std::uint32_t last_rail,
                       std::span<const std::uint64_t> amount, std::vector<double>& crossing) const {
  const std::uint32_t kinds = setting_.sources.num_kinds();
  std::vector<std::uint64_t> count(out_.size() * kinds, 0);
  std::vector<std::uint32_t> touched;
  for (std::uint32_t rail = first_rail; rail < last_rail; ++rail) {
    for (std::uint32_t member = 0; member < flows.size(); ++member) {
      for (const JobPort& port : flows.ports(member, rail)) {
        for (const std::uint32_t cut : of_[port.leaf]) {
          if (++count[cut * kinds + port.kind] == 1) touched.push_back(cut);
          crossing[cut] +=
              static_cast<double>(amount[static_cast<std::size_t>(&port - flows.ports().data())]);
          // A port sends nothing to those of its own host.
          for (std::uint32_t other = first_rail; other < last_rail; ++other) {
            for (const JobPort& own : flows.ports(member, other)) {
              if (std::ranges::find(of_[own.leaf], cut) == of_[own.leaf].end()) continue;
              crossing[cut] += static_cast<double>(setting_.units(own, port));
            }
          }
        }
      }
    }
  }
  std::ranges::sort(touched);
  const auto repeated = std::ranges::unique(touched);
  touched.erase(repeated.begin(), repeated.end());
  for (const std::uint32_t cut : touched) {
    for (std::uint32_t a = 0; a < kinds; ++a) {
      for (std::uint32_t b = 0; b < kinds; ++b) {
        crossing[cut] -= static_cast<double>(count[cut * kinds + a] * count[cut * kinds + b] *
                                             setting_.sources.units(a, b));
      }
    }
  }
}

BySlot<double> JobCuts::slots(const JobFlows& flows, FlowPaths paths) const {
  std::vector<BySlot<std::uint64_t>> out(out_.size(), BySlot<std::uint64_t>{});
  std::vector<BySlot<std::uint64_t>> in = out;
  for (const JobPort& to : flows.ports()) {
    const std::vector<std::uint32_t>& into = of_[to.leaf];
    for (std::uint32_t slot = 0; slot < flows.slots(); ++slot) {
      for (const JobPort& from : flows.ports(flows.sender(slot, to.member), to.rail)) {
        const std::uint64_t units = setting_.units(from, to);
        if (units == 0 || from.leaf == to.leaf) continue;
        const std::vector<std::uint32_t>& out_of = of_[from.leaf];
        // Cuts are nested: those that have both ends are the last ones of both lists.
        std::size_t i = out_of.size();
        std::size_t j = into.size();
        while (i > 0 && j > 0 && out_of[i - 1] == into[j - 1]) --i, --j;
        while (i > 0) out[out_of[--i]][slot] += units;
        while (j > 0) in[into[--j]][slot] += units;
      }
    }
  }
  const bool whole = paths == FlowPaths::kOne && setting_.model.adapters().one_port_each();
  BySlot<double> most{};
  for (std::size_t cut = 0; cut < out_.size(); ++cut) {
    for (std::uint32_t slot = 0; slot < flows.slots(); ++slot) {
      const auto least = [&](const Side& side, std::uint64_t units) {
        return whole ? whole_load(side, units) : load(side, units);
      };
      most[slot] =
          std::max({most[slot], least(out_[cut], out[cut][slot]), least(in_[cut], in[cut][slot])});
    }
  }
  return most;
}

}  // namespace fatwood
