// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counter-based random numbers (Philox 4x32-10 of Random123, [Salmon11]). A stream is (seed,
// stream, sub). Every sample, source or fault has its own stream, so results do not depend on the
// number of threads or on the order of work.

// Philox does not need the SSE types, whose headers cost half a second per compilation unit.
#define R123_USE_SSE 0
#include <Random123/philox.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace fatwood {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint32_t sub = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32),
                  sub}} {}

  std::uint32_t next32() {
    if (used_ == 4) {
      block_ = r123::Philox4x32()(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[used_++];
  }
  std::uint64_t next64() {
    const std::uint64_t high = next32();
    return (high << 32) | next32();
  }
  // Uniform in [0, bound), without bias (Lemire's multiply and reject). REQUIRES bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{next32()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t floor = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < floor) {
        product = std::uint64_t{next32()} * bound;
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  // Uniform in [0, 1) with 53 bits.
  double uniform() { return static_cast<double>(next64() >> 11) * 0x1.0p-53; }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
    }
  }
  std::vector<std::uint32_t> permutation(std::uint32_t count) {
    std::vector<std::uint32_t> values(count);
    std::iota(values.begin(), values.end(), 0U);
    shuffle(values);
    return values;
  }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::ctr_type block_{};
  unsigned used_ = 4;
};

}  // namespace fatwood
