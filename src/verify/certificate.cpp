#include "verify/certificate.hpp"

#include <fmt/format.h>

#include <cassert>
#include <iterator>
#include <string>

#include "routing/fingerprint.hpp"

namespace fatwood {

void write_certificate(std::ostream& out, const Fabric& fabric, const Routing& routing,
                       Sources sources, const Deadlock& deadlock) {
  assert(deadlock.free());
  out << fmt::format(
      "fatwood certificate 1\nfabric {:#018x}\ntables {:#018x}\nsources {}\nlanes {}\n",
      fingerprint(fabric), fingerprint(routing), sources == Sources::kAll ? "all" : "terminals",
      deadlock.lanes.size());
  std::string line;
  for (std::size_t lane = 0; lane < deadlock.lanes.size(); ++lane) {
    const std::vector<Channel>& order = deadlock.lanes[lane].order;
    out << fmt::format("lane {} {}\n", lane, order.size());
    for (const Channel c : order) {
      line.clear();
      fmt::format_to(std::back_inserter(line), "{:#018x} {}\n", fabric.guid(fabric.owner(c)),
                     fabric.port(c));
      out << line;
    }
  }
  out << "end\n";
}

}  // namespace fatwood
