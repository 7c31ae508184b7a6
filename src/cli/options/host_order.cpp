// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/host_order.hpp"

namespace fatwood::cli {

Option* add_host_order(Verb& verb, std::string& file) {
  return verb.add_option("--host-order", file,
                         "the order in which jobs get hosts: a file of host lists, or Slurm's "
                         "topology.conf (default: natural order of names)");
}

GivenOrder host_order(const OpenFabric& fabric, const std::string& file) {
  FoundOrder found = find_host_order(*fabric.model, file);
  print_note(found.note);
  return std::move(found.order);
}

}  // namespace fatwood::cli
