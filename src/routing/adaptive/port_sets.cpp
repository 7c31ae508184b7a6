// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/port_sets.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "routing/tables/routing.hpp"

namespace fatwood {

std::string_view to_string(EntryState state) {
  switch (state) {
    case EntryState::kFree:
      return "Free";
    case EntryState::kBounded:
      return "Bounded";
    case EntryState::kHashed:
      return "HBF";
    default:
      return "Static";
  }
}

std::span<const Port> PortSets::one_port(Port port) {
  static constexpr auto kEach = [] {
    std::array<Port, 256> ports{};
    std::ranges::copy(ids<Port>(ports.size()), ports.begin());
    return ports;
  }();
  return {kEach.data() + index(port), port == kNoRoute ? 0U : 1U};
}

std::size_t PortSets::bytes() const {
  std::size_t bytes = low_.size() + high_.size() + row_of_.size() * sizeof(row_of_[0]) +
                      kinds_.size() * sizeof(StoredKind) + lists_.size() +
                      groups_.size() * sizeof(Numbered) +
                      (first_kind_.size() + first_group_.size()) * sizeof(std::uint32_t);
  for (const PortGroup& group : contents_) {
    bytes += sizeof(group);
    for (const SubGroup& part : group) bytes += sizeof(part) + part.ports.size();
  }
  return bytes;
}

bool operator==(const PortSets& a, const PortSets& b) {
  if (a.empty() != b.empty() || a.switches_ != b.switches_ ||
      a.row_of_.size() != b.row_of_.size()) {
    return false;
  }
  if (a.empty()) return true;
  for (const Switch s : ids<Switch>(a.switches_)) {
    const auto same = [&](const PortSets::Numbered& x, const PortSets::Numbered& y) {
      return x.number == y.number && a.content(x) == b.content(y);
    };
    if (!std::ranges::equal(a.groups(s), b.groups(s), same)) return false;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> known;  // pairs of rows
  for (const Destination destination : ids<Destination>(a.row_of_.size())) {
    const std::pair pair{a.row(destination), b.row(destination)};
    if (!known.emplace(pair, true).second) continue;
    for (const Switch s : ids<Switch>(a.switches_)) {
      const PortSets::KindOf x = a.of(s, a.kind_in(pair.first, s));
      const PortSets::KindOf y = b.of(s, b.kind_in(pair.second, s));
      if (x.state != y.state || x.group != y.group || !std::ranges::equal(x.ports, y.ports)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace fatwood
