// SPDX-License-Identifier: BSD-3-Clause
// Ours: what is left of a tree when cables, or spines and cores, are gone at random.
//
// A throw takes a share of the cables between switches, or of the switches above the leaves, and
// leaves connected what was. Every engine with tables and one port per entry routes it. All to all:
// the least that the most loaded channel of the whole tree carries, over what the fullest one
// carries now: the share of the throughput that is left. Next to it what bounds leave to any
// routing, and to any forwarding tables, whose chunks stay together (analysis/bounds/cuts.hpp): by
// cuts, and by the linear program where even has more than cuts ask for. Random permutations and
// all shifts: mean of the most loaded channel. Bands are from the 10th to the 90th of 100 throws.
// At five points packets are sent flit by flit, to random destinations, as many as go.
//
// Tables of OpenSM for the same throws are measured by bench/opensm/degradation; --opensm adds
// what it prints.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "analysis/bounds/cuts.hpp"
#include "analysis/bounds/oload.hpp"
#include "analysis/load/channel_use.hpp"
#include "analysis/permutations/permutation_study.hpp"
#include "core/error.hpp"
#include "core/text/text_file.hpp"
#include "routing/even/even_bound.hpp"
#include "studies/sim_bench.hpp"
#include "topology/change/faults.hpp"
#include "topology/generate/spec.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kEven = "even";

enum class Lost : std::uint8_t { kCables, kSwitches };

struct Size {
  std::string tree;
  std::vector<unsigned> percents;
  unsigned throws;  // at each percent
  unsigned batch;   // throws that are one point on disk
  unsigned permutations;
  sim::Time cycles;  // of a simulation
  std::vector<unsigned> simulated;
};

Size size_of(const StudyContext& context) {
  if (context.quick()) return {"ft(6,3)", {5, 10}, 3, 3, 20, 2000, {5}};
  return {"ft(8,3)", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 100, 50, 50, 20000, {0, 1, 2, 5, 10}};
}

const char* name_of(Lost lost) { return lost == Lost::kCables ? "cables" : "spines and cores"; }

// Percent 0 is the whole tree.
Fabric thrown(const std::string& tree, Lost lost, unsigned percent, std::uint64_t seed) {
  const Fabric whole = make_fabric(tree);
  if (percent == 0) return whole;
  std::vector<FaultOrder> orders;
  if (lost == Lost::kCables) {
    orders.push_back({FaultKind::kCut, fmt::format("{}%", percent), {}});
  } else {
    orders.push_back({FaultKind::kRemove, fmt::format("{}%@2", percent), {}});
    orders.push_back({FaultKind::kRemove, fmt::format("{}%@3", percent), {}});
  }
  const FaultOptions options{.seed = seed, .connection = Connection::kKept};
  return with_faults(whole, find_faults(whole, orders, options));
}

double max_load(const Model& model, const Routing& routing) {
  return spread_of_flows(model, find_channel_use(model, routing)).largest.value();
}

std::vector<const Engine*> evaluated_engines() {
  std::vector<const Engine*> list;
  for (const Engine& engine : engines()) {
    if (!engine.has(Engine::kAdaptive) && engine.pairs != Pairs::kPerPair) list.push_back(&engine);
  }
  return list;
}

std::string key(std::string_view engine, std::string_view what, unsigned number) {
  return fmt::format("{} {} {}", engine, what, number);
}

struct Figures {
  double all_to_all, permutations, shifts;
};
// PromiseError when the engine refuses, or has no route for a pair of hosts.
Figures evaluate_engine(const Engine& engine, const Model& model, const Size& size,
                        const StudyContext& context) {
  RouteOptions options{.seed = context.seed, .threads = context.threads};
  options.max_lanes = 15;
  Routing routing = route(engine, model, options);
  Figures figures{max_load(model, routing), 0, 0};
  const auto paths = path_source(model, std::move(routing));
  const auto kernel = permutation_load(model, *paths);
  const std::size_t hosts = model.adapters().size();
  const PermutationOptions drawn{.seed = context.seed,
                                 .first_samples = size.permutations,
                                 .width = 1,
                                 .threads = context.threads};
  figures.permutations = permutation_study(*kernel, hosts, drawn).mean;
  figures.shifts = shift_study(*kernel, hosts, context.threads).mean;
  return figures;
}

// The least that the most loaded channel between switches can carry, all to all.
struct Least {
  Fraction any;     // whatever the routing
  Fraction tables;  // with tables of one port per entry
};
Least least_of(const Model& model, double found) {
  const Traffic traffic = all_to_all(model.adapters().size());
  // A host's own channel carries as much anyway.
  const Fraction of_hosts(static_cast<std::int64_t>(model.adapters().size()) - 1);
  Least least{all_to_all_bound(model), tables_bound(model, traffic)};
  if (found > std::max(least.tables, of_hosts).value()) {
    if (const Oload best = oload(model, traffic); best.value > of_hosts) {
      least.any = std::max(least.any, best.value);
      least.tables = tables_bound(model, traffic, 1, best.value);
    }
  }
  if (least.tables <= of_hosts) least.tables = least.any;
  return least;
}

// Of each engine that routes it; others are left out.
void evaluate_throw(const Model& model, double whole, unsigned number, const Size& size,
                    const StudyContext& context, StudyPoint& point) {
  for (const Engine* engine : evaluated_engines()) {
    try {
      const Figures figures = evaluate_engine(*engine, model, size, context);
      if (engine->name == kEven) {
        const Least least = least_of(model, figures.all_to_all);
        point.numbers[key("bound", "alltoall", number)] = whole / least.any.value();
        point.numbers[key("tables", "alltoall", number)] = whole / least.tables.value();
      }
      point.numbers[key(engine->name, "alltoall", number)] = whole / figures.all_to_all;
      point.numbers[key(engine->name, "permutations", number)] = figures.permutations;
      point.numbers[key(engine->name, "shifts", number)] = figures.shifts;
    } catch (const PromiseError&) {
      continue;
    }
  }
}

