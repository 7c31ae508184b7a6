// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/linux_hash.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace fatwood {

namespace {

// Of whole words and an end of less than 8 bytes, as SipHash takes them.
class SipHash {
 public:
  SipHash(std::uint64_t low, std::uint64_t high)
      : v_{low ^ 0x736f6d6570736575ULL, high ^ 0x646f72616e646f6dULL, low ^ 0x6c7967656e657261ULL,
           high ^ 0x7465646279746573ULL} {}

  void add(std::uint64_t word) {
    v_[3] ^= word;
    mix(2);
    v_[0] ^= word;
  }
  std::uint64_t finish() {
    v_[2] ^= 0xff;
    mix(4);
    return v_[0] ^ v_[1] ^ v_[2] ^ v_[3];
  }

 private:
  void mix(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      v_[0] += v_[1];
      v_[1] = std::rotl(v_[1], 13) ^ v_[0];
      v_[0] = std::rotl(v_[0], 32);
      v_[2] += v_[3];
      v_[3] = std::rotl(v_[3], 16) ^ v_[2];
      v_[0] += v_[3];
      v_[3] = std::rotl(v_[3], 21) ^ v_[0];
      v_[2] += v_[1];
      v_[1] = std::rotl(v_[1], 17) ^ v_[2];
      v_[2] = std::rotl(v_[2], 32);
    }
  }
  std::array<std::uint64_t, 4> v_;
};

constexpr std::uint32_t swapped(std::uint32_t x) {
  return x >> 24U | (x >> 8U & 0xff00U) | (x << 8U & 0xff0000U) | x << 24U;
}
constexpr std::uint32_t swapped(std::uint16_t x) {
  return static_cast<std::uint32_t>((x >> 8U | x << 8U) & 0xffff);
}

}  // namespace

std::uint32_t linux_flow_hash(const UdpFlow& flow, std::uint32_t seed) {
  const auto [low, high] = std::minmax({swapped(flow.source), swapped(flow.destination)});
  const auto [low_port, high_port] =
      std::minmax({swapped(flow.source_port), swapped(flow.destination_port)});
  // 48 bytes of struct flow_keys: protocol at 2, ports at 28, addresses at 36; the rest is 0.
  constexpr std::uint64_t kUdp = 17;
  SipHash hash((std::uint64_t{seed} << 32U) | seed, (std::uint64_t{seed} << 32U) | seed);
  hash.add(kUdp << 16U);
  hash.add(0);
  hash.add(0);
  hash.add(std::uint64_t{low_port | high_port << 16U} << 32U);
  hash.add(std::uint64_t{low} << 32U);
  hash.add(high);
  hash.add(std::uint64_t{48} << 56U);
  return static_cast<std::uint32_t>(hash.finish()) >> 1U;
}

std::uint32_t linux_choice(std::uint32_t hash, std::uint32_t hops) {
  const std::uint64_t all = std::uint64_t{2} * hops;
  for (std::uint32_t i = 1; i < hops; ++i) {
    const std::uint64_t upper = (2 * (std::uint64_t{i} << 31U) + hops) / all - 1;
    if (hash <= upper) return i - 1;
  }
  return hops - 1;
}

}  // namespace fatwood
