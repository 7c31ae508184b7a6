// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/port_sets_builder.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMaxKinds = 0x10000;

std::uint64_t hash_of(std::span<const PortSets::Kind> kinds) {
  constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15U;
  std::uint64_t hash = kinds.size();
  for (const PortSets::Kind kind : kinds) hash = (std::rotl(hash, 5) ^ kind) * kPrime;
  return hash;
}

}  // namespace

PortSetsBuilder::PortSetsBuilder(const Fabric& fabric)
    : fabric_(fabric), switches_(fabric.num_switches()) {
  sets_.switches_ = fabric.num_switches();
  find_row(std::vector<PortSets::Kind>(sets_.switches_));  // row 0: static everywhere
}

void PortSetsBuilder::add_group(Switch s, GroupNumber number, PortGroup group) {
  Group added;
  const Node node = fabric_.node(s);
  for (const SubGroup& part : group) {
    for (const Port port : part.ports) {
      if (port != kOwnPort && fabric_.connected(fabric_.channel(node, port))) put(added.live, port);
    }
  }
  const auto [at, fresh] =
      contents_.emplace(std::move(group), static_cast<std::uint32_t>(contents_.size()));
  if (fresh) sets_.contents_.push_back(at->first);
  added.content = at->second;
  switches_[s].groups.emplace(number, added);
}

bool PortSetsBuilder::has_group(Switch s, GroupNumber number) const {
  return switches_[s].groups.contains(number);
}

bool PortSetsBuilder::has_group(Switch s, GroupNumber number, const PortGroup& content) const {
  const auto found = switches_[s].groups.find(number);
  return found != switches_[s].groups.end() && sets_.contents_[found->second.content] == content;
}

PortSets::Kind PortSetsBuilder::kind(Switch s, EntryState state, GroupNumber number, Port own) {
  if (state == EntryState::kStatic) return 0;
  OfSwitch& of = switches_[s];
  const auto group = of.groups.find(number);
  PortMask ports = group == of.groups.end() ? PortMask{} : group->second.live;
  const bool outside = own != kNoRoute && !has(ports, own);
  if (outside) put(ports, own);
  const auto [at, fresh] = of.kinds.emplace(Key{state, number, outside ? own : kNoRoute},
                                            static_cast<PortSets::Kind>(of.stored.size()));
  if (!fresh) return at->second;
  if (of.stored.size() == kMaxKinds) {
    of.kinds.erase(at);
    throw InputError(unique_name(fabric_, s) +
                     " has entries of more than 65535 kinds; expected fewer groups");
  }
  PortSets::StoredKind& stored = of.stored.emplace_back();
  stored.list = list_of(ports);
  stored.count = static_cast<std::uint8_t>(count_ports(ports));
  stored.state = state;
  stored.group = number;
  return at->second;
}

std::uint32_t PortSetsBuilder::list_of(const PortMask& ports) {
  const auto [at, fresh] = lists_.emplace(ports, static_cast<std::uint32_t>(sets_.lists_.size()));
  if (fresh) each_port(ports, [&](Port port) { sets_.lists_.push_back(port); });
  return at->second;
}

void PortSetsBuilder::append_row(std::span<const PortSets::Kind> kinds) {
  const bool wide = std::ranges::any_of(kinds, [](PortSets::Kind kind) { return kind > 255; });
  if (wide && sets_.high_.empty()) sets_.high_.resize(sets_.low_.size(), 0);
  for (const PortSets::Kind kind : kinds) {
    sets_.low_.push_back(static_cast<std::uint8_t>(kind & 255U));
  }
  if (!wide && sets_.high_.empty()) return;
  for (const PortSets::Kind kind : kinds) {
    sets_.high_.push_back(static_cast<std::uint8_t>(kind >> 8U));
  }
}

std::uint32_t PortSetsBuilder::find_row(std::span<const PortSets::Kind> kinds) {
  const std::uint64_t hash = hash_of(kinds);
  const auto [begin, end] = rows_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    bool same = true;
    for (std::uint32_t s = 0; same && s < kinds.size(); ++s) {
      same = sets_.kind_in(at->second, static_cast<Switch>(s)) == kinds[s];
    }
    if (same) return at->second;
  }
  const auto row = static_cast<std::uint32_t>(sets_.num_rows());
  append_row(kinds);
  rows_.emplace(hash, row);
  return row;
}

void PortSetsBuilder::set_row(Destination destination, std::span<const PortSets::Kind> kinds) {
  // Consecutive destinations are usually on one leaf and have the same row.
  if (!std::ranges::equal(kinds, last_kinds_)) {
    last_row_ = find_row(kinds);
    last_kinds_.assign(kinds.begin(), kinds.end());
  }
  const std::uint32_t row = last_row_;
  if (sets_.row_of_.size() <= index(destination)) sets_.row_of_.resize(index(destination) + 1, 0);
  sets_.row_of_[index(destination)] = row;
  any_ = any_ || row != 0;
}

PortSets PortSetsBuilder::build(std::size_t destinations) && {
  if (!any_) return {};
  sets_.row_of_.resize(destinations, 0);
  sets_.row_of_.shrink_to_fit();
  for (OfSwitch& of : switches_) {
    sets_.first_kind_.push_back(static_cast<std::uint32_t>(sets_.kinds_.size()));
    sets_.kinds_.insert(sets_.kinds_.end(), of.stored.begin(), of.stored.end());
    sets_.first_group_.push_back(static_cast<std::uint32_t>(sets_.groups_.size()));
    for (const auto& [number, group] : of.groups) {
      sets_.groups_.push_back({number, group.content});
    }
  }
  sets_.first_kind_.push_back(static_cast<std::uint32_t>(sets_.kinds_.size()));
  sets_.first_group_.push_back(static_cast<std::uint32_t>(sets_.groups_.size()));
  sets_.low_.shrink_to_fit();
  sets_.high_.shrink_to_fit();
  return std::move(sets_);
}

}  // namespace fatwood
