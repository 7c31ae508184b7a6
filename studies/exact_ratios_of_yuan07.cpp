// SPDX-License-Identifier: BSD-3-Clause
// [Yuan07], Table 1: the oblivious ratios that the paper derives, found exactly
// (analysis/worst_case).
//
// OSRM2's sqrt(m/2) is attained only where it is whole; elsewhere the bound of Lemma 10 can't be
// met and the exact ratio is shown next to it and not compared.

#include <fmt/format.h>

#include <cmath>

#include "io/fabric/spec.hpp"
#include "studies/study.hpp"
#include "studies/tree_points.hpp"

namespace fatwood {

namespace {

struct Case {
  unsigned m, n;
  const char* routing;
};

double published(const Case& c) {
  const std::string routing = c.routing;
  if (routing == "umulti") return 1;
  if (routing == "osrm2") return std::sqrt(c.m / 2.0);
  if (routing == "osrm3" || c.n == 2) return c.m / 2.0;
  return c.m - 1.0;
}

std::vector<Case> cases(const StudyContext& context) {
  std::vector<Case> all;
  for (const unsigned m : {4U, 8U, 18U, 32U}) {
    for (const char* routing : {"umulti", "osrm2", "mlid", "wsr"}) all.push_back({m, 2, routing});
  }
  for (const unsigned m : {4U, 8U, 16U}) {
    if (m == 16 && context.quick()) continue;
    for (const char* routing : {"umulti", "osrm3", "mlid", "wsr"}) all.push_back({m, 3, routing});
  }
  return all;
}

}  // namespace

StudyResult run_exact_ratios_of_yuan07(const StudyContext& context) {
  const std::vector<Case> all = cases(context);
  std::vector<PointTask> tasks;
  for (const Case& c : all) {
    const std::string spec = fmt::format("ft({},{})", c.m, c.n);
    tasks.push_back({fmt::format("{} {} seed {}", spec, c.routing, context.seed), [=, &context] {
                       const Fraction ratio =
                           exact_ratio(make_fabric(spec), c.routing, context.seed, context.threads);
                       return StudyPoint{.texts = {{"ratio", ratio.to_string()}}};
                     }});
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  StudyResult result{.label_names = {"tree", "routing"}};
  std::size_t held = 0;
  std::size_t equal = 0;
  std::string others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double expected = published(all[i]);
    const Fraction ours = parse_fraction(points[i].text("ratio"));
    const std::string tree = fmt::format("FT({},{})", all[i].m, all[i].n);
    result.rows.push_back({.labels = {tree, all[i].routing},
                           .published = expected,
                           .ours = ours,
                           .seconds = points[i].seconds});
    if (expected != std::floor(expected)) continue;
    ++held;
    if (ours == Fraction(static_cast<std::int64_t>(expected))) {
      ++equal;
    } else {
      others += fmt::format(" {} {} is {};", tree, all[i].routing, ours.to_string());
    }
  }
  result.verdict = verdict_of(equal == held);
  result.finding =
      fmt::format("{} of {} whole published ratios are ours exactly.{}", equal, held, others);
  return result;
}

}  // namespace fatwood
