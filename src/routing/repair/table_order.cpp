// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/table_order.hpp"

#include <limits>

namespace fatwood {

namespace {

Layer layer_by_levels(const Model& model, const LinkGraph& links) {
  return {links, positions_from_step(link_steps(links, height_above_hosts(model)), 0),
          std::numeric_limits<std::size_t>::max()};
}

}  // namespace

TableOrder::TableOrder(const Model& model, const DependencyCounts& dependencies)
    : links_(&model.link_graph()), order_(layer_by_levels(model, *links_)) {
  for (const Link a : ids<Link>(links_->size())) {
    const Switch next{links_->to[a]};
    const Port arrival = model.hop_map().at(links_->from[a], links_->port[a]).arrival();
    const std::span<const std::uint32_t> rows = dependencies.after(next, arrival);
    for (const Link b : links_->of(index(next))) {
      if (rows[index(links_->port[b])] != 0) free_ = order_.add(a, b) && free_;
    }
  }
  order_.commit();
}

}  // namespace fatwood
