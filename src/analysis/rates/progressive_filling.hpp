// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Max-min fair rates for flows with one path each, unit demand and unit channel capacity. Faster
// than max_min.hpp for permutations: no heap, and no lists of flows per channel.
//
// Method: progressive filling in rounds. The level of a channel is its remaining capacity divided
// by its open flows (those without a rate). Levels never decrease. A channel is a bottleneck if it
// has the lowest level on the path of every open flow that crosses it; these flows are fixed at
// that level. Each round fixes all bottlenecks at once: one pass over the open flows finds the
// channels that are no bottleneck, a second pass fixes the flows of the others. At least one
// bottleneck exists (the lowest level of all). A flow whose channels all have level 1 gets 1.
//
// The first round needs no fractions: all capacity is left, so the lowest level belongs to the
// largest count. On random permutations it fixes nine flows of ten, and 3 to 6 rounds are enough.
// If no count exceeds 16, the used capacity is an integer in units of 1/720720 (720720 is a
// multiple of all of 1 .. 16), stored in one word with the number of flows.
//
// Encoding: channels are small numbers 1..n, 0 for none; a flow has `width` of them, consecutively.
// Counters have 16 bits if that is enough: those of 3,456 hosts stay in the first-level cache.
// Cost: O(width * (flows + sum of the open flows of each round)); at most as many rounds as there
// are different rates. Doubles after the first round: relative errors of a few 1e-16 per flow on a
// channel. Deterministic. Checked against max_min.hpp and exact fractions.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fatwood {

// Calls work.operator()<kWidth>() with the width as a constant if it is a usual one, otherwise 0.
template <class Work>
[[gnu::always_inline]] inline decltype(auto) with_width(unsigned width, const Work& work) {
  switch (width) {
    case 1:
      return work.template operator()<1>();
    case 2:
      return work.template operator()<2>();
    case 4:
      return work.template operator()<4>();
    default:
      return work.template operator()<0>();
  }
}

template <class Small>
class ProgressiveFilling {
 public:
  // REQUIRES that channels + 1 and flows fit Small.
  ProgressiveFilling(std::size_t channels, std::size_t flows, unsigned width)
      : width_(width),
        count_(channels + 1),
        less_(channels + 1),
        left_(channels + 1),
        level_(channels + 1),
        rate_(flows),
        most_(flows),
        open_(flows + 1),
        taken_(channels + 1),
        path_(flows * width),
        inverse_(flows + 1) {
    for (std::size_t k = 1; k <= flows; ++k) inverse_[k] = 1.0 / static_cast<double>(k);
  }

  unsigned width() const { return width_; }
  // Fill these before solve(): the channels of each flow, and how often each channel occurs.
  Small* path() { return path_.data(); }
  Small* clear_counts() {
    std::fill(count_.begin(), count_.end(), Small{0});
    return count_.data();
  }
  // Consumes the counts. The result is valid until the next call.
  std::span<double> solve() {
    with_width(width_, [this]<unsigned kWidth>() { this->template run<kWidth>(); });
    return rate_;
  }

 private:
  template <unsigned kWidth>
  void run() {
    const Small largest = find_largest<kWidth>();
    std::size_t open = largest <= kFew ? fix_few<kWidth>() : fix_first<kWidth>();
    while (open > 0) open = round<kWidth>(open);
  }

  static constexpr unsigned kFew = 16;
  static constexpr std::uint32_t kParts = 720720;  // of a channel
  static constexpr unsigned kPartBits = 20;
  static constexpr std::uint32_t kRead = 0xffffffffU;

  // The largest count of each path and of all; marks channels that are below it on some path.
  template <unsigned kWidth>
  Small find_largest() {
    const unsigned width = kWidth == 0 ? width_ : kWidth;
    std::fill(less_.begin(), less_.end(), std::uint8_t{0});
    const Small* count = count_.data();
    std::uint8_t* less = less_.data();
    Small* most = most_.data();
    const Small* path = path_.data();
    count_[0] = 1;
    Small largest_of_all = 1;
    const std::size_t flows = rate_.size();
    for (std::size_t f = 0; f < flows; ++f, path += width) {
      Small largest = 1;
      if constexpr (kWidth == 0) {
        for (unsigned i = 0; i < width; ++i) largest = std::max(largest, count[path[i]]);
        for (unsigned i = 0; i < width; ++i) {
          less[path[i]] |= static_cast<std::uint8_t>(count[path[i]] < largest);
        }
      } else {
        std::array<Small, kWidth> at;
        std::array<Small, kWidth> users;
        for (unsigned i = 0; i < kWidth; ++i) {
          at[i] = path[i];
          users[i] = count[at[i]];
          largest = std::max(largest, users[i]);
        }
        for (unsigned i = 0; i < kWidth; ++i) {
          less[at[i]] |= static_cast<std::uint8_t>(users[i] < largest);
        }
      }
      most[f] = largest;
      largest_of_all = std::max(largest_of_all, largest);
    }
    less[0] = 1;  // never a bottleneck
    return largest_of_all;
  }

