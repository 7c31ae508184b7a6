// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The measurements of a run: sums and a histogram of latencies per window, separately for traffic
// of terminals and of switches; and estimates of the steady state.
//
// Warm-up: MSER takes, of all cuts in the first half, the one with the smallest standard error of
// the rest [White97]. It tends to pick quiet parts, so at least a tenth of a run is left out.
//
// Confidence intervals: batch means, 95% by Student's t. A mean over messages is a ratio of two
// sums; the deviation of a batch is its sum minus the ratio times its count. Consecutive windows
// are correlated, and small batches hide that. So the interval is the widest of three:
// - 20 batches, corrected for their correlation r as a first-order process: the variance of the
//   mean is (1 + r)/(1 - r) times that of independent batches, with correspondingly fewer
//   batches;
// - 10 batches;
// - 5 batches.
// It covers the long-run value in 95% of runs or more; in fewer near saturation, if a run is short
// compared with the memory of the network (measured in tests/sim/run_test.cpp).
//
// Histograms are log-linear: exact below 128 ticks, then 64 steps per octave, so a percentile is
// within 1.6% of the sample's.

#include <cstdint>
#include <vector>

#include "sim/engine/engine.hpp"

namespace fatwood::sim {

class Histogram {
 public:
  void add(Time value);
  void add(const Histogram& other);
  std::uint64_t count() const { return count_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  double sum() const { return sum_; }
  Time most() const { return most_; }
  // The value that a fraction q of all samples does not exceed; 0 without samples.
  double percentile(double q) const;

 private:
  std::vector<std::uint32_t> bucket_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
  Time most_ = 0;
};

struct Window {
  std::uint64_t flits = 0;    // delivered
  Histogram message, packet;  // latencies, ticks
};

// A mean with the half width of its 95% confidence interval (0 if there are too few batches).
struct Estimate {
  double mean = 0;
  double half = 0;
};
// The best cut of a series by MSER: the number of leading values to leave out, at most half.
std::size_t mser_cut(const std::vector<double>& series);
// The same, but at least a tenth.
std::size_t warm_up_cut(const std::vector<double>& series);
// The weighted mean of values, with the confidence interval described above.
Estimate weighted_mean(const std::vector<double>& values, const std::vector<double>& weights);
Estimate plain_mean(const std::vector<double>& values);  // all weights 1
// The same with `batches` independent batches; half is 0 with fewer than 2 values.
Estimate independent_batches(const std::vector<double>& values, const std::vector<double>& weights,
                             std::size_t batches);

class Meter : public Observer {
 public:
  explicit Meter(const Network& network) : terminals_(network.terminals) { next_window(); }
  void delivered(const Delivery& d) override {
    Window& window = windows_[fatwood::index(d.source) < terminals_ ? 0 : 1].back();
    window.flits += d.flits;
    window.packet.add(d.delivered - d.started);
    if (d.last) window.message.add(d.delivered - d.created);
  }
  void next_window() {
    windows_[0].emplace_back();
    windows_[1].emplace_back();
  }
  // The last window is still open.
  const std::vector<Window>& terminal_windows() const { return windows_[0]; }
  const std::vector<Window>& switch_windows() const { return windows_[1]; }

 private:
  std::size_t terminals_;
  std::vector<Window> windows_[2];
};

}  // namespace fatwood::sim
