// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/even_groups.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

#include "core/time_limit.hpp"
#include "routing/adaptive/group_classes.hpp"
#include "routing/even/steep_price.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/flow_sources.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

namespace {

// A pass reduces link loads that exceed their target by more than an overload, as a fraction of the
// target. The first passes take large overloads, while there is room to spread them; then they take
// half of that, and so on. The last is small enough that links which could be even are.
constexpr double kFirstOverload = 0.128;
constexpr double kLastOverload = 0.008;
// The price of a link is e to this power at the overload of the pass, and 1 at the target load.
constexpr float kPriceExponent = 3;
// A group is changed if its mean price falls below this fraction.
constexpr float kWorth = 0.95F;
// Passes take the next overload when fewer than one in kFew classes changed, or after kMostPasses.
// With a smaller overload too early, prices are so steep that hardly a change lowers their sum.
constexpr std::size_t kFew = 10;
constexpr int kMostPasses = 10;
// There are fewer passes if those for an overload would examine more than this many (link, class).
constexpr double kMostLooks = 6e8;
// The changes of a class are halved this often, and then given up.
constexpr std::size_t kHalvings = 4;
// If there are few leaves, they are divided into this many classes: the share of a port is then
// fine enough for an overload of 2%.
constexpr std::size_t kClasses = 1024;

using Amounts = std::vector<double>;  // by channel, in units of FlowSources

// The target loads of links between switches; empty if there are no cuts.
Amounts fair_shares(const Model& model, std::uint64_t units_in_one) {
  const Fabric& fabric = model.fabric();
  Amounts fair(fabric.num_channels());
  const std::vector<TreeCut> cuts = tree_cuts(fabric, model.levels());
  const std::vector<CutShare> shares = all_to_all_shares(model, cuts, model.counted());
  if (shares.empty()) return {};
  const auto raise = [&](Channel c, double load) {
    const double part =
        static_cast<double>(model.speeds().speed(c)) / static_cast<double>(model.speeds().usual());
    double& own = fair[index(c)];
    own = std::max(own, load * part * static_cast<double>(units_in_one));
  };
  double largest = 0;
  for (const CutShare& share : shares) {
    largest = std::max(largest, share.fair.value());
    for (const Channel c : cuts[share.cut].links) {
      raise(share.crossing == CutDirection::kOut ? c : fabric.peer(c), share.fair.value());
    }
  }
  // Links within a level are in no cut.
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.between_switches(c) && fair[index(c)] == 0) raise(c, largest);
  }
  return fair;
}

Amounts speeds_of_links(const Model& model) {
  Amounts speeds(model.fabric().num_channels());
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    if (!model.fabric().between_switches(c)) continue;
    speeds[index(c)] = static_cast<double>(model.speeds().speed(c));
  }
  return speeds;
}

class EvenGroups {
 public:
  EvenGroups(const Model& model, const std::vector<std::uint16_t>& distance, const GroupTable& full,
             const ForwardingTables& tables, std::optional<std::size_t> most_groups)
      : fabric_(model.fabric()),
        flows_(model, model.counted()),
        switches_(fabric_.num_switches()),
        distance_(distance),
        full_(full),
        tables_(tables),
        most_groups_(most_groups.value_or(switches_ + fabric_.num_channels())),
        classes_(group_classes(model, kClasses)),
        table_(by_class(fabric_, classes_, full, tables)),
        target_(fair_shares(model, flows_.units_in_one())),
        has_cuts_(!target_.empty()),
        load_(fabric_.num_channels()),
        price_(fabric_.num_channels()),
        next_(fabric_.num_channels()),
        amount_(switches_),
        share_(switches_),
        changed_share_(switches_),
        value_(switches_) {
    if (!has_cuts_) target_ = speeds_of_links(model);
    for (const Switch s : ids<Switch>(switches_)) {
      first_.push_back(index(fabric_.channel(fabric_.node(s), kOwnPort)));
      for (const SwitchLink& link : fabric_.links(s)) next_[index(link.channel)] = index(link.to);
    }
  }

