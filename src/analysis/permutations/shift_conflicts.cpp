// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/permutations/shift_conflicts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "core/parallel.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kWords = 8;
constexpr std::uint64_t kBlock = 64 * kWords;  // shifts at a time

// Flows on each channel for a block of shifts: bit b of plane p is bit p of the number in shift b.
class Planes {
 public:
  Planes(std::size_t channels, std::uint64_t most_flows)
      : channels_(channels), planes_(static_cast<std::size_t>(std::bit_width(most_flows))) {}

  // Adds a flow on the channel in `length` shifts from `first` on. REQUIRES length > 0.
  void add(std::uint32_t channel, std::uint64_t first, std::uint64_t length) {
    const std::uint64_t last = first + length - 1;
    for (std::uint64_t word = first / 64; word <= last / 64; ++word) {
      std::uint64_t bits = ~std::uint64_t{0};
      if (word == first / 64) bits &= ~std::uint64_t{0} << (first % 64);
      if (word == last / 64) bits &= ~std::uint64_t{0} >> (63 - last % 64);
      add_bits(std::size_t{channel} * kWords + word, bits);
    }
  }

  // Adds up the block and starts the next.
  void finish(ShiftConflicts& sum, std::vector<std::uint8_t>& channel_conflicts) {
    std::array<std::uint64_t, kWords> any{};
    // Flows on the most loaded channel so far, shift by shift, in planes like the channels' own.
    std::vector<std::array<std::uint64_t, kWords>> max_load(used_);
    for (std::size_t i = 0; used_ > 0 && i < channels_ * kWords; ++i) {
      max_load[0][i % kWords] |= planes_[0][i];
    }
    if (used_ > 0) sum.largest = std::max<std::uint64_t>(sum.largest, 1);
    for (std::size_t i = 0; used_ > 1 && i < channels_ * kWords; ++i) {
      std::uint64_t several = 0;
      for (std::size_t p = 1; p < used_; ++p) several |= planes_[p][i];
      if (several == 0) continue;
      sum.conflicts += static_cast<std::uint64_t>(std::popcount(several));
      any[i % kWords] |= several;
      channel_conflicts[i / kWords] = 1;
      sum.largest = std::max(sum.largest, largest(i));
      raise(max_load, i);
    }
    for (std::size_t p = 0; p < used_; ++p) {
      for (const std::uint64_t bits : max_load[p]) {
        sum.all_largest += static_cast<std::uint64_t>(std::popcount(bits)) << p;
      }
    }
    for (const std::uint64_t bits : any) {
      sum.conflicted += static_cast<std::uint64_t>(std::popcount(bits));
    }
    for (std::size_t p = 0; p < used_; ++p) std::fill(planes_[p].begin(), planes_[p].end(), 0);
    used_ = 0;
  }

 private:
  void add_bits(std::size_t at, std::uint64_t bits) {
    for (std::size_t p = 0; bits != 0; ++p) {
      if (p == used_) {
        planes_[p].resize(channels_ * kWords, 0);
        ++used_;
      }
      std::uint64_t& plane = planes_[p][at];
      const std::uint64_t carry = plane & bits;
      plane ^= bits;
      bits = carry;
    }
  }

  // Raises the numbers of max_load to those of the channel, where these are greater.
  void raise(std::vector<std::array<std::uint64_t, kWords>>& max_load, std::size_t at) const {
    const std::size_t word = at % kWords;
    std::uint64_t greater = 0;
    std::uint64_t smaller = 0;
    for (std::size_t p = used_; p-- > 0;) {
      const std::uint64_t mine = planes_[p][at];
      greater |= ~smaller & mine & ~max_load[p][word];
      smaller |= ~greater & ~mine & max_load[p][word];
    }
    for (std::size_t p = 0; p < used_; ++p) {
      max_load[p][word] = (max_load[p][word] & ~greater) | (planes_[p][at] & greater);
    }
  }

  std::uint64_t largest(std::size_t at) const {
    std::uint64_t value = 0;
    std::uint64_t candidates = ~std::uint64_t{0};
    for (std::size_t p = used_; p-- > 0;) {
      const std::uint64_t with = candidates & planes_[p][at];
      if (with == 0) continue;
      candidates = with;
      value |= std::uint64_t{1} << p;
    }
    return value;
  }

  std::size_t channels_;
  std::size_t used_ = 0;  // planes since the last finish
  std::vector<std::vector<std::uint64_t>> planes_;
};

