// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the terminals on each switch send to a destination port when every host sends 1 to every
// other, by what kind of port that is: the j-th of a host with q ports gets 1/q of a host's flow
// from the j-th port of others with q ports, and 1/(p q) from each port of hosts with p. In whole
// units, so that nothing is rounded. Cost: O(terminals) for each kind of port.

#include <cstdint>
#include <vector>

#include "core/table.hpp"
#include "topology/model.hpp"

namespace fatwood {

class FlowSources {
 public:
  explicit FlowSources(const Model& model);

  std::uint64_t units_in_one() const { return units_; }
  std::uint32_t num_kinds() const { return static_cast<std::uint32_t>(kinds_.size()); }
  // REQUIRES a terminal that counts.
  std::uint32_t kind(Terminal t) const { return kind_[t]; }
  // What one port sends to another of another host, by their kinds.
  std::uint64_t units(std::uint32_t from, std::uint32_t to) const;
  // REQUIRES a terminal that counts.
  const Table<Switch, std::uint64_t>& on(Terminal destination) const {
    return on_[kind(destination)];
  }
  std::uint64_t from_itself(Terminal destination) const {
    return units(kind(destination), kind(destination));
  }

 private:
  struct Kind {
    std::uint64_t which, ports;  // which port of a host, of how many
  };

  std::uint64_t units_ = 1;
  std::vector<Kind> kinds_;
  Table<Terminal, std::uint32_t> kind_;
  std::vector<Table<Switch, std::uint64_t>> on_;  // by kind
};

}  // namespace fatwood
