#include "routing/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"

namespace fatwood {

namespace {

constexpr unsigned kMostLanes = 254;

std::uint64_t most_links(const LinkGraph& links) {
  std::uint32_t most = 1;
  for (std::size_t s = 0; s < links.switches; ++s) {
    most = std::max(most, links.first[s + 1] - links.first[s]);
  }
  return most;
}

}  // namespace

Layer::Layer(const LinkGraph& links, std::vector<std::uint32_t> position)
    : links_(&links),
      stride_(most_links(links)),
      waits_((links.links() * stride_ + 63) / 64),
      refused_(waits_.size()),
      position_(std::move(position)),
      seen_(links.links()) {}

bool Layer::add_new(std::uint32_t a, std::uint32_t b) {
  if (position_[a] > position_[b]) {
    ahead_.clear();
    behind_.clear();
    const bool cycle = search_ahead(b, a);
    if (!cycle) search_back(a, b);
    for (const std::uint32_t link : ahead_) seen_[link] = 0;
    for (const std::uint32_t link : behind_) seen_[link] = 0;
    if (cycle) {
      set(refused_, bit_of(a, b));
      return false;
    }
    trade_places();
  }
  set(waits_, bit_of(a, b));
  return true;
}

// All that `from` waits for, up to the position of `to`; whether `to` is among it.
bool Layer::search_ahead(std::uint32_t from, std::uint32_t to) {
  stack_.assign(1, from);
  seen_[from] = 1;
  while (!stack_.empty()) {
    const std::uint32_t at = stack_.back();
    stack_.pop_back();
    ahead_.push_back(at);
    const std::uint32_t begin = links_->first[links_->to[at]];
    const std::uint32_t end = links_->first[links_->to[at] + 1];
    const std::uint64_t bit = std::uint64_t{at} * stride_;
    for (std::uint32_t next = begin; next < end; ++next) {
      if (!test(waits_, bit + (next - begin))) continue;
      if (next == to) {
        for (const std::uint32_t link : stack_) ahead_.push_back(link);
        return true;
      }
      if (seen_[next] != 0 || position_[next] > position_[to]) continue;
      seen_[next] = 1;
      stack_.push_back(next);
    }
  }
  return false;
}

// All that waits for `from`, down to the position of `to`.
void Layer::search_back(std::uint32_t from, std::uint32_t to) {
  stack_.assign(1, from);
  seen_[from] = 1;
  while (!stack_.empty()) {
    const std::uint32_t at = stack_.back();
    stack_.pop_back();
    behind_.push_back(at);
    const std::uint32_t owner = links_->from[at];
    const std::uint32_t begin = links_->first[owner];
    for (std::uint32_t out = begin; out < links_->first[owner + 1]; ++out) {
      const std::uint32_t before = links_->reverse[out];
      if (seen_[before] != 0 || position_[before] < position_[to]) continue;
      if (!test(waits_, std::uint64_t{before} * stride_ + (at - begin))) continue;
      seen_[before] = 1;
      stack_.push_back(before);
    }
  }
}

// What waits goes before what is waited for, into the same places.
void Layer::trade_places() {
  const auto by_position = [&](std::uint32_t link) { return position_[link]; };
  std::ranges::sort(behind_, {}, by_position);
  std::ranges::sort(ahead_, {}, by_position);
  stack_.clear();
  for (const auto* part : {&behind_, &ahead_}) {
    for (const std::uint32_t link : *part) stack_.push_back(position_[link]);
  }
  std::ranges::sort(stack_);
  std::size_t next = 0;
  for (const auto* part : {&behind_, &ahead_}) {
    for (const std::uint32_t link : *part) position_[link] = stack_[next++];
  }
}

Layers::Layers(const LinkGraph& links, const std::vector<std::uint32_t>& height)
    : links_(&links), start_(links.links()) {
  const std::uint32_t highest = height.empty() ? 0 : *std::ranges::max_element(height);
  const auto key = [&](std::uint32_t link) {
    const std::uint32_t low = height[links.from[link]];
    const std::uint32_t high = height[links.to[link]];
    if (low < high) return 2 * low;
    return low == high ? 2 * low + 1 : 4 * highest + 2 - 2 * low;
  };
  std::vector<std::uint32_t> order(links.links());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, key);
  for (std::uint32_t i = 0; i < order.size(); ++i) start_[order[i]] = i;
}

