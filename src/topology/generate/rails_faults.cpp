// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/random.hpp"
#include "topology/generate/rails_plan.hpp"

namespace fatwood {
namespace {

enum class MadeFault : std::uint8_t {
  kHost,
  kLeaf,
  kCable,
  kCrossedCable,
  kCrossedHost,
  kSwappedHost,
  kSlowCable,
  kSlowHost,
  kUnnamed,
  kLocalhost,
};

constexpr std::uint64_t kStreams = 0x4a115000;  // no other generator draws from these

// Sub 0 draws what is spoilt, sub 1 how.
Random stream(const RailFabric& rails, MadeFault kind, std::uint32_t sub = 0) {
  return Random(rails.seed, kStreams + static_cast<std::uint64_t>(kind), sub);
}

void check_enough(std::string_view key, std::uint32_t wanted, std::size_t there) {
  if (wanted <= there) return;
  throw InputError(fmt::format("{}={}; there are only {}", key, wanted, there));
}

// `count` of `total` numbers, ascending.
std::vector<std::uint32_t> some_of(Random random, std::string_view key, std::uint32_t count,
                                   std::size_t total) {
  check_enough(key, count, total);
  std::vector<std::uint32_t> chosen = random.permutation(static_cast<std::uint32_t>(total));
  chosen.resize(count);
  std::ranges::sort(chosen);
  return chosen;
}

Rate one_speed_lower(Rate rate) {
  return {rate.width, static_cast<Speed>(static_cast<std::uint8_t>(rate.speed) - 1)};
}

class RailFaults {
 public:
  RailFaults(RailsPlan plan, const RailFabric& rails) : plan_(std::move(plan)), rails_(rails) {}

  RailsPlan apply() {
    name_hosts();
    cross_hosts();
    swap_hosts();
    cross_cables();
    slow_down();
    take_out();
    return std::move(plan_);
  }

 private:
  FoundCable& cable(std::size_t i) { return plan_.fabric.cables[i]; }
  std::vector<std::size_t> switch_cables() const {
    std::vector<std::size_t> list;
    const auto is_switch = [&](std::uint32_t node) {
      return plan_.fabric.nodes[node].kind == NodeKind::kSwitch;
    };
    for (std::size_t i = 0; i < plan_.fabric.cables.size(); ++i) {
      const FoundCable& c = plan_.fabric.cables[i];
      if (is_switch(c.a) && is_switch(c.b)) list.push_back(i);
    }
    return list;
  }

  void name_hosts() {
    const auto unnamed =
        some_of(stream(rails_, MadeFault::kUnnamed), "unnamed", rails_.unnamed, plan_.hosts.size());
    for (std::size_t i = 0; i < unnamed.size(); ++i) {
      const RailsHost& host = plan_.hosts[unnamed[i]];
      const std::size_t adapters = i % 4 == 3 ? 1 : host.adapters.size();
      for (std::size_t r = 0; r < adapters; ++r) {
        plan_.fabric.nodes[host.adapters[r]].description = plan_.unnamed;
      }
    }
    for (const std::uint32_t i : some_of(stream(rails_, MadeFault::kLocalhost), "localhost",
                                         rails_.localhost, plan_.hosts.size())) {
      for (const std::uint32_t node : plan_.hosts[i].adapters) {
        std::string& name = plan_.fabric.nodes[node].description;
        if (name != plan_.unnamed) name = "localhost" + name.substr(name.find(' '));
      }
    }
  }

  // The switch ends of two cables change places.
  void exchange(std::size_t i, std::size_t j) {
    std::swap(cable(i).b, cable(j).b);
    std::swap(cable(i).port_b, cable(j).port_b);
  }

  void cross_hosts() {
    if (rails_.crossed_hosts > 0 && rails_.rails < 2) {
      throw InputError("crossed_hosts= needs rails=2 or more: it swaps two rails");
    }
    Random random = stream(rails_, MadeFault::kCrossedHost, 1);
    for (const std::uint32_t i : some_of(stream(rails_, MadeFault::kCrossedHost), "crossed_hosts",
                                         rails_.crossed_hosts, plan_.hosts.size())) {
      const std::uint32_t rail = random.below(rails_.rails - 1);
      exchange(plan_.hosts[i].cables[rail], plan_.hosts[i].cables[rail + 1]);
    }
  }