  // The first round if no count exceeds kFew. Returns how many flows are still open.
  template <unsigned kWidth>
  std::size_t fix_few() {
    const unsigned width = kWidth == 0 ? width_ : kWidth;
    std::fill(taken_.begin(), taken_.end(), 0U);
    std::array<std::uint32_t, kFew + 1> parts{};
    for (std::uint32_t k = 1; k <= kFew; ++k) parts[k] = kParts / k + (1U << kPartBits);
    const std::uint8_t* less = less_.data();
    const Small* path = path_.data();
    const Small* most = most_.data();
    const double* inverse = inverse_.data();
    double* rates = rate_.data();
    std::uint32_t* taken = taken_.data();
    std::uint32_t* waiting = open_.data();
    std::size_t open = 0;
    const std::size_t flows = rate_.size();
    for (std::size_t f = 0; f < flows; ++f, path += width) {
      const Small largest = most[f];
      std::uint8_t waits = largest > 1 ? 1 : 0;
      for (unsigned i = 0; i < width; ++i) waits &= less[path[i]];
      rates[f] = inverse[largest];
      waiting[open] = static_cast<std::uint32_t>(f);
      open += waits;
      // No branch: it would be unpredictable.
      const std::uint32_t part = parts[largest] & (std::uint32_t{waits} - 1U);
      for (unsigned i = 0; i < width; ++i) taken[path[i]] += part;
    }
    for (std::size_t o = 0; o < open; ++o) read_taken<kWidth>(open_[o]);
    return open;
  }

  // The remaining capacity of the channels of a flow, each read once.
  template <unsigned kWidth>
  void read_taken(std::uint32_t flow) {
    const unsigned width = kWidth == 0 ? width_ : kWidth;
    const Small* path = path_.data() + std::size_t{flow} * width;
    for (unsigned i = 0; i < width; ++i) {
      std::uint32_t& taken = taken_[path[i]];
      if (taken == kRead) continue;
      left_[path[i]] = static_cast<double>(kParts - taken % (1U << kPartBits)) / kParts;
      count_[path[i]] = static_cast<Small>(count_[path[i]] - (taken >> kPartBits));
      taken = kRead;
    }
  }

  // The first round otherwise.
  template <unsigned kWidth>
  std::size_t fix_first() {
    const unsigned width = kWidth == 0 ? width_ : kWidth;
    std::fill(left_.begin(), left_.end(), 1.0);
    Small* count = count_.data();
    const std::uint8_t* less = less_.data();
    double* left = left_.data();
    const Small* path = path_.data();
    const Small* most = most_.data();
    const double* inverse = inverse_.data();
    double* rates = rate_.data();
    std::uint32_t* waiting = open_.data();
    std::size_t open = 0;
    const std::size_t flows = rate_.size();
    for (std::size_t f = 0; f < flows; ++f, path += width) {
      const double rate = inverse[most[f]];
      std::uint8_t waits = most[f] > 1 ? 1 : 0;
      for (unsigned i = 0; i < width; ++i) waits &= less[path[i]];
      rates[f] = rate;
      waiting[open] = static_cast<std::uint32_t>(f);
      open += waits;
      // No branch: it would be unpredictable.
      const double taken = waits != 0 ? 0.0 : rate;
      const auto fixed = static_cast<Small>(1 - waits);
      for (unsigned i = 0; i < width; ++i) {
        left[path[i]] -= taken;
        count[path[i]] = static_cast<Small>(count[path[i]] - fixed);
      }
    }
    return open;
  }

  template <unsigned kWidth>
  std::size_t round(std::size_t open) {
    const unsigned width = kWidth == 0 ? width_ : kWidth;
    for (std::size_t o = 0; o < open; ++o) {
      const Small* path = path_.data() + std::size_t{open_[o]} * width;
      for (unsigned i = 0; i < width; ++i) {
        level_[path[i]] = left_[path[i]] / static_cast<double>(count_[path[i]]);
        less_[path[i]] = 0;
      }
    }
    level_[0] = 2;  // more than any flow gets
    for (std::size_t o = 0; o < open; ++o) {
      const Small* path = path_.data() + std::size_t{open_[o]} * width;
      double least = 1;
      for (unsigned i = 0; i < width; ++i) least = std::min(least, level_[path[i]]);
      rate_[open_[o]] = least;
      for (unsigned i = 0; i < width; ++i) {
        less_[path[i]] |= static_cast<std::uint8_t>(level_[path[i]] > least);
      }
    }
    less_[0] = 1;
    std::size_t kept = 0;
    for (std::size_t o = 0; o < open; ++o) {
      const std::uint32_t f = open_[o];
      const Small* path = path_.data() + std::size_t{f} * width;
      std::uint8_t waits = rate_[f] < 1 ? 1 : 0;
      for (unsigned i = 0; i < width; ++i) waits &= less_[path[i]];
      open_[kept] = f;
      kept += waits;
      if (waits != 0) continue;
      for (unsigned i = 0; i < width; ++i) {
        left_[path[i]] -= rate_[f];
        --count_[path[i]];
      }
    }
    return kept;
  }

  unsigned width_;
  // By channel.
  std::vector<Small> count_;        // open flows
  std::vector<std::uint8_t> less_;  // 1: not a bottleneck, as a flow has a lower level elsewhere
  std::vector<double> left_;        // remaining capacity
  std::vector<double> level_;       // in this round
  // By flow.
  std::vector<double> rate_;
  std::vector<Small> most_;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> taken_;  // by channel: units, and number of flows in the high bits
  std::vector<Small> path_;
  std::vector<double> inverse_;
};

}  // namespace fatwood