Layer& Layers::layer(unsigned lane) {
  while (layers_.size() <= lane) {
    if (layers_.size() == kMostLanes) {
      throw PromiseError(fmt::format("this fabric takes more than {} lanes", kMostLanes));
    }
    layers_.emplace_back(*links_, start_);
  }
  return layers_[lane];
}

bool Layers::add_route(unsigned lane, std::uint32_t source, std::span<const std::uint32_t> next,
                       std::span<Fit> known) {
  Layer& waits = layer(lane);
  // Back along the route to what is known, then forth again. A switch next to the destination
  // makes no link wait.
  path_.clear();
  std::uint32_t at = source;
  while (known[at] == Fit::kUnknown && next[at] != kNoLink) {
    path_.push_back(at);
    at = links_->to[next[at]];
  }
  known[at] = next[at] == kNoLink ? Fit::kYes : known[at];
  for (; !path_.empty(); path_.pop_back()) {
    const std::uint32_t s = path_.back();
    const std::uint32_t parent = links_->to[next[s]];
    const bool fits =
        known[parent] == Fit::kYes && (next[parent] == kNoLink || waits.add(next[s], next[parent]));
    known[s] = fits ? Fit::kYes : Fit::kNo;
  }
  return known[source] == Fit::kYes;
}

std::vector<std::uint32_t> height_above_hosts(const Fabric& fabric, const LinkGraph& links) {
  constexpr std::uint32_t kUnknown = 0xffffffffU;
  std::vector<std::uint32_t> height(links.switches, kUnknown);
  std::vector<std::uint32_t> queue;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch> || height[index(leaf)] == 0) continue;
    height[index(leaf)] = 0;
    queue.push_back(index(leaf));
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::uint32_t l = links.first[queue[i]]; l < links.first[queue[i] + 1]; ++l) {
      if (height[links.to[l]] != kUnknown) continue;
      height[links.to[l]] = height[queue[i]] + 1;
      queue.push_back(links.to[l]);
    }
  }
  std::ranges::replace(height, kUnknown, 0U);
  return height;
}

Lanes pack_lanes(unsigned count, std::size_t switches, const std::vector<std::uint8_t>& rows,
                 const std::vector<std::uint32_t>& row_of) {
  Lanes lanes;
  lanes.count = std::max(count, 1U);
  lanes.switches = switches;
  if (count <= 1) return lanes;
  std::unordered_map<std::string_view, std::uint32_t> stored;
  std::vector<std::uint32_t> renamed(rows.size() / switches);
  for (std::size_t row = 0; row < renamed.size(); ++row) {
    const std::string_view bytes(reinterpret_cast<const char*>(rows.data()) + row * switches,
                                 switches);
    const auto [at, added] = stored.emplace(bytes, static_cast<std::uint32_t>(stored.size()));
    if (added) lanes.lane.insert(lanes.lane.end(), bytes.begin(), bytes.end());
    renamed[row] = at->second;
  }
  for (const std::uint32_t row : row_of) lanes.row_of.push_back(renamed[row]);
  return lanes;
}

void require_lanes(std::string_view engine, unsigned count, const RouteOptions& options) {
  if (count <= options.max_lanes) return;
  throw PromiseError(
      fmt::format("{} takes {} lanes on this fabric and may use {}: without the "
                  "others some routes wait for each other in a circle",
                  engine, count, options.max_lanes));
}

}  // namespace fatwood
