// SPDX-License-Identifier: BSD-3-Clause
// Ours: what is left of a tree when cables, or spines and cores, are gone at random.
//
// A throw takes a share of the cables between switches, or of the switches above the leaves, and
// leaves connected what was. Every engine with tables and one port per entry routes it. All to all:
// the least that the most loaded channel of the complete tree carries, over what the fullest one
// carries now: the share of the throughput that is left. Next to it what bounds leave to any
// routing, and to any forwarding tables, whose chunks stay together (analysis/bounds/cuts.hpp): by
// cuts, and by the linear program where even has more than cuts ask for. The same traffic, cut by
// cut: the mean evenness (analysis/bounds/evenness.hpp), and what the 1st-percentile and the median
// pair get of a port. Random permutations and all shifts: mean of the most loaded channel. Bands
// are from the 10th to the 90th of 100 throws. For the first throws of a point even is compared
// with the lexicographic optimum (lexicographic.hpp), which splits flows as no
// tables can. At five points packets are sent flit by flit, to random destinations, as many as go.
//
// Tables of OpenSM for the same throws are measured by bench/opensm/degradation; --opensm adds
// what it prints.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

#include "core/error.hpp"
#include "core/text/text_file.hpp"
#include "studies/degradation_throws.hpp"

namespace fatwood {

namespace {

struct Band {
  double low = 0, mean = 0, high = 0;
};
Band band_of(std::vector<double> values) {
  std::ranges::sort(values);
  const auto part = [&](std::size_t tenths) { return values[(values.size() - 1) * tenths / 10]; };
  double sum = 0;
  for (const double value : values) sum += value;
  return {part(1), sum / static_cast<double>(values.size()), part(9)};
}

// By engine ("bound" among them), measure and percent: of all throws.
using Bands = std::map<std::string, std::map<std::string, std::map<unsigned, Band>>>;

struct Throws {
  unsigned percent;
  const StudyPoint* point;
};
Bands bands_of(const std::vector<Throws>& list) {
  std::map<std::tuple<std::string, std::string, unsigned>, std::vector<double>> values;
  for (const auto& [percent, point] : list) {
    for (const auto& [name, value] : point->numbers) {
      const std::size_t first = name.find(' ');
      const std::size_t second = name.find(' ', first + 1);
      values[{name.substr(0, first), name.substr(first + 1, second - first - 1), percent}]
          .push_back(value);
    }
  }
  Bands bands;
  for (auto& [where, list_of] : values) {
    const auto& [engine, what, percent] = where;
    bands[engine][what][percent] = band_of(std::move(list_of));
  }
  return bands;
}

// Lines "LOST PERCENT ENGINE THROW alltoall permutations shifts" of OpenSM's tables.
std::vector<std::pair<Throws, Lost>> read_opensm(const std::string& path,
                                                 std::vector<StudyPoint>& store) {
  std::ifstream in = open_text(path);
  std::map<std::pair<std::string, unsigned>, StudyPoint> points;
  TextLines lines(in, path);
  while (const auto line = lines.next()) {
    std::istringstream words{std::string(*line)};
    std::string lost;
    std::string engine;
    unsigned percent = 0;
    unsigned number = 0;
    double all_to_all = 0;
    double permutations = 0;
    double shifts = 0;
    if (line->empty() || line->front() == '#') continue;
    if (!(words >> lost >> percent >> engine >> number >> all_to_all >> permutations >> shifts) ||
        (lost != "cables" && lost != "switches")) {
      throw InputError(lines.where(),
                       "expected \"cables|switches PERCENT ENGINE THROW ALLTOALL PERMUTATIONS "
                       "SHIFTS\", as bench/opensm/degradation prints it");
    }
    StudyPoint& point = points[{lost, percent}];
    engine = "opensm:" + engine;
    point.numbers[degradation_key(engine, "alltoall", number)] = all_to_all;
    point.numbers[degradation_key(engine, "permutations", number)] = permutations;
    point.numbers[degradation_key(engine, "shifts", number)] = shifts;
  }
  std::vector<std::pair<Throws, Lost>> list;
  store.reserve(points.size());
  for (auto& [where, point] : points) {
    store.push_back(std::move(point));
    list.push_back(
        {{where.second, &store.back()}, where.first == "cables" ? Lost::kCables : Lost::kSwitches});
  }
  return list;
}

std::string shown_name(const std::string& engine) {
  constexpr std::string_view kOpensm = "opensm:";
  if (engine == "bound") return "any routing (bound)";
  if (engine.starts_with(kOpensm)) return "OpenSM's " + engine.substr(kOpensm.size());
  return engine;
}

PlotPanel panel_of(const Bands& bands, const std::string& what, Lost lost) {
  const std::map<std::string, std::pair<std::string, std::string>> words = {
      {"alltoall", {"all to all", "throughput left, of the complete tree's"}},
      {"permutations", {"random permutations", "flows on the fullest channel"}},
      {"shifts", {"shifts", "flows on the fullest channel"}}};
  PlotPanel panel{.title = fmt::format("{}, {} gone", words.at(what).first, name_of(lost)),
                  .x_label = fmt::format("percent of {} gone", name_of(lost)),
                  .y_label = words.at(what).second};
  // OpenSM's own where they are there: more lines than these can't be distinguished.
  std::vector<std::string> shown = {"even", "sftree", "updn+", "sssp", "nue", "minhop", "bound"};
  if (bands.contains("opensm:ftree")) {
    shown = {"even",       "opensm:ftree",  "opensm:updn", "opensm:dfsssp",
             "opensm:nue", "opensm:minhop", "bound"};
  }
  for (const std::string& engine : shown) {
    const auto found = bands.find(engine);
    if (found == bands.end() || !found->second.contains(what)) continue;
    PlotLine line{.name = shown_name(engine)};
    for (const auto& [percent, band] : found->second.at(what)) {
      line.points.emplace_back(percent, band.mean);
      line.band.push_back({static_cast<double>(percent), band.low, band.high});
    }
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

// Of all throws: how many have even within 1.02 of what tables can have, and how many at it.
struct Nearness {
  std::size_t throws = 0;
  std::size_t near = 0;
  std::size_t best = 0;
  double worst = 1;
};
Nearness nearness_of(const std::vector<StudyPoint>& points) {
  constexpr double kNear = 1.02;
  constexpr double kSame = 1 + 1e-9;
  constexpr std::string_view kWhat = "tables alltoall ";
  Nearness found;
  for (const StudyPoint& point : points) {
    for (const auto& [name, bound] : point.numbers) {
      if (!name.starts_with(kWhat)) continue;
      const double times = bound / point.number("even alltoall " + name.substr(kWhat.size()));
      ++found.throws;
      if (times <= kNear) ++found.near;
      if (times <= kSame) ++found.best;
      found.worst = std::max(found.worst, times);
    }
  }
  return found;
}

// even's mean evenness over that of the lexicographic optimum, of the throws that have one.
struct Gap {
  std::size_t throws = 0;
  double sum = 0, largest = 1;

  double mean() const { return throws == 0 ? 1 : sum / static_cast<double>(throws); }
};
Gap gap_of(std::span<const StudyPoint> points, const DegradationSize& size) {
  Gap gap;
  for (const StudyPoint& point : points) {
    for (unsigned i = 0; i < size.optimised; ++i) {
      const auto even = point.numbers.find(fmt::format("even {}", i));
      if (even == point.numbers.end()) continue;
      const double times = even->second / point.number(fmt::format("optimum {}", i));
      ++gap.throws;
      gap.sum += times;
      gap.largest = std::max(gap.largest, times);
    }
  }
  return gap;
}

struct Verdicts {
  double gap = 0;           // even's all to all over the bound, mean of throws, largest of points
  double permutations = 0;  // even over sftree
  double shifts = 0;
  double second = 0;  // the best of others at its worst point, as a part of even
};
void evaluate(const Bands& bands, Verdicts& verdicts) {
  const auto& even = bands.at("even");
  const auto& sftree = bands.at("sftree");
  for (const auto& [percent, band] : even.at("alltoall")) {
    // Of a small tree one percent of the switches may be none.
    if (bands.at("bound").at("alltoall").at(percent).low >= 1) continue;
    verdicts.gap =
        std::max(verdicts.gap, bands.at("bound").at("alltoall").at(percent).mean / band.mean);
    verdicts.permutations =
        std::max(verdicts.permutations, even.at("permutations").at(percent).mean /
                                            sftree.at("permutations").at(percent).mean);
    verdicts.shifts = std::max(
        verdicts.shifts, even.at("shifts").at(percent).mean / sftree.at("shifts").at(percent).mean);
    for (const auto& [engine, measures] : bands) {
      if (engine == "bound" || engine == "tables" || engine == "even" ||
          !measures.contains("alltoall"))
        continue;
      const auto at = measures.at("alltoall").find(percent);
      if (at == measures.at("alltoall").end()) continue;
      verdicts.second = std::max(verdicts.second, at->second.mean / band.mean);
    }
  }
}

void add_rows(const Bands& bands, Lost lost, StudyResult& result) {
  for (const auto& [engine, measures] : bands) {
    for (const auto& [percent, band] : measures.at("alltoall")) {
      const auto mean = [&](const char* what) {
        return measures.contains(what) ? StudyValue(measures.at(what).at(percent).mean)
                                       : StudyValue();
      };
      result.rows.push_back({.labels = {name_of(lost), std::to_string(percent), engine},
                             .ours = band.mean,
                             .more = {band.low, band.high, mean("permutations"), mean("shifts"),
                                      mean("evenness"), mean("p1"), mean("median")}});
    }
  }
}

}  // namespace

StudyResult run_degradation(const StudyContext& context) {
  const DegradationSize size = degradation_size(context);
  std::vector<PointTask> tasks;
  std::vector<std::pair<Lost, unsigned>> of_task;
  for (const Lost lost : {Lost::kCables, Lost::kSwitches}) {
    for (const unsigned percent : size.percents) {
      for (unsigned first = 0; first < size.throws; first += size.batch) {
        const unsigned count = std::min(size.batch, size.throws - first);
        tasks.push_back(
            {fmt::format("{} {} percent of {} throws {} to {} with cuts seed {}", size.tree,
                         percent, name_of(lost), first, first + count - 1, context.seed),
             [=, &size, &context] {
               return evaluate_throws(lost, percent, first, count, size, context);
             }});
        of_task.emplace_back(lost, percent);
      }
    }
  }
  for (const unsigned percent : size.simulated) {
    tasks.push_back({fmt::format("{} {} percent of cables flits {} seed {}", size.tree, percent,
                                 size.cycles, context.seed),
                     [=, &size, &context] { return simulate_throw(percent, size, context); }});
  }
  const std::size_t first_optimum = tasks.size();
  for (const Lost lost : {Lost::kCables, Lost::kSwitches}) {
    for (const unsigned percent : size.percents) {
      tasks.push_back(
          {fmt::format("{} {} percent of {} optimum of {} throws seed {}", size.tree, percent,
                       name_of(lost), size.optimised, context.seed),
           [=, &size, &context] { return compare_with_optimum(lost, percent, size, context); }});
    }
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  std::vector<StudyPoint> store;
  std::vector<std::pair<Throws, Lost>> others;
  if (!context.opensm.empty()) others = read_opensm(context.opensm, store);

  StudyResult result{.label_names = {"gone", "percent", "engine"},
                     .ours_name = "all to all left",
                     .more_names = {"10th of 100", "90th of 100", "permutations", "shifts",
                                    "evenness", "1% pair", "median pair"}};
  Verdicts verdicts;
  for (const Lost lost : {Lost::kCables, Lost::kSwitches}) {
    std::vector<Throws> list;
    for (std::size_t i = 0; i < of_task.size(); ++i) {
      if (of_task[i].first == lost) list.push_back({of_task[i].second, &points[i]});
    }
    for (const auto& [thrown_there, its] : others) {
      if (its == lost) list.push_back(thrown_there);
    }
    const Bands bands = bands_of(list);
    evaluate(bands, verdicts);
    add_rows(bands, lost, result);
    // Permutations hardly differ: they are in the table.
    result.panels.push_back(panel_of(bands, "alltoall", lost));
    if (lost == Lost::kSwitches) result.panels.push_back(panel_of(bands, "shifts", lost));
  }
  PlotPanel flits{.title = "flit by flit, random destinations",
                  .x_label = "percent of cables gone",
                  .y_label = "accepted, of what hosts can send"};
  for (const char* const engine : {"even", "sftree", "updn+", "dfsssp"}) {
    PlotLine line{.name = engine};
    for (std::size_t i = 0; i < size.simulated.size(); ++i) {
      const double accepted = points[of_task.size() + i].number(engine);
      line.points.emplace_back(size.simulated[i], accepted);
      result.rows.push_back(
          {.labels = {"cables, flit by flit", std::to_string(size.simulated[i]), engine},
           .ours = accepted,
           .more = std::vector<StudyValue>(result.more_names.size())});
    }
    flits.lines.push_back(std::move(line));
  }
  result.panels.push_back(std::move(flits));
  double seconds = 0;
  for (const StudyPoint& point : points) seconds += point.seconds;
  result.rows.front().seconds = seconds;
  const bool near = verdicts.gap <= 1.02;
  const Nearness nearness = nearness_of(points);
  const Gap gap = gap_of(std::span(points).subspan(first_optimum), size);
  result.verdict = verdict_of(
      near && verdicts.second < 0.95 && verdicts.permutations <= 1.01 && verdicts.shifts <= 1.1,
      verdicts.second < 1);
  result.finding = fmt::format(
      "over {} throws of {} all to all with even is at most {:.3f} times what the bound asks for "
      "(mean of a point), the best other engine leaves at most {:.2f} of what even leaves; random "
      "permutations have at most {:.3f} times sftree's fullest channel, shifts {:.2f} times. In {} "
      "throws no tables are better than even's, in {} they could be at most 1.02 times as good, "
      "and {:.3f} times in the worst. Against the lexicographic optimum of {} throws, which may "
      "split flows, even's mean evenness is {:.3f} times, and {:.3f} times at most.",
      2 * size.percents.size() * size.throws, size.tree, verdicts.gap, verdicts.second,
      verdicts.permutations, verdicts.shifts, nearness.best, nearness.near, nearness.worst,
      gap.throws, gap.mean(), gap.largest);
  return result;
}

}  // namespace fatwood
