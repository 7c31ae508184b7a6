// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Words for people: names of nodes, ports and cables (as in fabric.hpp), numbers of things, lists.

#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

// unique_name, port_name and cable_name of one fabric, which must outlive it.
class Labels {
 public:
  explicit Labels(const Fabric& fabric) : fabric_(fabric) {}

  std::string operator()(Node node) const { return unique_name(fabric_, node); }
  std::string operator()(Switch s) const { return unique_name(fabric_, s); }
  std::string port(Channel c) const { return port_name(fabric_, c); }
  std::string cable(Channel c) const { return cable_name(fabric_, c); }

 private:
  const Fabric& fabric_;
};

// "3 cables", "1 cable", "2 switches".
std::string counted(std::uint64_t count, std::string_view noun);
// "A, B and C"; a list of more than `most` ends in "and 12 more".
std::string listed(const std::vector<std::string>& words, std::size_t most = 8);
// "1-3, 7, 9-12"
std::string ranges(std::vector<Port> ports);

}  // namespace fatwood
