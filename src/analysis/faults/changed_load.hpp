// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the evaluators of faults (fault_cost.hpp for plain tables, choice_cost.hpp for adaptive
// ones): loads by difference, and blocks to write.
// Each class is the working memory of one thread, and cheap to clear.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "analysis/faults/fault_list.hpp"
#include "analysis/load/all_to_all.hpp"
#include "core/progress.hpp"
#include "core/share_out.hpp"

namespace fatwood {

// An array whose numbers can all be set to zero at once, at the cost of those that changed.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t size) : value_(size), stamp_(size) {}
  void clear() { ++now_; }
  bool touched(std::size_t i) const { return stamp_[i] == now_; }
  T get(std::size_t i) const { return touched(i) ? value_[i] : T{}; }
  T& at(std::size_t i) {
    if (!touched(i)) {
      stamp_[i] = now_;
      value_[i] = T{};
    }
    return value_[i];
  }

 private:
  std::vector<T> value_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t now_ = 1;
};

// Flows by channel after a fault, as differences from those before.
class ChangedLoad {
 public:
  // All must outlive it. `order`: channels, the most loaded first.
  ChangedLoad(const Table<Channel, std::int64_t>& flows, const MostLoaded& most,
              std::span<const Channel> order)
      : flows_(flows), most_(most), order_(order), change_(flows.size()) {}

  void clear() {
    change_.clear();
    touched_.clear();
  }
  void add(Channel c, std::int64_t flow) {
    if (!change_.touched(index(c))) touched_.push_back(c);
    change_.at(index(c)) += flow;
  }
  void take_all(Channel c) { add(c, -flow_on(c)); }
  std::int64_t flow_on(Channel c) const { return flows_[c] + change_.get(index(c)); }
  std::int64_t change(Channel c) const { return change_.get(index(c)); }
  // Examines only changed channels, and the first unchanged one in `order`. `peers`: most_peers().
  AllToAllLoad most_loaded(std::int64_t peers) const;

 private:
  const Table<Channel, std::int64_t>& flows_;
  const MostLoaded& most_;
  std::span<const Channel> order_;
  Scratch<std::int64_t> change_;
  std::vector<Channel> touched_;
};

// Counts the different blocks of 64 LIDs that are written.
class WrittenBlocks {
 public:
  WrittenBlocks(std::size_t switches, std::size_t blocks_each)
      : each_(blocks_each), written_(switches * blocks_each) {}

  void clear() { written_.clear(); }
  // Whether this is the first entry of its block.
  bool add(Switch at, std::size_t block) {
    const std::size_t place = index(at) * each_ + block;
    const bool first = !written_.touched(place);
    written_.at(place) = 1;
    return first;
  }

 private:
  std::size_t each_;
  Scratch<std::uint8_t> written_;
};

// The cost of each fault. Every thread has an Evaluator made of the arguments.
template <class Evaluator, class... Arguments>
auto evaluate_all(std::span<const Fault> faults, int threads, const Progress& progress,
                  const WorkShare& share, const Arguments&... arguments) {
  std::deque<Evaluator> evaluators;
  for (int i = 0; i < thread_count(threads); ++i) evaluators.emplace_back(arguments...);
  using Cost = decltype(evaluators.front().evaluate(faults.front()));
  constexpr std::size_t kItem = 16;
  std::mutex mutex;
  std::size_t done = 0;
  const auto found = share_out(
      share, (faults.size() + kItem - 1) / kItem, threads, [&](std::size_t item, int thread) {
        std::vector<Cost> costs;
        const std::size_t first = item * kItem;
        for (const Fault& fault : faults.subspan(first, std::min(kItem, faults.size() - first))) {
          costs.push_back(evaluators[static_cast<std::size_t>(thread)].evaluate(fault));
        }
        const std::lock_guard lock(mutex);
        done += costs.size();
        report(progress, static_cast<double>(done) / static_cast<double>(faults.size()), "");
        return costs;
      });
  std::vector<Cost> costs;
  for (const std::vector<Cost>& some : found) costs.insert(costs.end(), some.begin(), some.end());
  return costs;
}

}  // namespace fatwood
