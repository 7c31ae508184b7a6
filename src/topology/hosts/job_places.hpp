// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where jobs see each terminal: the position of its host among the compute hosts, in the order in
// which a scheduler gives hosts to jobs (host_order.hpp), and its rail. Traffic of jobs stays on a
// rail: rank r of a host is its adapter r (job_adapters.hpp), and port i of an adapter sends to
// port i. Hosts that are not compute hosts have no position.

#include <cstdint>
#include <span>

#include "topology/hosts/host_order.hpp"

namespace fatwood {

struct JobPlace {
  std::uint32_t host = 0xffffffffU;  // position, or kNoJobPlace
  std::uint32_t rail = 0;
};
inline constexpr std::uint32_t kNoJobPlace = 0xffffffffU;

struct JobPlaces {
  std::uint32_t hosts = 0;  // with a position
  std::uint32_t rails = 1;
  Table<Terminal, JobPlace> of;
};

// `first`: a terminal of each host that comes first in the order; the others follow in natural
// order of names.
JobPlaces job_places(const Model& model, std::span<const Terminal> first);

}  // namespace fatwood
