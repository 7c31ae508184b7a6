// SPDX-License-Identifier: BSD-3-Clause
// route_and_verify FABRIC ENGINE TABLES: routes a fabric from a file, proves the routes, and writes
// them. The tables are read again and proved again, as somebody else's would be.

#include <exception>
#include <fatwood/files.hpp>
#include <fatwood/route.hpp>
#include <fatwood/verify.hpp>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 4) return 2;
  const fatwood::Model model(fatwood::load_fabric(argv[1]).fabric);
  const fatwood::Fabric& fabric = model.fabric();
  const fatwood::Routing routing = fatwood::route(fatwood::find_engine(argv[2]), model);
  const fatwood::Verdict verdict = fatwood::verify(model, routing);
  std::cout << fabric.num_switches() << " switches, " << fabric.num_terminals() << " terminals\n"
            << "lost pairs " << verdict.reachability.unreachable.total() << "\n"
            << "deadlock free " << verdict.deadlock.free() << "\n";

  fatwood::save_tables(argv[3], fabric, routing.tables);
  fatwood::Routing read;
  read.tables = fatwood::load_tables(argv[3], fabric).tables;
  const bool same = read.tables == routing.tables;
  std::cout << "read again " << (same ? "the same" : "different") << "\n";
  return verdict.holds() && same ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
