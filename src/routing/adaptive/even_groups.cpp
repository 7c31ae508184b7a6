// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/even_groups.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

#include "core/time_limit.hpp"
#include "routing/adaptive/group_channels.hpp"
#include "routing/adaptive/group_classes.hpp"
#include "routing/adaptive/link_prices.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

namespace {

// A pass reduces link loads that exceed their target by more than an overload, as a fraction of the
// target. The first passes take large overloads, while there is room to spread them; then they take
// half of that, and so on. The last is small enough that links which could be even are.
constexpr double kFirstOverload = 0.128;
constexpr double kLastOverload = 0.008;
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
        links_(model, flows_.units_in_one()),
        next_(fabric_.num_channels()),
        channels_(fabric_),
        full_ports_(switches_),
        amount_(switches_),
        changed_share_(switches_),
        value_(switches_) {
    for (const Switch s : ids<Switch>(switches_)) {
      for (const SwitchLink& link : fabric_.links(s)) next_[index(link.channel)] = index(link.to);
    }
    std::size_t used = 0;
    for (const GroupClass& one : classes_) {
      first_share_.push_back(used);
      if (!one.terminals.empty()) used += switches_;
    }
    shares_.resize(used);
    channels_.take(table_);
  }

  GroupTable run() {
    count_loads();
    const GroupTable before = table_;
    const double most = links_.most_loaded();
    double aim = 1;  // what targets are now, over what they were
    for (double overload = kFirstOverload; most > 0 && overload >= kLastOverload; overload /= 2) {
      std::size_t changed = classes_.size();
      for (int pass = 0; pass < num_passes() && changed * kFew > classes_.size(); ++pass) {
        if (!links_.has_cuts()) aim *= links_.aim_at(links_.most_loaded() / (1 + overload));
        changed = improve_all(overload);
      }
    }
    return links_.most_loaded() * aim > most ? without_unused(before) : table_;
  }

 private:
  // One pass; returns the number of classes that changed.
  std::size_t improve_all(double overload) {
    links_.begin_pass(overload);
    std::size_t changed = 0;
    for (std::size_t k = 0; k < classes_.size(); ++k) changed += improve(k) ? 1U : 0U;
    table_ = without_unused(table_);
    channels_.take(table_);
    return changed;
  }
  int num_passes() const {
    const auto looks = static_cast<double>(classes_.size() * fabric_.num_channels());
    return static_cast<int>(std::clamp(kMostLooks / looks, 2.0, double{kMostPasses}));
  }

