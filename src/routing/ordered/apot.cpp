// SPDX-License-Identifier: BSD-3-Clause
#include "routing/ordered/apot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "routing/engine_list.hpp"

namespace fatwood {

namespace {

constexpr Link kNoLink = kNone<Link>;

// Appends the path to the next switch. `back` gives the link by which a path reaches its end,
// repeatedly until kNoLink.
template <class Back>
void append_path(OrderedPaths& paths, const Back& back) {
  const auto begin = static_cast<std::ptrdiff_t>(paths.links.size());
  for (Link link = back(); link != kNoLink; link = back()) paths.links.push_back(link);
  std::reverse(paths.links.begin() + begin, paths.links.end());
  paths.first.push_back(static_cast<std::uint32_t>(paths.links.size()));
}

struct Stop {
  Link link;             // by which it was reached; kNoLink at the source
  std::uint32_t before;  // state it came from
};

using Form = OrderedPaths (*)(const OrderedLinks&, std::uint32_t);

Routing route_pairs(const Model& model, const RouteOptions& options, Form form,
                    std::string_view engine) {
  const Fabric& fabric = model.fabric();
  const OrderedLinks links = order_links(fabric, LinkOrder::kBySweep);
  std::vector<OrderedPaths> from(links.switches);
  parallel_for(links.switches, options.threads,
               [&](std::size_t s, int) { from[s] = form(links, static_cast<std::uint32_t>(s)); });
  std::size_t total = 0;
  for (const OrderedPaths& paths : from) total += paths.links.size();
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(fmt::format("{}: the routes of all pairs have more than 2^32 hops", engine));
  }
  SourceRoutes routes;
  routes.switches = links.switches;
  routes.channels.reserve(total);
  routes.first.reserve(std::size_t{links.switches} * links.switches + 1);
  routes.first.push_back(0);
  for (OrderedPaths& paths : from) {
    for (std::uint32_t d = 0; d < links.switches; ++d) {
      for (std::uint32_t i = paths.first[d]; i < paths.first[d + 1]; ++i) {
        const Link link = paths.links[i];
        routes.channels.push_back(
            fabric.channel(fabric.node(static_cast<Switch>(links.from[link])), links.port[link]));
      }
      routes.first.push_back(static_cast<std::uint32_t>(routes.channels.size()));
    }
    paths = {};
  }
  return {.source_routes = std::move(routes)};
}

}  // namespace

OrderedPaths apot_by_heap(const OrderedLinks& links, std::uint32_t source) {
  constexpr std::uint32_t kNoState = 0xffffffffU;
  // (distance, layer, switch, link, state before): equal ones are taken by number.
  using Entry = std::tuple<std::uint16_t, std::uint8_t, std::uint32_t, Link, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::vector<Stop> states;
  std::vector<std::uint32_t> first_state(links.switches, kNoState);
  std::vector<std::uint16_t> lowest(links.switches, 256);  // layer seen at a switch
  OrderedPaths paths;
  paths.distance.assign(links.switches, kNoDistance);
  heap.emplace(0, 0, source, kNoLink, kNoState);
  while (!heap.empty()) {
    const auto [distance, layer, s, link, before] = heap.top();
    heap.pop();
    if (layer >= lowest[s]) continue;
    const auto state = static_cast<std::uint32_t>(states.size());
    states.push_back({link, before});
    if (first_state[s] == kNoState) {
      first_state[s] = state;
      paths.distance[s] = distance;
    }
    for (const Link out : links.of(s)) {
      const std::uint8_t next = links.layer[out];
      if (next < layer) continue;
      if (next >= lowest[s]) break;  // links are in order of layers
      if (next >= lowest[links.to[out]]) continue;
      heap.emplace(distance + 1, next, links.to[out], out, state);
    }
    lowest[s] = layer;
  }
  paths.first.push_back(0);
  for (std::uint32_t d = 0; d < links.switches; ++d) {
    std::uint32_t state = first_state[d];
    append_path(paths, [&] {
      if (state == kNoState) return kNoLink;
      const Stop at = states[state];
      state = at.before;
      return at.link;
    });
  }
  return paths;
}

OrderedPaths apot_by_matrix(const OrderedLinks& links, std::uint32_t source) {
  const std::size_t m = links.layers + 1;  // layer 0: no link taken yet
  // q[j * m + k]: the shortest so far to j with the last link in layer k or below.
  std::vector<std::uint16_t> q(links.switches * m, kNoDistance);
  std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(source * m), m, std::uint16_t{0});
  std::vector<std::uint16_t> p = q;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Link link : ids<Link>(links.size())) {
      const std::uint8_t h = links.layer[link];
      const std::uint16_t so_far = q[links.from[link] * m + h];
      if (so_far == kNoDistance) continue;
      std::uint16_t& entry = p[links.to[link] * m + h];
      entry = std::min(entry, static_cast<std::uint16_t>(so_far + 1));
    }
    for (std::size_t j = 0; j < links.switches; ++j) {
      for (std::size_t k = 1; k < m; ++k) {
        p[j * m + k] = std::min(p[j * m + k], p[j * m + k - 1]);
      }
    }
    if (p != q) {
      q = p;
      changed = true;
    }
  }
  OrderedPaths paths;
  paths.first.push_back(0);
  for (std::uint32_t d = 0; d < links.switches; ++d) {
    paths.distance.push_back(q[d * m + m - 1]);
    std::uint32_t at = paths.distance[d] == kNoDistance ? source : d;
    std::size_t layer = m - 1;
    append_path(paths, [&] {
      if (at == source) return kNoLink;
      const std::uint16_t left = q[at * m + layer];
      while (q[at * m + layer - 1] == left) --layer;  // the lowest that is as short
      Link link = links.first[at];
      // Into `at` by a link of that layer, from where the rest is one shorter.
      while (links.layer[link] != layer || q[links.to[link] * m + layer] + 1 != left) {
        link = static_cast<Link>(index(link) + 1);
      }
      at = links.to[link];
      return links.reverse[link];
    });
  }
  return paths;
}

Routing route_apot(const Model& model, const RouteOptions& options) {
  return route_pairs(model, options, apot_by_heap, "apot");
}
Routing route_apot_matrix(const Model& model, const RouteOptions& options) {
  return route_pairs(model, options, apot_by_matrix, "apot-matrix");
}

}  // namespace fatwood
