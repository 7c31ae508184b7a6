// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/route_classes.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

using What = RouteEntry::What;

IpAddress next_address(const IpAddress& address, bool six) {
  if (!six) return {address.high + (std::uint64_t{1} << 32U), 0};
  const std::uint64_t low = address.low + 1;
  return {address.high + (low == 0 ? 1 : 0), low};
}

// One family of addresses.
class Classes {
 public:
  Classes(const Fabric& fabric, const Table<Switch, SwitchTable>& tables, bool six, int threads)
      : fabric_(fabric), tables_(tables), six_(six), threads_(threads) {}

  void run(std::vector<RouteClass>& classes) {
    cut();
    parallel_for(tables_.size(), threads_,
                 [&](std::size_t s, int) { sweep(static_cast<Switch>(s)); });
    std::map<std::vector<std::uint32_t>, std::size_t> known;  // kinds and owners: a class
    for (std::size_t at = 0; at < starts_.size(); ++at) {
      const std::uint32_t longest = longest_match(at);
      if (longest == kNoMatch) continue;
      std::vector<Switch> owners = find_owners(at);
      bool own = !owners.empty() && what(at, owners.front()) == What::kOwn;
      if (owners.empty()) {
        owners = infer_owner(at, longest);
        own = longest == address_bits();
      }
      if (owners.empty()) continue;
      std::vector<std::uint32_t> key;
      for (const Switch s : ids<Switch>(tables_.size())) key.push_back(kind(at, s));
      for (const Switch s : owners) key.push_back(index(s));
      const auto [place, added] = known.try_emplace(std::move(key), classes.size());
      if (!added) {
        ++classes[place->second].intervals;
        continue;
      }
      classes.push_back(make_class(at, std::move(owners), own));
    }
  }

 private:
  static constexpr std::uint32_t kNoMatch = 0xffffffffU;

  std::uint32_t address_bits() const { return six_ ? 128 : 32; }

  // Switches have nearly the same prefixes: each adds those that are new.
  void cut() {
    for (const SwitchTable& table : tables_) {
      std::vector<IpAddress> own;
      for (const SwitchTable::Match& match : table.matches) {
        if (match.prefix.six != six_) continue;
        own.push_back(match.prefix.first);
        const IpAddress after = next_address(last_address(match.prefix), six_);
        if (after != IpAddress{}) own.push_back(after);
      }
      std::erase_if(own,
                    [&](const IpAddress& one) { return std::ranges::binary_search(starts_, one); });
      if (own.empty()) continue;
      starts_.insert(starts_.end(), own.begin(), own.end());
      std::ranges::sort(starts_);
      const auto rest = std::ranges::unique(starts_);
      starts_.erase(rest.begin(), rest.end());
    }
    match_.assign(starts_.size() * tables_.size(), kNoMatch);
  }

  // The longest match of a switch in each interval: the innermost prefix that is open there.
  void sweep(Switch s) {
    const std::vector<SwitchTable::Match>& all = tables_[s].matches;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].prefix.six == six_) order.push_back(i);
    }
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
      return std::pair(all[i].prefix.first, all[i].prefix.bits);
    });
    std::vector<std::uint32_t> open;
    std::size_t next = 0;
    for (std::size_t at = 0; at < starts_.size(); ++at) {
      while (!open.empty() && last_address(all[open.back()].prefix) < starts_[at]) open.pop_back();
      for (; next < order.size() && all[order[next]].prefix.first == starts_[at]; ++next) {
        open.push_back(order[next]);
      }
      if (!open.empty()) match_[at * tables_.size() + index(s)] = open.back();
    }
  }

  std::uint32_t match(std::size_t at, Switch s) const {
    return match_[at * tables_.size() + index(s)];
  }
  std::uint32_t kind(std::size_t at, Switch s) const {
    const std::uint32_t found = match(at, s);
    return found == kNoMatch ? kNoMatch : tables_[s].matches[found].kind;
  }
  RouteEntry entry(std::size_t at, Switch s) const {
    if (!tables_[s].known) return {.what = What::kUnknown};
    const std::uint32_t found = match(at, s);
    return found == kNoMatch ? RouteEntry{} : tables_[s].kinds[tables_[s].matches[found].kind];
  }
  What what(std::size_t at, Switch s) const {
    const std::uint32_t found = match(at, s);
    if (!tables_[s].known) return What::kUnknown;
    if (found == kNoMatch) return What::kNone;
    return tables_[s].kinds[tables_[s].matches[found].kind].what;
  }
  unsigned bits(std::size_t at, Switch s) const {
    const std::uint32_t found = match(at, s);
    return found == kNoMatch ? 0 : tables_[s].matches[found].prefix.bits;
  }

  // The bits of the longest prefix that some switch has here.
  std::uint32_t longest_match(std::size_t at) const {
    std::uint32_t longest = kNoMatch;
    for (const Switch s : ids<Switch>(tables_.size())) {
      if (match(at, s) == kNoMatch) continue;
      longest = longest == kNoMatch ? bits(at, s) : std::max(longest, bits(at, s));
    }
    return longest == 0 ? kNoMatch : longest;  // default routes only
  }

  std::vector<Switch> find_owners(std::size_t at) const {
    std::vector<Switch> owners;
    for (const Switch s : ids<Switch>(tables_.size())) {
      const What here = what(at, s);
      if (here == What::kHosts || here == What::kOwn) owners.push_back(s);
    }
    return owners;
  }

  // The only switch without the longest prefix to which those that have it send.
  std::vector<Switch> infer_owner(std::size_t at, std::uint32_t longest) const {
    std::vector<Switch> ends;
    for (const Switch s : ids<Switch>(tables_.size())) {
      if (bits(at, s) != longest || what(at, s) != What::kPorts) continue;
      each_port(entry(at, s).ports, [&](Port port) {
        const Channel c = fabric_.channel(fabric_.node(s), port);
        if (!fabric_.to_switch(c)) return;
        const Switch next = fabric_.next_switch(c);
        const bool has = match(at, next) != kNoMatch && bits(at, next) == longest;
        if (!has && std::ranges::find(ends, next) == ends.end()) ends.push_back(next);
      });
      if (ends.size() > 1) return {};
    }
    return ends;
  }

  RouteClass make_class(std::size_t at, std::vector<Switch> owners, bool own) const {
    RouteClass made{.prefix = {}, .owners = std::move(owners), .own = own, .entries = {}};
    for (const Switch s : ids<Switch>(tables_.size())) {
      made.entries.push_back(entry(at, s));
      if (match(at, s) == kNoMatch) continue;
      const Prefix& prefix = tables_[s].matches[match(at, s)].prefix;
      if (prefix.bits >= made.prefix.bits) made.prefix = prefix;
    }
    return made;
  }

  const Fabric& fabric_;
  const Table<Switch, SwitchTable>& tables_;
  bool six_;
  int threads_;
  std::vector<IpAddress> starts_;     // of the intervals
  std::vector<std::uint32_t> match_;  // [interval][switch]: a match of the switch
};

}  // namespace

void SwitchTable::add(const Prefix& prefix, const RouteEntry& entry) {
  const auto found = std::ranges::find(kinds, entry);
  matches.push_back({prefix, static_cast<std::uint32_t>(found - kinds.begin())});
  if (found == kinds.end()) kinds.push_back(entry);
}

std::vector<RouteClass> find_route_classes(const Fabric& fabric,
                                           const Table<Switch, SwitchTable>& tables, int threads) {
  std::vector<RouteClass> classes;
  for (const bool six : {false, true}) Classes(fabric, tables, six, threads).run(classes);
  return classes;
}

}  // namespace fatwood
