// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/permutations/permutation_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/permutations/sampling.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {
namespace {

class AnyRates : public PermutationRates {
 public:
  AnyRates(const Model& model, const PathSource& paths, PortChoice choice, std::uint64_t seed)
      : model_(model),
        paths_(paths),
        choice_(choice),
        seed_(seed),
        links_(model, paths, choice, seed),
        asked_(model.fabric().num_channels(), 0) {
    const ChannelSpeeds& speeds = model.speeds();
    problem_.capacity.resize(model.fabric().num_channels(), 1);
    for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
      if (!model.fabric().connected(c)) continue;
      problem_.capacity[index(c)] =
          static_cast<double>(speeds.speed(c)) / static_cast<double>(speeds.usual());
    }
  }

  std::span<const double> solve(std::span<const std::uint32_t> destination_of) override {
    problem_.first.assign(1, 0);
    problem_.uses.clear();
    own_.clear();
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      if (destination_of[s] == s) continue;
      const Adapter from{s};
      const Adapter to{destination_of[s]};
      const std::vector<LinkUse> links = links_.links(from, to);
      if (links.empty()) throw no_path(model_, from, to);
      problem_.uses.insert(problem_.uses.end(), links.begin(), links.end());
      problem_.first.push_back(static_cast<std::uint32_t>(problem_.uses.size()));
      own_.push_back(own_rate(links));
    }
    const Shares& shares = solver_.solve(problem_);
    rates_.assign(destination_of.size(), 0);
    std::size_t v = 0;
    for (std::uint32_t s = 0; s < destination_of.size(); ++s) {
      if (destination_of[s] == s) continue;
      rates_[s] = shares.rate[v] / own_[v];
      ++v;
    }
    return rates_;
  }
  std::unique_ptr<PermutationRates> clone() const override {
    return std::make_unique<AnyRates>(model_, paths_, choice_, seed_);
  }

 private:
  // The rate of the flow if only its hosts' cables limit it.
  double own_rate(const std::vector<LinkUse>& links) {
    const Fabric& fabric = model_.fabric();
    for (const LinkUse& use : links) asked_[use.link] += use.amount;
    double rate = kNoCap;
    for (const LinkUse& use : links) {
      const auto c = static_cast<Channel>(use.link);
      if (asked_[use.link] > 0 &&
          (!fabric.is_switch(fabric.owner(c)) || !fabric.is_switch(fabric.neighbour(c)))) {
        rate = std::min(rate, problem_.capacity[use.link] / asked_[use.link]);
      }
      asked_[use.link] = 0;
    }
    return rate;
  }

  const Model& model_;
  const PathSource& paths_;
  PortChoice choice_;
  std::uint64_t seed_;
  FlowLinks links_;
  ShareProblem problem_;
  ShareSolver solver_;
  std::vector<double> asked_;  // by channel; all zero between calls
  std::vector<double> own_;    // by variable
  std::vector<double> rates_;
};

constexpr std::uint64_t kOne = std::uint64_t{1} << 30;
constexpr std::size_t kBins = 1000;  // of shares, for quantiles

// Of samples. Whole numbers, so that the order of adding does not matter.
struct RateSums {
  std::uint64_t sum = 0;
  unsigned __int128 squares = 0;
  std::uint64_t slowest = 0;
  std::uint64_t full = 0;
  std::array<std::uint64_t, kBins + 1> bins{};  // flows by share

  void operator+=(const RateSums& other) {
    sum += other.sum;
    squares += other.squares;
    slowest += other.slowest;
    full += other.full;
    for (std::size_t b = 0; b <= kBins; ++b) bins[b] += other.bins[b];
  }

  void add(std::span<const double> rates) {
    double total = 0;
    double least = 1;
    std::uint64_t flows = 0;
    for (const double rate : rates) {
      if (rate == 0) continue;
      total += rate;
      least = std::min(least, rate);
      full += rate > 1 - 1e-9 ? 1 : 0;
      ++bins[std::min(kBins, static_cast<std::size_t>(rate * kBins + 0.5))];
      ++flows;
    }
    // All adapters drew themselves, so nothing is sent.
    const double mean = flows == 0 ? 1 : total / static_cast<double>(flows);
    const auto units = static_cast<std::uint64_t>(std::llround(mean * kOne));
    sum += units;
    squares += static_cast<unsigned __int128>(units) * units;
    slowest += static_cast<std::uint64_t>(std::llround(least * kOne));
  }
};

RateStudy summary(const RateSums& all, std::uint64_t samples) {
  RateStudy study;
  study.share = mean_with_interval(all.sum, all.squares, samples, kOne);
  study.slowest = static_cast<double>(all.slowest) / static_cast<double>(samples) / kOne;
  std::uint64_t flows = 0;
  for (const std::uint64_t bin : all.bins) flows += bin;
  if (flows == 0) return study;
  study.full = static_cast<double>(all.full) / static_cast<double>(flows);
  for (std::size_t q = 0; q < kRateQuantiles.size(); ++q) {
    const double wanted = kRateQuantiles[q] * static_cast<double>(flows);
    std::uint64_t below = 0;
    std::size_t bin = 0;
    while (bin < kBins && static_cast<double>(below += all.bins[bin]) < wanted) ++bin;
    study.quantiles[q] = static_cast<double>(bin) / kBins;
  }
  return study;
}

}  // namespace

std::unique_ptr<PermutationRates> any_rates(const Model& model, const PathSource& paths,
                                            PortChoice choice, std::uint64_t seed) {
  return std::make_unique<AnyRates>(model, paths, choice, seed);
}

std::unique_ptr<PermutationRates> permutation_rates(const Model& model, const PathSource& paths) {
  if (model.speeds().uniform()) {
    std::unique_ptr<PermutationRates> kernel;
    if (paths.algebraic() != nullptr) {
      kernel = algebraic_rates(*paths.algebraic());
    } else if (paths.tables() != nullptr) {
      kernel = table_rates(model, *paths.tables());
    }
    if (kernel != nullptr) return kernel;
  }
  return any_rates(model, paths);
}

void draw_bisection(std::uint64_t seed, std::uint64_t sample,
                    std::span<std::uint32_t> destination_of) {
  std::vector<std::uint32_t> order(destination_of.size());
  draw_permutation(seed, sample, order);
  const std::size_t half = order.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    destination_of[order[i]] = order[half + i];
    destination_of[order[half + i]] = order[i];
  }
  if (order.size() % 2 != 0) destination_of[order.back()] = order.back();
}

RateStudy rate_study(const PermutationRates& kernel, std::size_t hosts, RatePattern pattern,
                     const PermutationOptions& options) {
  const auto draw = pattern == RatePattern::kPermutations ? draw_permutation : draw_bisection;
  RateStudy study;
  sample_until_narrow<RateSums>(
      kernel, hosts, options, draw,
      [](PermutationRates& own, std::span<const std::uint32_t> destination_of, RateSums& sums) {
        sums.add(own.solve(destination_of));
      },
      [&](const RateSums& sums, std::uint64_t samples) {
        study = summary(sums, samples);
        return study.share;
      });
  return study;
}

RateStudy average(const std::vector<RateStudy>& studies) {
  RateStudy result;
  const auto count = static_cast<double>(studies.size());
  std::vector<PermutationStudy> shares;
  for (const RateStudy& study : studies) {
    shares.push_back(study.share);
    result.slowest += study.slowest / count;
    result.full += study.full / count;
    for (std::size_t q = 0; q < result.quantiles.size(); ++q) {
      result.quantiles[q] += study.quantiles[q] / count;
    }
  }
  result.share = average(shares);
  return result;
}

}  // namespace fatwood