  // Selects a class: its entries, and what it puts on each port of an entry.
  void take(std::size_t k) {
    home_ = classes_[k].home;
    row_ = tables_.row(tables_.destination(Switch{home_}));
    entries_ = {table_.number.data() + k * switches_, switches_};
    share_ = {shares_.data() + first_share_[k], switches_};
  }
  // Finds the switches that reach the class, nearest first, and what they send to it.
  void find_senders(const GroupClass& to) {
    if (order_home_ != home_) find_order();
    order_home_ = home_;
    sent_.assign(switches_, 0);
    for (const Terminal t : to.terminals) {
      const Table<Switch, std::uint64_t>& on = flows_.on(t);
      for (const std::uint32_t s : order_) sent_[s] += static_cast<double>(on[Switch{s}]);
    }
  }
  void find_order() {
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
      const std::uint16_t whole = full_.number[std::size_t{home_} * switches_ + s];
      full_ports_[s] = static_cast<float>(count_ports(full_.sets[s][whole]));
    }
  }

  Port port_of(std::uint32_t s, std::uint32_t channel) const {
    return static_cast<Port>(channel - channels_.channel(s, kOwnPort));
  }
  std::span<const std::uint32_t> channels_of(std::uint32_t s, std::uint16_t number) const {
    return channels_.of(s, number, row_[s]);
  }

  // The load of the class on each port of the entry of a switch.
  void spread(std::span<double> share) {
    for (const std::uint32_t s : order_) amount_[s] = sent_[s];
    for (const std::uint32_t s : order_ | std::views::reverse) {
      share[s] = 0;
      if (amount_[s] == 0) continue;
      const std::span<const std::uint32_t> ports = channels_of(s, entries_[s]);
      share[s] = amount_[s] / static_cast<double>(std::max<std::size_t>(ports.size(), 1));
      for (const std::uint32_t c : ports) amount_[next_[c]] += share[s];
    }
  }
  void count_loads() {
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      if (classes_[k].terminals.empty()) continue;
      take(k);
      find_senders(classes_[k]);
      spread(share_);
      for (const std::uint32_t s : order_)
        for (const std::uint32_t c : channels_of(s, entries_[s])) links_.add_load(c, share_[s]);
    }
  }
  // Changes groups of a class. Returns whether the sum of prices decreased.
  bool improve(std::size_t k) {
    if (classes_[k].terminals.empty()) return false;
    check_time();
    take(k);
    if (!uses_hot_link()) return false;
    find_senders(classes_[k]);
    find_changes();
    before_.assign(entries_.begin(), entries_.end());
    for (std::size_t i = 0; !changes_.empty() && i <= kHalvings; ++i) {
      if (try_changes()) return true;
      std::size_t kept = 0;
      for (std::size_t j = i % 2; j < changes_.size(); j += 2) changes_[kept++] = changes_[j];
      changes_.resize(kept);
    }
    return false;
  }
  // Whether the class uses an overloaded link.
  bool uses_hot_link() const {
    for (std::uint32_t s = 0; s < switches_; ++s) {
      if (share_[s] == 0) continue;
      const std::uint16_t number = entries_[s];
      if (number == 0 ? row_[s] != kNoRoute && has(links_.hot_ports(s), row_[s])
                      : overlap(table_.sets[s][number], links_.hot_ports(s))) {
        return true;
      }
    }
    return false;
  }

  // Makes the changes if the sum of prices decreases.
  bool try_changes() {
    for (const auto& [s, number] : changes_) entries_[s] = number;
    spread(changed_share_);
    double fallen = 0;
    changed_links_.clear();
    each_changed_link([&](std::uint32_t s, std::uint32_t c, double change) {
      const double load = links_.load(c) + change;
      const float price = links_.price_with(c, load);
      fallen += links_.target(c) * (links_.price(c) - price);
      changed_links_.push_back({s, c, load, price});
    });
    if (fallen > 0) {
      for (const ChangedLink& link : changed_links_) {
        links_.set(link.at, port_of(link.at, link.channel), link.channel, link.load, link.price);
      }
      for (const std::uint32_t s : order_) share_[s] = changed_share_[s];
    } else {
      std::ranges::copy(before_, entries_.begin());
    }
    return fallen > 0;
  }
  // Calls visit(switch, channel, change of its load): first those that the class used before.
  template <class Visit>
  void each_changed_link(const Visit& visit) const {
    for (const std::uint32_t s : order_ | std::views::reverse) {
      const double now = changed_share_[s];
      const bool same = entries_[s] == before_[s];
      if (share_[s] == 0 || (share_[s] == now && same)) continue;
      const PortMask kept = ports_of(s, entries_[s]);
      for (const std::uint32_t c : channels_of(s, before_[s])) {
        const double change = (same || has(kept, port_of(s, c)) ? now : 0) - share_[s];
        if (change != 0) visit(s, c, change);
      }
    }
    for (const std::uint32_t s : order_ | std::views::reverse) {
      if (changed_share_[s] == 0 || (share_[s] != 0 && entries_[s] == before_[s])) continue;
      const PortMask used = share_[s] == 0 ? PortMask{} : ports_of(s, before_[s]);
      for (const std::uint32_t c : channels_of(s, entries_[s])) {
        if (!has(used, port_of(s, c))) visit(s, c, changed_share_[s]);
      }
    }
  }
  PortMask ports_of(std::uint32_t s, std::uint16_t number) const {
    PortMask mask = table_.sets[s][number];
    if (number == 0 && row_[s] != kNoRoute) put(mask, row_[s]);
    return mask;
  }

  // Of the ports of an entry.
  struct Prices {
    float sum = 0;
    float ports = 0;
    float high = -1;  // of the dearest
    std::uint32_t dearest = 0;
  };
  void add_price(std::uint32_t c, Prices& prices) const {
    const float own = cost(c);
    prices.sum += own;
    ++prices.ports;
    if (own > prices.high) prices.dearest = c, prices.high = own;
  }
  // Of two entries side by side: each addition waits for the last one of its own sum.
  std::array<Prices, 2> prices_of(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b) const {
    Prices first, second;
    const std::size_t both = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < both; ++i) {
      add_price(a[i], first);
      add_price(b[i], second);
    }
    for (const std::uint32_t c : a.subspan(both)) add_price(c, first);
    for (const std::uint32_t c : b.subspan(both)) add_price(c, second);
    return {first, second};
  }

  void find_changes() {
    changes_.clear();
    value_[home_] = 0;
    const std::uint16_t* const left = distance_.data() + std::size_t{home_} * switches_;
    for (std::size_t i = 0; i < order_.size();) {
      const std::uint32_t s = order_[i++];
      // Two switches as far away do not depend on each other: their sums are made side by side.
      const bool two = i < order_.size() && (left[order_[i]] & kFar) == (left[s] & kFar);
      const std::span<const std::uint32_t> second =
          two ? channels_of(order_[i], entries_[order_[i]]) : std::span<const std::uint32_t>();
      const std::array<Prices, 2> prices = prices_of(channels_of(s, entries_[s]), second);
      find_change(s, prices[0]);
      if (two) find_change(order_[i++], prices[1]);
    }
  }
  void find_change(std::uint32_t s, Prices prices) {
    if (share_[s] != 0 && may_gain(prices, full_ports_[s])) {
      const PortMask now = table_.sets[s][entries_[s]];
      const PortMask mask = changed(s, now, prices);
      if (mask != now && may_have(s, mask)) {
        changes_.emplace_back(s, table_.number_of(s, mask));
        channels_.add(s, table_);
        prices = prices_of(channels_of(s, changes_.back().second), {})[0];
      }
    }
    value_[s] = prices.ports == 0 ? 0 : prices.sum / prices.ports;
  }

  // What it costs to go on by a channel.
  float cost(std::uint32_t c) const { return links_.price(c) + value_[next_[c]]; }
  // Whether removing a port or adding one again could be worth it.
  bool may_gain(const Prices& prices, float all_ports) const {
    if (prices.ports < all_ports) return true;  // a port can be added
    return prices.high > links_.hot() &&
           is_worth(prices, prices.sum - prices.high, prices.ports - 1);
  }
  static bool is_worth(const Prices& now, float sum, float ports) {
    return ports > 0 && sum / ports < kWorth * now.sum / now.ports;
  }
  // Whether the switch may have this group. Groups that it no longer uses count until the pass
  // ends.
  bool may_have(std::uint32_t s, const PortMask& mask) const {
    const std::size_t sets = table_.sets[s].size();
    return sets <= most_groups_ || table_.find(s, mask) != sets;
  }

  // The group without its most expensive port, if that is overloaded, or with the cheapest of the
  // others, or both: whichever has the lowest mean price.
  PortMask changed(std::uint32_t s, const PortMask& now, const Prices& prices) const {
    const PortMask& whole = full_.sets[s][full_.number[std::size_t{home_} * switches_ + s]];
    const auto [sum, ports, high, dearest] = prices;
    std::optional<Port> cheapest;
    float low = 0;
    each_port(without(whole, now), [&](Port port) {
      const float own = cost(channels_.channel(s, port));
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
      if (less) drop(best, port_of(s, dearest));
      if (with) put(best, *cheapest);
    };
    if (high > links_.hot() && ports > 1) offer(true, false);
    if (cheapest) offer(false, true);
    if (high > links_.hot() && cheapest) offer(true, true);
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
  LinkPrices links_;
  std::vector<std::uint32_t> next_;  // by channel between switches: where it leads
  GroupChannels channels_;
  std::vector<double> shares_;            // by class with terminals, then switch: see share_
  std::vector<std::size_t> first_share_;  // by class: its place there
  // Of the current class.
  std::uint32_t home_ = 0;
  std::span<const Port> row_;               // default ports
  std::span<std::uint16_t> entries_;        // by switch
  std::uint32_t order_home_ = 0xffffffffU;  // whose order_ is known
  std::vector<std::uint32_t> order_;
  std::vector<float> full_ports_;  // by switch: of the initial group; 0 if it is no group
  std::vector<double> sent_;
  std::vector<std::uint16_t> before_;  // entries_ before changes
  std::vector<double> amount_;         // by switch: what arrives at it
  std::span<double> share_;            // by switch: what a port of its entry gets
  std::vector<double> changed_share_;  // the same with changes
  struct ChangedLink {
    std::uint32_t at, channel;  // with its switch
    double load;
    float price;
  };
  std::vector<ChangedLink> changed_links_;
  std::vector<float> value_;  // by switch: the mean price from there
  std::vector<std::pair<std::uint32_t, std::uint16_t>> changes_;  // a switch, its new entry
};

}  // namespace

GroupTable even_groups(const Model& model, const std::vector<std::uint16_t>& distance,
                       const GroupTable& full, const ForwardingTables& tables,
                       std::optional<std::size_t> most_groups) {
  return EvenGroups(model, distance, full, tables, most_groups).run();
}

}  // namespace fatwood
