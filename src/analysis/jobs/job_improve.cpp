// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/jobs/job_improve.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "core/random.hpp"
#include "core/share_out.hpp"

namespace fatwood {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kGain = 1e-9;  // relative; a smaller gain counts as none

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Host>;

Place place_of(const Model& model, Host m) {
  const HostMap& map = model.hosts();
  const ScalableUnit unit = map.rails.any() ? map.rails.member_of[m] : kNone<ScalableUnit>;
  if (unit != kNone<ScalableUnit>) {
    return {index(map.rails.units[unit].pod), index(unit), index(map.rails.leaf_port[m]), 0, m};
  }
  const std::vector<Adapter> adapters = job_adapters(model, m);
  if (adapters.empty()) return {~0U, ~0U, ~0U, ~0U, m};
  const Terminal t = model.adapters().terminals(adapters.front()).front();
  const Node above = model.fabric().neighbour(model.fabric().terminal_channel(t));
  return {~0U, index(above), index(model.fabric().leaf_port(t)), 1, m};
}

// Tries candidates and stores the best.
class Search {
 public:
  Search(const Model& model, JobScorer& scorer, const ImproveOptions& options)
      : model_(model), scorer_(scorer), options_(options), random_(options.seed) {}

  double seconds(const std::vector<Host>& hosts) {
    ++tried_;
    return time(hosts);
  }

  void offer(const std::vector<Host>& hosts, const std::string& how) {
    offer_timed(hosts, how, time(hosts));
  }

  // The windows one after the other, until the bound is met.
  void offer_windows(const std::vector<Host>& sorted, std::size_t count) {
    const std::size_t windows = sorted.size() - count + 1;
    const std::size_t step = std::max<std::size_t>(1, windows / 64);
    std::vector<std::vector<Host>> all;
    for (std::size_t first = 0; first < windows; first += step) {
      const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(first);
      all.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    for (std::size_t first = 0; first < all.size() && !met();) {
      const auto next = std::span(all).subspan(first);
      const std::vector<double> times = times_of(next.first(std::min(least_ahead(), next.size())));
      first += times.size();
      for (std::size_t i = 0; i < times.size() && !met(); ++i) {
        offer_timed(std::move(next[i]), "neighbours", times[i]);
      }
    }
  }

  // Tries exchanges, reversals and, if there are free hosts, replacements.
  void hill_climb(const std::vector<Host>& free, bool reorder) {
    std::vector<Host> rest;
    for (const Host m : free) {
      if (std::ranges::find(result_.hosts, m) == result_.hosts.end()) rest.push_back(m);
    }
    if (result_.hosts.size() < 2 || (!reorder && rest.empty())) return;
    std::deque<Move> moves;
    std::uint64_t drawn = 0;
    for (std::size_t ahead = least_ahead(); !met();) {
      while (moves.size() < ahead && drawn++ < options_.tries) {
        if (const auto move = draw_move(rest.size(), reorder)) moves.push_back(*move);
      }
      if (moves.empty()) return;
      const bool found = try_moves(moves, rest);
      // If little is found, more can be tried in parallel.
      ahead = found ? least_ahead() : std::min(2 * ahead, 8 * least_ahead());
    }
  }

  void set_bound(const std::vector<Host>& candidates) {
    std::vector<Adapter> adapters;
    for (const Host m : candidates) {
      for (const Adapter adapter : job_adapters(model_, m)) adapters.push_back(adapter);
    }
    result_.bound = scorer_.bound(model_.adapters(), adapters);
  }
  bool met() const { return result_.seconds <= result_.bound * (1 + kGain); }

  Improvement take(double given) {
    std::ranges::stable_sort(result_.candidates, {}, &Improvement::Candidate::seconds);
    result_.given_seconds = given;
    result_.tried = tried_;
    return std::move(result_);
  }

 private:
  struct Move {
    enum Kind : std::uint8_t { kReplace, kSwap, kTurn } kind;
    std::uint32_t a, b;
  };

  // No value if both ends are the same.
  std::optional<Move> draw_move(std::size_t free, bool reorder) {
    const auto n = static_cast<std::uint32_t>(result_.hosts.size());
    const std::uint32_t a = random_.below(n);
    if (free > 0 && (!reorder || random_.below(3) == 0)) {
      return Move{Move::kReplace, a, random_.below(static_cast<std::uint32_t>(free))};
    }
    const std::uint32_t b = random_.below(n);
    if (a == b) return std::nullopt;
    return Move{random_.below(2) == 0 ? Move::kSwap : Move::kTurn, a, b};
  }

  // Consumes the moves up to the first that is faster, and makes that one. Returns whether there is
  // one.
  bool try_moves(std::deque<Move>& moves, std::vector<Host>& rest) {
    std::vector<std::vector<Host>> next;
    for (const Move& move : moves) {
      next.push_back(result_.hosts);
      apply(move, next.back(), rest);
    }
    const std::vector<double> times = times_of(next);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Move move = moves.front();
      moves.pop_front();
      ++tried_;
      if (!better(times[i])) continue;
      if (move.kind == Move::kReplace) rest[move.b] = result_.hosts[move.a];
      keep(std::move(next[i]), "local search", times[i]);
      return true;
    }
    return false;
  }

