// SPDX-License-Identifier: BSD-3-Clause
// Fair rates of permutations under algebraic routings with one path per pair that depends on one
// end.
//
// Column j of a flow's path is a level and a direction. Its channel is base[other end][j] +
// offset[level at which they meet][deciding end][j]: two loads and an addition. Cables on the side
// of the deciding end have base 0. If no two nodes share one of them (d-mod-k downwards on complete
// trees), a permutation loads each at most once, and they need no column.

#include <algorithm>
#include <vector>

#include "analysis/permutations/permutation_rates.hpp"
#include "analysis/rates/progressive_filling.hpp"

namespace fatwood {
namespace {

struct Column {
  unsigned level;  // of the lower end
  bool own_side;
};

template <class Small>
struct AlgebraicRows {
  const AlgebraicRouting* routing;
  std::vector<Column> columns;
  std::size_t channels = 0;
  std::vector<Small> base;                  // [node][column]
  std::vector<std::vector<Small>> offsets;  // by level: [node][column]
};

bool by_source(const AlgebraicRouting& routing) {
  return routing.depends_on() == DependsOn::kSource;
}

// The path of `node` as the deciding end when the pair meets at level k. REQUIRES pairs that do.
PathIndex path_of(const AlgebraicRouting& routing, std::uint32_t node, unsigned k) {
  const PathSpace& space = routing.space();
  // Any partner in a sibling sub-tree of height k-1 will do.
  const std::uint32_t inside = node % space.M(k);
  const std::uint32_t partner = node - inside + (inside + space.M(k - 1)) % space.M(k);
  return by_source(routing) ? routing.paths(node, partner)[0] : routing.paths(partner, node)[0];
}

bool meets(const PathSpace& space, unsigned k) { return space.M(k) > space.M(k - 1); }

std::uint32_t own_cable(const AlgebraicRouting& routing, std::uint32_t node, unsigned k,
                        unsigned l) {
  const PathSpace& space = routing.space();
  return node / space.M(l) * space.C(l) + space.offset(k, path_of(routing, node, k), l);
}

// Whether two nodes can use one cable of the level on their own side.
bool own_side_shared(const AlgebraicRouting& routing, unsigned l) {
  const PathSpace& space = routing.space();
  std::vector<std::uint32_t> user(space.cables(l), 0);  // plus 1
  for (std::uint32_t node = 0; node < space.nodes(); ++node) {
    for (unsigned k = l + 1; k <= space.height(); ++k) {
      if (!meets(space, k)) continue;
      std::uint32_t& at = user[own_cable(routing, node, k, l)];
      if (at != 0 && at != node + 1) return true;
      at = node + 1;
    }
  }
  return false;
}

std::vector<Column> columns_of(const AlgebraicRouting& routing) {
  std::vector<Column> columns;
  for (unsigned l = 1; l < routing.space().height(); ++l) {
    columns.push_back({l, false});
    if (own_side_shared(routing, l)) columns.push_back({l, true});
  }
  return columns;
}

std::size_t channels_of(const PathSpace& space, const std::vector<Column>& columns) {
  std::size_t channels = 0;
  for (const Column& column : columns) channels += space.cables(column.level);
  return channels;
}

template <class Small>
AlgebraicRows<Small> algebraic_tables(const AlgebraicRouting& routing,
                                      const std::vector<Column>& columns) {
  const PathSpace& space = routing.space();
  const std::size_t width = columns.size();
  AlgebraicRows<Small> tables{&routing, columns, channels_of(space, columns), {}, {}};
  tables.base.resize(space.nodes() * width);
  tables.offsets.resize(space.height() + 1);
  for (unsigned k = 1; k <= space.height(); ++k) {
    if (meets(space, k)) tables.offsets[k].resize(space.nodes() * width);
  }
  std::size_t first = 1;  // channel of the column's cable 0
  for (std::size_t j = 0; j < width; ++j) {
    const auto [l, own_side] = columns[j];
    for (std::uint32_t node = 0; node < space.nodes(); ++node) {
      if (!own_side) {
        tables.base[node * width + j] =
            static_cast<Small>(first + std::size_t{node / space.M(l)} * space.C(l));
      }
      for (unsigned k = l + 1; k <= space.height(); ++k) {
        if (!meets(space, k)) continue;
        tables.offsets[k][node * width + j] =
            static_cast<Small>(own_side ? first + own_cable(routing, node, k, l)
                                        : space.offset(k, path_of(routing, node, k), l));
      }
    }
    first += space.cables(l);
  }
  return tables;
}

template <class Small>
class ClosedRates : public PermutationRates {
 public:
  explicit ClosedRates(std::shared_ptr<const AlgebraicRows<Small>> tables)
      : tables_(std::move(tables)),
        space_(tables_->routing->space()),
        filling_(tables_->channels, space_.nodes(),
                 static_cast<unsigned>(tables_->columns.size())) {}

