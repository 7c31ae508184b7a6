// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/flow_links.hpp"

#include "core/random.hpp"

namespace fatwood {
namespace {

constexpr std::int64_t kUnits = std::int64_t{1} << 50;  // of a flow; shares are floats anyway
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;     // spreads numbers of queue pairs

}  // namespace

FlowLinks::FlowLinks(const Model& model, const PathSource& paths, PortChoice choice,
                     std::uint64_t seed, std::uint32_t queue_pairs)
    : model_(model),
      paths_(paths),
      choice_(choice),
      seed_(seed),
      queue_pairs_(choice == PortChoice::kHashed ? queue_pairs : 1) {
  if (paths.adaptive() != nullptr) split_.emplace(model, *paths.adaptive());
}

bool FlowLinks::by_leaf() const {
  const ForwardingTables* const tables = paths_.tables();
  return tables != nullptr && tables->lmc() == 0 && queue_pairs_ == 1;
}

LinkNumber FlowLinks::first_link(Adapter from) const {
  return index(model_.fabric().terminal_channel(model_.adapters().terminals(from).front()));
}

Switch FlowLinks::leaf(Adapter from) const { return model_.adapters().leaf(model_.fabric(), from); }

std::vector<LinkUse> FlowLinks::links(Adapter from, Adapter to, std::uint32_t connection) {
  std::vector<LinkUse> links;
  const std::uint64_t flow = (std::uint64_t{index(from)} << 32) | index(to);
  const float part = 1.0F / static_cast<float>(queue_pairs_);
  const PathList list = split_ ? PathList{} : paths_.paths(from, to);
  const std::vector<PortPath> paths =
      split_ ? port_paths(model_, *paths_.adaptive(), {from, to, 1}) : std::vector<PortPath>{};
  links.reserve(list.all().size());
  for (std::uint32_t q = 0; q < queue_pairs_; ++q) {
    const std::uint64_t number = std::uint64_t{connection} * queue_pairs_ + q;
    const QueuePair pair{seed_ ^ (number * kOdd), flow};
    if (!split_) add_paths(list, part, pair, links);
    for (const PortPath& path : paths) {
      if (!add_path(path, part / static_cast<float>(paths.size()), pair, links)) return {};
    }
  }
  return links;
}

void FlowLinks::add_paths(const PathList& list, float share, const QueuePair& pair,
                          std::vector<LinkUse>& links) const {
  if (list.empty()) return;
  if (choice_ == PortChoice::kHashed) {
    Random random(pair.seed, pair.flow);
    for (const Channel c : list[random.below(static_cast<std::uint32_t>(list.size()))]) {
      links.push_back({index(c), share});
    }
    return;
  }
  const float each = share / static_cast<float>(list.size());
  for (const Channel c : list.all()) links.push_back({index(c), each});
}

bool FlowLinks::add_path(const PortPath& path, float share, const QueuePair& pair,
                         std::vector<LinkUse>& links) {
  const Fabric& fabric = model_.fabric();
  if (followed_ != path.to) {
    walk_ = &split_->follow(path.to);
    followed_ = path.to;
  }
  links.push_back({index(fabric.terminal_channel(path.from)), share});
  const Switch leaf = fabric.leaf(path.from);
  if (leaf == kNone<Switch>) return true;  // cabled to the destination itself
  if (walk_->fate(index(leaf)) != Fate::kArrives) return false;
  if (choice_ == PortChoice::kEven) {
    add_even(index(leaf), share, links);
  } else {
    add_hashed(index(leaf), share, pair, links);
  }
  const Terminal to = paths_.adaptive()->tables.terminal(path.to);
  links.push_back({index(fabric.peer(fabric.terminal_channel(to))), share});
  return true;
}

void FlowLinks::add_even(std::uint32_t leaf, float share, std::vector<LinkUse>& links) {
  std::vector<std::int64_t> amount(model_.fabric().num_switches());
  amount[leaf] = kUnits;
  split_->spread(std::move(amount), [&](Channel c, std::int64_t units) {
    links.push_back({index(c), share * static_cast<float>(static_cast<double>(units) /
                                                          static_cast<double>(kUnits))});
  });
}

void FlowLinks::add_hashed(std::uint32_t leaf, float share, const QueuePair& pair,
                           std::vector<LinkUse>& links) {
  const Fabric& fabric = model_.fabric();
  for (std::uint32_t s = leaf;;) {
    const std::span<const Port> ports = walk_->ports(s);
    Random random(pair.seed, pair.flow, s);
    const Port port = ports[random.below(static_cast<std::uint32_t>(ports.size()))];
    if (walk_->delivers(s, port)) return;
    links.push_back({index(fabric.channel(fabric.node(static_cast<Switch>(s)), port)), share});
    s = walk_->hop(s, port).next();
  }
}

}  // namespace fatwood
