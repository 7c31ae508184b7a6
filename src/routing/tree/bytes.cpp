// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/bytes.hpp"

// The sanitizers start after the choice among the versions of a function is made.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FATWOOD_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define FATWOOD_WIDE
#endif

namespace fatwood {

namespace {

inline std::uint8_t sum(std::uint8_t hops, std::uint8_t depth, std::uint8_t most) {
  return static_cast<std::uint8_t>((hops < most ? hops : most) + depth);
}

inline std::uint8_t most_for(std::uint8_t depth) { return static_cast<std::uint8_t>(255 - depth); }

}  // namespace

FATWOOD_WIDE
void take_shorter(const std::uint8_t* hops, std::uint8_t depth, std::uint8_t* to, std::size_t n) {
  const std::uint8_t most = most_for(depth);
#pragma omp simd
  for (std::size_t s = 0; s < n; ++s) {
    const std::uint8_t known = to[s];
    const std::uint8_t other = sum(hops[s], depth, most);
    to[s] = other < known ? other : known;
  }
}

FATWOOD_WIDE
void copy_known(const std::uint8_t* hops, std::uint8_t* to, std::size_t n) {
#pragma omp simd
  for (std::size_t s = 0; s < n; ++s) to[s] = hops[s] == 255 ? std::uint8_t{0} : hops[s];
}

FATWOOD_WIDE
void lay_over(const Overlay& root, const Port* from, Port* to, std::size_t n) {
  const std::uint8_t* const hops = root.hops;
  const std::uint8_t* const least = root.least;
  const Port* const ports = root.ports;
  const std::uint8_t depth = root.depth;
  const std::uint8_t most = most_for(depth);
#pragma omp simd
  for (std::size_t s = 0; s < n; ++s) {
    const Port port = ports[s];  // both are read, so that there is no branch
    const Port other = from[s];
    to[s] = sum(hops[s], depth, most) == least[s] ? port : other;
  }
}

FATWOOD_WIDE
void mark_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
              std::uint8_t* to, std::size_t n) {
  const std::uint8_t most = most_for(depth);
#pragma omp simd
  for (std::size_t s = 0; s < n; ++s) {
    to[s] = static_cast<std::uint8_t>((least[s] == 0) | (sum(hops[s], depth, most) == least[s]));
  }
}

FATWOOD_WIDE
void add_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
             std::uint8_t* to, std::size_t n) {
  const std::uint8_t most = most_for(depth);
#pragma omp simd
  for (std::size_t s = 0; s < n; ++s) {
    to[s] = static_cast<std::uint8_t>(to[s] | (sum(hops[s], depth, most) == least[s]));
  }
}

FATWOOD_WIDE
bool all_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
             std::size_t n) {
  const std::uint8_t most = most_for(depth);
  std::uint8_t missing = 0;
#pragma omp simd reduction(| : missing)
  for (std::size_t s = 0; s < n; ++s) {
    const std::uint8_t differs = sum(hops[s], depth, most) ^ least[s];
    missing = static_cast<std::uint8_t>(missing | (least[s] == 0 ? std::uint8_t{0} : differs));
  }
  return missing == 0;
}

}  // namespace fatwood
