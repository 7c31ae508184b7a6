// SPDX-License-Identifier: BSD-3-Clause
// Fair rates of permutations by forwarding tables, one address per adapter.
//
// A path depends on the source's leaf and the destination. If all these paths fit in memory (8 MB
// for 3,456 adapters), they are walked once and stored: a flow then costs one look-up instead of
// one per hop, and cache misses of look-ups take most of the time. Otherwise all walks advance
// together, one hop per pass, so that misses overlap (as in permutation_tables.cpp). Channels
// between switches have their own numbers, which keeps the counters small. The room per path grows
// if a path turns out to be longer.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "analysis/load/walk_map.hpp"
#include "analysis/permutations/permutation_rates.hpp"
#include "analysis/rates/progressive_filling.hpp"
#include "core/error.hpp"

namespace fatwood {
namespace {

template <class Small>
struct NumberedWalk {
  std::shared_ptr<const WalkMap> map;
  std::vector<Small> number;  // by slot: of a channel between switches, from 1; else 0
  std::size_t channels = 0;
  // Stored paths, if any: [leaf][destination][width]; no path: the channel kLost.
  std::vector<Small> paths{};
  std::vector<std::uint32_t> leaf_number{};  // by host
  unsigned width = 0;
  static constexpr Small kLost = std::numeric_limits<Small>::max();
};

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;  // of kept paths
constexpr unsigned kLongest = 8;                             // channels of one

template <class Small>
class TableRates : public PermutationRates {
 public:
  TableRates(const Fabric& fabric, const ForwardingTables& tables,
             std::shared_ptr<const NumberedWalk<Small>> walk, unsigned width)
      : fabric_(fabric),
        tables_(tables),
        walk_(std::move(walk)),
        filling_(walk_->channels, walk_->map->terminal.size(), width),
        steps_(walk_->map->terminal.size()) {}

  std::span<const double> solve(std::span<const std::uint32_t> destination_of) override {
    const auto look_up = [&]<unsigned kWidth>() { return copy<kWidth>(destination_of); };
    while (!(keeps() ? with_width(filling_.width(), look_up) : fill(destination_of))) {
      filling_ = ProgressiveFilling<Small>(walk_->channels, steps_.size(), 2 * filling_.width());
    }
    const std::span<double> rates = filling_.solve();
    for (const std::uint32_t s : silent_) rates[s] = 0;
    return rates;
  }
  std::unique_ptr<PermutationRates> clone() const override {
    return std::make_unique<TableRates>(fabric_, tables_, walk_, filling_.width());
  }

 private:
  struct Step {
    std::uint32_t at;  // switch
    std::uint32_t destination;
    std::uint32_t flow;
  };

  // Whether paths are stored; false if they turned out to be longer while an error is reported.
  bool keeps() const { return !walk_->paths.empty() && filling_.width() == walk_->width; }

  // False: the walk must be repeated hop by hop, to report an error.
  template <unsigned kWidth>
  bool copy(std::span<const std::uint32_t> destination_of) {
    const std::size_t width = kWidth == 0 ? filling_.width() : kWidth;
    const std::size_t destinations = walk_->map->terminal.size();
    const Small* paths = walk_->paths.data();
    const std::uint32_t* leaf = walk_->leaf_number.data();
    Small* count = filling_.clear_counts();
    Small* path = filling_.path();
    silent_.clear();
    constexpr std::size_t kAhead = 16;
    for (std::size_t s = 0; s < destination_of.size(); ++s, path += width) {
      const std::uint32_t d = destination_of[s];
      const std::size_t later = std::min(s + kAhead, destination_of.size() - 1);
      __builtin_prefetch(paths + (leaf[later] * destinations + destination_of[later]) * width);
      const Small* kept = paths + (leaf[s] * destinations + d) * width;
      if (d == s) [[unlikely]] {
        silent_.push_back(d);
        std::fill_n(path, width, Small{0});
        continue;
      }
      if (kept[0] == NumberedWalk<Small>::kLost) [[unlikely]]
        return fill(destination_of);
      for (std::size_t j = 0; j < width; ++j) {
        const Small channel = kept[j];
        path[j] = channel;
        ++count[channel];
      }
    }
    return true;
  }

  // False: a path has more channels than there is room for.
  bool fill(std::span<const std::uint32_t> destination_of) {
    const WalkMap& map = *walk_->map;
    std::fill_n(filling_.path(), steps_.size() * filling_.width(), Small{0});
    Small* count = filling_.clear_counts();
    silent_.clear();
    std::size_t live = 0;
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      const std::uint32_t d = destination_of[s];
      if (d == s) {
        silent_.push_back(s);
        continue;
      }
      if (map.leaf[s] >= map.first.size()) throw PromiseError("a host without a switch");
      steps_[live++] = {map.leaf[s], index(tables_.destination(map.terminal[d], 0)), s};
    }
    for (std::size_t pass = 0; live > 0; ++pass) {
      if (pass > map.first.size()) {
        throw PromiseError("the tables loop " + walk_goal(fabric_, tables_, steps_[0].destination));
      }
      live = advance(live, pass, count);
      if (live > 0 && pass >= filling_.width()) return false;
    }
    return true;
  }

