// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/layers.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "core/invariant.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

namespace {

std::size_t words_for_links(const LinkGraph& links) {
  std::uint32_t most = 1;
  for (std::uint32_t s = 0; s < links.switches; ++s) {
    most = std::max(most, links.of(s).size());
  }
  return (most + 63) / 64;
}

// Calls visit(number of the bit) for each bit that is set in word(0), word(1), ..., until it
// returns false.
template <class Word, class Visit>
bool each_bit(std::size_t words, const Word& word, const Visit& visit) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t bits = word(w); bits != 0; bits &= bits - 1) {
      if (!visit(static_cast<std::uint32_t>(w * 64) +
                 static_cast<std::uint32_t>(std::countr_zero(bits)))) {
        return false;
      }
    }
  }
  return true;
}

std::uint32_t count_steps(const Table<Link, std::uint32_t>& steps) {
  return steps.empty() ? 1 : *std::ranges::max_element(steps) + 1;
}

}  // namespace

Layer::Layer(const LinkGraph& links, Table<Link, std::uint32_t> position, std::size_t effort,
             std::uint64_t most_visits)
    : links_(&links),
      words_(words_for_links(links)),
      effort_(effort),
      most_visits_(most_visits),
      dependencies_(links.size() * words_),
      awaited_(dependencies_.size()),
      refused_(dependencies_.size()),
      new_(dependencies_.size()),
      position_(std::move(position)),
      seen_(links.size()),
      futile_(links.size()) {}

bool Layer::add_new(Link a, Link b) {
  const std::uint32_t bit = links_->place(b);
  if (position_[a] > position_[b]) {
    if (effort_ == 0) return false;
    if (is_futile(b, position_[a])) {
      if (new_dependencies_.empty()) flip(refused_, a, bit);
      return false;
    }
    if (++search_ == 0) {  // numbers begin again
      std::fill(seen_.begin(), seen_.end(), 0U);
      search_ = 1;
    }
    if (visits_ > most_visits_) effort_ = std::min(effort_, kLittleEffort);
    behind_.clear();
    const bool clear = search_ahead(b, a) && search_back(a, b);
    visits_ += ahead_.size() + behind_.size();
    if (!clear) {
      // Remember the refusal only if no dependency that may still be undone was part of the cycle.
      if (new_dependencies_.empty()) flip(refused_, a, bit);
      return false;
    }
    trade_places();
  }
  new_dependencies_.push_back({a, b});
  flip(new_, a, bit);
  flip_dependency({a, b});
  return true;
}

void Layer::flip_dependency(Dependency dependency) {
  flip(dependencies_, dependency.a, links_->place(dependency.b));
  const Link back = links_->reverse[dependency.a];
  flip(awaited_, dependency.b, links_->place(back));
}

void Layer::commit() {
  for (const auto& [a, b] : new_dependencies_) flip(new_, a, links_->place(b));
  new_dependencies_.clear();
}

void Layer::undo() {
  for (const Dependency dependency : new_dependencies_) {
    flip(new_, dependency.a, links_->place(dependency.b));
    flip_dependency(dependency);
  }
  if (!new_dependencies_.empty()) ++undone_;
  new_dependencies_.clear();
}

// Whether a search from this link up to this position would exceed its limit, as an earlier one
// did: all that one found is still reachable, and before the position.
bool Layer::is_futile(Link from, std::uint32_t limit) {
  Futile& last = futile_[from];
  if (last.effort != effort_ || last.removed != removed_) return false;
  if (last.with_new && last.undone != undone_) return false;
  if (last.trades != trades_) {
    last.trades = trades_;
    last.most = 0;
    for (const Link link : std::span(found_).subspan(last.first, effort_ + 1)) {
      last.most = std::max(last.most, position_[link]);
    }
  }
  return last.most < limit;
}

std::vector<std::pair<Link, Link>> Layer::dependencies_of(Link link) const {
  std::vector<std::pair<Link, Link>> found;
  each_bit(words_, row_of(dependencies_, link), [&](std::uint32_t bit) {
    found.emplace_back(link, links_->of(links_->to[link])[bit]);
    return true;
  });
  each_bit(words_, row_of(awaited_, link), [&](std::uint32_t bit) {
    found.emplace_back(links_->reverse[links_->of(links_->from[link])[bit]], link);
    return true;
  });
  return found;
}

