// SPDX-License-Identifier: BSD-3-Clause
// Largest load of a permutation under algebraic routings whose paths depend on one end only
// (d-mod-k, disjoint, shift-1, UMULTI by destination; s-mod-k, MLID by source).
//
// Method: take paths that depend on the destination d. What a flow to d adds to the C(l) up-cables
// of its source's sub-tree of height l is then a fixed vector, given d and the level k at which the
// pair meets. The counters of a sub-tree are in rows of 16 bytes, ordered so that the vector is one
// or two rows, which are added at once. There are few different rows, stored once. Sources are
// taken in order, sub-tree by sub-tree. So the counters of a sub-tree are in registers or a few
// cache lines, and only their maximum is stored.
//
// Down-cables rarely need counting. A permutation uses each destination once, so a down-cable
// carries at most the sum of its destinations' vectors, which is known beforehand (1 for d-mod-k
// and disjoint(K) on m-port n-trees). Only if the up-cables stay below that are the down-cables
// counted, with the same loop over the inverse permutation.
// Paths by source: the same with the permutation inverted.
//
// Counters of 8 or 16 bits add with saturation. If the maximum is saturated, the pair kernel counts
// again, so results are exact.
// Cost: for each level one row addition per pair and row; d-mod-k on XGFT(3;12,12,24;1,12,12) reads
// 12 bytes and adds 2 rows per pair.

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <vector>

#include "analysis/permutations/permutation_load.hpp"

namespace fatwood {

namespace {

// 16 bytes of counters, as one register.
template <class Count>
struct Row {
  using Vector [[gnu::vector_size(16)]] = Count;
  Vector lane{};

  friend bool operator<(const Row& a, const Row& b) {  // any order will do
    using Bits = std::array<std::uint64_t, 2>;
    return std::bit_cast<Bits>(a.lane) < std::bit_cast<Bits>(b.lane);
  }
};

// With saturation.
template <class Count>
Row<Count> sum(Row<Count> a, Row<Count> b) {
#if defined(__SSE2__)
  using Vector = typename Row<Count>::Vector;
  const auto x = reinterpret_cast<__m128i>(a.lane);
  const auto y = reinterpret_cast<__m128i>(b.lane);
  if constexpr (sizeof(Count) == 1) {
    return {reinterpret_cast<Vector>(_mm_adds_epu8(x, y))};
  } else {
    return {reinterpret_cast<Vector>(_mm_adds_epu16(x, y))};
  }
#else
  Row<Count> result{a.lane + b.lane};
  result.lane |= reinterpret_cast<typename Row<Count>::Vector>(result.lane < a.lane);
  return result;
#endif
}

template <class Count>
Row<Count> largest(Row<Count> a, Row<Count> b) {
  return {a.lane > b.lane ? a.lane : b.lane};
}

// Adds rows[pattern] to row `row` of the block.
struct Addition {
  std::uint16_t row;
  std::uint16_t pattern;
};

// The value that every node (as the end that decides) adds to a block of level l when the pair
// meets at k.
struct Additions {
  std::size_t width = 0;            // additions a node, padded with the empty pattern
  std::vector<Addition> of_node{};  // [node][width]
};

template <class Count>
struct RowTables {
  const AlgebraicRouting* routing;
  std::vector<std::uint32_t> rows;         // of a block, by level
  std::vector<std::vector<Additions>> at;  // [l][k]
  std::vector<Row<Count>> patterns;        // number 0 is empty
  std::uint64_t other_side = 0;            // no cable of the deciding end carries more
};

// The position of offset `o` of a block of level l if digit `inner` varies fastest. Digits are q(i)
// mod w(i+1) for i < l, and q(l).
std::vector<std::uint32_t> layout(const PathSpace& space, unsigned l, unsigned inner,
                                  std::uint32_t lanes) {
  std::vector<std::uint32_t> dims;
  for (unsigned i = 0; i < l; ++i) dims.push_back(space.shape().w[i]);
  dims.push_back(space.u(l + 1));
  const std::uint32_t padded = (dims[inner] + lanes - 1) / lanes * lanes;
  std::vector<std::uint32_t> place(space.C(l));
  for (std::uint32_t o = 0; o < place.size(); ++o) {
    std::uint32_t rest = o;
    std::uint32_t digit = 0;
    std::uint32_t outer = 0;
    std::uint32_t scale = 1;
    for (unsigned i = l + 1; i-- > 0;) {
      const std::uint32_t value = rest % dims[i];
      rest /= dims[i];
      if (i == inner) {
        digit = value;
      } else {
        outer += value * scale;
        scale *= dims[i];
      }
    }
    place[o] = outer * padded + digit;
  }
  return place;
}

template <class Count>
class Builder {
 public:
  explicit Builder(const AlgebraicRouting& routing) : routing_(routing), space_(routing.space()) {
    tables_.routing = &routing;
    number_of_[Row<Count>{}] = 0;
    tables_.patterns.push_back({});
  }