StudyPoint evaluate_batch(Lost lost, unsigned percent, unsigned first, unsigned count,
                          const Size& size, const StudyContext& context) {
  const Model whole(make_fabric(size.tree));
  const double least = max_load(whole, route(find_engine("sftree"), whole));
  StudyPoint point;
  for (unsigned i = first; i < first + count; ++i) {
    const Model model(thrown(size.tree, lost, percent, context.seed + i));
    evaluate_throw(model, least, i, size, context, point);
  }
  return point;
}

// Flits accepted for each that a host could send.
StudyPoint simulate(unsigned percent, const Size& size, const StudyContext& context) {
  StudyPoint point;
  for (const char* const engine : {"even", "sftree", "updn", "dfsssp"}) {
    RouteOptions options{.seed = context.seed, .threads = context.threads};
    const auto bench = bench_engine(thrown(size.tree, Lost::kCables, percent, context.seed), engine,
                                    sim::Model{}, 0, options);
    sim::OpenTraffic open;
    open.cycles = size.cycles;
    point.numbers[engine] = sim::run_load(bench->setup(), open, 1.0).terminals.accepted.mean;
  }
  return point;
}

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
    point.numbers[key(engine, "alltoall", number)] = all_to_all;
    point.numbers[key(engine, "permutations", number)] = permutations;
    point.numbers[key(engine, "shifts", number)] = shifts;
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
      {"alltoall", {"all to all", "throughput left, of the whole tree's"}},
      {"permutations", {"random permutations", "flows on the fullest channel"}},
      {"shifts", {"shifts", "flows on the fullest channel"}}};
  PlotPanel panel{.title = fmt::format("{}, {} gone", words.at(what).first, name_of(lost)),
                  .x_label = fmt::format("percent of {} gone", name_of(lost)),
                  .y_label = words.at(what).second};
  // OpenSM's own where they are there: more lines than these can't be distinguished.
  std::vector<std::string> shown = {"even", "sftree", "updn", "sssp", "nue", "minhop", "bound"};
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
      if (engine == "bound" || engine == "tables" || engine == kEven ||
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
                             .more = {band.low, band.high, mean("permutations"), mean("shifts")}});
    }
  }
}

}  // namespace

StudyResult run_degradation(const StudyContext& context) {
  const Size size = size_of(context);
  std::vector<PointTask> tasks;
  std::vector<std::pair<Lost, unsigned>> of_task;
  for (const Lost lost : {Lost::kCables, Lost::kSwitches}) {
    for (const unsigned percent : size.percents) {
      for (unsigned first = 0; first < size.throws; first += size.batch) {
        const unsigned count = std::min(size.batch, size.throws - first);
        tasks.push_back(
            {fmt::format("{} {} percent of {} throws {} to {} seed {}", size.tree, percent,
                         name_of(lost), first, first + count - 1, context.seed),
             [=, &size, &context] {
               return evaluate_batch(lost, percent, first, count, size, context);
             }});
        of_task.emplace_back(lost, percent);
      }
    }
  }
  for (const unsigned percent : size.simulated) {
    tasks.push_back({fmt::format("{} {} percent of cables flits {} seed {}", size.tree, percent,
                                 size.cycles, context.seed),
                     [=, &size, &context] { return simulate(percent, size, context); }});
  }
  const std::vector<StudyPoint> points = measure(context, tasks);
  std::vector<StudyPoint> store;
  std::vector<std::pair<Throws, Lost>> others;
  if (!context.opensm.empty()) others = read_opensm(context.opensm, store);

  StudyResult result{.label_names = {"gone", "percent", "engine"},
                     .ours_name = "all to all left",
                     .more_names = {"10th of 100", "90th of 100", "permutations", "shifts"}};
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
  for (const char* const engine : {"even", "sftree", "updn", "dfsssp"}) {
    PlotLine line{.name = engine};
    for (std::size_t i = 0; i < size.simulated.size(); ++i) {
      const double accepted = points[of_task.size() + i].number(engine);
      line.points.emplace_back(size.simulated[i], accepted);
      result.rows.push_back(
          {.labels = {"cables, flit by flit", std::to_string(size.simulated[i]), engine},
           .ours = accepted,
           .more = std::vector<StudyValue>(4)});
    }
    flits.lines.push_back(std::move(line));
  }
  result.panels.push_back(std::move(flits));
  double seconds = 0;
  for (const StudyPoint& point : points) seconds += point.seconds;
  result.rows.front().seconds = seconds;
  const bool near = verdicts.gap <= 1.02;
  const Nearness nearness = nearness_of(points);
  result.verdict = verdict_of(
      near && verdicts.second < 0.95 && verdicts.permutations <= 1.01 && verdicts.shifts <= 1.1,
      verdicts.second < 1);
  result.finding = fmt::format(
      "over {} throws of {} all to all with even is at most {:.3f} times what the bound asks for "
      "(mean of a point), the best other engine leaves at most {:.2f} of what even leaves; random "
      "permutations have at most {:.3f} times sftree's fullest channel, shifts {:.2f} times. In {} "
      "throws no tables are better than even's, in {} they could be at most 1.02 times as good, "
      "and "
      "{:.3f} times in the worst.",
      2 * size.percents.size() * size.throws, size.tree, verdicts.gap, verdicts.second,
      verdicts.permutations, verdicts.shifts, nearness.best, nearness.near, nearness.worst);
  return result;
}

}  // namespace fatwood