  std::size_t advance(std::size_t live, std::size_t pass, Small* count) {
    const Small* const number = walk_->number.data();
    const std::size_t width = filling_.width();
    const bool room = pass < width;  // else this must be the last hop of all
    Small* const path = filling_.path() + (room ? pass : 0);
    return advance_walks(fabric_, tables_, *walk_->map, steps_.data(), live,
                         [=](const Step& step, std::uint32_t slot) {
                           const Small channel = number[slot];  // 0: the cable of the adapter
                           if (room) path[step.flow * width] = channel;
                           ++count[channel];
                         });
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  std::shared_ptr<const NumberedWalk<Small>> walk_;
  ProgressiveFilling<Small> filling_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> silent_;
};

template <class Small>
struct ShortPath {
  std::array<Small, kLongest + 1> channels{};
  unsigned size = 0;  // above kLongest: too long to keep, or a loop
};

// The channels from a leaf to a terminal; kLost where there is no path.
template <class Small>
ShortPath<Small> path_between(const ForwardingTables& tables, const NumberedWalk<Small>& walk,
                              std::uint32_t leaf, Terminal to) {
  const auto row = tables.row(tables.destination(to, 0));
  ShortPath<Small> path;
  for (std::uint32_t at = leaf; path.size <= kLongest;) {
    const Port port = row.data()[at];
    const std::uint32_t slot = walk.map->first[at] + index(port);
    const std::uint32_t beyond = port == kNoRoute ? WalkMap::kNowhere : walk.map->next[slot];
    if (beyond == WalkMap::kTerminal + index(to)) return path;
    if (beyond >= WalkMap::kTerminal) {
      path.channels[0] = NumberedWalk<Small>::kLost;
      path.size = 1;
      return path;
    }
    path.channels[path.size++] = walk.number[slot];
    at = beyond;
  }
  return path;
}

// Copies paths to a row of another width.
template <class Small>
std::vector<Small> widened(const std::vector<Small>& paths, unsigned width, unsigned wider) {
  const std::size_t count = paths.size() / width;
  std::vector<Small> result(count * wider, Small{0});
  for (std::size_t p = 0; p < count; ++p) {
    std::copy_n(paths.data() + p * width, width, result.data() + p * wider);
  }
  return result;
}

// Walks all paths, and stores them unless they take too much memory or one is too long.
template <class Small>
void keep_paths(const ForwardingTables& tables, NumberedWalk<Small>& walk) {
  const WalkMap& map = *walk.map;
  std::vector<std::uint32_t> number(map.first.size(), WalkMap::kNowhere);
  std::vector<std::uint32_t> leaves;
  for (const std::uint32_t leaf : map.leaf) {
    if (leaf >= map.first.size()) return;
    if (number[leaf] == WalkMap::kNowhere) {
      number[leaf] = static_cast<std::uint32_t>(leaves.size());
      leaves.push_back(leaf);
    }
    walk.leaf_number.push_back(number[leaf]);
  }
  const std::size_t destinations = map.terminal.size();
  if (leaves.size() * destinations * kLongest * sizeof(Small) > kMostBytes) return;
  unsigned width = 2;
  std::vector<Small> paths(leaves.size() * destinations * width, Small{0});
  for (std::size_t t = 0; t < destinations; ++t) {
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      const ShortPath<Small> path = path_between(tables, walk, leaves[l], map.terminal[t]);
      if (path.size > kLongest) return;
      if (path.size > width) {
        const unsigned wider = path.size <= 4 ? 4 : kLongest;
        paths = widened(paths, width, wider);
        width = wider;
      }
      std::copy_n(path.channels.data(), path.size, paths.data() + (l * destinations + t) * width);
    }
  }
  walk.paths = std::move(paths);
  walk.width = width;
}

template <class Small>
std::unique_ptr<PermutationRates> make(const Model& model, const ForwardingTables& tables,
                                       std::shared_ptr<const WalkMap> map) {
  auto walk = std::make_shared<NumberedWalk<Small>>();
  for (const std::uint32_t beyond : map->next) {
    const bool between = beyond < WalkMap::kTerminal;
    walk->channels += between ? 1 : 0;
    walk->number.push_back(static_cast<Small>(between ? walk->channels : 0));
  }
  walk->map = std::move(map);
  keep_paths(tables, *walk);
  const unsigned width = walk->paths.empty() ? 2 : walk->width;
  return std::make_unique<TableRates<Small>>(model.fabric(), tables, std::move(walk), width);
}

}  // namespace

std::unique_ptr<PermutationRates> table_rates(const Model& model, const ForwardingTables& tables) {
  if (tables.lmc() != 0) return nullptr;
  auto map = walk_map(model);
  const bool small = map->next.size() < 0xffffU && map->terminal.size() < 0xffffU;
  return small ? make<std::uint16_t>(model, tables, std::move(map))
               : make<std::uint32_t>(model, tables, std::move(map));
}

}  // namespace fatwood
