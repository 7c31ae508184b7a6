// SPDX-License-Identifier: BSD-3-Clause
// Ours: the exact oblivious ratio of K paths a pair, which nobody has published. [Mahapatra12]
// compares its heuristics under random permutations only; here each has its worst traffic, and
// osrm:K (docs/reference/osrm.md), made for it, is in the same table.

#include <fmt/format.h>

#include "io/fabric/spec.hpp"
#include "studies/study.hpp"
#include "studies/tree_points.hpp"

namespace fatwood {

namespace {

struct Tree {
  const char* spec;
  std::vector<unsigned> paths;
};

std::vector<Tree> trees(const StudyContext& context) {
  std::vector<Tree> all{{"ft(8,2)", {1, 2, 3, 4}},
                        {"ft(16,2)", {1, 2, 3, 4, 5, 6, 7, 8}},
                        {"ft(4,3)", {1, 2, 3, 4}},
                        {"ft(8,3)", {1, 2, 4, 8, 16}}};
  if (!context.quick()) {
    all[3].paths = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    all.push_back({"ft(24,2)", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}});
    all.push_back({"ft(16,3)", {1, 2, 4, 8, 16, 32, 64}});
  }
  return all;
}

}  // namespace

StudyResult run_limited_multipath(const StudyContext& context) {
  const char* const kinds[] = {"osrm", "disjoint", "shift1", "random"};
  const std::vector<Tree> all = trees(context);
  std::vector<PointTask> tasks;
  for (const Tree& tree : all) {
    for (const unsigned K : tree.paths) {
      for (const char* kind : kinds) {
        tasks.push_back(
            {fmt::format("{} {}:{} seed {}", tree.spec, kind, K, context.seed), [=, &context] {
               const Fraction ratio =
                   exact_ratio(make_fabric(tree.spec), fmt::format("{}:{}", kind, K), context.seed,
                               context.threads);
               return StudyPoint{.texts = {{"ratio", ratio.to_string()}}};
             }});
      }
    }
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"tree", "K"},
                     .ours_name = "osrm:K",
                     .more_names = {"disjoint(K)", "shift-1(K)", "random(K)"}};
  std::size_t i = 0;
  std::size_t least = 0;
  std::size_t less = 0;
  double gain = 1;
  std::string where;
  for (const Tree& tree : all) {
    PlotPanel panel{.title = tree.spec,
                    .x_label = "K, paths of a pair",
                    .y_label = "exact oblivious ratio",
                    .lines = {},
                    .x_scale = Scale::kLog2,
                    .y_from = 1};
    for (const char* kind : kinds) panel.lines.push_back({kind, {}});
    for (const unsigned K : tree.paths) {
      std::vector<Fraction> ratio;
      double seconds = 0;
      for (PlotLine& line : panel.lines) {
        ratio.push_back(parse_fraction(points[i].text("ratio")));
        seconds += points[i++].seconds;
        line.points.emplace_back(K, ratio.back().value());
      }
      const Fraction other = std::min({ratio[1], ratio[2], ratio[3]});
      if (ratio[0] <= other) ++least;
      if (ratio[0] < other) ++less;
      if ((other / ratio[0]).value() > gain) {
        gain = (other / ratio[0]).value();
        where = fmt::format("{} at K = {}", tree.spec, K);
      }
      result.rows.push_back({.labels = {tree.spec, std::to_string(K)},
                             .ours = ratio[0],
                             .more = {ratio[1], ratio[2], ratio[3]},
                             .seconds = seconds});
    }
    result.panels.push_back(std::move(panel));
  }
  result.verdict = verdict_of(least == result.rows.size());
  result.finding = fmt::format(
      "osrm:K is nowhere worse on {} of {} (tree, K), better on {}, most on {}: by a factor of "
      "{:.2f}.",
      least, result.rows.size(), less, where, gain);
  return result;
}

}  // namespace fatwood
