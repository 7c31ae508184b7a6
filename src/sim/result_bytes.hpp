// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of runs as bytes (bytes.hpp), to send them between processes.

#include <concepts>
#include <type_traits>

#include "core/bytes.hpp"
#include "sim/run.hpp"

namespace fatwood::sim {

// T, const for writing, otherwise for reading.
template <class Given, class T>
concept Some = std::same_as<std::remove_const_t<Given>, T>;

void fields(auto& bytes, Some<ClassResult> auto& result) {
  bytes(result.offered, result.created, result.accepted, result.message, result.packet,
        result.settled, result.warmup_cycles, result.series);
}

void fields(auto& bytes, Some<Point> auto& point) {
  bytes(point.terminals, point.switches, point.use, point.counters, point.cycles, point.seconds,
        point.bytes, point.deadlock);
}

void fields(auto& bytes, Some<CollectiveResult> auto& result) {
  bytes(result.messages, result.flits, result.finish_cycles, result.bandwidth, result.slowest,
        result.overall, result.message, result.counters, result.seconds, result.bytes,
        result.deadlock);
}

}  // namespace fatwood::sim
