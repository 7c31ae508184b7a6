// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The SL-to-VL tables of the switches: they give the VL of a packet from its SL and the ports by
// which it enters and leaves. There is one table for each (switch, port in, port out).
//
// Encoding: a number for each (switch, in, out); each different table is stored once.

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

inline constexpr std::size_t kLevels = 16;
using LaneOfSl = std::array<std::uint8_t, kLevels>;

class LaneMap {
 public:
  LaneMap() = default;
  // Without any table.
  explicit LaneMap(const Fabric& fabric) {
    std::size_t next = 0;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const std::size_t ports = fabric.ports(fabric.node(s)) + 1;
      first_.push_back(next);
      ports_.push_back(ports);
      next += ports * ports;
    }
    table_.assign(next, 0);
    tables_.emplace_back();
  }

  bool empty() const { return table_.empty(); }
  unsigned lanes() const { return lanes_; }  // the highest lane + 1

  // Without a table (for a packet that leaves by the port it came by), the lane is 0.
  bool has(Switch s, Port in, Port out) const { return table_[place(s, in, out)] != 0; }
  unsigned lane(Switch s, Port in, Port out, unsigned level) const {
    return tables_[table_[place(s, in, out)]][level];
  }

  void set(Switch s, Port in, Port out, const LaneOfSl& lanes) {
    const auto [at, added] = number_.emplace(lanes, static_cast<std::uint32_t>(tables_.size()));
    if (added) tables_.push_back(lanes);
    table_[place(s, in, out)] = at->second;
    for (const std::uint8_t lane : lanes) lanes_ = lane >= lanes_ ? lane + 1U : lanes_;
  }

 private:
  std::size_t place(Switch s, Port in, Port out) const {
    return first_[s] + index(in) * ports_[s] + index(out);
  }

  Table<Switch, std::size_t> first_, ports_;
  std::vector<std::uint32_t> table_;  // 0: none
  std::vector<LaneOfSl> tables_;
  std::map<LaneOfSl, std::uint32_t> number_;
  unsigned lanes_ = 1;
};

}  // namespace fatwood
