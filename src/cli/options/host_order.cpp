// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/host_order.hpp"

#include "cli/options/add_options.hpp"

namespace fatwood::cli {

Option* add_host_order(Verb& verb, std::string& file) {
  AddOptions options(verb);
  describe_host_order(options, file);
  return options["host_order"];
}

GivenOrder host_order(const OpenFabric& fabric, const std::string& file) {
  FoundOrder found = find_host_order(*fabric.model, file);
  print_note(found.note);
  return std::move(found.order);
}

}  // namespace fatwood::cli
