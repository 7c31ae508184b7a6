// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/job_windows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/random.hpp"

namespace fatwood {
namespace {

JobWindow neighbours(std::uint32_t first, std::uint32_t size) {
  JobWindow window{Placed::kNeighbours, std::vector<std::uint32_t>(size)};
  std::iota(window.members.begin(), window.members.end(), first);
  return window;
}

// The first `size` of a random permutation, by as many swaps.
JobWindow random_hosts(std::uint32_t hosts, std::uint32_t size, Random random) {
  std::vector<std::uint32_t> all(hosts);
  std::iota(all.begin(), all.end(), 0U);
  for (std::uint32_t i = 0; i < size; ++i) std::swap(all[i], all[i + random.below(hosts - i)]);
  all.resize(size);
  std::ranges::sort(all);
  return {Placed::kRandom, std::move(all)};
}

// One number from each of `parts` equal parts of [0, count). REQUIRES parts <= count.
std::vector<std::uint32_t> one_from_each(std::uint32_t count, std::uint32_t parts,
                                         std::uint64_t seed, std::uint32_t stream) {
  std::vector<std::uint32_t> drawn;
  for (std::uint32_t j = 0; j < parts; ++j) {
    const auto begin = static_cast<std::uint32_t>(std::uint64_t{count} * j / parts);
    const auto end = static_cast<std::uint32_t>(std::uint64_t{count} * (j + 1) / parts);
    drawn.push_back(begin + Random(seed, j, stream).below(end - begin));
  }
  return drawn;
}

constexpr std::uint32_t kPhaseStream = 0x80000000U;  // plus the size: unlike those of windows

}  // namespace

std::vector<std::uint32_t> job_sizes(std::size_t hosts, std::size_t hosts_of_leaf) {
  std::vector<std::uint32_t> sizes;
  const std::size_t least =
      std::bit_floor(std::clamp<std::size_t>(hosts_of_leaf, 2, std::max<std::size_t>(hosts, 2)));
  for (std::size_t size = least; size <= hosts; size *= 2) {
    sizes.push_back(static_cast<std::uint32_t>(size));
  }
  return sizes;
}

std::vector<JobWindow> job_windows(std::size_t hosts, std::size_t hosts_of_leaf,
                                   const WindowDraw& draw) {
  std::vector<JobWindow> windows;
  const auto all = static_cast<std::uint32_t>(hosts);
  for (const std::uint32_t size : job_sizes(hosts, hosts_of_leaf)) {
    const std::uint32_t number = std::clamp(draw.hosts / size, draw.fewest, draw.most);
    const std::uint32_t stream = 2 * static_cast<std::uint32_t>(std::countr_zero(size));
    const std::uint32_t offsets = all - size + 1;
    for (const std::uint32_t first :
         one_from_each(offsets, std::min(number, offsets), draw.seed, stream)) {
      windows.push_back(neighbours(first, size));
    }
    for (std::uint32_t j = 0; size < all && j < number; ++j) {
      windows.push_back(random_hosts(all, size, Random(draw.seed, j, stream + 1)));
    }
  }
  return windows;
}

std::vector<std::uint32_t> job_phases(std::uint32_t size, const WindowDraw& draw) {
  if (size < 2) return {};
  std::vector<std::uint32_t> phases =
      one_from_each(size - 1, std::min(size - 1, kMostPhases), draw.seed, kPhaseStream + size);
  for (std::uint32_t& phase : phases) ++phase;
  return phases;
}

std::uint32_t phase_partner(std::uint32_t size, std::uint32_t phase, std::uint32_t i) {
  return std::has_single_bit(size) ? i ^ phase : (i + phase) % size;
}

std::uint32_t ring_partner(std::uint32_t size, std::uint32_t i) { return (i + 1) % size; }

}  // namespace fatwood