  static void apply(const Move& move, std::vector<Host>& hosts, const std::vector<Host>& rest) {
    const auto [a, b] = std::minmax(move.a, move.b);
    switch (move.kind) {
      case Move::kReplace:
        hosts[move.a] = rest[move.b];
        break;
      case Move::kSwap:
        std::swap(hosts[a], hosts[b]);
        break;
      case Move::kTurn:
        std::reverse(hosts.begin() + a, hosts.begin() + b + 1);
        break;
    }
  }

  // The least number timed at the same time.
  std::size_t least_ahead() const { return static_cast<std::size_t>(options_.share.processes); }

  double time(const std::vector<Host>& hosts) {
    return scorer_.seconds(place_hosts(model_, hosts, options_.nics).at);
  }
  std::vector<double> times_of(std::span<const std::vector<Host>> all) {
    return share_out(options_.share, all.size(), 1,
                     [&](std::size_t i, int) { return time(all[i]); });
  }

  bool better(double seconds) const { return seconds < result_.seconds * (1 - kGain); }
  void keep(std::vector<Host> hosts, const std::string& how, double seconds) {
    result_.hosts = std::move(hosts);
    result_.seconds = seconds;
    result_.how = how;
  }
  void offer_timed(std::vector<Host> hosts, const std::string& how, double seconds) {
    ++tried_;
    result_.candidates.push_back({how, hosts, seconds});
    if (result_.hosts.empty() || better(seconds)) keep(std::move(hosts), how, seconds);
  }

  const Model& model_;
  JobScorer& scorer_;
  const ImproveOptions& options_;
  Random random_;
  std::uint64_t tried_ = 0;
  Improvement result_;
};

// Units with most free hosts first, pods with most free hosts before others.
std::vector<Host> packed(const Model& model, const std::vector<Host>& sorted, std::size_t count) {
  std::map<std::uint32_t, std::size_t> in_pod;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> in_unit;
  for (const Host m : sorted) {
    const Place place = place_of(model, m);
    ++in_pod[std::get<0>(place)];
    ++in_unit[{std::get<0>(place), std::get<1>(place)}];
  }
  std::vector<Host> order = sorted;
  std::ranges::stable_sort(order, {}, [&](Host m) {
    const Place at = place_of(model, m);
    const std::pair unit{std::get<0>(at), std::get<1>(at)};
    return std::tuple{~in_pod[unit.first], unit.first, ~in_unit[unit], unit.second};
  });
  order.resize(count);
  return order;
}

// The work of the busiest cable and the busiest worker.
double busiest(const Program& program, double out, double in) {
  std::vector<double> sent(program.endpoints, 0);
  std::vector<double> got(program.endpoints, 0);
  std::map<std::uint32_t, double> work;
  for (Op op = 0; op < program.size(); ++op) {
    for (const Edge& edge : program.edges(op)) {
      sent[edge.from] += edge.amount * program.size_of(op) / out;
      got[edge.to] += edge.amount * program.size_of(op) / in;
    }
    if (program.worker(op) != kNoWorker) work[program.worker(op)] += program.size_of(op);
  }
  double most = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) most = std::max({most, sent[i], got[i]});
  for (const auto& [worker, seconds] : work) most = std::max(most, seconds);
  return most;
}

