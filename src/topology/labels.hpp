// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Unique names for people: display_name(), followed by the id if several nodes of one kind share
// the name ("Voltaire 4036 (S-0008f10500108530)"). Cost: O(nodes) to build.

#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

class Labels {
 public:
  explicit Labels(const Fabric& fabric);

  std::string operator()(Node node) const;
  std::string operator()(Switch s) const { return (*this)(fabric_.node(s)); }
  std::string port(Channel c) const;                           // "CSPINE1-40[28]"
  std::string cable(Channel c) const;                          // "LG01-01[31] - CSPINE1-40[28]"
  bool shared(Node node) const { return shared_[node] != 0; }  // with another node of its kind

 private:
  const Fabric& fabric_;
  Table<Node, std::uint8_t> shared_;
};

// "3 cables", "1 cable", "2 switches".
std::string counted(std::uint64_t count, std::string_view noun);
// "A, B and C"; a list of more than `most` ends in "and 12 more".
std::string listed(const std::vector<std::string>& words, std::size_t most = 8);
// "1-3, 7, 9-12"
std::string ranges(std::vector<Port> ports);

}  // namespace fatwood
