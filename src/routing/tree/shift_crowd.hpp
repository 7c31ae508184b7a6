// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How many flows of one shift meet on one channel, for every shift and channel at once.
//
// In shift k terminal i sends to terminal i + k of those that count. Every flow belongs to one
// shift, and the flows of a switch to one destination, its terminals being in a row, belong to
// shifts in a row: a unit is a window. Of larger fabrics every w-th shift is looked at, which are
// exact for themselves and stand for those between them: what does not fit a cache is slow. Of
// given demands there are no shifts: no windows either.
//
// Encoding: a byte for each (channel, shift looked at), a row for each channel. Counts are modulo
// 256: a channel that carries more flows than that in one shift is misjudged, which costs evenness
// and nothing else. Windows of up to 8 bytes are one word.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/big_bytes.hpp"
#include "routing/tree/even_net.hpp"

namespace fatwood {

class ShiftCrowd {
 public:
  // Shifts looked at, in a row.
  struct Window {
    std::uint32_t first, count;
  };

  // Takes up to `good_bytes`, or up to `most_bytes` where windows would have fewer than two shifts.
  ShiftCrowd(const EvenNet& net, std::size_t good_bytes, std::size_t most_bytes);
  // None: no shift is looked at, and nothing has a price.
  explicit ShiftCrowd(const EvenNet& net) : net_(net), terminals_(0) {}

  bool empty() const { return stride_ == 0; }
  std::uint32_t every() const { return every_; }  // w

  // The windows of what a source sends to a terminal, added to the list; those that touch are one.
  // None where no shift is looked at.
  void add_windows(const EvenSource& source, std::uint32_t destination,
                   std::vector<Window>& windows) const;

  // Counting from nothing: begin with marks, then sum_up() once.
  void mark(std::uint32_t channel, std::span<const Window> windows) {
    std::uint8_t* const row = row_of(channel);
    for (const Window& window : windows) {
      ++row[window.first];
      --row[window.first + window.count];
    }
  }
  void sum_up();

  void add(std::uint32_t channel, std::span<const Window> windows) {
    change(channel, windows, kOnes);
  }
  void take(std::uint32_t channel, std::span<const Window> windows) {
    change(channel, windows, ~std::uint64_t{0});
  }

  // Whether any of the windows has a count of `least` or more. REQUIRES least in 1..128.
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
  // By how much one more flow in each shift of the windows raises the sum of fourth powers.
  std::uint64_t price(std::uint32_t channel, std::span<const Window> windows) const {
    std::uint64_t sum = 0;
    for (const Window& window : windows) {
      const std::uint8_t* const row = row_of(channel) + window.first;
      for (std::uint32_t i = 0; i < window.count; i += 8) {
        const std::uint32_t bytes = std::min(8U, window.count - i);
        std::uint64_t word;
        std::memcpy(&word, row + i, sizeof word);
        word &= mask(bytes);
        if ((word & ~kOnes) == 0) {                    // at most one flow in each
          sum += bytes + 14U * (word * kOnes >> 56U);  // the sum of the bytes
        } else {
          for (std::uint32_t k = 0; k < bytes; ++k) sum += step_[word >> 8 * k & 0xffU];
        }
      }
    }
    return sum;
  }
  // By how much one flow less in each lowers it.
  std::uint64_t relief(std::uint32_t channel, std::span<const Window> windows) const {
    std::uint64_t sum = 0;
    for (const Window& window : windows) {
      const std::uint8_t* const row = row_of(channel) + window.first;
      for (std::uint32_t i = 0; i < window.count; ++i) sum += step_[row[i] - 1U];
    }
    return sum;
  }
  // The least count, from `least` on, that at most one in `parts` of all (shift, channel) reaches.
  std::uint32_t rare_count(std::uint32_t least, std::size_t parts) const;
  // Whether the channel has a count of `least` or more anywhere. REQUIRES least in 1..128.
  bool reaches(std::uint32_t channel, std::uint32_t least) const {
    const Window all{0, shifts_};
    return reaches(channel, {&all, 1}, least);
  }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101U;
  static constexpr std::uint64_t kTops = 0x8080808080808080U;
  static constexpr std::size_t kPadding = 8;  // a word beyond the last shift is still of the row

  static std::uint64_t mask(std::uint32_t bytes) {
    return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  }
  // Byte by byte, without a carry to the next.
  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return ((a & ~kTops) + (b & ~kTops)) ^ ((a ^ b) & kTops);
  }
  void change(std::uint32_t channel, std::span<const Window> windows, std::uint64_t by) {
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

  const EvenNet& net_;
  std::uint32_t terminals_;
  std::uint32_t every_ = 1;  // w
  std::uint32_t shifts_ = 1;
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> step_;  // by count: its share of the price
  BigBytes counts_;
};

// Counts what goes to one target after the other. Sources follow each other in number, so that
// where they come together their windows become one, which is marked once: the rows of all
// channels are much larger than a cache.
class CrowdMarks {
 public:
  CrowdMarks(ShiftCrowd& crowd, std::size_t channels) : crowd_(crowd), open_(channels) {}

  void add(std::uint32_t channel, std::span<const ShiftCrowd::Window> windows) {
    ShiftCrowd::Window& open = open_[channel];
    for (const ShiftCrowd::Window& window : windows) {
      if (open.count != 0 && window.first + window.count == open.first) {
        open.first = window.first;
        open.count += window.count;
        continue;
      }
      if (open.count != 0) {
        crowd_.mark(channel, {&open, 1});
      } else {
        touched_.push_back(channel);
      }
      open = window;
    }
  }
  // To be called after each target.
  void end_target() {
    for (const std::uint32_t channel : touched_) {
      crowd_.mark(channel, {&open_[channel], 1});
      open_[channel].count = 0;
    }
    touched_.clear();
  }

 private:
  ShiftCrowd& crowd_;
  std::vector<ShiftCrowd::Window> open_;  // by channel; count 0: none
  std::vector<std::uint32_t> touched_;    // channels with one
};

}  // namespace fatwood