// The channels between switches from one switch to a terminal, as slots from the first switch on.
class ShiftPaths {
 public:
  ShiftPaths(const Model& model, const Routing& routing)
      : fabric_(model.fabric()),
        routing_(routing),
        map_(model.hop_map()),
        before_(index(fabric_.channel(fabric_.node(Switch{0}), kOwnPort))) {
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      first_slot_.push_back(index(fabric_.channel(fabric_.node(s), kOwnPort)) - before_);
    }
  }
  std::size_t slots() const { return fabric_.num_channels() - before_; }

  // Whether the path arrives.
  bool find(Switch from, Terminal to, std::vector<std::uint32_t>& path) const {
    const Switch home = fabric_.leaf(to);
    if (from == kNone<Switch> || home == kNone<Switch>) return false;
    path.clear();
    return routing_.source_routes.empty() ? by_table(from, to, path) : by_route(from, home, path);
  }

 private:
  bool by_table(Switch from, Terminal to, std::vector<std::uint32_t>& path) const {
    const auto row = routing_.tables.row(routing_.tables.destination(to));
    std::uint32_t at = index(from);
    while (true) {
      const Hop hop = map_.at(at, row[at]);
      if (!hop.to_switch()) break;
      if (path.size() >= row.size()) return false;  // it loops
      path.push_back(first_slot_[at] + index(row[at]));
      at = hop.next();
    }
    return at == index(fabric_.leaf(to)) && row[at] == fabric_.leaf_port(to);
  }
  bool by_route(Switch from, Switch home, std::vector<std::uint32_t>& path) const {
    if (!source_route_arrives(fabric_, routing_.source_routes, from, home)) return false;
    for (const Channel c : routing_.source_routes.at(from, home))
      path.push_back(index(c) - before_);
    return true;
  }

  const Fabric& fabric_;
  const Routing& routing_;
  const HopMap& map_;
  std::uint32_t before_;                   // channels before those of switches
  std::vector<std::uint32_t> first_slot_;  // by switch
};

struct ShiftWorker {
  Planes planes;
  ShiftConflicts sum;
  std::vector<std::uint8_t> channel_conflicts;
  std::vector<std::uint32_t> path;
};

}  // namespace

ShiftConflicts count_shift_conflicts(const Model& model, const Routing& routing, int threads) {
  const Fabric& fabric = model.fabric();
  const std::uint64_t n = model.adapters().size();
  ShiftConflicts all{.shifts = n == 0 ? 0 : n - 1};
  if (all.shifts == 0 || fabric.num_switches() == 0) return all;
  const ShiftPaths paths(model, routing);
  std::vector<Terminal> terminal;  // by host
  std::vector<Switch> leaf;
  for (const Adapter adapter : ids<Adapter>(n)) {
    terminal.push_back(model.adapters().terminals(adapter).front());
    leaf.push_back(fabric.leaf(terminal.back()));
  }
  // By host: the first host of its run of consecutive hosts on one switch.
  std::vector<std::uint32_t> run_start(n);
  for (std::uint32_t t = 1; t < n; ++t)
    run_start[t] = leaf[t] == leaf[t - 1] ? run_start[t - 1] : t;
  const auto count_block = [&](std::size_t block, ShiftWorker& worker) {
    const std::uint64_t begin = 1 + block * kBlock;
    const std::uint64_t end = std::min(begin + kBlock, n);
    for (std::uint64_t d = 0; d < n; ++d) {
      for (std::uint64_t k = begin; k < end;) {
        const std::uint64_t s = d >= k ? d - k : d + n - k;
        const std::uint64_t length = std::min(s - run_start[s] + 1, end - k);
        if (paths.find(leaf[s], terminal[d], worker.path)) {
          for (const std::uint32_t c : worker.path) worker.planes.add(c, k - begin, length);
        } else {
          worker.sum.unrouted += length;
        }
        k += length;
      }
    }
    worker.planes.finish(worker.sum, worker.channel_conflicts);
  };
  auto workers = parallel_with(
      ShiftWorker{Planes(paths.slots(), n), {}, std::vector<std::uint8_t>(paths.slots(), 0), {}},
      (all.shifts + kBlock - 1) / kBlock, threads, count_block);
  std::vector<std::uint8_t>& channels = workers.front().channel_conflicts;
  for (const ShiftWorker& worker : workers) {
    all.conflicts += worker.sum.conflicts;
    all.conflicted += worker.sum.conflicted;
    all.largest = std::max(all.largest, worker.sum.largest);
    all.all_largest += worker.sum.all_largest;
    all.unrouted += worker.sum.unrouted;
    for (std::size_t c = 0; c < channels.size(); ++c) channels[c] |= worker.channel_conflicts[c];
  }
  all.channels = static_cast<std::uint64_t>(std::count(channels.begin(), channels.end(), 1));
  return all;
}

}  // namespace fatwood
