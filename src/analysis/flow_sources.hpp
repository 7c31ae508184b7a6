// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the terminals on each switch send to a destination port when every host sends 1 to every
// other, by what kind of port that is: the j-th of a host with q ports gets 1/q of a host's flow
// from the j-th port of others with q ports, and 1/(p q) from each port of hosts with p. In whole
// units, so that nothing is rounded. Cost: O(terminals) for each kind of port.

#include <cstdint>
#include <map>
#include <utility>

#include "topology/model.hpp"

namespace fatwood {

class FlowSources {
 public:
  explicit FlowSources(const Model& model);

  std::uint64_t units_in_one() const { return units_; }
  // REQUIRES a terminal that counts.
  const Table<Switch, std::uint64_t>& on(Terminal destination) const {
    return on_.at(place(destination));
  }
  std::uint64_t from_itself(Terminal destination) const {
    return weight(place(destination), place(destination));
  }

 private:
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // which port, of how many

  Place place(Terminal t) const;
  std::uint64_t weight(Place from, Place to) const;
  Table<Switch, std::uint64_t> sent(Place to) const;

  const Model& model_;
  std::uint64_t units_ = 1;
  std::map<Place, Table<Switch, std::uint64_t>> on_;
};

}  // namespace fatwood
