// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The order of hosts that jobs are placed by ("host-order"). One parameter for all requests.

#include <string>

#include "app/parameter.hpp"
#include "topology/hosts/host_order.hpp"

namespace fatwood {

template <class Visitor>
void describe_host_order(Visitor& visit, std::string& file) {
  visit(file, {.name = "host_order",
               .help = "the order in which jobs get hosts: a file of host lists, or Slurm's "
                       "topology.conf (default: natural order of names)",
               .file = true});
}

struct FoundOrder {
  GivenOrder order;
  std::string note = {};  // for the user; "" if none
};

// "": the natural order of names; else a file of host names or Slurm's topology.conf
// (io/lists/host_order_file.hpp). InputError for a file that cannot be read, or that names no host
// of this fabric.
FoundOrder find_host_order(const Model& model, const std::string& file);

}  // namespace fatwood
