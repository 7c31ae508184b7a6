// SPDX-License-Identifier: BSD-3-Clause
#include "sim/meter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace fatwood::sim {

namespace {

constexpr unsigned kStepBits = 6;  // 64 steps an octave
constexpr std::size_t kMostBatches = 20;

std::size_t bucket_of(Time value) {
  const auto v = static_cast<std::uint64_t>(value);
  const auto width = static_cast<unsigned>(std::bit_width(v));
  if (width <= kStepBits + 1) return v;
  const unsigned shift = width - kStepBits - 1;
  return (std::size_t{shift} << kStepBits) + (v >> shift);
}
// The middle of a bucket's values.
double value_of(std::size_t bucket) {
  if (bucket < (2U << kStepBits)) return static_cast<double>(bucket);
  const std::size_t shift = (bucket >> kStepBits) - 1;
  const std::size_t low = (bucket - (shift << kStepBits)) << shift;
  return static_cast<double>(low) + (static_cast<double>(std::size_t{1} << shift) - 1) / 2;
}

// Two-sided 95% quantile of Student's t.
double student_t95(std::size_t freedom) {
  constexpr std::array<double, 20> kTable{0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                                          2.365, 2.306,  2.262, 2.228, 2.201, 2.179, 2.160,
                                          2.145, 2.131,  2.120, 2.110, 2.101, 2.093};
  return freedom < kTable.size() ? kTable[freedom] : 1.96;
}

// The difference of each batch from the mean of all, in units of the value.
struct Deviations {
  double mean = 0;
  std::vector<double> of;
};

Deviations deviations(const std::vector<double>& values, const std::vector<double>& weights,
                      std::size_t batches) {
  const std::size_t n = values.size();
  batches = std::min(n, batches);
  double total = 0;
  double weight = 0;
  for (std::size_t i = 0; i < n; ++i) {
    total += values[i] * weights[i];
    weight += weights[i];
  }
  if (weight <= 0) return {};
  Deviations result{total / weight, {}};
  for (std::size_t b = 0; b < batches; ++b) {
    double sum = 0;
    for (std::size_t i = n * b / batches; i < n * (b + 1) / batches; ++i) {
      sum += weights[i] * (values[i] - result.mean);
    }
    result.of.push_back(sum * static_cast<double>(batches) / weight);
  }
  return result;
}

// Of a batch with the next one; what too few batches hide of it is added (Marriott and Pope 1954).
double correlation(const std::vector<double>& deviations) {
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    squares += deviations[i] * deviations[i];
    if (i > 0) products += deviations[i] * deviations[i - 1];
  }
  if (squares <= 0) return 0;
  const double r = products / squares;
  constexpr double kMost = 0.9;
  return std::clamp(r + (1 + 3 * r) / static_cast<double>(deviations.size()), 0.0, kMost);
}

double half_width(const std::vector<double>& deviations, double correlation) {
  const auto n = static_cast<double>(deviations.size());
  if (deviations.size() < 2) return 0;
  double squares = 0;
  for (const double d : deviations) squares += d * d;
  const double wider = (1 + correlation) / (1 - correlation);
  const auto freedom = static_cast<std::size_t>(std::max(1.0, n / wider - 1));
  return student_t95(freedom) * std::sqrt(squares / (n - 1) / n * wider);
}

}  // namespace

void Histogram::add(Time value) {
  const std::size_t bucket = bucket_of(value);
  if (bucket >= bucket_.size()) bucket_.resize(bucket + 1, 0);
  ++bucket_[bucket];
  ++count_;
  sum_ += static_cast<double>(value);
  most_ = std::max(most_, value);
}

void Histogram::add(const Histogram& other) {
  if (other.bucket_.size() > bucket_.size()) bucket_.resize(other.bucket_.size(), 0);
  for (std::size_t i = 0; i < other.bucket_.size(); ++i) bucket_[i] += other.bucket_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  most_ = std::max(most_, other.most_);
}

void Meter::next_window() {
  std::array<Window, 2> all;
  for (OpenWindow& window : open_) {
    const std::array<Window, 2> heard = window.take();
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].flits += heard[i].flits;
      all[i].message.add(heard[i].message);
      all[i].packet.add(heard[i].packet);
    }
  }
  windows_[0].push_back(std::move(all[0]));
  windows_[1].push_back(std::move(all[1]));
}

double Histogram::percentile(double q) const {
  const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_)));
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < bucket_.size(); ++i) {
    below += bucket_[i];
    if (below >= rank && below > 0) {
      return std::min(value_of(i), static_cast<double>(most_));
    }
  }
  return 0;
}

std::size_t mser_cut(const std::vector<double>& series) {
  const std::size_t n = series.size();
  double sum = 0;
  double squares = 0;
  double least = 0;
  std::size_t best = 0;
  bool any = false;
  for (std::size_t i = n; i-- > 0;) {
    sum += series[i];
    squares += series[i] * series[i];
    if (i > n / 2) continue;
    const auto left = static_cast<double>(n - i);
    const double error = (squares - sum * sum / left) / (left * left);
    if (!any || error <= least) {
      least = error;
      best = i;
      any = true;
    }
  }
  return best;
}

std::size_t warm_up_cut(const std::vector<double>& series) {
  return std::max(mser_cut(series), series.size() / 10);
}

Estimate independent_batches(const std::vector<double>& values, const std::vector<double>& weights,
                             std::size_t batches) {
  const Deviations d = deviations(values, weights, batches);
  return {d.mean, half_width(d.of, 0)};
}

Estimate weighted_mean(const std::vector<double>& values, const std::vector<double>& weights) {
  const Deviations most = deviations(values, weights, kMostBatches);
  Estimate estimate{most.mean, half_width(most.of, correlation(most.of))};
  for (std::size_t batches = kMostBatches / 2; batches >= kMostBatches / 4; batches /= 2) {
    estimate.half = std::max(estimate.half, independent_batches(values, weights, batches).half);
  }
  return estimate;
}

Estimate plain_mean(const std::vector<double>& values) {
  return weighted_mean(values, std::vector<double>(values.size(), 1));
}

}  // namespace fatwood::sim
