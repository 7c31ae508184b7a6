// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts, for all shifts and channels, the flows of a shift that share a channel. All-to-all is
// often done shift by shift, and a shift is as slow as its most shared channel.
//
// In shift k, counted terminal i sends to counted terminal i + k. So every flow belongs to one
// shift. If the terminals of a switch are consecutive, their flows to one destination belong to
// consecutive shifts: a window. On large fabrics only every w-th shift is counted, so that the
// counts fit the cache; the counted shifts stand for those between them. Given demands have no
// shifts.
//
// Encoding: a byte per (channel, counted shift), a row per channel. Counts are modulo 256. If a
// channel carries more flows in one shift, its counts are wrong there and in the next shifts. This
// costs balance only. Windows of up to 8 bytes are one word.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/big_bytes.hpp"
#include "routing/even/even_net.hpp"

namespace fatwood {

class ShiftContention {
 public:
  // Consecutive counted shifts.
  struct Window {
    std::uint32_t first, count;
  };

  // Uses up to `good_bytes` of memory, or up to `most_bytes` if windows would have fewer than two
  // shifts.
  ShiftContention(const EvenNet& net, std::size_t good_bytes, std::size_t most_bytes);
  // Counts no shifts; all prices are 0.
  explicit ShiftContention(const EvenNet& net) : net_(&net), terminals_(0) {}

  bool empty() const { return stride_ == 0; }

  // Adds the windows of the flows from a source to a terminal to the list. Adjacent windows are
  // merged. Adds none if no shifts are counted.
  void add_windows(const EvenSource& source, std::uint32_t destination,
                   std::vector<Window>& windows) const;

  // To count from scratch: look_for, clear all channels, mark flows, sum up all channels. `least`
  // is the count for num_reaching. REQUIRES least in 1..128.
  void look_for(std::uint32_t least) { least_ = least; }
  void clear(std::uint32_t channel) { std::memset(row_of(channel), 0, stride_); }
  // Marks a flow in each shift of the window. Until sum_up, a word holds the differences between
  // consecutive shifts, so that one multiplication gives their running sum.
  void mark(std::uint32_t channel, const Window& window) {
    std::uint8_t* const row = row_of(channel);
    const std::uint32_t behind = window.first + window.count;
    add_to_word(row, window.first, 1);
    if (behind != shifts_) add_to_word(row, behind, ~std::uint64_t{0});
  }
  // Prefetches the place of a mark.
  void fetch(std::uint32_t channel, std::uint32_t shift) const {
    __builtin_prefetch(row_of(channel) + shift, 1);
  }
  // Turns the marks of a channel into counts.
  void sum_up(std::uint32_t channel);

  void add(std::uint32_t channel, std::span<const Window> windows) {
    change(channel, windows, kOnes);
  }
  void take(std::uint32_t channel, std::span<const Window> windows) {
    change(channel, windows, ~std::uint64_t{0});
  }

  // Whether some shift of the windows has a count of `least` or more. REQUIRES least in 1..128.
  bool reaches(std::uint32_t channel, std::span<const Window> windows, std::uint32_t least) const {
    const std::uint64_t lift = (0x80U - least) * kOnes;
    for (const Window& window : windows) {
      const std::uint8_t* const row = row_of(channel) + window.first;
      for (std::uint32_t i = 0; i < window.count; i += 8) {
        std::uint64_t word;
        std::memcpy(&word, row + i, sizeof word);
        word &= mask(window.count - i);
        if (((((word & ~kTops) + lift) | word) & kTops) != 0) return true;
      }
    }
    return false;
  }
  // The increase of the sum of count^4 by one more flow in each shift of the windows.
  std::uint64_t price(std::uint32_t channel, std::span<const Window> windows) const {
    std::uint64_t sum = 0;
    for (const Window& window : windows) {
      const std::uint8_t* const row = row_of(channel) + window.first;
      for (std::uint32_t i = 0; i < window.count; i += 8) {
        const std::uint32_t bytes = std::min(8U, window.count - i);
        std::uint64_t word;
        std::memcpy(&word, row + i, sizeof word);
        word &= mask(bytes);
        if ((word & ~kOnes) == 0) {  // at most one flow in each
          sum += bytes + 14U * sum_of_bytes(word);
        } else if ((word & ~(3 * kOnes)) == 0) {  // at most three: 1, 15, 65 or 175
          const std::uint64_t twos = word >> 1U & kOnes;
          sum += bytes + 14U * sum_of_bytes(word & kOnes) + 64U * sum_of_bytes(twos) +
                 96U * sum_of_bytes(word & twos);
        } else {
          for (std::uint32_t k = 0; k < bytes; ++k) sum += step_[word >> 8 * k & 0xffU];
        }
      }
    }
    return sum;
  }
  // The decrease of the same sum by one flow less in each shift.
  std::uint64_t saving(std::uint32_t channel, std::span<const Window> windows) const {
    std::uint64_t sum = 0;
    for (const Window& window : windows) {
      const std::uint8_t* const row = row_of(channel) + window.first;
      for (std::uint32_t i = 0; i < window.count; ++i) sum += step_[(row[i] - 1U) & 0xffU];
    }
    return sum;
  }
  // The last counted shift that is at most `distance`, a distance between terminals.
  std::uint32_t last_within(std::uint32_t distance) const { return quotient(distance); }
  std::uint32_t shifts() const { return shifts_; }  // counted ones
  // The smallest count, `least` or more, that at most 1/parts of all (shift, channel) reach.
  std::uint32_t rare_count(std::uint32_t least, std::size_t parts);
  // How many (shift, channel) have a count of `least` or more. Only channels that changed since the
  // last call with the same count are examined. REQUIRES least in 1..128.
  std::size_t num_reaching(std::uint32_t least);
  // The number of these for one channel, as of the last num_reaching.
  std::uint32_t reaching_of(std::uint32_t channel) const { return reaching_[channel]; }
  // The sum over shifts of the largest count of any channel.
  std::size_t sum_of_largest() const;
  std::size_t num_cells() const { return net_->num_channels() * shifts_; }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101U;
  static constexpr std::uint64_t kTops = 0x8080808080808080U;
  static constexpr std::uint32_t kWord = 8;   // shifts
  static constexpr std::size_t kPadding = 8;  // so that a word after the last shift is in the row