  std::span<const double> solve(std::span<const std::uint32_t> destination_of) override {
    silent_.clear();
    const bool source = by_source(*tables_->routing);
    with_width(filling_.width(), [&]<unsigned kWidth>() {
      source ? fill<kWidth, true>(destination_of) : fill<kWidth, false>(destination_of);
    });
    const std::span<double> rates = filling_.solve();
    for (const std::uint32_t s : silent_) rates[s] = 0;
    return rates;
  }
  std::unique_ptr<PermutationRates> clone() const override {
    return std::make_unique<ClosedRates>(tables_);
  }

 private:
  template <unsigned kWidth, bool source>
  void fill(std::span<const std::uint32_t> destination_of) {
    const std::size_t width = kWidth == 0 ? filling_.width() : kWidth;
    const std::uint32_t far_size = space_.M(space_.height() - 1);
    const Small* base = tables_->base.data();
    const Small* far = tables_->offsets[space_.height()].data();
    Small* count = filling_.clear_counts();
    Small* path = filling_.path();
    for (std::uint32_t first = 0; first < destination_of.size(); first += far_size) {
      for (std::uint32_t s = first; s < first + far_size; ++s, path += width) {
        const std::uint32_t d = destination_of[s];
        if (d - first < far_size) [[unlikely]] {  // they meet below the top
          fill_near(s, d, path, count);
          continue;
        }
        const Small* at_base = base + (source ? d : s) * width;
        const Small* at_offset = far + (source ? s : d) * width;
        for (std::size_t j = 0; j < width; ++j) {
          const auto channel = static_cast<Small>(at_base[j] + at_offset[j]);
          path[j] = channel;
          ++count[channel];
        }
      }
    }
  }

  void fill_near(std::uint32_t s, std::uint32_t d, Small* path, Small* count) {
    const std::size_t width = tables_->columns.size();
    if (s == d) silent_.push_back(s);
    const unsigned k = space_.common_level(s, d);
    const bool source = by_source(*tables_->routing);
    for (std::size_t j = 0; j < width; ++j) {
      path[j] = 0;
      if (tables_->columns[j].level >= k) continue;
      path[j] = static_cast<Small>(tables_->base[(source ? d : s) * width + j] +
                                   tables_->offsets[k][(source ? s : d) * width + j]);
      ++count[path[j]];
    }
  }

  std::shared_ptr<const AlgebraicRows<Small>> tables_;
  const PathSpace& space_;
  ProgressiveFilling<Small> filling_;
  std::vector<std::uint32_t> silent_;
};

template <class Small>
std::unique_ptr<PermutationRates> make(const AlgebraicRouting& routing,
                                       const std::vector<Column>& columns) {
  return std::make_unique<ClosedRates<Small>>(
      std::make_shared<const AlgebraicRows<Small>>(algebraic_tables<Small>(routing, columns)));
}

}  // namespace

std::unique_ptr<PermutationRates> algebraic_rates(const AlgebraicRouting& routing) {
  if (routing.depends_on() == DependsOn::kPair || routing.units_in_one() != 1) return nullptr;
  const std::vector<Column> columns = columns_of(routing);
  const std::size_t most =
      std::max<std::size_t>(channels_of(routing.space(), columns), routing.space().nodes());
  if (most >= 0xffffffffU) return nullptr;
  return most < 0xffffU ? make<std::uint16_t>(routing, columns)
                        : make<std::uint32_t>(routing, columns);
}

}  // namespace fatwood
