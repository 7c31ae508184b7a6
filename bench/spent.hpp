// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A line for each thing that is timed: wall and CPU seconds.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "clock.hpp"

namespace fatwood::bench {

struct Spent {
  double wall = 0;
  double cpu = 0;  // of all threads: on a machine shared with others, wall time says little
};

template <class Work>
Spent seconds(const Work& work) {
  const double wall = wall_seconds();
  const double cpu = cpu_seconds();
  work();
  return {wall_seconds() - wall, cpu_seconds() - cpu};
}

inline void print(std::string_view name, const Spent& spent, const std::string& note = "") {
  fmt::print("{:<28} {:8.3f} s {:8.3f} s CPU  {}\n", name, spent.wall, spent.cpu, note);
}

}  // namespace fatwood::bench
