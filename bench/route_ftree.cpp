// SPDX-License-Identifier: BSD-3-Clause
// Route computation on trees against its limit, a memset of the table's bytes: into warm memory,
// and into memory fresh from the system, as a table is made. All times are CPU milliseconds of one
// thread, so that other work on the machine does not count. "peak" is the most memory that the
// process ever had (fabrics by growing size: the last one's).
//
//   bench_route_ftree              ratio to memset, then cost against size
//   bench_route_ftree SPEC|FILE..  the same for other fabrics

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "clock.hpp"
#include "core/big_bytes.hpp"
#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "routing/engine.hpp"

namespace {

using namespace fatwood;

// Of one call. Calls shorter than the clock's resolution are repeated.
template <class Work>
double best_of(int times, const Work& work) {
  constexpr double kLeast = 2e-4;
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    double spent = 0;
    int calls = 0;
    const double start = bench::cpu_seconds();
    do {
      work();
      ++calls;
      spent = bench::cpu_seconds() - start;
    } while (spent < kLeast);
    best = std::min(best, spent / calls);
  }
  return best;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

// Into memory that the process had before: no page is fetched.
double warm_memset(std::size_t bytes) {
  std::vector<std::uint8_t> memory(bytes);
  volatile std::uint8_t* const keep = memory.data();
  return best_of(5, [&] {
    std::memset(memory.data(), keep[0] + 1, bytes);
    keep[bytes / 2] = 7;
  });
}

// Into memory fresh from the system, as a table is made.
double fresh_memset(std::size_t bytes) {
  return best_of(3, [&] {
    BigBytes memory(bytes);
    std::memset(memory.data(), 1, bytes);
    volatile std::uint8_t* const keep = memory.data();
    keep[bytes / 2] = 7;
  });
}

void show(const std::string& name) {
  const Fabric fabric = load_fabric(name).fabric;
  const std::size_t bytes =
      (fabric.num_terminals() + fabric.num_switches()) * fabric.num_switches();
  const double warm = warm_memset(bytes);
  const double fresh = fresh_memset(bytes);
  fmt::print("{:<28}{:>7}{:>7}{:>9.1f}{:>9.3f}{:>9.3f}", name, fabric.num_terminals(),
             fabric.num_switches(), static_cast<double>(bytes) / 1e6, 1e3 * warm, 1e3 * fresh);
  for (const char* engine : {"dmodk", "ftree", "sftree"}) {
    try {
      const double spent = best_of(bytes > 100'000'000 ? 2 : 5, [&] {
        route(find_engine(engine), Model(fabric), {.threads = 1});
      });
      fmt::print("{:>9.2f} ms{:>6.1f}x{:>6.1f}x", 1e3 * spent, spent / warm, spent / fresh);
    } catch (const PromiseError&) {
      fmt::print("{:>9}   {:>7}{:>7}", "-", "", "");
    }
    std::fflush(stdout);
  }
  fmt::print("{:>7.0f} MB\n", peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print(
      "{:<28}{:>7}{:>7}{:>9}{:>9}{:>9}{:>12}{:>7}{:>7}{:>12}{:>7}{:>7}{:>12}{:>7}{:>7}{:>10}\n",
      "fabric", "hosts", "switch", "MB", "memset", "fresh", "dmodk", "warm", "fresh", "ftree",
      "warm", "fresh", "sftree", "warm", "fresh", "peak");
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) {
    names = {"switch648", "ft(24,3)", "switch3456", "ft(36,3)", "ft(48,3)", "ft(64,3)"};
  }
  try {
    for (const std::string& name : names) show(name);
  } catch (const InputError& error) {
    fmt::print(stderr, "bench_route_ftree: {}\n", error.what());
    return 2;
  }
}
