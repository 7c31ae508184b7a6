// SPDX-License-Identifier: BSD-3-Clause
// Time and memory to build complete trees. The limits of the project: ft(64,3) in under a second
// and under 64 bytes per port, builder included; a million terminals still build.
//
//   bench_fabric [SPEC...]
//
// The peer is the memory itself: "x memset" is the time against setting the same number of bytes.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "io/fabric/spec.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double memset_seconds(std::size_t bytes) {
  const auto block = std::make_unique_for_overwrite<char[]>(bytes);
  const auto start = Clock::now();
  std::memset(block.get(), 1, bytes);
  const double spent = seconds_since(start);
  return block[bytes / 2] == 1 ? spent : 0;
}

std::size_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

void measure(const std::string& spec) {
  const std::size_t before = peak_bytes();
  const auto start = Clock::now();
  const fatwood::Fabric fabric = fatwood::make_fabric(spec);
  const double spent = seconds_since(start);
  const std::size_t peak = peak_bytes() - before;
  malloc_trim(0);
  const std::size_t ports = 2 * fabric.num_cables();
  const auto held = static_cast<std::size_t>(mallinfo2().uordblks + mallinfo2().hblkhd);
  fmt::print("{:<34} {:>9} {:>9} {:>10} {:>9.3f} {:>10.1f} {:>10.1f} {:>9.1f}\n", spec,
             fabric.num_terminals(), fabric.num_switches(), ports, spent,
             static_cast<double>(held) / static_cast<double>(ports),
             static_cast<double>(peak) / static_cast<double>(ports), spent / memset_seconds(peak));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> specs(argv + 1, argv + argc);
  if (specs.empty()) {
    specs = {"switch648", "switch3456", "juropa",
             "ft(48,3)",  "ft(64,3)",   "xgft(4;32,32,32,32;1,32,32,32)"};
  }
  fmt::print("{:<34} {:>9} {:>9} {:>10} {:>9} {:>10} {:>10} {:>9}\n", "fabric", "terminals",
             "switches", "ports", "seconds", "held B/port", "peak B/port", "x memset");
  std::fflush(stdout);
  for (const std::string& spec : specs) {
    // A process each: the peak is that of this fabric alone.
    const pid_t child = fork();
    if (child == 0) {
      measure(spec);
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) fmt::print("{:<34} failed\n", spec);
  }
  return 0;
}