std::vector<Link> Layer::shortest_path(Link from, Link to) const {
  struct Step {
    Link link;
    std::size_t before;
  };
  std::vector<Step> found{{from, 0}};
  std::vector<char> seen(links_->size());
  seen[index(from)] = 1;
  std::vector<Link> path;
  for (std::size_t i = 0; i < found.size() && path.empty(); ++i) {
    const Link at = found[i].link;
    const IdRange<Link> further = links_->of(links_->to[at]);
    each_bit(words_, row_of(dependencies_, at), [&](std::uint32_t bit) {
      const Link next = further[bit];
      if (next == to) {
        path.push_back(to);
        for (std::size_t j = i;; j = found[j].before) {
          path.push_back(found[j].link);
          if (j == 0) break;
        }
        return false;
      }
      if (seen[index(next)] == 0 && position_[next] < position_[to]) {
        seen[index(next)] = 1;
        found.push_back({next, i});
      }
      return true;
    });
  }
  std::ranges::reverse(path);
  return path;
}

// Visits all links that `from` depends on, up to the position of `to`. False if `to` is among them,
// or if there are too many. Follows committed dependencies first: what these reach, undo() keeps.
bool Layer::search_ahead(Link from, Link to) {
  const std::uint32_t limit = position_[to];
  std::uint32_t most = position_[from];
  bool cycle = false;
  ahead_.assign(1, from);
  seen_[from] = search_;
  const auto follow = [&](Link at, const auto& word) {
    const IdRange<Link> further = links_->of(links_->to[at]);
    return each_bit(words_, word, [&](std::uint32_t bit) {
      const Link next = further[bit];
      cycle = next == to;
      if (cycle) return false;
      const std::uint32_t position = position_[next];
      if (position >= limit || seen_[next] == search_) return true;
      seen_[next] = search_;
      ahead_.push_back(next);
      most = std::max(most, position);
      return ahead_.size() <= effort_;
    });
  };
  const auto give_up = [&](bool with_new) {
    if (cycle) return false;
    Futile& futile = futile_[from];
    if (futile.effort != effort_) {
      futile.first = found_.size();
      found_.resize(found_.size() + ahead_.size());
    }
    std::ranges::copy(ahead_, found_.begin() + static_cast<std::ptrdiff_t>(futile.first));
    futile = {effort_, futile.first, most, with_new, undone_, removed_, trades_};
    return false;
  };
  std::size_t i = 0;
  for (; i < ahead_.size(); ++i) {
    const std::size_t row = index(ahead_[i]) * words_;
    const auto kept = [&](std::size_t w) { return dependencies_[row + w] & ~new_[row + w]; };
    if (!follow(ahead_[i], kept)) return give_up(false);
  }
  if (new_dependencies_.empty()) return true;
  const std::size_t followed = i;  // by committed dependencies
  for (i = 0; i < ahead_.size(); ++i) {
    if (!follow(ahead_[i], row_of(i < followed ? new_ : dependencies_, ahead_[i]))) {
      return give_up(true);
    }
  }
  return true;
}

// Visits all links that depend on `from`, down to the position of `to`. False if there are too
// many.
bool Layer::search_back(Link from, Link to) {
  const std::uint32_t limit = position_[to];
  behind_.assign(1, from);
  seen_[from] = search_;
  for (std::size_t i = 0; i < behind_.size(); ++i) {
    if (behind_.size() > effort_) return false;
    const IdRange<Link> siblings = links_->of(links_->from[behind_[i]]);
    each_bit(words_, row_of(awaited_, behind_[i]), [&](std::uint32_t bit) {
      const Link before = links_->reverse[siblings[bit]];
      if (seen_[before] != search_ && position_[before] > limit) {
        seen_[before] = search_;
        behind_.push_back(before);
      }
      return true;
    });
  }
  return true;
}

// Reorders the visited links in the same positions: those that depend on others come first.
void Layer::trade_places() {
  const auto by_position = [&](Link link) { return position_[link]; };
  std::ranges::sort(behind_, {}, by_position);
  std::ranges::sort(ahead_, {}, by_position);
  places_.clear();
  for (const auto* part : {&behind_, &ahead_}) {
    for (const Link link : *part) places_.push_back(position_[link]);
  }
  std::ranges::sort(places_);
  std::size_t next = 0;
  for (const auto* part : {&behind_, &ahead_}) {
    for (const Link link : *part) position_[link] = places_[next++];
  }
  ++trades_;
}

Table<Link, std::uint32_t> link_steps(const LinkGraph& links, const Heights& heights) {
  const std::vector<std::uint32_t>& height = heights.of_switch;
  const std::uint32_t highest = height.empty() ? 0 : *std::ranges::max_element(height);
  Table<Link, std::uint32_t> steps(links.size());
  std::vector<char> used(4 * highest + 3);
  for (const Link link : ids<Link>(links.size())) {
    const std::uint32_t from = height[links.from[link]];
    const std::uint32_t to = height[links.to[link]];
    steps[link] = from < to ? 2 * from : from == to ? 2 * from + 1 : 4 * highest + 2 - 2 * from;
    used[steps[link]] = 1;
  }
  std::vector<std::uint32_t> renumbered(used.size());
  std::exclusive_scan(used.begin(), used.end(), renumbered.begin(), 0U);
  for (std::uint32_t& step : steps) step = renumbered[step];
  return steps;
}

