// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/quick_engine.hpp"

#include <algorithm>

#include "tasks/recommend.hpp"
#include "topology/graph/link_graph.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

namespace {

// For 10,000 hosts; the rest of ten seconds is for reading the file and recognising its shape.
constexpr double kSeconds = 8;
constexpr double kHosts = 10'000;
constexpr double kNano = 1e-9;

struct Counts {
  double switches, links, destinations;
  double entries;      // of tables
  double unconnected;  // share of leaf pairs without a common ancestor; 1 without levels
  bool complete;       // a tree that even does not change for jobs
};

Counts count(const Model& model) {
  const Fabric& fabric = model.fabric();
  const Levels& levels = model.levels();
  Counts counts{.switches = static_cast<double>(fabric.num_switches()),
                .links = static_cast<double>(model.link_graph().size()),
                .destinations = static_cast<double>(fabric.num_terminals()),
                .entries = 0,
                .unconnected = 1,
                .complete = model.complete_tree().has_value() && model.speeds().uniform()};
  counts.destinations += counts.switches;
  counts.entries = counts.destinations * counts.switches;
  if (levels.is_tree()) {
    counts.unconnected = static_cast<double>(levels.disconnected_pairs) /
                         std::max(1.0, static_cast<double>(levels.pairs_seen));
  }
  return counts;
}

// Rows without an up*/down* path to their destination are mended, link by link.
double sftree_seconds(const Counts& c) {
  return kNano * c.destinations * c.links * (2 + 18 * c.unconnected);
}

// With --effort quick: up to 16 ports, and 48 prices of windows, are looked at for each entry
// (even.cpp).
double even_seconds(const Counts& c) {
  return sftree_seconds(c) + kNano * (c.complete ? 128 : 368) * c.entries;
}

// Up to eight rounds (nue.cpp). A new dependency is searched among links, more of them the more
// links there are.
double nue_seconds(const Counts& c) {
  const double looks = c.destinations * c.links;
  const double rounds = std::clamp((1U << 25U) / std::max(looks, 1.0), 1.0, 8.0);
  return kNano * looks * rounds * (100 + 0.4 * c.links);
}

double seconds_of(std::string_view engine, const Counts& c) {
  const double rest = kNano * 30 * c.entries;  // proof and rates
  if (engine == "even") return rest + even_seconds(c);
  if (engine == "sftree") return rest + sftree_seconds(c);
  return rest + nue_seconds(c);
}

}  // namespace

QuickEngine quick_engine(const Model& model) {
  const Counts counts = count(model);
  const double hosts = static_cast<double>(model.fabric().num_terminals());
  const double limit = kSeconds * std::max(1.0, hosts / kHosts);
  const std::string_view best = default_engine(model);
  if (seconds_of(best, counts) <= limit) return {best, ""};
  const bool sftree = model.levels().is_tree() && seconds_of("sftree", counts) <= limit;
  return {sftree ? "sftree" : "updn+", best};
}

}  // namespace fatwood
