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
    M_.push_back(static_cast<std::uint32_t>(shape_.M(l)));
    W_.push_back(static_cast<std::uint32_t>(shape_.W(l)));
    U_.push_back(static_cast<std::uint32_t>(paths));
    first_slot_.push_back(static_cast<std::uint32_t>(slot));
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
  const std::uint32_t node = cable / u(l + 1);
  const std::uint32_t q = cable % u(l + 1);
  return static_cast<Channel>(first_slot_[l] + node * (shape_.radix(l) + 1) + q + 1);
}

Channel PathSpace::down_channel(unsigned l, std::uint32_t cable) const {
  const std::uint32_t w = shape_.w[l];
  const std::uint32_t m = shape_.m[l];
  const std::uint32_t tree = cable / C(l);
  const std::uint32_t top = cable % C(l) / u(l + 1);
  const std::uint32_t q = cable % u(l + 1);
  const std::uint32_t above = tree / m * W_[l + 1] + top * w + q % w;
  const std::uint32_t r = tree % m + q / w * m;
  return static_cast<Channel>(first_slot_[l + 1] + above * (shape_.radix(l + 1) + 1) +
                              shape_.up_ports(l + 1) + r + 1);
}

std::vector<Channel> PathSpace::channels(std::uint32_t s, std::uint32_t d, PathIndex t) const {
  const unsigned k = common_level(s, d);
  std::vector<Channel> path(2 * std::size_t{k});
  std::uint32_t top = 0;
  for (unsigned l = 0; l < k; ++l) {
    const std::uint32_t q = up_port(k, t, l);
    const std::uint32_t offset = top * u(l + 1) + q;
    path[l] = up_channel(l, s / M_[l] * C(l) + offset);
    path[2 * std::size_t{k} - 1 - l] = down_channel(l, d / M_[l] * C(l) + offset);
    top = top * shape_.w[l] + q % shape_.w[l];
  }
  return path;
}

}  // namespace fatwood