Table<Link, std::uint32_t> positions_from_step(const Table<Link, std::uint32_t>& steps,
                                               std::uint32_t first) {
  const std::uint32_t count = count_steps(steps);
  std::vector<Link> order(steps.size());
  std::ranges::copy(ids<Link>(steps.size()), order.begin());
  std::ranges::stable_sort(order, {},
                           [&](Link link) { return (steps[link] + count - first) % count; });
  Table<Link, std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

Layers::Layers(const LinkGraph& links, const Heights& heights, LaneSearch search)
    : links_(&links),
      effort_(search == LaneSearch::kQuick ? Layer::kLittleEffort
                                           : std::numeric_limits<std::size_t>::max()),
      steps_(link_steps(links, heights)),
      num_steps_(count_steps(steps_)),
      fixed_(search == LaneSearch::kQuick && heights.is_tree ? num_steps_ : 0) {}

Layer& Layers::layer(unsigned lane) {
  while (layers_.size() <= lane) {
    // Rotations: none, half, then one step more of each.
    const auto turn = static_cast<std::uint32_t>(layers_.size() % num_steps_);
    const std::uint32_t first = turn / 2 + turn % 2 * ((num_steps_ + 1) / 2);
    layers_.emplace_back(*links_, positions_from_step(steps_, first),
                         layers_.size() < fixed_ ? 0 : effort_);
  }
  return layers_[lane];
}

bool Layers::add_route(unsigned lane, std::uint32_t source, std::span<const Link> next,
                       std::span<Fit> known) {
  Layer& dependencies = layer(lane);
  // Follow the route to a switch whose result is known, then go back. The hop into the
  // destination's switch has no dependency.
  path_.clear();
  std::uint32_t at = source;
  while (known[at] == Fit::kUnknown && next[at] != kNone<Link>) {
    path_.push_back(at);
    invariant(path_.size() <= links_->switches, "routes to a destination loop");
    at = links_->to[next[at]];
  }
  bool fits = known[at] == Fit::kYes || next[at] == kNone<Link>;
  for (; fits && !path_.empty(); path_.pop_back()) {
    const std::uint32_t s = path_.back();
    const std::uint32_t parent = links_->to[next[s]];
    fits = next[parent] == kNone<Link> || dependencies.add(next[s], next[parent]);
    if (!fits) break;
    known[s] = Fit::kYes;
    new_fits_.push_back(&known[s]);
  }
  if (fits) return true;
  undo(lane);
  // The dependencies of this route itself close the cycle, so no route that continues it fits.
  for (const std::uint32_t s : path_) known[s] = Fit::kNo;
  return false;
}

bool Layers::add_routes(unsigned lane, std::span<const std::uint32_t> sources,
                        std::span<const Link> next, std::span<Fit> known) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (add_route(lane, sources[i], next, known)) continue;
    // The routes before it may have closed the cycle: it may fit this lane without them.
    if (i > 0) {
      for (const std::uint32_t s : path_) known[s] = Fit::kUnknown;
    }
    return false;
  }
  return true;
}

void Layers::commit(unsigned lane) {
  layer(lane).commit();
  new_fits_.clear();
}

void Layers::undo(unsigned lane) {
  layer(lane).undo();
  for (Fit* fit : new_fits_) *fit = Fit::kUnknown;
  new_fits_.clear();
}

Heights height_above_hosts(const Model& model) {
  const Fabric& fabric = model.fabric();
  const LinkGraph& links = model.link_graph();
  constexpr std::uint32_t kUnknown = 0xffffffffU;
  Heights heights{std::vector<std::uint32_t>(links.switches, kUnknown), false};
  std::vector<std::uint32_t>& height = heights.of_switch;
  // Without levels, hosts on spines and cores would make these look like leaves.
  if (const Levels& levels = model.levels(); levels.is_tree()) {
    for (std::uint32_t s = 0; s < links.switches; ++s) height[s] = levels.level[Switch{s}];
    heights.is_tree = true;
    return heights;
  }
  std::vector<std::uint32_t> queue;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch> || height[index(leaf)] == 0) continue;
    height[index(leaf)] = 0;
    queue.push_back(index(leaf));
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Link l : links.of(queue[i])) {
      if (height[links.to[l]] != kUnknown) continue;
      height[links.to[l]] = height[queue[i]] + 1;
      queue.push_back(links.to[l]);
    }
  }
  std::ranges::replace(height, kUnknown, 0U);
  return heights;
}

}  // namespace fatwood