  GroupTable run() {
    count_loads();
    const GroupTable before = table_;
    const double most = most_loaded();
    double aim = 1;  // what targets are now, over what they were
    for (double overload = kFirstOverload; most > 0 && overload >= kLastOverload; overload /= 2) {
      steep_ = kPriceExponent / static_cast<float>(overload);
      std::size_t changed = classes_.size();
      for (int pass = 0; pass < num_passes() && changed * kFew > classes_.size(); ++pass) {
        if (!has_cuts_) aim *= aim_at(most_loaded() / (1 + overload));
        changed = improve_all();
      }
    }
    return most_loaded() * aim > most ? without_unused(before) : table_;
  }

 private:
  // One pass; returns the number of classes that changed.
  std::size_t improve_all() {
    for (std::uint32_t c = 0; c < load_.size(); ++c) set_price(c);
    std::size_t changed = 0;
    for (std::size_t k = 0; k < classes_.size(); ++k) changed += improve(k) ? 1U : 0U;
    table_ = without_unused(table_);
    return changed;
  }
  int num_passes() const {
    const auto looks = static_cast<double>(classes_.size() * fabric_.num_channels());
    return static_cast<int>(std::clamp(kMostLooks / looks, 2.0, double{kMostPasses}));
  }

  // Selects a class: its entries, what switches send to it, and the switches that reach it, nearest
  // first.
  void take(std::size_t k) {
    home_ = classes_[k].home;
    row_ = tables_.row(tables_.destination(Switch{home_}));
    entries_ = {table_.number.data() + k * switches_, switches_};
    const std::uint16_t* const left = distance_.data() + std::size_t{home_} * switches_;
    const auto hops = [&](std::uint32_t s) { return left[s] & kFar; };
    std::vector<std::uint32_t> first(2);
    for (std::uint32_t s = 0; s < switches_; ++s) {
      if (s == home_ || hops(s) == kFar) continue;
      const auto end = static_cast<std::size_t>(hops(s)) + 2;
      if (first.size() < end) first.resize(end);
      ++first[end - 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    order_.resize(first.back());
    for (std::uint32_t s = 0; s < switches_; ++s) {
      if (s != home_ && hops(s) != kFar) order_[first[static_cast<std::size_t>(hops(s))]++] = s;
    }
    sent_.assign(switches_, 0);
    for (const Terminal t : classes_[k].terminals) {
      const Table<Switch, std::uint64_t>& on = flows_.on(t);
      for (const std::uint32_t s : order_) sent_[s] += static_cast<double>(on[Switch{s}]);
    }
  }

  template <class Visit>
  void each_port_of(std::uint32_t s, std::uint16_t number, const Visit& visit) const {
    if (number != 0) {
      each_port(table_.sets[s][number], visit);
    } else if (row_[s] != kNoRoute) {
      visit(row_[s]);
    }
  }
  std::uint32_t channel(std::uint32_t s, Port port) const { return first_[s] + index(port); }

  // The load of the class on each port of the entry of a switch.
  void spread(std::vector<double>& share) {
    std::array<std::uint32_t, 256> next{};
    for (const std::uint32_t s : order_) amount_[s] = sent_[s];
    for (const std::uint32_t s : order_ | std::views::reverse) {
      share[s] = 0;
      if (amount_[s] == 0) continue;
      std::size_t ports = 0;
      each_port_of(s, entries_[s], [&](Port port) { next[ports++] = next_[channel(s, port)]; });
      share[s] = amount_[s] / static_cast<double>(std::max<std::size_t>(ports, 1));
      for (std::size_t i = 0; i < ports; ++i) amount_[next[i]] += share[s];
    }
  }
  void count_loads() {
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      take(k);
      spread(share_);
      for (const std::uint32_t s : order_)
        each_port_of(s, entries_[s], [&](Port port) { load_[channel(s, port)] += share_[s]; });
    }
  }
  // The largest load relative to the target load or, without cuts, to the target of the pass.
  double most_loaded() const {
    double most = 0;
    for (std::uint32_t c = 0; c < load_.size(); ++c) {
      if (target_[c] > 0) most = std::max(most, load_[c] / target_[c]);
    }
    return most;
  }
  double aim_at(double times) {
    for (double& target : target_) target *= times;
    return times;
  }

  float price_of(std::uint32_t c, double load) const {
    return price_exp(steep_ * static_cast<float>(load / target_[c] - 1));
  }
  void set_price(std::uint32_t c) {
    if (target_[c] > 0) price_[c] = price_of(c, load_[c]);
  }

  // Changes groups of a class. Returns whether the sum of prices decreased.
  bool improve(std::size_t k) {
    if (classes_[k].terminals.empty()) return false;
    check_time();
    take(k);
    spread(share_);
    changes_.clear();
    if (std::ranges::any_of(order_, [&](auto s) { return is_hot(s); })) find_changes();
    before_.assign(entries_.begin(), entries_.end());
    for (std::size_t i = 0; !changes_.empty() && i <= kHalvings; ++i) {
      if (try_changes()) return true;
      std::size_t kept = 0;
      for (std::size_t j = i % 2; j < changes_.size(); j += 2) changes_[kept++] = changes_[j];
      changes_.resize(kept);
    }
    return false;
  }
  // Whether the class uses an overloaded link of the switch.
  bool is_hot(std::uint32_t s) const {
    float most = 0;
    each_port_of(s, entries_[s], [&](auto p) { most = std::max(most, price_[channel(s, p)]); });
    return share_[s] != 0 && most > hot_;
  }

  // Makes the changes if the sum of prices decreases.
  bool try_changes() {
    for (const auto& [s, number] : changes_) entries_[s] = number;
    spread(changed_share_);
    double fallen = 0;
    each_changed_link([&](std::uint32_t c, double change) {
      fallen += target_[c] * (price_[c] - price_of(c, load_[c] + change));
    });
    if (fallen > 0) {
      each_changed_link([&](std::uint32_t c, double change) {
        load_[c] += change;
        set_price(c);
      });
    } else {
      std::ranges::copy(before_, entries_.begin());
    }
    return fallen > 0;
  }
  // Calls visit(channel, change of its load): first those that the class used before.
  template <class Visit>
  void each_changed_link(const Visit& visit) const {
    const auto is_port = [&](std::uint32_t s, std::uint16_t number, Port port) {
      return number == 0 ? row_[s] == port : has(table_.sets[s][number], port);
    };
    for (const std::uint32_t s : order_ | std::views::reverse) {
      const double now = changed_share_[s];
      if (share_[s] == 0 || (share_[s] == now && entries_[s] == before_[s])) continue;
      each_port_of(s, before_[s], [&](Port port) {
        const double change = (is_port(s, entries_[s], port) ? now : 0) - share_[s];
        if (change != 0) visit(channel(s, port), change);
      });
    }
    for (const std::uint32_t s : order_ | std::views::reverse) {
      if (changed_share_[s] == 0 || (share_[s] != 0 && entries_[s] == before_[s])) continue;
      each_port_of(s, entries_[s], [&](Port port) {
        const bool used = share_[s] != 0 && is_port(s, before_[s], port);
        if (!used) visit(channel(s, port), changed_share_[s]);
      });
    }
  }

  void find_changes() {
    value_[home_] = 0;
    for (const std::uint32_t s : order_) {
      const std::uint16_t whole = full_.number[std::size_t{home_} * switches_ + s];
      const std::uint16_t number = entries_[s];
      Prices prices = prices_of(s, number);
      if (whole != 0 && amount_[s] > 0) {
        const PortMask now = table_.sets[s][number];
        const PortMask mask = changed(s, now, full_.sets[s][whole], prices);
        if (mask != now && may_have(s, mask)) {
          changes_.emplace_back(s, table_.number_of(s, mask));
          prices = prices_of(s, changes_.back().second);
        }
      }
      value_[s] = prices.ports == 0 ? 0 : prices.sum / prices.ports;
    }
  }

  // What it costs to go on by a port.
  float cost(std::uint32_t s, Port port) const {
    const std::uint32_t c = channel(s, port);
    return price_[c] + value_[next_[c]];
  }
  // Of the ports of an entry.
  struct Prices {
    float sum = 0;
    float ports = 0;
    float high = -1;  // of the dearest
    Port dearest = kNoRoute;
  };
  Prices prices_of(std::uint32_t s, std::uint16_t number) const {
    Prices prices;
    each_port_of(s, number, [&](Port port) {
      const float own = cost(s, port);
      prices.sum += own;
      ++prices.ports;
      if (own > prices.high) prices.dearest = port, prices.high = own;
    });
    return prices;
  }

  // Whether the switch may have this group. Groups that it no longer uses count until the pass
  // ends.
  bool may_have(std::uint32_t s, const PortMask& mask) const {
    const std::vector<PortMask>& sets = table_.sets[s];
    return sets.size() <= most_groups_ || std::ranges::find(sets, mask) != sets.end();
  }

  // The group without its most expensive port, if that is overloaded, or with the cheapest of the
  // others, or both: whichever has the lowest mean price.
  PortMask changed(std::uint32_t s, const PortMask& now, const PortMask& whole,
                   const Prices& prices) const {
    const auto [sum, ports, high, dearest] = prices;
    std::optional<Port> cheapest;
    float low = 0;
    each_port(without(whole, now), [&](Port port) {
      const float own = cost(s, port);
      if (!cheapest || own < low) cheapest = port, low = own;
    });
    PortMask best = now;
    float least = kWorth * sum / ports;
    const auto offer = [&](bool less, bool with) {
      const float mean =
          (sum - (less ? high : 0) + (with ? low : 0)) / (ports - (less ? 1 : 0) + (with ? 1 : 0));
      if (mean >= least) return;
      least = mean;
      best = now;
      if (less) drop(best, dearest);
      if (with) put(best, *cheapest);
    };
    if (high > hot_ && ports > 1) offer(true, false);
    if (cheapest) offer(false, true);
    if (high > hot_ && cheapest) offer(true, true);
    return best;
  }

  const Fabric& fabric_;
  FlowSources flows_;
  std::size_t switches_;
  const std::vector<std::uint16_t>& distance_;
  const GroupTable& full_;  // by switch
  const ForwardingTables& tables_;
  std::size_t most_groups_;
  std::vector<GroupClass> classes_;
  GroupTable table_;
  Amounts target_;  // 0 for channels that are not between switches
  bool has_cuts_;
  Amounts load_;
  std::vector<float> price_;
  std::vector<std::uint32_t> first_;  // by switch: the channel of port 0
  std::vector<std::uint32_t> next_;   // by channel between switches: where it leads
  float steep_ = 0;
  const float hot_ = price_exp(kPriceExponent);
  // Of the current class.
  std::uint32_t home_ = 0;
  std::span<const Port> row_;         // default ports
  std::span<std::uint16_t> entries_;  // by switch
  std::vector<std::uint32_t> order_;
  std::vector<double> sent_;
  std::vector<std::uint16_t> before_;  // entries_ before changes
  std::vector<double> amount_;         // by switch: what arrives at it
  std::vector<double> share_;          // by switch: what a port of its entry gets
  std::vector<double> changed_share_;  // the same with changes
  std::vector<float> value_;           // by switch: the mean price from there
  std::vector<std::pair<std::uint32_t, std::uint16_t>> changes_;  // a switch, its new entry
};

}  // namespace

GroupTable even_groups(const Model& model, const std::vector<std::uint16_t>& distance,
                       const GroupTable& full, const ForwardingTables& tables,
                       std::optional<std::size_t> most_groups) {
  return EvenGroups(model, distance, full, tables, most_groups).run();
}

}  // namespace fatwood
