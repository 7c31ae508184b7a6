// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The measurements of a run: sums and a histogram of latencies per window, separately for traffic
// of terminals and of switches; and from them, what holds once the network has warmed up.
//
// Warm-up is found by MSER: of all cuts in the first half, the one that leaves the smallest
// standard error in the rest [White97]. It picks what looks quiet, so at least a tenth of a run is
// left out.
//
// Confidence intervals are by batch means, 95% by Student's t. A mean over messages is a ratio of
// two sums, and a batch deviates by its sum less the ratio times its count. Windows that follow
// each other resemble each other, and small batches hide that. So the interval is the widest of
// three: 20 batches, with their correlation r with the next one taken for that of a first-order
// process (the variance of the mean is (1 + r)/(1 - r) times that of independent ones, and there
// are as many fewer batches that count); 10 batches; 5 batches. It covers the long-run value in
// 95% of runs or more; in fewer where a run is short against what the network remembers, near
// saturation (tests/sim/run_test.cpp measures it).
//
// Histograms are log-linear: exact below 128 ticks, then 64 steps an octave, so a percentile is
// within 1.6% of the sample's.

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
  // The value that the share q of all samples does not exceed; 0 without samples.
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

// A mean with the half width of its 95% confidence interval (0 when there are too few batches).
struct Estimate {
  double mean = 0;
  double half = 0;
};
// The best cut of a series by MSER: how many leading values to leave out, at most half.
std::size_t mser_cut(const std::vector<double>& series);
// The same, and at least a tenth.
std::size_t warm_up_cut(const std::vector<double>& series);
// The mean of values with weights (sum of value * weight by sum of weights), as said above.
Estimate weighted_mean(const std::vector<double>& values, const std::vector<double>& weights);
Estimate plain_mean(const std::vector<double>& values);  // all weights 1
// The same by `batches` batches taken as independent; half is 0 with fewer than 2 values.
Estimate independent_batches(const std::vector<double>& values, const std::vector<double>& weights,
                             std::size_t batches);

// The open window of terminals and of switches, of the deliveries that it hears of.
class alignas(64) OpenWindow : public Observer {
 public:
  explicit OpenWindow(std::size_t terminals) : terminals_(terminals) {}
  void delivered(const Delivery& d) override {
    Window& window = windows_[fatwood::index(d.source) < terminals_ ? 0 : 1];
    window.flits += d.flits;
    window.packet.add(d.delivered - d.started);
    if (d.last) window.message.add(d.delivered - d.created);
  }
  // What was heard since the last call.
  std::array<Window, 2> take() { return std::exchange(windows_, {}); }

 private:
  std::size_t terminals_;
  std::array<Window, 2> windows_;
};

// Each part of an engine has an open window of its own. All sums are of whole numbers, so it does
// not matter which part heard of a delivery.
class Meter : public Observer {
 public:
  explicit Meter(const Network& network) : terminals_(network.terminals), parts_(1, own_window()) {}
  void delivered(const Delivery& d) override { parts_.front().delivered(d); }
  Observer* of_part(unsigned part, unsigned parts) override {
    if (parts_.size() < parts) parts_.resize(parts, own_window());
    return &parts_[part];
  }
  // Closes the open window.
  void next_window();
  // Those that are closed.
  const std::vector<Window>& terminal_windows() const { return windows_[0]; }
  const std::vector<Window>& switch_windows() const { return windows_[1]; }

 private:
  OpenWindow own_window() const { return OpenWindow(terminals_); }

  std::size_t terminals_;
  std::vector<OpenWindow> parts_;
  std::vector<Window> windows_[2];
};

}  // namespace fatwood::sim
