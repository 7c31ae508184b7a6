// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Unknown table entries: those of switches without a dump, or missing from a dump that was cut
// short. In the tables they are kNoRoute.

#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/table.hpp"

namespace fatwood {

class UnknownEntries {
 public:
  bool empty() const { return column_.empty(); }
  bool at(Destination destination, Switch s) const {
    return !column_.empty() && !column_[s].empty() && column_[s][index(destination)];
  }
  // `unknown` by destination; `switches` is the number of all switches.
  void set(std::size_t switches, Switch s, std::vector<bool> unknown) {
    column_.resize(switches);
    column_[s] = std::move(unknown);
  }

 private:
  Table<Switch, std::vector<bool>> column_;  // empty column: all known
};

}  // namespace fatwood
