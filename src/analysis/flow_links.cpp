// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/flow_links.hpp"

#include "core/random.hpp"

namespace fatwood {
namespace {

constexpr std::int64_t kUnits = std::int64_t{1} << 50;  // of a flow; shares are floats anyway

}  // namespace

FlowLinks::FlowLinks(const Model& model, const PathSource& paths, PortChoice choice,
                     std::uint64_t seed)
    : model_(model), paths_(paths), choice_(choice), seed_(seed) {
  if (paths.adaptive() != nullptr) split_.emplace(model, *paths.adaptive());
}

std::vector<LinkUse> FlowLinks::links(Host from, Host to) {
  std::vector<LinkUse> links;
  if (!split_) {
    const PathList list = paths_.paths(from, to);
    links.reserve(list.all().size());
    const float share = list.empty() ? 0 : 1.0F / static_cast<float>(list.size());
    for (const Channel c : list.all()) links.push_back({index(c), share});
    return links;
  }
  const std::vector<PortWay> ways = port_ways(model_, *paths_.adaptive(), {from, to, 1});
  const std::uint64_t flow = (std::uint64_t{index(from)} << 32) | index(to);
  for (const PortWay& way : ways) {
    if (!add_way(way, 1.0F / static_cast<float>(ways.size()), flow, links)) return {};
  }
  return links;
}

bool FlowLinks::add_way(const PortWay& way, float share, std::uint64_t flow,
                        std::vector<LinkUse>& links) {
  const Fabric& fabric = model_.fabric();
  if (followed_ != way.to) {
    walk_ = &split_->follow(way.to);
    followed_ = way.to;
  }
  links.push_back({index(fabric.terminal_channel(way.from)), share});
  const Switch leaf = fabric.leaf(way.from);
  if (leaf == kNone<Switch>) return true;  // cabled to the target itself
  if (walk_->fate(index(leaf)) != Fate::kArrives) return false;
  if (choice_ == PortChoice::kEven) {
    add_even(index(leaf), share, links);
  } else {
    add_hashed(index(leaf), share, flow, links);
  }
  const Terminal to = paths_.adaptive()->tables.terminal(way.to);
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

void FlowLinks::add_hashed(std::uint32_t leaf, float share, std::uint64_t flow,
                           std::vector<LinkUse>& links) {
  const Fabric& fabric = model_.fabric();
  for (std::uint32_t s = leaf;;) {
    const std::span<const std::uint8_t> ports = walk_->ports(s);
    Random random(seed_, flow, s);
    const std::uint8_t port = ports[random.below(static_cast<std::uint32_t>(ports.size()))];
    if (walk_->delivers(s, port)) return;
    links.push_back({index(fabric.channel(fabric.node(static_cast<Switch>(s)), port)), share});
    s = walk_->hop(s, port).next();
  }
}

}  // namespace fatwood
