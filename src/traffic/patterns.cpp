// SPDX-License-Identifier: BSD-3-Clause
// The traffic patterns: each a few lines over host numbers 0..n-1.
//
// Sizes that do not fit: the last cluster may be smaller. Recursive doubling and halving of n
// ranks, with P the greatest power of two up to n, first fold ranks P.. onto 0.. and unfold them at
// the end, as MPI libraries do. Bit patterns other than the complement need a power of two.

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/random.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

namespace {

Flow unit(std::size_t source, std::size_t destination) {
  return {static_cast<Adapter>(source), static_cast<Adapter>(destination), 1};
}

// Stages i <-> i xor 2^bit in the given order of bits, with folding.
Schedule by_bits(std::string name, std::size_t n, const std::vector<unsigned>& bits) {
  const std::size_t power = std::bit_floor(n);
  const bool folds = power != n;
  const std::size_t stages = bits.size() + (folds ? 2 : 0);
  return {std::move(name), stages, [=](std::size_t stage) {
            Traffic traffic{.adapters = n};
            if (folds && (stage == 0 || stage + 1 == stages)) {
              for (std::size_t i = power; i < n; ++i) {
                traffic.flows.push_back(stage == 0 ? unit(i, i - power) : unit(i - power, i));
              }
              return traffic;
            }
            const std::size_t bit = std::size_t{1} << bits[stage - (folds ? 1 : 0)];
            for (std::size_t i = 0; i < power; ++i) traffic.flows.push_back(unit(i, i ^ bit));
            return traffic;
          }};
}

std::vector<unsigned> bits_below(std::size_t n) {
  std::vector<unsigned> bits(static_cast<std::size_t>(std::bit_width(std::bit_floor(n))) - 1);
  std::iota(bits.begin(), bits.end(), 0U);
  return bits;
}

}  // namespace

Traffic permutation_traffic(std::span<const std::uint32_t> destination_of) {
  Traffic traffic{.adapters = destination_of.size()};
  for (std::size_t s = 0; s < destination_of.size(); ++s) {
    if (destination_of[s] != s) traffic.flows.push_back(unit(s, destination_of[s]));
  }
  return traffic;
}

Traffic random_permutation(std::size_t n, std::uint64_t seed) {
  return permutation_traffic(Random(seed).permutation(static_cast<std::uint32_t>(n)));
}

Traffic uniform_traffic(std::size_t n, double probability, std::uint64_t seed) {
  Traffic traffic{.adapters = n};
  for (std::size_t s = 0; s < n; ++s) {
    Random random(seed, s);
    for (std::size_t d = 0; d < n; ++d) {
      if (s != d && random.uniform() < probability) traffic.flows.push_back(unit(s, d));
    }
  }
  return traffic;
}

Traffic clustered_traffic(std::size_t n, std::size_t group, std::uint64_t seed) {
  Traffic traffic{.adapters = n};
  const std::vector<std::uint32_t> order = Random(seed).permutation(static_cast<std::uint32_t>(n));
  for (std::size_t first = 0; first < n; first += group) {
    const std::size_t end = std::min(n, first + group);
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t j = first; j < end; ++j) {
        if (i != j) traffic.flows.push_back(unit(order[i], order[j]));
      }
    }
  }
  return traffic;
}

Traffic shift_traffic(std::size_t n, std::size_t by) {
  Traffic traffic{.adapters = n};
  for (std::size_t s = 0; s < n && by % n != 0; ++s) {
    traffic.flows.push_back(unit(s, (s + by) % n));
  }
  return traffic;
}

Traffic hotspot_traffic(std::size_t n, Adapter hot) {
  Traffic traffic{.adapters = n};
  for (std::size_t s = 0; s < n; ++s) {
    if (s != index(hot)) traffic.flows.push_back(unit(s, index(hot)));
  }
  return traffic;
}

Traffic all_to_all(std::size_t n) {
  Traffic traffic{.adapters = n};
  traffic.flows.reserve(n * n);
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t d = 0; d < n; ++d) {
      if (s != d) traffic.flows.push_back(unit(s, d));
    }
  }
  return traffic;
}

Schedule recursive_doubling(std::size_t n) { return by_bits("doubling", n, bits_below(n)); }

Schedule recursive_halving(std::size_t n) {
  std::vector<unsigned> bits = bits_below(n);
  std::reverse(bits.begin(), bits.end());
  return by_bits("halving", n, bits);
}

std::vector<PortFlow> port_flows(const Adapters& adapters, const Traffic& traffic) {
  std::vector<PortFlow> result;
  for (const Flow& flow : traffic.flows) {
    const auto pairs = adapters.port_pairs(flow.source, flow.destination);
    const double units = static_cast<double>(flow.units) / static_cast<double>(pairs.size());
    for (const auto& [from, to] : pairs) result.push_back({from, to, units});
  }
  return result;
}

Schedule place(Schedule ranks, std::vector<Adapter> at, std::size_t hosts) {
  ranks.stage = [stage = std::move(ranks.stage), at = std::move(at), hosts](std::size_t i) {
    Traffic traffic = stage(i);
    traffic.adapters = hosts;
    for (Flow& flow : traffic.flows) {
      flow.source = at[index(flow.source)];
      flow.destination = at[index(flow.destination)];
    }
    return traffic;
  };
  return ranks;
}

}  // namespace fatwood
