// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Measures a run: sums and a histogram of latencies per time window, separately for traffic of
// terminals and of switches. From these it computes figures for the time after the warm-up.
//
// Warm-up is found by MSER [White97]: of all cuts in the first half of the run, the one that leaves
// the smallest standard error in the rest. MSER tends to select what looks quiet, so at least a
// tenth of a run is left out.
//
// Confidence intervals are by batch means, 95% by Student's t. A mean over messages is a ratio of
// two sums; the deviation of a batch is its sum minus the ratio times its count. Consecutive
// windows are correlated, and small batches hide this. So the interval is the widest of three:
// - 20 batches, corrected for the correlation r of consecutive batches as in a first-order process:
//   the variance of the mean is (1 + r)/(1 - r) times that of independent batches, and the number
//   of batches is smaller by the same factor;
// - 10 batches, as independent;
// - 5 batches, as independent.
// It covers the long-run value in 95% of runs or more; in fewer if a run is short compared with the
// memory of the network, near saturation (tests/sim/run_test.cpp measures it).
//
// Histograms are log-linear: exact below 128 ticks, then 64 steps per octave, so a percentile is
// within 1.6% of that of the samples.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/observer.hpp"

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
// The best cut of a series by MSER: how many leading values to leave out, at most half.
std::size_t mser_cut(const std::vector<double>& series);
// The same, and at least a tenth.
std::size_t warm_up_cut(const std::vector<double>& series);
// The mean of values with weights (sum of value * weight / sum of weights), with the interval
// described above.
Estimate weighted_mean(const std::vector<double>& values, const std::vector<double>& weights);
Estimate plain_mean(const std::vector<double>& values);  // all weights 1
// The same with the interval of `batches` independent batches; half is 0 with fewer than 2 values.
Estimate independent_batches(const std::vector<double>& values, const std::vector<double>& weights,
                             std::size_t batches);

// The open windows of terminals and of switches, for the deliveries that this observer is called
// with.
class alignas(64) OpenWindow : public Observer {
 public:
  explicit OpenWindow(std::size_t terminals) : terminals_(terminals) {}
  void delivered(const Delivery& d) override {
    Window& window = windows_[fatwood::index(d.source) < terminals_ ? 0 : 1];
    window.flits += d.flits;
    window.packet.add(d.delivered - d.started);
    if (d.last) window.message.add(d.delivered - d.created);
  }
  // The windows since the last call.
  std::array<Window, 2> take() { return std::exchange(windows_, {}); }

 private:
  std::size_t terminals_;
  std::array<Window, 2> windows_;
};

// Each thread of an engine has its own open window. All sums are integers, so it does not matter
// which thread observes a delivery.
class Meter : public Observer {
 public:
  explicit Meter(const Network& network) : terminals_(network.terminals), open_(1, own_window()) {}
  void delivered(const Delivery& d) override { open_.front().delivered(d); }
  Observer* of_thread(unsigned thread, unsigned threads) override {
    if (open_.size() < threads) open_.resize(threads, own_window());
    return &open_[thread];
  }
  // Closes the open window.
  void next_window();
  // Closed windows.
  const std::vector<Window>& terminal_windows() const { return windows_[0]; }
  const std::vector<Window>& switch_windows() const { return windows_[1]; }

 private:
  OpenWindow own_window() const { return OpenWindow(terminals_); }

  std::size_t terminals_;
  std::vector<OpenWindow> open_;
  std::vector<Window> windows_[2];
};

}  // namespace fatwood::sim
