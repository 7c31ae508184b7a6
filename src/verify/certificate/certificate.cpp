// SPDX-License-Identifier: BSD-3-Clause
#include "verify/certificate/certificate.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "core/invariant.hpp"
#include "routing/tables/fingerprint.hpp"

namespace fatwood {

namespace {

// `lane_at`: the lane of each item of the order; empty if the whole order is of one lane.
void write_order(std::ostream& out, const Fabric& fabric, const std::vector<Channel>& order,
                 const std::vector<std::uint8_t>& lane_at) {
  std::string line;
  for (std::size_t i = 0; i < order.size(); ++i) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{:#018x} {}", fabric.guid(fabric.owner(order[i])),
                   index(fabric.port(order[i])));
    if (!lane_at.empty()) fmt::format_to(std::back_inserter(line), " {}", lane_at[i]);
    line += '\n';
    out << line;
  }
}

}  // namespace

void write_certificate(std::ostream& out, const Fabric& fabric, const Routing& routing,
                       Sources sources, const Deadlock& deadlock, const SomeChoice* some) {
  const bool changing = !routing.sl2vl.empty();
  invariant(some != nullptr ? some->free() : deadlock.free(),
            "a certificate is written of routes that can deadlock");
  out << fmt::format("fatwood certificate 1\nfabric {:#018x}\ntables {:#018x}\n",
                     fingerprint(fabric), fingerprint(fabric, routing));
  if (!routing.sets.empty()) {
    out << fmt::format("sets {:#018x}\nchoice {}\n", fingerprint_of_sets(fabric, routing),
                       some != nullptr ? "some" : "every");
  }
  if (changing) out << fmt::format("lane-map {:#018x}\n", fingerprint(fabric, routing.sl2vl));
  out << fmt::format("sources {}\nlanes {}\n", sources == Sources::kAll ? "all" : "terminals",
                     changing ? deadlock.changing : deadlock.lanes.size());
  if (some != nullptr) {
    out << fmt::format("lane 0 {}\n", some->order.size());
    write_order(out, fabric, some->order, {});
  }
  for (std::size_t lane = 0; some == nullptr && lane < deadlock.lanes.size(); ++lane) {
    const LaneVerdict& verdict = deadlock.lanes[lane];
    out << (changing ? fmt::format("order {}\n", verdict.order.size())
                     : fmt::format("lane {} {}\n", lane, verdict.order.size()));
    write_order(out, fabric, verdict.order, verdict.lane_at);
  }
  out << "end\n";
}

}  // namespace fatwood
