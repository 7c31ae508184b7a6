// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/random_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/random.hpp"
#include "topology/generate/cable_list.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kAttempts = 100;

void check(const RandomGraph& wanted) {
  const std::uint64_t n = wanted.switches;
  if (n < 2) throw InputError(fmt::format("{} switches: 2 at least", n));
  if (n > (1U << 20)) throw InputError(fmt::format("{} switches: {} at most", n, 1U << 20));
  check_cables(wanted.links);
  if (wanted.duplicates > wanted.links) {
    throw InputError(
        fmt::format("dup is {}: more than all {} links", wanted.duplicates, wanted.links));
  }
  const std::uint64_t single = wanted.links - wanted.duplicates;
  if (single + 1 < n) {
    throw InputError(fmt::format("{} links{} do not connect {} switches: {} at least", single,
                                 wanted.duplicates > 0 ? " without the duplicates" : "", n, n - 1));
  }
  if (wanted.min_degree > wanted.max_degree) {
    throw InputError(
        fmt::format("min is {}: more than max, {}", wanted.min_degree, wanted.max_degree));
  }
  if (wanted.max_degree > kMaxPorts) {
    throw InputError(
        fmt::format("max is {}: a switch can have {} ports at most", wanted.max_degree, kMaxPorts));
  }
  if (wanted.min_degree >= n) {
    throw InputError(
        fmt::format("min is {}: a switch has {} others to be joined to", wanted.min_degree, n - 1));
  }
  if (2 * single < n * std::max(1U, wanted.min_degree)) {
    throw InputError(fmt::format("min is {}: {} links give {} switches {:.2f} neighbours each",
                                 wanted.min_degree, single, n,
                                 2.0 * static_cast<double>(single) / static_cast<double>(n)));
  }
  const std::uint64_t largest = std::min<std::uint64_t>(wanted.max_degree, n - 1);
  if (2 * single > n * largest) {
    throw InputError(fmt::format(
        "{} links are too many for {} switches with {} neighbours at most each: {} at most", single,
        n, largest, n * largest / 2));
  }
}

class Draw {
 public:
  Draw(const RandomGraph& wanted, std::uint32_t attempt)
      : wanted_(wanted), random_(wanted.seed, attempt), neighbours_(wanted.switches) {}

  std::optional<CableList> run() {
    deal_degrees();
    grow_tree();
    if (!join_open_places()) return std::nullopt;
    const auto single = static_cast<std::uint32_t>(links_.size());
    for (std::uint32_t i = 0; i < wanted_.duplicates; ++i) {
      links_.push_back(links_[random_.below(single)]);
    }
    return CableList{wanted_.switches, std::move(links_)};
  }

 private:
  using Link = std::pair<std::uint32_t, std::uint32_t>;

  void deal_degrees() {
    const std::uint32_t n = wanted_.switches;
    const std::uint32_t largest = std::min(wanted_.max_degree, n - 1);
    const std::uint32_t least = std::max(1U, wanted_.min_degree);
    degree_.assign(n, least);
    std::vector<std::uint32_t> below;
    for (std::uint32_t s = 0; s < n && least < largest; ++s) below.push_back(s);
    for (std::uint64_t left =
             2ULL * (wanted_.links - wanted_.duplicates) - std::uint64_t{n} * least;
         left > 0; --left) {
      const std::uint32_t i = random_.below(static_cast<std::uint32_t>(below.size()));
      if (++degree_[below[i]] == largest) {
        below[i] = below.back();
        below.pop_back();
      }
    }
  }

  void grow_tree() {
    std::vector<std::uint32_t> order = random_.permutation(wanted_.switches);
    std::stable_partition(order.begin(), order.end(), [&](auto s) { return degree_[s] > 1; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t s = order[i];
      std::uint32_t places = degree_[s];
      if (i > 0) {
        const std::uint32_t place = random_.below(static_cast<std::uint32_t>(open_.size()));
        join(s, open_[place]);
        open_[place] = open_.back();
        open_.pop_back();
        --places;
      }
      open_.insert(open_.end(), places, s);
    }
  }

  bool join_open_places() {
    random_.shuffle(open_);
    while (!open_.empty()) {
      const std::uint32_t u = open_.back();
      open_.pop_back();
      std::size_t other = open_.size();  // the last place is as good as any: the list is shuffled
      while (other > 0 && !may_join(u, open_[other - 1])) --other;
      if (other > 0) {
        join(u, open_[other - 1]);
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(other) - 1);
        continue;
      }
      const std::uint32_t v = open_.back();
      open_.pop_back();
      if (!replace_a_link(u, v)) return false;
    }
    return true;
  }

  bool replace_a_link(std::uint32_t u, std::uint32_t v) {
    const auto count = static_cast<std::uint32_t>(links_.size());
    const std::uint32_t start = random_.below(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      Link& link = links_[(start + i) % count];
      for (const auto& [a, b] : {link, Link{link.second, link.first}}) {
        if (!may_join(u, a) || !may_join(v, b)) continue;
        std::erase(neighbours_[a], b);
        std::erase(neighbours_[b], a);
        link = {u, a};
        neighbours_[u].push_back(a);
        neighbours_[a].push_back(u);
        join(v, b);
        return true;
      }
    }
    return false;
  }

  bool may_join(std::uint32_t a, std::uint32_t b) const {
    return a != b &&
           std::find(neighbours_[a].begin(), neighbours_[a].end(), b) == neighbours_[a].end();
  }
  void join(std::uint32_t a, std::uint32_t b) {
    links_.emplace_back(a, b);
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }

  const RandomGraph& wanted_;
  Random random_;
  std::vector<std::uint32_t> degree_;
  std::vector<std::uint32_t> open_;  // a switch stands here once for each place it has left
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<Link> links_;
};

}  // namespace

CableList make_random(const RandomGraph& wanted) {
  check(wanted);
  for (std::uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
    if (std::optional<CableList> list = Draw(wanted, attempt).run()) return *std::move(list);
  }
  throw InputError(
      fmt::format("no connected graph with these degrees was found in {} draws", kAttempts));
}

}  // namespace fatwood