// The longest chain of operations that wait for each other, each as fast as its own ends allow.
double chain(const PlacedJob& job, double out, double in) {
  const Program& program = job.program;
  std::vector<double> length(program.size(), 0);
  std::map<ProgramEndpoint, double> sent;
  std::map<ProgramEndpoint, double> got;
  for (Op op = 0; op < program.size(); ++op) {
    if (program.kind(op) == OpKind::kDelay) {
      length[op] = program.size_of(op);
      continue;
    }
    sent.clear();
    got.clear();
    for (const Edge& edge : program.edges(op)) {
      const double bytes = edge.amount * program.size_of(op);
      length[op] =
          std::max({length[op], (sent[edge.from] += bytes / out), (got[edge.to] += bytes / in)});
    }
    length[op] += job.message_latency;
  }
  // Ends by rounds of relaxation along waits; programs are mostly in order already.
  std::vector<double> end = length;
  for (bool changed = true; changed;) {
    changed = false;
    const auto wait = [&](Op op, Op other) {
      if (end[other] + length[op] > end[op]) end[op] = end[other] + length[op], changed = true;
    };
    for (Op op = 0; op < program.size(); ++op) {
      for (const Op other : program.after(op)) wait(op, other);
    }
    for (const auto& [op, other] : program.added_waits()) wait(op, other);
  }
  return end.empty() ? 0 : *std::max_element(end.begin(), end.end());
}

}  // namespace

JobScorer::JobScorer(const Fabric& fabric, FlowLinks& links, const std::vector<double>& capacity,
                     const std::vector<PlacedJob>& jobs)
    : fabric_(fabric), links_(links), capacity_(capacity), jobs_(jobs) {
  for (std::size_t j = 1; j < jobs.size(); ++j) {
    other_uses_.push_back(links_.route(jobs[j], jobs[j].at, [](Adapter, Adapter) {}));
  }
}

double JobScorer::seconds(const std::vector<Adapter>& at) {
  bool lost = false;
  const OpUses uses = links_.route(jobs_[0], at, [&](Adapter, Adapter) { lost = true; });
  if (lost) return kNever;
  std::vector<RunProgram> programs{jobs_[0].alone(uses)};
  for (std::size_t j = 1; j < jobs_.size(); ++j) {
    programs.push_back(jobs_[j].alone(other_uses_[j - 1]));
    programs.back().repeated = true;
  }
  return run_flows(capacity_, programs).seconds[0] + jobs_[0].added_seconds;
}

double JobScorer::bound(const Adapters& adapters, const std::vector<Adapter>& candidates) const {
  // Every endpoint has a cable of its own, out and in, as fast as the fastest candidate's.
  double out = 0;
  double in = 0;
  for (const Adapter adapter : candidates) {
    double host_out = 0;
    double host_in = 0;
    for (const Terminal t : adapters.terminals(adapter)) {
      const Channel c = fabric_.terminal_channel(t);
      host_out += capacity_[index(c)];
      host_in += capacity_[index(fabric_.peer(c))];
    }
    out = std::max(out, host_out);
    in = std::max(in, host_in);
  }
  return std::max(busiest(jobs_[0].program, out, in), chain(jobs_[0], out, in)) +
         jobs_[0].added_seconds;
}

std::vector<Host> by_place(const Model& model, std::vector<Host> hosts) {
  std::vector<Place> places;
  for (const Host m : hosts) places.push_back(place_of(model, m));
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i] = std::get<4>(places[i]);
  return hosts;
}

Improvement improve_order(const Model& model, JobScorer& scorer, const std::vector<Host>& hosts,
                          const ImproveOptions& options) {
  Search search(model, scorer, options);
  search.set_bound(hosts);
  search.offer(hosts, "as given");
  const double given = search.seconds(hosts);
  search.offer(by_place(model, hosts), "by unit and port");
  search.hill_climb({}, true);
  return search.take(given);
}

Improvement improve_placement(const Model& model, JobScorer& scorer, std::size_t count,
                              const std::vector<Host>& free, const std::vector<Host>& given,
                              OrderToo order, const ImproveOptions& options) {
  Search search(model, scorer, options);
  search.set_bound(free);
  double before = kNever;
  if (!given.empty()) {
    before = search.seconds(given);
    search.offer(given, "as given");
  }
  const std::vector<Host> sorted = by_place(model, free);
  search.offer(packed(model, sorted, count), "units with most free hosts first");
  search.offer_windows(sorted, count);
  search.hill_climb(free, order == OrderToo::kYes);
  return search.take(before);
}

}  // namespace fatwood
