// SPDX-License-Identifier: BSD-3-Clause
#include "routing/algebraic/path_space.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace fatwood {

PathSpace::PathSpace(TreeShape shape) : shape_(std::move(shape)) {
  std::uint64_t paths = 1;
  std::uint64_t slot = 0;
  for (unsigned l = 0; l <= height(); ++l) {
    if (l > 0) paths *= u(l);
    if (paths > 0xffffffffU) {
      throw InputError(
          fmt::format("{}: more paths per pair than 32 bits can number", shape_.to_string()));
    }
    levels_.push_back({.M = static_cast<std::uint32_t>(shape_.M(l)),
                       .W = static_cast<std::uint32_t>(shape_.W(l)),
                       .U = static_cast<std::uint32_t>(paths),
                       .up = shape_.up_ports(l),
                       .slots = shape_.radix(l) + 1,
                       .first = static_cast<std::uint32_t>(slot)});
    slot += shape_.nodes_at(l) * (shape_.radix(l) + 1);
  }
}

std::uint32_t PathSpace::offset(unsigned k, PathIndex t, unsigned l) const {
  std::uint32_t top = 0;
  for (unsigned i = 0; i < l; ++i) {
    top = top * shape_.w[i] + up_port(k, t, i) % shape_.w[i];
  }
  return top * u(l + 1) + up_port(k, t, l);
}

Channel PathSpace::up_channel(unsigned l, std::uint32_t cable) const {
  const Level& at = levels_[l];
  return static_cast<Channel>(at.first + cable / at.up * at.slots + cable % at.up + 1);
}

Channel PathSpace::down_channel(unsigned l, std::uint32_t cable) const {
  const Level& above = levels_[l + 1];
  const std::uint32_t w = shape_.w[l];
  const std::uint32_t m = shape_.m[l];
  const std::uint32_t tree = cable / C(l);
  const std::uint32_t top = cable % C(l) / u(l + 1);
  const std::uint32_t q = cable % u(l + 1);
  const std::uint32_t node = tree / m * above.W + top * w + q % w;
  const std::uint32_t r = tree % m + q / w * m;
  return static_cast<Channel>(above.first + node * above.slots + above.up + r + 1);
}

void PathSpace::write_channels(std::uint32_t s, std::uint32_t d, PathIndex t,
                               std::span<Channel> path) const {
  const auto k = static_cast<unsigned>(path.size() / 2);
  std::uint32_t top = 0;
  for (unsigned l = 0; l < k; ++l) {
    const std::uint32_t q = up_port(k, t, l);
    const std::uint32_t offset = top * u(l + 1) + q;
    path[l] = up_channel(l, s / M(l) * C(l) + offset);
    path[path.size() - 1 - l] = down_channel(l, d / M(l) * C(l) + offset);
    top = top * shape_.w[l] + q % shape_.w[l];
  }
}

std::vector<Channel> PathSpace::channels(std::uint32_t s, std::uint32_t d, PathIndex t) const {
  std::vector<Channel> path(2 * std::size_t{common_level(s, d)});
  write_channels(s, d, t, path);
  return path;
}

}  // namespace fatwood
