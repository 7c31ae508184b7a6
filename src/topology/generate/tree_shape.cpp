// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/tree_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

static std::uint64_t product(const std::vector<std::uint32_t>& digits, unsigned count) {
  std::uint64_t result = 1;
  for (unsigned l = 0; l < count; ++l) result *= digits[l];
  return result;
}

std::uint64_t TreeShape::M(unsigned level) const { return product(m, level); }
std::uint64_t TreeShape::W(unsigned level) const { return product(w, level); }

std::uint64_t TreeShape::first_at(unsigned level) const {
  std::uint64_t first = 0;
  for (unsigned l = 0; l < level; ++l) first += nodes_at(l);
  return first;
}

std::uint32_t TreeShape::up_ports(unsigned level) const {
  return level == height() ? 0 : w[level] * p[level];
}

std::uint32_t TreeShape::down_ports(unsigned level) const {
  return level == 0 ? 0 : m[level - 1] * p[level - 1];
}

unsigned TreeShape::common_level(std::uint64_t s, std::uint64_t d) const {
  unsigned level = 0;
  while (s != d) {
    s /= m[level];
    d /= m[level];
    ++level;
  }
  return level;
}

bool TreeShape::is_xgft() const {
  return std::all_of(p.begin(), p.end(), [](std::uint32_t copies) { return copies == 1; });
}

bool TreeShape::is_rlft() const {
  if (w[0] != 1 || p[0] != 1) return false;
  const unsigned h = height();
  if (h == 1) return true;
  const std::uint32_t half = w[1] * p[1];
  for (unsigned level = 1; level < h; ++level) {
    if (down_ports(level) != half || up_ports(level) != half) return false;
  }
  return down_ports(h) == 2 * half;
}

std::string TreeShape::to_string() const {
  if (is_xgft())
    return fmt::format("xgft({};{};{})", height(), fmt::join(m, ","), fmt::join(w, ","));
  return fmt::format("pgft({};{};{};{})", height(), fmt::join(m, ","), fmt::join(w, ","),
                     fmt::join(p, ","));
}

std::string fault_of(const TreeShape& shape) {
  const unsigned h = shape.height();
  if (h == 0) return "a tree needs a height of at least 1";
  if (h > 32) return fmt::format("a height of {} is too much: 32 at most", h);
  for (const auto& [list, name] : {std::pair{&shape.m, 'm'}, {&shape.w, 'w'}, {&shape.p, 'p'}}) {
    if (list->size() != h) {
      return fmt::format("a tree of height {} needs {} numbers {}1..{}{}, not {}", h, h, name, name,
                         h, list->size());
    }
    for (unsigned l = 0; l < h; ++l) {
      if ((*list)[l] == 0) return fmt::format("{}{} is 0: it must be at least 1", name, l + 1);
      if ((*list)[l] > kMaxPorts) {
        return fmt::format("{}{} is {}: more than the {} ports that a switch can have", name, l + 1,
                           (*list)[l], kMaxPorts);
      }
    }
  }
  for (unsigned level = 0; level <= h; ++level) {
    if (shape.radix(level) <= kMaxPorts) continue;
    std::vector<std::string> parts;
    if (level > 0) {
      parts.push_back(fmt::format("m{0}*p{0} = {1} down", level, shape.down_ports(level)));
    }
    if (level < h) {
      parts.push_back(fmt::format("w{0}*p{0} = {1} up", level + 1, shape.up_ports(level)));
    }
    return fmt::format("a node of level {} would have {} ports ({}): {} at most", level,
                       shape.radix(level), fmt::join(parts, ", "), kMaxPorts);
  }
  // Count in floating point first: the products may not fit 64 bits.
  double terminals = 1;
  for (const std::uint32_t digit : shape.m) terminals *= digit;
  double slots = 0;
  double nodes = terminals;
  for (unsigned level = 0; level <= h; ++level) {
    if (level > 0) nodes = nodes / shape.m[level - 1] * shape.w[level - 1];
    slots += nodes * (1 + shape.radix(level));
  }
  if (slots > 2e9) {
    return fmt::format("the tree would have {:.3g} terminals and {:.3g} ports: 2e9 ports at most",
                       terminals, slots);
  }
  return {};
}

void check(const TreeShape& shape) {
  if (const std::string fault = fault_of(shape); !fault.empty()) throw InputError(fault);
}

TreeShape pgft(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w,
               std::vector<std::uint32_t> p) {
  TreeShape shape{std::move(m), std::move(w), std::move(p)};
  check(shape);
  return shape;
}

TreeShape xgft(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w) {
  std::vector<std::uint32_t> p(m.size(), 1);
  return pgft(std::move(m), std::move(w), std::move(p));
}

TreeShape m_port_n_tree(std::uint32_t m, std::uint32_t n) {
  if (m < 2 || m % 2 != 0) {
    throw InputError(fmt::format("m is {}: it must be even, two or more", m));
  }
  if (n == 0) throw InputError("n is 0: it must be at least 1");
  std::vector<std::uint32_t> children(n, m / 2);
  std::vector<std::uint32_t> parents(n, m / 2);
  children.back() = m;
  parents.front() = 1;
  return xgft(std::move(children), std::move(parents));
}

TreeShape k_ary_n_tree(std::uint32_t k, std::uint32_t n) {
  if (k == 0) throw InputError("k is 0: it must be at least 1");
  if (n == 0) throw InputError("n is 0: it must be at least 1");
  std::vector<std::uint32_t> parents(n, k);
  parents.front() = 1;
  return xgft(std::vector<std::uint32_t>(n, k), std::move(parents));
}

TreeShape real_life_tree(std::uint32_t half_radix, std::uint32_t height, std::uint32_t top) {
  const std::uint32_t k = half_radix;
  if (k == 0 || k > kMaxPorts / 2) {
    throw InputError(fmt::format("K is {}: it must be 1 to {}", k, kMaxPorts / 2));
  }
  if (height == 0) throw InputError("h is 0: it must be at least 1");
  if (height == 1) return xgft({2 * k}, {1});
  if (top == 0 || 2 * k % top != 0 || k % (2 * k / top) != 0) {
    throw InputError(fmt::format(
        "top is {}: 2K/top parallel links must be a whole number that divides K = {}", top, k));
  }
  const std::uint32_t copies = 2 * k / top;
  TreeShape shape{std::vector<std::uint32_t>(height, k), std::vector<std::uint32_t>(height, k),
                  std::vector<std::uint32_t>(height, 1)};
  shape.w.front() = 1;
  shape.m.back() = top;
  shape.w.back() = k / copies;
  shape.p.back() = copies;
  check(shape);
  return shape;
}

}  // namespace fatwood
