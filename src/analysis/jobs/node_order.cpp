// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/jobs/node_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "core/random.hpp"

namespace fatwood {

namespace {

using Order = std::vector<std::uint32_t>;  // rank -> number among the hosts as given

// (largest degree, sum of degrees), in units: what is compared.
struct Score {
  std::uint64_t largest = 0;
  std::uint64_t sum = 0;
  friend auto operator<=>(const Score&, const Score&) = default;
};

// Everything a trial needs: channels of all pairs of hosts, flows of all stages.
class Job {
 public:
  Job(const Model& model, const PathSource& paths, const std::vector<Adapter>& adapters,
      const Schedule& ranks)
      : n_(adapters.size()), one_(paths.units_in_one()) {
    std::vector<std::uint32_t> dense(model.fabric().num_channels(), 0xffffffffU);
    std::uint32_t used = 0;
    first_.push_back(0);
    for (const Adapter s : adapters) {
      for (const Adapter d : adapters) {
        if (s != d) add_pair(model, paths, s, d, dense, used);
        first_.push_back(channel_.size());
      }
    }
    load_.resize(used);
    for (std::size_t i = 0; i < ranks.stages; ++i) {
      Traffic stage = ranks.stage(i);
      for (const Flow& flow : stage.flows) work_ += flow.units > 0 ? 6 : 0;
      units_in_one_.push_back(stage.units_in_one);
      stages_.push_back(std::move(stage.flows));
    }
  }

  std::uint64_t work() const { return work_; }
  std::vector<Fraction> degrees(const Order& order) {
    std::vector<Fraction> result;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      result.push_back(
          Fraction(static_cast<std::int64_t>(stage(order, i)), static_cast<std::int64_t>(one_)) /
          Fraction(units_in_one_[i]));
    }
    return result;
  }
  Score score(const Order& order) {
    Score total;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const std::uint64_t degree = stage(order, i);
      total.largest = std::max(total.largest, degree);
      total.sum += degree;
    }
    return total;
  }

 private:
  void add_pair(const Model& model, const PathSource& paths, Adapter s, Adapter d,
                std::vector<std::uint32_t>& dense, std::uint32_t& used) {
    const PathList list = paths.paths(s, d);
    if (list.empty()) {
      throw PromiseError(fmt::format("the routing has no path from {} to {}", host_name(model, s),
                                     host_name(model, d)));
    }
    for (const Channel c : list.all()) {
      if (dense[index(c)] == 0xffffffffU) dense[index(c)] = used++;
      channel_.push_back(dense[index(c)]);
      weight_.push_back(static_cast<std::uint32_t>(one_ / list.size()));
    }
  }

  std::uint64_t stage(const Order& order, std::size_t number) {
    std::fill(load_.begin(), load_.end(), 0);
    std::uint64_t most = 0;
    for (const Flow& flow : stages_[number]) {
      const std::size_t pair =
          std::size_t{order[index(flow.source)]} * n_ + order[index(flow.destination)];
      for (std::size_t i = first_[pair]; i < first_[pair + 1]; ++i) {
        std::uint64_t& load = load_[channel_[i]];
        load += weight_[i] * static_cast<std::uint64_t>(flow.units);
        most = std::max(most, load);
      }
    }
    return most;
  }

  std::size_t n_;
  std::uint64_t one_;
  std::vector<std::size_t> first_;  // [pair]
  std::vector<std::uint32_t> channel_, weight_;
  std::vector<std::uint64_t> load_;
  std::vector<std::vector<Flow>> stages_;
  std::vector<std::int64_t> units_in_one_;
  std::uint64_t work_ = 0;  // of one trial, about
};

void check_hosts(const std::vector<Adapter>& adapters) {
  if (adapters.size() < 2) throw InputError("a job needs at least two hosts");
  if (adapters.size() > kMostHosts) {
    throw InputError(fmt::format("at most {} hosts, not {}", kMostHosts, adapters.size()));
  }
  std::vector<Adapter> sorted = adapters;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw InputError(fmt::format("host {} is listed twice", index(*twice)));
  }
}

template <class Key>
Order sorted_by(std::size_t n, const Key& key) {
  Order order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

struct Candidate {
  std::string found_by;
  Order order;
  Score score;
};

// Exchanges of two random hosts, kept when better. Returns the number of trials.
std::uint64_t climb(Job& job, Candidate& best, const OrderOptions& options) {
  Random random(options.seed);
  const std::uint64_t allowed = options.work / std::max<std::uint64_t>(job.work(), 1);
  const auto n = static_cast<std::uint32_t>(best.order.size());
  std::uint64_t failed = 0;
  std::uint64_t trials = 0;
  for (; trials < allowed && failed < options.failures; ++trials) {
    report(options.progress, static_cast<double>(trials) / static_cast<double>(allowed),
           fmt::format("{} exchanges tried", trials));
    const std::uint32_t a = random.below(n);
    const std::uint32_t b = random.below(n);
    if (a == b) continue;
    std::swap(best.order[a], best.order[b]);
    const Score score = job.score(best.order);
    if (score < best.score) {
      best.score = score;
      best.found_by = "exchanges";
      failed = 0;
    } else {
      std::swap(best.order[a], best.order[b]);
      ++failed;
    }
  }
  return trials;
}

}  // namespace

Fraction largest(const OrderedAdapters& order) {
  return *std::max_element(order.degree.begin(), order.degree.end());
}

double mean(const OrderedAdapters& order) {
  double sum = 0;
  for (const Fraction& degree : order.degree) sum += degree.value();
  return sum / static_cast<double>(order.degree.size());
}

NodeOrder node_order(const Model& model, const PathSource& paths,
                     const std::vector<Adapter>& adapters, const Schedule& ranks,
                     const OrderOptions& options) {
  check_hosts(adapters);
  Job job(model, paths, adapters, ranks);
  const std::size_t n = adapters.size();
  std::vector<Candidate> candidates;
  const auto consider = [&](std::string found_by, Order order) {
    const Score score = job.score(order);
    candidates.push_back({std::move(found_by), std::move(order), score});
  };
  consider("as given", sorted_by(n, [](std::uint32_t i) { return i; }));
  consider("by number", sorted_by(n, [&](std::uint32_t i) { return index(adapters[i]); }));
  consider("by leaf switch", sorted_by(n, [&](std::uint32_t i) {
             return std::pair{
                 index(model.fabric().leaf(model.adapters().terminals(adapters[i]).front())),
                 index(adapters[i])};
           }));
  Candidate best =
      *std::min_element(candidates.begin(), candidates.end(),
                        [](const Candidate& a, const Candidate& b) { return a.score < b.score; });
  NodeOrder result;
  // Nothing beats one flow a channel in every stage.
  const std::vector<Fraction> degrees = job.degrees(best.order);
  const bool perfect = std::all_of(degrees.begin(), degrees.end(),
                                   [](const Fraction& degree) { return degree <= Fraction(1); });
  if (!perfect) result.trials = climb(job, best, options);
  const auto finished = [&](const Candidate& candidate) {
    OrderedAdapters order{candidate.found_by, {}, job.degrees(candidate.order)};
    for (const std::uint32_t i : candidate.order) order.adapters.push_back(adapters[i]);
    return order;
  };
  result.given = finished(candidates[0]);
  result.best = finished(best);
  return result;
}

}  // namespace fatwood
