// SPDX-License-Identifier: BSD-3-Clause
#include "topology/levels/tree_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/deal_out.hpp"
#include "core/union_find.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

std::vector<TreeCut> tree_cuts(const Fabric& fabric, const Levels& levels) {
  constexpr std::uint32_t kNoCut = 0xffffffffU;
  const std::size_t switches = fabric.num_switches();
  std::vector<Channel> cables;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.between_switches(c)) cables.push_back(c);
  }
  std::vector<TreeCut> cuts;
  UnionFind sets(switches);
  std::vector<std::size_t> size(switches, 0);  // by first switch, one level below
  for (Level level = 1; level < levels.height; ++level) {
    const auto inside = [&](Switch s) { return levels.level[s] <= level; };
    for (const Channel c : cables) {
      const Switch a = fabric.as_switch(fabric.owner(c));
      const Switch b = fabric.next_switch(c);
      if (inside(a) && inside(b)) sets.join(index(a), index(b));
    }
    std::vector<TreeCut> found;
    std::vector<std::uint32_t> number(switches, kNoCut);  // in found, by first switch
    for (const Switch s : ids<Switch>(switches)) {
      if (!inside(s)) continue;
      std::uint32_t& which = number[sets.find(index(s))];
      if (which == kNoCut) {
        which = static_cast<std::uint32_t>(found.size());
        found.push_back({level, {}, {}});
      }
      found[which].switches.push_back(s);
    }
    for (const Channel c : cables) {
      const Switch a = fabric.as_switch(fabric.owner(c));
      if (!inside(a) || inside(fabric.next_switch(c))) continue;
      found[number[sets.find(index(a))]].links.push_back(c);
    }
    for (TreeCut& cut : found) {
      std::size_t& before = size[index(cut.switches.front())];
      const bool grown = cut.switches.size() != before;
      before = cut.switches.size();
      if (grown && !cut.links.empty()) cuts.push_back(std::move(cut));
    }
  }
  return cuts;
}

std::string cut_name(const Fabric& fabric, const TreeCut& cut) {
  const std::string first(unique_name(fabric, cut.switches.front()));
  if (cut.switches.size() == 1) return first;
  return fmt::format("{} and {} more up to level {}", first, cut.switches.size() - 1, cut.level);
}

namespace {

// By kind of destination port: what is sent to each address, and how many there are.
struct KindTotals {
  std::vector<std::int64_t> sent, addresses;
  explicit KindTotals(std::size_t kinds) : sent(kinds), addresses(kinds) {}
};

// How many switches send each amount, by kind of destination port.
using Senders = std::vector<std::map<std::int64_t, std::int64_t>>;

// So many of one size.
struct Bundles {
  std::int64_t size, count;
};

// The least that the most loaded of so many links can carry, each bundle on one: of the largest
// j * links + 1 bundles some link has j + 1, and these are no smaller than the last j + 1 of them.
// For j that reach the last bundle of a size, as others give hardly more. REQUIRES largest first.
std::int64_t least_of_bundles(const std::vector<Bundles>& bundles, std::int64_t links) {
  std::int64_t least = 0;
  std::int64_t end = 0;  // of the bundles of this size
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    end += bundles[i].count;
    const std::int64_t j = (end - 1) / links;
    std::int64_t left = j + 1;
    std::int64_t sum = 0;
    std::int64_t here = bundles[i].count - (end - (j * links + 1));  // of size i among the first
    for (std::size_t k = i; left > 0; here = bundles[--k].count) {
      const std::int64_t taken = std::clamp<std::int64_t>(here, 0, left);
      sum += taken * bundles[k].size;
      left -= taken;
      if (k == 0) break;
    }
    least = std::max(least, sum);
  }
  return least;
}