  // False if something does not fit 16-bit numbers.
  bool build() {
    const unsigned h = space_.height();
    tables_.rows.resize(h);
    tables_.at.resize(h);
    for (unsigned l = 0; l < h; ++l) {
      const std::vector<std::uint32_t> place = best_layout(l);
      tables_.rows[l] = *std::max_element(place.begin(), place.end()) / kLanes + 1;
      if (tables_.rows[l] > 0xffffU) return false;
      tables_.at[l].resize(h + 1);
      for (unsigned k = l + 1; k <= h; ++k) {
        tables_.at[l][k] = additions(l, k, place);
        if (tables_.patterns.size() > 0xffffU) return false;
      }
      bound_other_side(l);
    }
    return true;
  }
  RowTables<Count> take() { return std::move(tables_); }

 private:
  static constexpr std::uint32_t kLanes = 16 / sizeof(Count);
  using Block = std::map<std::uint32_t, Row<Count>>;  // by row

  bool by_source() const { return routing_.depends_on() == DependsOn::kSource; }

  // Paths of `node` as the deciding end when the pair meets at level k.
  std::vector<PathIndex> paths_of(std::uint32_t node, unsigned k) const {
    // Any partner in a sibling sub-tree of height k-1 will do.
    const std::uint32_t inside = node % space_.M(k);
    const std::uint32_t base = node - inside;
    const std::uint32_t partner = base + (inside + space_.M(k - 1)) % space_.M(k);
    return by_source() ? routing_.paths(node, partner) : routing_.paths(partner, node);
  }
  bool meets(unsigned k) const { return space_.M(k) > space_.M(k - 1); }

  Block block_of(std::uint32_t node, unsigned k, unsigned l,
                 const std::vector<std::uint32_t>& place) const {
    Block block;
    const std::uint64_t weight = routing_.units_in_one() / routing_.num_paths(k);
    constexpr std::uint64_t kMost = std::numeric_limits<Count>::max();
    for (const PathIndex t : paths_of(node, k)) {
      const std::uint32_t at = place[space_.offset(k, t, l)];
      Row<Count>& row = block.try_emplace(at / kLanes, Row<Count>{}).first->second;
      row.lane[at % kLanes] = static_cast<Count>(std::min(kMost, row.lane[at % kLanes] + weight));
    }
    return block;
  }

  std::vector<std::uint32_t> best_layout(unsigned l) const {
    std::vector<std::uint32_t> best;
    std::size_t fewest = 0;
    for (unsigned inner = l + 1; inner-- > 0;) {
      std::vector<std::uint32_t> place = layout(space_, l, inner, kLanes);
      std::size_t rows = *std::max_element(place.begin(), place.end()) / kLanes / 8;  // to zero
      const std::uint32_t step = std::max(1U, space_.nodes() / 64);
      for (std::uint32_t node = 0; meets(space_.height()) && node < space_.nodes(); node += step) {
        rows += block_of(node, space_.height(), l, place).size();
      }
      if (best.empty() || rows < fewest) {
        best = std::move(place);
        fewest = rows;
      }
    }
    return best;
  }

