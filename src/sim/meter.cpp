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

Estimate batch_means(const std::vector<double>& series) {
  const std::size_t n = series.size();
  if (n == 0) return {};
  const std::size_t batches = std::min(n, kMostBatches);
  std::vector<double> mean;
  double total = 0;
  for (const double value : series) total += value;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t begin = n * b / batches;
    const std::size_t end = n * (b + 1) / batches;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += series[i];
    mean.push_back(sum / static_cast<double>(end - begin));
  }
  Estimate estimate{total / static_cast<double>(n), 0};
  if (batches < 2) return estimate;
  double squares = 0;
  for (const double m : mean) squares += (m - estimate.mean) * (m - estimate.mean);
  const auto b = static_cast<double>(batches);
  estimate.half = student_t95(batches - 1) * std::sqrt(squares / (b - 1) / b);
  return estimate;
}

}  // namespace fatwood::sim
