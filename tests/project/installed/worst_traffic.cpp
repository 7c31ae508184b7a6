// SPDX-License-Identifier: BSD-3-Clause
// worst_traffic FORMULA ROUTING: the traffic that the routing of a tree serves worst, and its load
// counted again from the flows.

#include <exception>
#include <fatwood/fabric.hpp>
#include <fatwood/load.hpp>
#include <fatwood/route.hpp>
#include <fatwood/worst.hpp>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  const fatwood::Model model(fatwood::make_fabric(argv[1]));
  const auto paths = fatwood::resolve_paths(model, argv[2]);
  const fatwood::WorstReport worst = fatwood::find_worst(model, *paths, argv[2], {});
  if (!worst.exact) return 1;
  std::cout << "ratio " << worst.exact->load.to_string() << "\n";
  std::cout << "flows " << worst.traffic.flows.size() << "\n";

  const fatwood::LinkLoads loads = fatwood::link_loads(model, *paths, worst.traffic);
  std::cout << "load " << fatwood::max_load(loads).to_string() << "\n";
  return fatwood::max_load(loads) == worst.exact->load ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