class CutTraffic {
 public:
  CutTraffic(const Model& model, const Table<Terminal, std::uint8_t>& takes_part)
      : model_(model),
        flows_(model),
        on_(model.fabric().num_switches(), KindTotals(flows_.num_kinds())),
        component_(model.components().count, KindTotals(flows_.num_kinds())),
        senders_(model.components().count, Senders(flows_.num_kinds())) {
    const Fabric& fabric = model.fabric();
    for (const Terminal t : model.adapters().all_terminals()) {
      const Switch leaf = fabric.leaf(t);
      if (takes_part[t] == 0 || leaf == kNone<Switch>) continue;
      for (KindTotals* const totals :
           {&on_[leaf], &component_[model.components().component[leaf]]}) {
        ++totals->addresses[flows_.kind(t)];
        for (std::uint32_t kind = 0; kind < flows_.num_kinds(); ++kind) {
          totals->sent[kind] += static_cast<std::int64_t>(flows_.units(flows_.kind(t), kind));
        }
      }
    }
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      Senders& senders = senders_[model.components().component[s]];
      for (std::uint32_t kind = 0; kind < flows_.num_kinds(); ++kind) {
        ++senders[kind][on_[s].sent[kind]];
      }
    }
  }

  std::int64_t units_in_one() const { return static_cast<std::int64_t>(flows_.units_in_one()); }
  // Units that leave the set of switches, or enter it, for one address of each port; the bundles of
  // them, the largest first; and a number that divides each.
  struct Units {
    std::int64_t all = 0, divisor = 0;
    std::vector<Bundles> bundles;
  };
  Units crossing(const TreeCut& cut, CutDirection crossing) const {
    KindTotals inside(flows_.num_kinds());
    for (const Switch s : cut.switches) {
      for (std::uint32_t kind = 0; kind < flows_.num_kinds(); ++kind) {
        inside.sent[kind] += on_[s].sent[kind];
        inside.addresses[kind] += on_[s].addresses[kind];
      }
    }
    const std::uint32_t component = model_.components().component[cut.switches.front()];
    const KindTotals& all = component_[component];
    Units units;
    const bool together = crossing == CutDirection::kIn && one_above(cut);
    std::vector<std::int64_t> addresses(flows_.num_kinds());  // that traffic crosses to
    for (std::uint32_t kind = 0; kind < flows_.num_kinds(); ++kind) {
      const std::int64_t sent =
          crossing == CutDirection::kOut ? inside.sent[kind] : all.sent[kind] - inside.sent[kind];
      addresses[kind] = crossing == CutDirection::kOut
                            ? all.addresses[kind] - inside.addresses[kind]
                            : inside.addresses[kind];
      units.all += sent * addresses[kind];
      // One switch above has one port for an address: all that it gets is a bundle.
      if (together) add(units, sent, addresses[kind]);
    }
    if (crossing == CutDirection::kOut) {
      for (const Switch s : cut.switches) {
        for (std::uint32_t kind = 0; kind < flows_.num_kinds(); ++kind) {
          add(units, on_[s].sent[kind], addresses[kind]);
        }
      }
    } else if (!together) {
      Senders outside = senders_[component];
      for (const Switch s : cut.switches) {
        for (std::uint32_t kind = 0; kind < flows_.num_kinds(); ++kind) {
          --outside[kind][on_[s].sent[kind]];
        }
      }
      for (std::uint32_t kind = 0; kind < flows_.num_kinds(); ++kind) {
        for (const auto& [size, switches] : outside[kind]) {
          add(units, size, switches * addresses[kind]);
        }
      }
    }
    std::ranges::sort(units.bundles, std::greater{}, &Bundles::size);
    return units;
  }

 private:
  static void add(Units& units, std::int64_t size, std::int64_t count) {
    if (size == 0 || count == 0) return;
    units.divisor = std::gcd(units.divisor, size);
    if (!units.bundles.empty() && units.bundles.back().size == size) {
      units.bundles.back().count += count;
    } else {
      units.bundles.push_back({size, count});
    }
  }
  bool one_above(const TreeCut& cut) const {
    const Node above = model_.fabric().neighbour(cut.links.front());
    return std::ranges::all_of(cut.links,
                               [&](Channel c) { return model_.fabric().neighbour(c) == above; });
  }

  const Model& model_;
  FlowSources flows_;
  Table<Switch, KindTotals> on_;
  std::vector<KindTotals> component_;  // by component of the fabric
  std::vector<Senders> senders_;       // by component of the fabric
};

}  // namespace

std::vector<CutShare> all_to_all_shares(const Model& model, const std::vector<TreeCut>& cuts,
                                        const Table<Terminal, std::uint8_t>& takes_part,
                                        std::uint32_t addresses) {
  const CutTraffic traffic(model, takes_part);
  const ChannelSpeeds& speeds = model.speeds();
  const Fraction unit(speeds.usual(), traffic.units_in_one());  // units over speed, as a load
  std::vector<CutShare> shares;
  for (std::uint32_t cut = 0; cut < cuts.size(); ++cut) {
    for (const CutDirection crossing : {CutDirection::kOut, CutDirection::kIn}) {
      auto units = traffic.crossing(cuts[cut], crossing);
      if (units.all == 0) continue;
      std::vector<std::int64_t> speed;
      for (const Channel c : cuts[cut].links) {
        speed.push_back(speeds.speed(crossing == CutDirection::kOut ? c : model.fabric().peer(c)));
      }
      const std::int64_t capacity = std::accumulate(speed.begin(), speed.end(), std::int64_t{0});
      const Fraction fair = Fraction(units.all, capacity) * unit;
      const std::int64_t pieces = units.all / units.divisor * addresses;
      for (Bundles& bundles : units.bundles) bundles.count *= addresses;
      const Fraction packed(
          least_of_bundles(units.bundles, static_cast<std::int64_t>(speed.size())),
          std::ranges::max(speed) * addresses);
      const Fraction dealt = deal_out(pieces, speed) * Fraction(units.divisor, addresses);
      const Fraction tables = std::max(dealt, packed) * unit;
      shares.push_back(
          {cut, crossing,
           static_cast<double>(units.all) / static_cast<double>(traffic.units_in_one()), fair,
           std::max(fair, tables)});
    }
  }
  return shares;
}

Fraction all_to_all_bound(const Model& model) {
  Fraction most = 0;
  const std::vector<TreeCut> cuts = tree_cuts(model.fabric(), model.levels());
  for (const CutShare& share : all_to_all_shares(model, cuts, model.counted())) {
    most = std::max(most, share.fair);
  }
  return most;
}

}  // namespace fatwood
