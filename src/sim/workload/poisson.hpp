// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Open traffic: the messages of each source are a Poisson process, and each message has a random
// destination.
//
// Destinations are uniform over all other endpoints of the same kind, or follow a traffic matrix: a
// message of s goes to d with probability amount(s, d) / (row sum of s), and s sends at load * (row
// sum of s) / (largest row sum). Load 1 is what the source's adapter and link can carry. Each
// source has its own random stream, so its messages do not depend on anything else in the run.

#include <vector>

#include "core/random.hpp"
#include "sim/engine/huge_vector.hpp"
#include "sim/workload/workload.hpp"
#include "traffic/traffic.hpp"

namespace fatwood::sim {

struct PoissonClass {
  double load = 0;  // 0: silent
  std::uint64_t message_flits = 1;
  std::uint8_t service_level = 0;
  const Traffic* matrix = nullptr;  // of terminals; nullptr: uniform
};

class Poisson : public Workload {
 public:
  // Created messages are counted in `windows` windows of `window` ticks. REQUIRES loads in [0, 1],
  // window > 0. A matrix of terminals' traffic is used only here.
  Poisson(const Network& network, const PoissonClass& terminals, const PoissonClass& switches,
          std::uint64_t seed, Time window = kNever, std::size_t windows = 0);

  Time next_at(Endpoint e) const override { return source_[index(e)].next(); }
  void look_soon(Endpoint e) const override { __builtin_prefetch(&source_[index(e)]); }
  MessageSpec take(Endpoint e, Time now) override;
  bool is_local() const override { return true; }

  // Flits per tick that all terminals (or all switches) together would send at load 1.
  double terminal_capacity() const { return capacity_[0]; }
  double switch_capacity() const { return capacity_[1]; }

  // Flits of the messages that terminals created in each of the first windows, taken by the engine
  // or not. It draws these messages, so call it at the end of a run. REQUIRES no more windows than
  // are counted.
  std::vector<std::uint64_t> terminal_flits(std::size_t windows);

 private:
  static constexpr double kHorizon = 4e18;  // ticks: after any run, and a whole number still
  struct alignas(64) Source {               // a line of memory
    Random random;
    double exact = 2 * kHorizon;  // time of the next message; silent: beyond all time
    double interval = 0;          // mean, ticks
    // A load so small that its messages are beyond all time may give infinity, or no number at all.
    Time next() const { return exact < kHorizon ? static_cast<Time>(exact) : kNever; }
  };
  struct Newest {  // messages, not yet in created_
    std::uint32_t window = 0;
    std::uint32_t messages = 0;
  };
  void draw_next(Source& source) const;
  std::uint32_t draw_destination(std::uint32_t e, Random& random) const;
  void count_created(std::uint32_t e, Time created);
  void add_created(Newest& newest);

  const Network& net_;
  PoissonClass class_[2];  // terminals, switches
  double capacity_[2] = {0, 0};
  Time window_;
  std::vector<std::uint64_t> created_;  // messages of terminals, by window; threads add to it
  std::vector<Newest> newest_;          // by terminal
  HugeVector<Source> source_;
  bool plain_ = false;  // destinations are uniform, and adapters have the numbers of terminals
  // The matrix by rows: destinations, and running sums of units.
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> dest_;
  std::vector<double> sum_;
};

}  // namespace fatwood::sim
