// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/address_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fatwood {

void write_addresses(std::ostream& out, const Fabric& fabric, const AddressChoice& choice) {
  out << "# source destination offset[,offset...]\n";
  std::vector<std::string> name;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    name.emplace_back(display_name(fabric, fabric.adapter_node(t)));
  }
  for (const Terminal s : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal d : ids<Terminal>(fabric.num_terminals())) {
      if (s == d) continue;
      out << fmt::format("{} {} {}\n", name[index(s)], name[index(d)],
                         fmt::join(choice.offsets(s, d), ","));
    }
  }
}

}  // namespace fatwood
