// SPDX-License-Identifier: BSD-3-Clause
#include "io/traces/goal.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    const bool binary = fatwood::looks_like_goal_binary(input.peek());
    const fatwood::Trace trace =
        binary ? fatwood::read_goal_binary(input) : fatwood::read_goal(input);
    if (trace.ranks > 1000) return;
    fatwood::trace_program(trace, {.nodes = trace.ranks, .ranks = 1, .nics = 1}, {});
  });
}
