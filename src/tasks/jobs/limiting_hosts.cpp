// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/jobs/limiting_hosts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.hpp"

namespace fatwood {
namespace {

constexpr double kLeastLimitGain = 0.01;
constexpr double kEqual = 1e-9;
constexpr std::size_t kMostLimits = 6;  // amounts that slower hosts are tried for

class Limits {
 public:
  Limits(const Model& model, FlowLinks& links, const JobRequest& request, const JobSetup& setup,
         const JobOutcome& outcome)
      : model_(model), links_(links), request_(request), setup_(setup), outcome_(outcome) {}

  std::vector<LimitingHosts> run() {
    slower();
    behind();
    return std::move(found_);
  }

 private:
  const PlacedHosts& placed() const { return setup_.jobs[0].hosts; }
  std::span<const Adapter> adapters(std::size_t host) const {
    return std::span(placed().at).subspan(host * placed().nics, placed().nics);
  }
  std::vector<Channel> cables(std::size_t host) const {
    std::vector<Channel> all;
    const std::set<Adapter> once(adapters(host).begin(), adapters(host).end());
    for (const Adapter a : once) {
      for (const Terminal t : model_.adapters().terminals(a)) {
        all.push_back(model_.fabric().terminal_channel(t));
      }
    }
    return all;
  }

  void slower() {
    std::vector<double> carries(placed().hosts.size(), 0);
    std::map<double, std::size_t> count;
    for (std::size_t i = 0; i < carries.size(); ++i) {
      for (const Channel c : cables(i)) carries[i] += setup_.capacity[index(c)];
      carries[i] = std::round(carries[i]);
      ++count[carries[i]];
    }
    double usual = 0;
    std::size_t most = 0;
    for (const auto& [amount, hosts] : count) {  // ascending
      if (hosts >= most) {
        usual = amount;
        most = hosts;
      }
    }
    double last = outcome_.seconds;
    std::size_t tried = 0;
    for (const auto& [amount, hosts] : count) {
      if (amount >= usual || ++tried > kMostLimits) break;
      LimitingHosts limit{.bytes_per_second = amount, .usual_bytes_per_second = usual};
      for (std::size_t i = 0; i < carries.size(); ++i) {
        if (carries[i] <= amount) limit.hosts.push_back(placed().hosts[i]);
      }
      add(std::move(limit), last);
    }
  }

  void behind() {
    const Channel held = outcome_.hold.channel;
    const Fabric& fabric = model_.fabric();
    if (held == kNone<Channel> || !fabric.between_switches(held)) return;
    if (outcome_.hold.rate >= outcome_.hold.own_rate * (1 - kEqual)) return;  // own cables limit it
    for (const Channel end : {held, fabric.peer(held)}) {
      LimitingHosts limit{.behind = fabric.as_switch(fabric.owner(end))};
      for (std::size_t i = 0; i < placed().hosts.size(); ++i) {
        const std::vector<Channel> own = cables(i);
        if (std::ranges::any_of(
                own, [&](Channel c) { return fabric.neighbour(c) == fabric.owner(end); })) {
          limit.hosts.push_back(placed().hosts[i]);
        }
      }
      if (limit.hosts.empty() || limit.hosts.size() * 4 > placed().hosts.size()) continue;
      if (std::ranges::any_of(found_, [&](const auto& one) { return one.hosts == limit.hosts; })) {
        continue;
      }
      double last = outcome_.seconds;
      add(std::move(limit), last);
    }
  }

  // Adds the hosts if the job is faster without them than `last`, which becomes that time.
  void add(LimitingHosts limit, double& last) {
    JobRequest rest = request_;
    rest.notes.clear();
    const std::set<Host> gone(limit.hosts.begin(), limit.hosts.end());
    std::erase_if(rest.hosts, [&](Host host) { return gone.contains(host); });
    if (rest.hosts.size() < 2) return;
    try {
      JobSetup setup = set_up_jobs(model_, rest);
      JobScorer scorer(model_.fabric(), links_, setup.capacity, setup.placed);
      limit.seconds = scorer.seconds(setup.placed[0].at);
      limit.rest = std::move(setup.jobs[0]);
    } catch (const InputError&) {
      return;  // the collective does not run on this number of hosts
    }
    if (limit.seconds > last * (1 - kLeastLimitGain)) return;
    last = limit.seconds;
    found_.push_back(std::move(limit));
  }

  const Model& model_;
  FlowLinks& links_;
  const JobRequest& request_;
  const JobSetup& setup_;
  const JobOutcome& outcome_;
  std::vector<LimitingHosts> found_;
};

}  // namespace

std::vector<LimitingHosts> limiting_hosts(const Model& model, FlowLinks& links,
                                          const JobRequest& request, const JobSetup& setup,
                                          const JobOutcome& outcome) {
  if (request.recording || request.rank_groups != RankGroups::kAll || !request.further.empty()) {
    return {};  // ranks have places of their own
  }
  return Limits(model, links, request, setup, outcome).run();
}

}  // namespace fatwood
