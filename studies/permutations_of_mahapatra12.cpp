// SPDX-License-Identifier: BSD-3-Clause
// [Mahapatra12], Figure 4 a-d: mean largest load of random permutations by the number of paths K,
// on the six trees of its section 5. A random routing is averaged over five seeds, as there.
//
// The figure's values are not printed; what is known of it are the mean of d-mod-k on the largest
// tree and the 1 that K = all must reach.

#include <fmt/format.h>

#include <map>

#include "io/fabric/spec.hpp"
#include "studies/study.hpp"
#include "studies/tree_points.hpp"

namespace fatwood {

namespace {

constexpr double kDmodkOnLargest = 5.93;  // Fig. 4 d

struct PermutedTree {
  const char* spec;
  unsigned levels;
  std::uint32_t paths;  // the most a pair has
};
constexpr PermutedTree kTrees[] = {
    {"xgft(2;4,8;1,4)", 2, 4},       {"xgft(2;8,16;1,8)", 2, 8},
    {"xgft(2;12,24;1,12)", 2, 12},   {"xgft(3;4,4,8;1,4,4)", 3, 16},
    {"xgft(3;8,8,16;1,8,8)", 3, 64}, {"xgft(3;12,12,24;1,12,12)", 3, 144}};

struct PermutedCase {
  PermutedTree tree;
  std::string heuristic;  // "dmodk", "shift1", ..
  std::uint32_t K;

  std::string routing() const {
    return heuristic == "dmodk" ? heuristic : fmt::format("{}:{}", heuristic, K);
  }
};

// Of the 144 on the largest tree all up to 16 and every 24th beyond, where lines are flat:
// random(K) costs up to a minute a point. Quick: on the larger trees powers of two, on the largest
// up to 8.
bool measured(const StudyContext& context, const PermutedTree& tree, std::uint32_t K) {
  if (tree.paths <= 16) return true;
  if (!context.quick()) return tree.paths < 144 || K <= 16 || K % 24 == 0;
  return (K & (K - 1)) == 0 && (tree.paths < 144 || K <= 8);
}

std::vector<PermutedCase> permuted_cases(const StudyContext& context) {
  std::vector<PermutedCase> all;
  for (const PermutedTree& tree : kTrees) {
    all.push_back({tree, "dmodk", 1});
    for (const char* heuristic : {"shift1", "random", "disjoint"}) {
      for (std::uint32_t K = 1; K <= tree.paths; ++K) {
        if (measured(context, tree, K)) all.push_back({tree, heuristic, K});
      }
    }
  }
  return all;
}

StudyPoint mean_load(const PermutedCase& c, const StudyContext& context) {
  const Fabric fabric = make_fabric(c.tree.spec);
  const Model model(fabric);
  const std::string routing = c.routing();
  const unsigned seeds = find_algebraic(routing)->seeded ? (context.quick() ? 2 : 5) : 1;
  std::vector<PermutationStudy> parts;
  for (unsigned i = 0; i < seeds; ++i) {
    const auto paths = algebraic(fabric, routing, context.seed + i);
    parts.push_back(permutation_study(*permutation_load(model, *paths), paths->num_adapters(),
                                      {.seed = context.seed + i,
                                       .first_samples = context.quick() ? 200U : 1000U,
                                       .width = context.quick() ? 0.03 : 0.01,
                                       .threads = context.threads}));
  }
  const PermutationStudy study = average(parts);
  return {.numbers = {{"mean", study.mean},
                      {"half_width", study.half_width},
                      {"samples", static_cast<double>(study.samples)}}};
}

using Means = std::map<std::string, std::map<std::uint32_t, double>>;  // by heuristic and K

// On how many K between 1 and all of three-level trees disjoint < random < shift-1.
struct Order {
  std::size_t both = 0, disjoint_first = 0, all = 0;
  double gap_on_two_levels = 0;  // shift-1 and disjoint
};
void compare(const PermutedTree& tree, const Means& means, Order& order) {
  for (const auto& [K, disjoint] : means.at("disjoint")) {
    const double shift = means.at("shift1").at(K);
    const double random = means.at("random").at(K);
    if (tree.levels == 2) {
      order.gap_on_two_levels = std::max(order.gap_on_two_levels, std::abs(shift - disjoint));
    } else if (K > 1 && K < tree.paths) {
      ++order.all;
      if (disjoint < random) ++order.disjoint_first;
      if (disjoint < random && random < shift) ++order.both;
    }
  }
}

}  // namespace

StudyResult run_permutations_of_mahapatra12(const StudyContext& context) {
  const std::vector<PermutedCase> all = permuted_cases(context);
  std::vector<PointTask> tasks;
  for (const PermutedCase& c : all) {
    tasks.push_back({fmt::format("{} {} {} seed {}", c.tree.spec, c.routing(),
                                 context.quick() ? "3 percent" : "1 percent", context.seed),
                     [&] { return mean_load(c, context); }});
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"tree", "routing", "K"},
                     .more_names = {"half width", "samples"}};
  std::map<std::string, Means> means;
  bool ends_at_one = true;
  double largest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PermutedCase& c = all[i];
    const double mean = points[i].number("mean");
    const bool of_largest = c.tree.paths == 144 && c.heuristic == "dmodk";
    const bool whole = c.K == c.tree.paths && c.heuristic != "dmodk";
    if (of_largest) largest = mean;
    if (whole) ends_at_one = ends_at_one && mean == 1;
    result.rows.push_back({.labels = {c.tree.spec, c.heuristic, std::to_string(c.K)},
                           .published = of_largest ? StudyValue(kDmodkOnLargest)
                                        : whole    ? StudyValue(1.0)
                                                   : StudyValue(),
                           .ours = mean,
                           .more = {points[i].number("half_width"), points[i].number("samples")},
                           .seconds = points[i].seconds});
    means[c.tree.spec][c.heuristic][c.K] = mean;
  }
  Order order;
  for (const PermutedTree& tree : kTrees) {
    compare(tree, means[tree.spec], order);
    PlotPanel panel{.title = tree.spec,
                    .x_label = "K, paths of a pair",
                    .y_label = "mean of the largest load",
                    .lines = {},
                    .x_scale = Scale::kLog2};
    for (const auto& [heuristic, of_K] : means[tree.spec]) {
      PlotLine line{heuristic, {}};
      for (const auto& [K, mean] : of_K) line.points.emplace_back(K, mean);
      panel.lines.push_back(std::move(line));
      if (heuristic == "dmodk" && tree.paths == 144) {
        panel.lines.push_back({"dmodk, published", {{1, kDmodkOnLargest}}, LineKind::kPublished});
      }
    }
    result.panels.push_back(std::move(panel));
  }
  result.verdict =
      verdict_of(order.gap_on_two_levels == 0 && ends_at_one && 2 * order.both > order.all);
  result.finding = fmt::format(
      "On 2 levels shift-1 and disjoint differ by {:.3g} at most; on 3 levels disjoint < random on "
      "{} "
      "of {} K and disjoint < random < shift-1 on {}; all paths {} a load of 1; d-mod-k on the "
      "largest tree has {:.2f}.",
      order.gap_on_two_levels, order.disjoint_first, order.all, order.both,
      ends_at_one ? "give" : "do NOT give", largest);
  return result;
}

}  // namespace fatwood
