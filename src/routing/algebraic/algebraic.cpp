// SPDX-License-Identifier: BSD-3-Clause
#include "routing/algebraic/algebraic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kAnyTree = "a complete tree: XGFT or PGFT";

bool any(const TreeShape&) { return true; }

// m(l) = u(l+1) and one port per node: as many paths as sources in a sub-tree.
bool has_a_path_for_each_source(const TreeShape& shape) {
  if (shape.up_ports(0) != 1) return false;
  for (unsigned l = 1; l < shape.height(); ++l) {
    if (shape.m[l - 1] != shape.up_ports(l)) return false;
  }
  return true;
}
// XGFT(height; n,..,n,r; 1,n,..,n)
bool is_n_tree(const TreeShape& shape, unsigned height) {
  return shape.height() == height && shape.is_xgft() && has_a_path_for_each_source(shape) &&
         std::all_of(shape.m.begin(), shape.m.end() - 1,
                     [&](std::uint32_t m) { return m == shape.m[0]; });
}

const AlgebraicKind kKinds[] = {
    {"dmodk", "one path, its up-ports the digits of the destination", kAnyTree, any, false,
     make_dmodk},
    {"smodk", "one path, its up-ports the digits of the source", kAnyTree, any, false, make_smodk},
    {"random", "one path at random for each pair", kAnyTree, any, true,
     [](const TreeShape& shape, const AlgebraicOptions& options) {
       return make_random(shape, {.paths = 1, .seed = options.seed});
     }},
    {"osrm2", "one path, groups of sources by groups of destinations; least worst case on FT(m,2)",
     "FT(m,2), or any XGFT(2; n,r; 1,n)",
     [](const TreeShape& shape) { return is_n_tree(shape, 2); }, false, make_osrm2},
    {"osrm3", "one path, source picks the level-2 switch, destination the root; FT(m,3)",
     "FT(m,3), or any XGFT(3; n,n,r; 1,n,n)",
     [](const TreeShape& shape) { return is_n_tree(shape, 3); }, false, make_osrm3},
    {"umulti", "all paths in equal shares (OMRMN): optimal for every traffic", kAnyTree, any, false,
     make_umulti},
    {"mlid", "one path, picked by the source's rank in its sub-tree",
     "FT(m,n), a k-ary n-tree, or any tree with w1 p1 = 1 and m(l) = w(l+1) p(l+1)",
     has_a_path_for_each_source, false, make_mlid},
    {"wsr", "one path, the least loaded when the pairs are routed in order",
     "a complete tree of at most 8192 terminals", any, false, make_wsr},
    {"shift1:K", "K paths: that of dmodk and those numbered after it", kAnyTree, any, false,
     make_shift_one},
    {"disjoint:K", "K paths from that of dmodk, parting as low as they can", kAnyTree, any, false,
     make_disjoint},
    {"osrm:K", "K paths on a lattice of sources by destinations: least worst case known", kAnyTree,
     any, false, make_osrm},
    {"random:K", "K different paths at random for each pair", kAnyTree, any, true, make_random},
};

std::string usages() {
  std::string list;
  for (const AlgebraicKind& kind : kKinds) list += fmt::format(" {}", kind.usage);
  return list;
}

std::uint32_t parse_paths(std::string_view text, std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) return 0xffffffffU;  // more than any pair has
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    throw InputError(fmt::format("{}: expected a number of paths after the colon", text));
  }
  if (value == 0) throw InputError(fmt::format("{}: K is 0: it must be at least 1", text));
  return value;
}

}  // namespace

std::span<const AlgebraicKind> algebraic_kinds() { return kKinds; }

const AlgebraicKind* find_algebraic(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const bool paths = name.size() != text.size();
  const AlgebraicKind* found = nullptr;
  for (const AlgebraicKind& kind : kKinds) {
    // A row of the right name but with or without K is kept for a better message.
    if (kind.name() == name && (found == nullptr || kind.takes_paths() == paths)) found = &kind;
  }
  return found;
}

MadeAlgebraic make_algebraic(std::string_view text, const TreeShape& shape, std::uint64_t seed) {
  const AlgebraicKind* kind = find_algebraic(text);
  if (kind == nullptr) {
    throw InputError(
        fmt::format("there is no routing \"{}\"; the routings are:{}", text, usages()));
  }
  const std::size_t colon = text.find(':');
  const bool has_paths = colon != std::string_view::npos;
  if (kind->takes_paths() != has_paths) {
    throw InputError(fmt::format("{}: expected {}", text, kind->usage));
  }
  AlgebraicOptions options{.seed = seed};
  if (has_paths) options.paths = parse_paths(text, text.substr(colon + 1));
  if (!kind->defined(shape)) {
    throw InputError(
        fmt::format("{} is not defined on {}: it needs {}", text, shape.to_string(), kind->needs));
  }
  MadeAlgebraic made{kind->make(shape, options), {}};
  const std::uint32_t all = made.routing->space().U(shape.height());
  if (has_paths && options.paths > all) {
    made.note = fmt::format("{}: a pair of {} has at most {} paths: all of them are used", text,
                            shape.to_string(), all);
  }
  return made;
}

}  // namespace fatwood