  void swap_hosts() {
    std::vector<std::uint32_t> firsts;  // hosts whose successor is in the same unit
    for (std::uint32_t i = 0; i + 1 < plan_.hosts.size(); i += 2) {
      if (plan_.hosts[i].unit == plan_.hosts[i + 1].unit) firsts.push_back(i);
    }
    Random random = stream(rails_, MadeFault::kSwappedHost, 1);
    for (const std::uint32_t k : some_of(stream(rails_, MadeFault::kSwappedHost), "swapped_hosts",
                                         rails_.swapped_hosts, firsts.size())) {
      const std::uint32_t rail = random.below(rails_.rails);
      exchange(plan_.hosts[firsts[k]].cables[rail], plan_.hosts[firsts[k] + 1].cables[rail]);
    }
  }

  // Two leaves and two spines each time: parallel cables exchanged would change nothing.
  void cross_cables() {
    std::vector<std::size_t> left = plan_.up_links;
    stream(rails_, MadeFault::kCrossedCable).shuffle(left);
    for (std::uint32_t pair = 0; pair < rails_.crossed_cables; ++pair) {
      if (left.empty()) check_enough("crossed_cables", rails_.crossed_cables, pair);
      const auto other = std::find_if(left.begin(), left.end(), [&](std::size_t i) {
        return cable(i).a != cable(left.back()).a && cable(i).b != cable(left.back()).b;
      });
      if (other == left.end()) check_enough("crossed_cables", rails_.crossed_cables, pair);
      exchange(*other, left.back());
      left.pop_back();
      left.erase(other);
    }
  }

  void slow_down() {
    const std::vector<std::size_t> cables = switch_cables();
    for (const std::uint32_t i : some_of(stream(rails_, MadeFault::kSlowCable), "slow_cables",
                                         rails_.slow_cables, cables.size())) {
      cable(cables[i]).rate = one_speed_lower(cable(cables[i]).rate);
    }
    const std::size_t adapters = plan_.hosts.size() * rails_.rails;
    for (const std::uint32_t i :
         some_of(stream(rails_, MadeFault::kSlowHost), "slow_hosts", rails_.slow_hosts, adapters)) {
      FoundCable& slow = cable(plan_.hosts[i / rails_.rails].cables[i % rails_.rails]);
      slow.rate = one_speed_lower(slow.rate);
    }
  }

  void take_out() {
    std::vector<std::uint8_t> gone(plan_.fabric.cables.size(), 0);
    std::vector<std::uint8_t> dark(plan_.fabric.nodes.size(), 0);
    for (const std::uint32_t i : some_of(stream(rails_, MadeFault::kLeaf), "missing_leaves",
                                         rails_.missing_leaves, plan_.leaves.size())) {
      dark[plan_.leaves[i]] = 1;
    }
    for (std::size_t i = 0; i < gone.size(); ++i) {
      gone[i] = dark[cable(i).a] != 0 || dark[cable(i).b] != 0 ? 1 : 0;
    }
    std::vector<std::size_t> cables = switch_cables();
    std::erase_if(cables, [&](std::size_t i) { return gone[i] != 0; });
    for (const std::uint32_t i : some_of(stream(rails_, MadeFault::kCable), "missing_cables",
                                         rails_.missing_cables, cables.size())) {
      gone[cables[i]] = 1;
    }
    std::vector<FoundCable> left;
    for (std::size_t i = 0; i < gone.size(); ++i) {
      if (gone[i] == 0) left.push_back(cable(i));
    }
    plan_.fabric.cables = std::move(left);
  }

  RailsPlan plan_;
  const RailFabric& rails_;
};

}  // namespace

std::vector<std::uint8_t> missing_hosts(const RailFabric& rails) {
  std::vector<std::uint8_t> missing(std::size_t{rails.units} * rails.hosts, 0);
  for (const std::uint32_t i : some_of(stream(rails, MadeFault::kHost), "missing_hosts",
                                       rails.missing_hosts, missing.size())) {
    missing[i] = 1;
  }
  return missing;
}

RailsPlan with_rails_faults(RailsPlan plan, const RailFabric& rails) {
  return RailFaults(std::move(plan), rails).apply();
}

}  // namespace fatwood
