// SPDX-License-Identifier: BSD-3-Clause
#include "io/traces/chakra.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    fatwood::Trace trace;
    trace.ranks = 1;
    trace.files = {"fuzz.0.et"};
    trace.places_are_lines = false;
    fatwood::read_chakra_rank(input, 0, trace);
    for (const fatwood::TraceOp& op : trace.ops) {
      const bool talks =
          op.kind == fatwood::TraceKind::kSend || op.kind == fatwood::TraceKind::kReceive;
      if (talks && op.peer >= trace.ranks) return;
    }
    fatwood::trace_program(trace, {.nodes = 1, .ranks = 1, .nics = 1}, {});
  });
}
