// Flit-hops a CPU second of the simulator, full model on (input and output buffers, credits,
// statistics), one core: k-ary 3-trees, uniform traffic, load 0.3, packets of 10 flits, 1 lane,
// buffers of 40 flits; and how a sweep scales over cores. See README.md for the peers.

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "sim/engine.hpp"
#include "sim/meter.hpp"
#include "sim/poisson.hpp"
#include "topology/spec.hpp"

namespace {

using namespace fatwood;
using namespace fatwood::sim;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void measure(const char* spec, double budget) {
  const Fabric fabric = make_fabric(spec);
  const Model model;
  const Network net = make_network(fabric, model);
  const auto dmodk = make_oblivious("dmodk", *fabric.tree());
  const Routes routes = Routes::by_paths(net, *dmodk.routing);
  Poisson workload(net, {.load = 0.3, .message_flits = model.packet_flits}, {}, 1);
  Meter meter(net);
  Engine engine(net, model, routes, PathChoice::kRoundRobinPerPacket, 1, workload, meter);
  engine.run(1000);
  meter.next_window();
  const Counters before = engine.counters();
  const double start = cpu_seconds();
  Time until = 1000;
  double spent = 0;
  do {
    until += 500;
    engine.run(until);
    spent = cpu_seconds() - start;
  } while (spent < budget);
  const Counters& after = engine.counters();
  const double hops = static_cast<double>(after.flit_hops - before.flit_hops);
  const double cycles = static_cast<double>(until - 1000);
  fmt::print("{:<22} {:>7} {:>9.1f} {:>10.0f} {:>8.2f} {:>9.3f} {:>9.1f} {:>7.0f}\n", spec,
             net.terminals, hops / spent / 1e6, cycles / spent,
             static_cast<double>(after.events - before.events) * model.packet_flits / hops,
             static_cast<double>(meter.terminal_windows().back().flits) / cycles /
                 static_cast<double>(net.terminals),
             meter.terminal_windows().back().message.mean(),
             static_cast<double>(engine.bytes()) / static_cast<double>(net.ports.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const double budget = argc > 1 ? std::atof(argv[1]) : 1.0;
  fmt::print("{:<22} {:>7} {:>9} {:>10} {:>8} {:>9} {:>9} {:>7}\n", "fabric", "nodes", "Mhops/s",
             "cycles/s", "ev/hop", "accepted", "latency", "B/port");
  for (const char* spec : {"kary(4,3)", "kary(8,3)", "switch648", "kary(16,3)", "ft(48,3)"}) {
    measure(spec, budget);
  }
  return 0;
}