  Additions additions(unsigned l, unsigned k, const std::vector<std::uint32_t>& place) {
    Additions result;
    if (!meets(k)) return result;
    std::vector<Block> blocks(space_.nodes());
    for (std::uint32_t node = 0; node < space_.nodes(); ++node) {
      blocks[node] = block_of(node, k, l, place);
      result.width = std::max(result.width, blocks[node].size());
    }
    result.of_node.resize(result.width * space_.nodes());
    for (std::uint32_t node = 0; node < space_.nodes(); ++node) {
      std::size_t at = node * result.width;
      for (const auto& [row, pattern] : blocks[node]) {
        const auto number = number_of_.try_emplace(pattern, tables_.patterns.size()).first->second;
        if (number == tables_.patterns.size()) tables_.patterns.push_back(pattern);
        result.of_node[at++] = {static_cast<std::uint16_t>(row),
                                static_cast<std::uint16_t>(number)};
      }
    }
    return result;
  }

  // The sum over the nodes of a block of the most that each can add to one of its cables, at any k.
  void bound_other_side(unsigned l) {
    const std::uint32_t size = space_.M(l);
    std::vector<std::uint64_t> sum(std::size_t{tables_.rows[l]} * kLanes);
    std::vector<std::uint64_t> most(sum.size());
    for (std::uint32_t first = 0; first < space_.nodes(); first += size) {
      std::fill(sum.begin(), sum.end(), 0);
      for (std::uint32_t node = first; node < first + size; ++node) {
        std::fill(most.begin(), most.end(), 0);
        for (const Additions& additions : tables_.at[l]) {
          for (std::size_t i = 0; i < additions.width; ++i) {
            const Addition& add = additions.of_node[node * additions.width + i];
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
              std::uint64_t& value = most[add.row * std::size_t{kLanes} + lane];
              value = std::max<std::uint64_t>(value, tables_.patterns[add.pattern].lane[lane]);
            }
          }
        }
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += most[i];
      }
      tables_.other_side = std::max(tables_.other_side, *std::max_element(sum.begin(), sum.end()));
    }
  }

  const AlgebraicRouting& routing_;
  const PathSpace& space_;
  RowTables<Count> tables_;
  std::map<Row<Count>, std::size_t> number_of_;
};

// Which number selects the rows: that of the partner (the end across the tree), or that of the
// block's own node.
enum class Decides { kPartner, kOwn };

template <class Count>
class RowKernel : public PermutationLoad {
 public:
  explicit RowKernel(std::shared_ptr<const RowTables<Count>> tables)
      : tables_(std::move(tables)),
        space_(tables_->routing->space()),
        inverse_(space_.nodes()),
        exact_(pair_kernel(*tables_->routing)) {
    counters_.resize(*std::max_element(tables_->rows.begin(), tables_->rows.end()));
  }

  std::uint64_t units_in_one() const override { return tables_->routing->units_in_one(); }
  std::uint64_t max_load(std::span<const std::uint32_t> destination_of) override {
    if (is_silent(destination_of)) return 0;
    const bool by_source = tables_->routing->depends_on() == DependsOn::kSource;
    if (by_source) invert(destination_of);
    const std::span<const std::uint32_t> varying = by_source ? inverse_ : destination_of;
    std::uint64_t most = all_levels<Decides::kPartner>(varying);
    if (most < tables_->other_side) {
      if (!by_source) invert(destination_of);
      most = std::max(most, all_levels<Decides::kOwn>(by_source ? destination_of : inverse_));
    }
    if (most == std::numeric_limits<Count>::max()) return exact_->max_load(destination_of);
    return most;
  }
  std::unique_ptr<PermutationLoad> clone() const override {
    return std::make_unique<RowKernel>(tables_);
  }