  // REQUIRES a sum below 256.
  static std::uint64_t sum_of_bytes(std::uint64_t word) { return word * kOnes >> 56U; }
  // How many bytes are `least` or more; `lift` has 0x80 - least in each byte.
  static std::uint32_t reaching(std::uint64_t word, std::uint64_t lift) {
    const std::uint64_t high = (((word & ~kTops) + lift) | word) & kTops;
    return high == 0 ? 0 : static_cast<std::uint32_t>(sum_of_bytes(high >> 7U));
  }
  static void add_to_word(std::uint8_t* row, std::uint32_t shift, std::uint64_t by) {
    std::uint64_t word;
    std::memcpy(&word, row + shift / 8 * 8, sizeof word);
    word += by << shift % 8 * 8;
    std::memcpy(row + shift / 8 * 8, &word, sizeof word);
  }
  static std::uint64_t mask(std::uint32_t bytes) {
    return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  }
  // Adds byte by byte, without carries between bytes.
  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return ((a & ~kTops) + (b & ~kTops)) ^ ((a ^ b) & kTops);
  }
  void change(std::uint32_t channel, std::span<const Window> windows, std::uint64_t by) {
    if (windows.empty()) return;
    stale_[channel] = 1;
    for (const Window& window : windows) {
      std::uint8_t* const row = row_of(channel) + window.first;
      for (std::uint32_t i = 0; i < window.count; i += 8) {
        std::uint64_t word;
        std::memcpy(&word, row + i, sizeof word);
        word = sum(word, by & mask(window.count - i));
        std::memcpy(row + i, &word, sizeof word);
      }
    }
  }
  std::uint8_t* row_of(std::uint32_t channel) { return counts_.data() + channel * stride_; }
  const std::uint8_t* row_of(std::uint32_t channel) const {
    return counts_.data() + channel * stride_;
  }

  const EvenNet* net_;
  std::uint32_t terminals_;
  // x / every_, by multiplication, which is much faster.
  std::uint32_t quotient(std::uint32_t x) const {
    return static_cast<std::uint32_t>(std::uint64_t{x} * inverse_ >> kInverseBits);
  }
  static constexpr unsigned kInverseBits = 40;  // exact for x * every_ < 2^40

  std::uint32_t every_ = 1;  // w
  std::uint64_t inverse_ = std::uint64_t{1} << kInverseBits;
  std::uint32_t shifts_ = 1;
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> step_;  // by count: its share of the price
  BigBytes counts_;
  std::uint32_t least_ = 0;              // the last argument of num_reaching
  std::vector<std::uint32_t> reaching_;  // by channel: shifts with that count or more
  std::vector<std::uint8_t> stale_;      // by channel: 1 if counts changed since
};

// Computes the counts of the tables, and how many are `least` or more, for
// ShiftContention::num_reaching. REQUIRES least in 1..128.
void count_contention(ShiftContention& contention, const EvenNet& net,
                      std::span<const std::uint32_t> descending, const ForwardingTables& tables,
                      std::uint32_t least);

// A destination, and the sources whose flows to it use a channel with at least `least` flows of
// their shift.
struct CongestedRow {
  std::uint32_t at;
  EvenDestination to;
  std::vector<std::uint32_t> sources;  // ascending
};
// REQUIRES that contention.num_reaching(least) was called last.
std::vector<CongestedRow> congested_rows(const ShiftContention& contention, const EvenNet& net,
                                         const ForwardingTables& tables, std::uint32_t least);

}  // namespace fatwood
