// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/table_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

// Dependencies as bits: of each link, which of the links of the next switch.
struct DependencyBits {
  std::size_t words;
  std::vector<std::uint64_t> bits;

  void add(const LinkGraph& links, Link a, Link b) {
    const std::uint32_t place = links.place(b);
    std::uint64_t& word = bits[index(a) * words + place / 64];
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    if ((word & bit) == 0) word |= bit;  // most are there already: keep the line clean
  }
};

DependencyBits dependency_bits(const Model& model, const LinkGraph& links,
                               const ForwardingTables& tables, int threads) {
  std::uint32_t most = 1;
  for (std::uint32_t s = 0; s < links.switches; ++s) most = std::max(most, links.of(s).size());
  const std::size_t words = (most + 63) / 64;
  std::vector<DependencyBits> parts(static_cast<std::size_t>(thread_count(threads)),
                                    {words, std::vector<std::uint64_t>(links.links() * words)});
  const HopMap& map = model.hop_map();
  parallel_for(
      tables.num_destinations(), threads,
      [&](std::size_t i, int thread) {
        const auto row = tables.row(static_cast<Destination>(i));
        for (std::uint32_t s = 0; s < row.size(); ++s) {
          const Hop hop = map.at(s, row[s]);
          if (!hop.to_switch() || !map.at(hop.next(), row[hop.next()]).to_switch()) continue;
          parts[static_cast<std::size_t>(thread)].add(links, links.link(s, row[s]),
                                                      links.link(hop.next(), row[hop.next()]));
        }
      },
      16);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    for (std::size_t w = 0; w < parts[i].bits.size(); ++w) parts[0].bits[w] |= parts[i].bits[w];
  }
  return std::move(parts.front());
}

Layer layer_by_levels(const Model& model, const LinkGraph& links) {
  return {links, positions_from_step(link_steps(links, height_above_hosts(model, links)), 0),
          std::numeric_limits<std::size_t>::max()};
}

}  // namespace

TableOrder::TableOrder(const Model& model, const ForwardingTables& tables, int threads)
    : links_(std::make_shared<const LinkGraph>(link_graph(model.fabric(), model.port_graph()))),
      order_(layer_by_levels(model, *links_)) {
  const DependencyBits found = dependency_bits(model, *links_, tables, threads);
  for (const Link a : ids<Link>(links_->links())) {
    const IdRange<Link> further = links_->of(links_->to[a]);
    for (std::size_t w = 0; w < found.words; ++w) {
      std::uint64_t bits = found.bits[index(a) * found.words + w];
      for (; bits != 0; bits &= bits - 1) {
        const auto place =
            static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
        free_ = order_.add(a, further[place]) && free_;
      }
    }
  }
  order_.keep();
}

}  // namespace fatwood
