// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Algebraic (oblivious) routings of complete trees ([Yuan07], [Mahapatra12], [Zahavi10]): formulas
// that give each pair a set of paths, used in equal shares. A routing is a few lines over path
// numbers (path_space.hpp) and a row of algebraic.cpp. The command line, tests and studies use that
// list.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "routing/algebraic/path_space.hpp"

namespace fatwood {

// What the paths of a pair depend on, besides the level at which source and destination meet. Load
// kernels, forwarding tables and symmetry arguments use it. kPair is always correct.
enum class DependsOn { kDestination, kSource, kPair };

class AlgebraicRouting {
 public:
  // The paths of (s, d), which meet at level k: all different, in the order of the routing, each
  // with the share 1/num_paths(k).
  using Formula = std::function<std::vector<PathIndex>(const AlgebraicRouting&, unsigned k,
                                                       std::uint32_t s, std::uint32_t d)>;
  // `most`: paths per pair; a pair with fewer paths uses all.
  AlgebraicRouting(std::string name, const TreeShape& shape, DependsOn depends_on,
                   std::uint32_t most, Formula formula)
      : name_(std::move(name)),
        space_(shape),
        depends_on_(depends_on),
        most_(most),
        formula_(std::move(formula)) {}

  // REQUIRES s != d, both below space().nodes().
  std::vector<PathIndex> paths(std::uint32_t s, std::uint32_t d) const {
    return formula_(*this, space_.common_level(s, d), s, d);
  }

  const std::string& name() const { return name_; }
  const PathSpace& space() const { return space_; }
  DependsOn depends_on() const { return depends_on_; }
  std::uint32_t most() const { return most_; }
  // The number of paths of each pair that meets at level k.
  std::uint32_t num_paths(unsigned k) const { return std::min(most_, space_.U(k)); }
  // Every share is a multiple of 1/units_in_one(): the least common multiple of the num_paths(k).
  std::uint32_t units_in_one() const {
    std::uint32_t units = 1;
    for (unsigned k = 1; k <= space_.height(); ++k) units = std::lcm(units, num_paths(k));
    return units;
  }

 private:
  std::string name_;
  PathSpace space_;
  DependsOn depends_on_;
  std::uint32_t most_;
  Formula formula_;
};

using AlgebraicPtr = std::unique_ptr<const AlgebraicRouting>;

struct AlgebraicOptions {
  std::uint32_t paths = 1;  // K
  std::uint64_t seed = 1;
};

struct AlgebraicKind {
  std::string_view usage;    // "disjoint:K"; the name is before the colon
  std::string_view summary;  // one line
  std::string_view needs;    // what the tree must be
  bool (*defined)(const TreeShape&);
  bool seeded;  // depends on AlgebraicOptions::seed
  AlgebraicPtr (*make)(const TreeShape&, const AlgebraicOptions&);

  std::string_view name() const { return usage.substr(0, usage.find(':')); }
  bool takes_paths() const { return usage.find(':') != std::string_view::npos; }
};

std::span<const AlgebraicKind> algebraic_kinds();
// The row of "dmodk" or "disjoint:8"; nullptr if there is none. "random" and "random:2" are two
// rows.
const AlgebraicKind* find_algebraic(std::string_view text);

struct MadeAlgebraic {
  AlgebraicPtr routing;
  std::string note;  // for the user, "" if none: for example, K exceeds the paths of every pair
};
// `text` is "dmodk" or "disjoint:8". InputError if there is no such routing, if K is missing, not
// expected, 0 or no number, or if the routing is not defined on the tree (the message says on which
// trees it is).
MadeAlgebraic make_algebraic(std::string_view text, const TreeShape& shape, std::uint64_t seed = 1);

// The constructors of the rows, one per file (related ones share a file).
AlgebraicPtr make_dmodk(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_smodk(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_mlid(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_osrm2(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_osrm3(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_umulti(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_wsr(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_shift_one(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_disjoint(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_osrm(const TreeShape& shape, const AlgebraicOptions& options);
AlgebraicPtr make_random(const TreeShape& shape, const AlgebraicOptions& options);

// The path of d-mod-k among those of a pair that meets at level k: q(l) = floor(d/W(l)) mod u(l+1)
// ([Mahapatra12], section 3.3; on a PGFT [Zahavi10], equation 3). With s for d: that of s-mod-k.
PathIndex mod_k_path(const PathSpace& space, unsigned k, std::uint32_t d);

}  // namespace fatwood
