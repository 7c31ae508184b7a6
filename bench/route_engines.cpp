// SPDX-License-Identifier: BSD-3-Clause
// Seconds each engine takes to fill the tables of well-known fabrics, the best of a few runs,
// next to a memset of as many bytes. For OpenSM's own engines on the same fabrics see
// bench/README.md.
//
//   bench_route_engines [--fabric SPEC|FILE]... [--engine NAME]... [--threads N]

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "clock.hpp"
#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"

namespace {

using fatwood::Engine;
using fatwood::Fabric;
using fatwood::bench::cpu_seconds;
using fatwood::bench::wall_seconds;

struct Arguments {
  std::vector<std::string> fabrics;
  std::vector<std::string> engines;
  int threads = 0;
};

struct Spent {
  double wall = 1e9;
  double cpu = 1e9;
};

// Best of up to five runs, two seconds in all.
template <class Work>
Spent best_seconds(const Work& work) {
  Spent best;
  const double start = wall_seconds();
  for (int run = 0; run < 5 && (run == 0 || wall_seconds() - start < 2); ++run) {
    const double begin = wall_seconds();
    const double cpu = cpu_seconds();
    work();
    best.wall = std::min(best.wall, wall_seconds() - begin);
    best.cpu = std::min(best.cpu, cpu_seconds() - cpu);
  }
  return best;
}

double memset_seconds(std::size_t bytes) {
  const auto fill = [&] {
    std::vector<unsigned char> block(bytes);
    std::memset(block.data(), 1, bytes);
    if (block[bytes / 2] != 1) std::abort();
  };
  return best_seconds(fill).wall;
}

void time_engine(const Engine& engine, const Fabric& fabric, int threads, double limit) {
  try {
    fatwood::Routing routing;
    const Spent best = best_seconds([&] {
      routing = route(engine, fatwood::Model(fabric), {.max_lanes = 8, .threads = threads});
    });
    fmt::print("  {:8} {:9.4f} s  {:9.4f} s of CPU  {:6.1f} memsets  {} lanes\n", engine.name,
               best.wall, best.cpu, best.wall / limit, routing.lanes.count);
  } catch (const fatwood::PromiseError& error) {
    fmt::print("  {:8} {}\n", engine.name, error.what());
  }
  std::fflush(stdout);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--fabric") arguments.fabrics.emplace_back(argv[i + 1]);
    if (option == "--engine") arguments.engines.emplace_back(argv[i + 1]);
    if (option == "--threads") arguments.threads = std::stoi(argv[i + 1]);
  }
  if (arguments.fabrics.empty()) {
    arguments.fabrics = {"switch648", "switch3456", "juropa"};
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  for (const std::string& name : arguments.fabrics) {
    const Fabric fabric = fatwood::load_fabric(name).fabric;
    const std::size_t bytes =
        (fabric.num_terminals() + fabric.num_switches()) * fabric.num_switches();
    const double limit = memset_seconds(bytes);
    fmt::print("{}: {} terminals, {} switches, tables of {:.1f} MB, memset {:.5f} s\n", name,
               fabric.num_terminals(), fabric.num_switches(), static_cast<double>(bytes) / 1e6,
               limit);
    for (const Engine& engine : fatwood::engines()) {
      const bool chosen =
          arguments.engines.empty() ||
          std::ranges::find(arguments.engines, engine.name) != arguments.engines.end();
      if (chosen) time_engine(engine, fabric, arguments.threads, limit);
    }
  }
}