 private:
  static bool is_silent(std::span<const std::uint32_t> destination_of) {
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      if (destination_of[s] != s) return false;
    }
    return true;
  }
  void invert(std::span<const std::uint32_t> destination_of) {
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) inverse_[destination_of[s]] = s;
  }

  template <Decides decides>
  std::uint64_t all_levels(std::span<const std::uint32_t> partner) {
    // With one port per node, the channels of nodes carry 1, and there is nothing to count.
    const bool one_port = space_.u(1) == 1;
    std::uint64_t most = one_port ? units_in_one() : 0;
    for (unsigned l = one_port ? 1 : 0; l < space_.height(); ++l) {
      const bool single = tables_->at[l][space_.height()].width == 1;
      const bool one_row = tables_->rows[l] == 1;
      most = std::max<std::uint64_t>(most,
                                     single ? (one_row ? level<decides, true, true>(l, partner)
                                                       : level<decides, true, false>(l, partner))
                                            : (one_row ? level<decides, false, true>(l, partner)
                                                       : level<decides, false, false>(l, partner)));
    }
    return most;
  }

  template <Decides decides, bool single, bool one_row>
  Count level(unsigned l, std::span<const std::uint32_t> partner) {
    const unsigned h = space_.height();
    const std::uint32_t size = space_.M(l);
    const std::uint32_t far_size = space_.M(h - 1);
    const Additions& far = tables_->at[l][h];
    const Addition* far_additions = far.of_node.data();
    const Row<Count>* patterns = tables_->patterns.data();
    Row<Count>* rows = counters_.data();
    const std::uint32_t num_rows = tables_->rows[l];
    Row<Count> most{};
    for (std::uint32_t first = 0; first < partner.size(); first += size) {
      const std::uint32_t far_first = first - first % far_size;
      Row<Count> only{};  // the counters when there is one row
      if constexpr (!one_row) std::fill_n(rows, num_rows, Row<Count>{});
      const auto put = [&](const Addition& addition) {
        const Row<Count> pattern = patterns[addition.pattern];
        if constexpr (one_row) {
          only = sum(only, pattern);
        } else {
          rows[addition.row] = sum(rows[addition.row], pattern);
        }
      };
      for (std::uint32_t own = first; own < first + size; ++own) {
        const std::uint32_t other = partner[own];
        const std::uint32_t key = decides == Decides::kPartner ? other : own;
        if (other - far_first >= far_size) [[likely]] {  // they meet at the top
          if constexpr (single) {
            put(far_additions[key]);
          } else {
            const Addition* at = far_additions + std::size_t{key} * far.width;
            for (std::size_t i = 0; i < far.width; ++i) put(at[i]);
          }
        } else if (other - first >= size) {
          const Additions& near = tables_->at[l][space_.common_level(own, other)];
          const Addition* at = near.of_node.data() + std::size_t{key} * near.width;
          for (std::size_t i = 0; i < near.width; ++i) put(at[i]);
        }
      }
      if constexpr (one_row) {
        most = largest(most, only);
      } else {
        for (std::uint32_t r = 0; r < num_rows; ++r) most = largest(most, rows[r]);
      }
    }
    Count result = 0;
    for (std::size_t i = 0; i < 16 / sizeof(Count); ++i) {
      result = std::max<Count>(result, most.lane[i]);
    }
    return result;
  }

  std::shared_ptr<const RowTables<Count>> tables_;
  const PathSpace& space_;
  std::vector<std::uint32_t> inverse_;
  std::vector<Row<Count>> counters_;
  std::unique_ptr<PermutationLoad> exact_;
};

template <class Count>
std::unique_ptr<PermutationLoad> make(const AlgebraicRouting& routing) {
  Builder<Count> builder(routing);
  if (!builder.build()) return nullptr;
  return std::make_unique<RowKernel<Count>>(
      std::make_shared<const RowTables<Count>>(builder.take()));
}

}  // namespace

std::unique_ptr<PermutationLoad> row_kernel(const AlgebraicRouting& routing) {
  if (routing.depends_on() == DependsOn::kPair) return nullptr;
  // Room for the loads that are usual; more is counted again, exactly.
  constexpr std::uint32_t kUsual = 12;
  const std::uint32_t units = routing.units_in_one();
  if (units <= 255 / kUsual) return make<std::uint8_t>(routing);
  if (units <= 65535 / kUsual) return make<std::uint16_t>(routing);
  return nullptr;
}

}  // namespace fatwood
