// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The input files of fatwood-check, as plain text: a fabric as ibnetdiscover prints it, a dump of
// forwarding tables, service levels of paths, SL-to-VL tables, and the certificate. These readers
// share no code with Fatwood, so an error in Fatwood's readers cannot hide. They are strict:
// anything unknown is an Error with file and line.

#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace check {

// A file cannot be read; what() is "FILE:LINE: reason".
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint8_t kNoEntry = 255;
constexpr unsigned kLevels = 16;

struct Port {
  std::uint32_t peer = kNobody;  // node at the other end of the cable
  unsigned peer_port = 0;
  std::uint32_t channel = kNobody;  // number of the channel that leaves here
  std::uint32_t megabits = 0;       // from its line; 0: not given
};

struct Node {
  bool is_switch = false;
  std::uint64_t guid = 0;
  std::string id;
  std::string name;                // its description, or the id
  std::vector<Port> ports;         // [0]: a switch's own port, without a cable
  std::uint32_t number = kNobody;  // of a switch, among switches
  bool aggregates = false;         // an aggregation node inside a switch, not a host
};

// The end port that has a LID.
struct Owner {
  std::uint32_t node = kNobody;
  unsigned port = 0;
};

struct Fabric {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> switches;  // node numbers
  std::uint32_t channels = 0;           // directions of cables
  std::unordered_map<std::uint64_t, std::uint32_t> by_guid;
  std::unordered_map<std::uint64_t, Owner> by_port_guid;
  std::unordered_map<std::uint32_t, Owner> by_lid;  // from the fabric's file
  unsigned lmc = 0;                                 // the highest of all host ports
};
Fabric read_fabric(const std::string& path);

// Entries by LID, then by number of the switch.
struct Tables {
  std::vector<std::vector<std::uint8_t>> row;  // empty: no switch has an entry for this LID
  std::vector<Owner> owner;                    // by LID
  // Adaptive tables: entries with several ports have a list; list 0: the one port of the row.
  bool adaptive = false;
  std::vector<std::vector<std::uint32_t>> list;  // by LID, then by switch: number of a list
  std::vector<std::vector<std::uint8_t>> lists;  // ports, ascending
  std::uint32_t list_at(std::uint32_t lid, std::uint32_t s) const {
    return lid < list.size() && !list[lid].empty() ? list[lid][s] : 0;
  }
};
bool is_far(const std::string& path);  // whether the file looks like adaptive tables
Tables read_far(const std::string& path, const Fabric& fabric);
Tables read_tables(const std::string& path, const Fabric& fabric);

// Service level of (source node, LID). If the file has none, it is that of the switch where the
// packet starts: the switch's own, or that of a node on it, or 0.
struct Levels {
  static constexpr std::uint8_t kNotGiven = 255;
  std::vector<std::vector<std::uint8_t>> of;         // [LID][node]
  std::vector<std::vector<std::uint8_t>> on_switch;  // [LID][switch]
  unsigned of_switch(std::uint32_t lid, std::uint32_t s) const {
    return lid < on_switch.size() && !on_switch[lid].empty() ? on_switch[lid][s] : 0;
  }
  unsigned at(std::uint32_t lid, std::uint32_t node, std::uint32_t s) const {
    const bool given = lid < of.size() && !of[lid].empty() && of[lid][node] != kNotGiven;
    return given ? of[lid][node] : of_switch(lid, s);
  }
};
// Hosts on each switch: node and port.
std::vector<std::vector<Owner>> hosts_on_switches(const Fabric& fabric);
Levels read_levels(const std::string& path, const Fabric& fabric);

using LaneOfLevel = std::array<std::uint8_t, kLevels>;
LaneOfLevel same_number();  // VL n for SL n

// The VL of each SL, by port in and port out of a switch. `rows` is empty if no file was given.
struct LaneMap {
  LaneOfLevel everywhere = same_number();  // if `differs` is false
  bool differs = false;
  std::vector<std::unordered_map<std::uint32_t, LaneOfLevel>> rows;  // [switch][256 in + out]
};
LaneMap read_lane_map(const std::string& path, const Fabric& fabric);

struct Place {
  std::uint32_t at = kNobody;  // position in the order
  std::uint32_t line = 0;      // of the certificate
};
struct Certificate {
  std::uint64_t fabric = 0;
  std::uint64_t tables = 0;
  std::uint64_t lane_map = 0;
  bool changing = false;  // true: one order of (channel, lane); false: one order per lane
  bool adaptive = false;  // tables
  std::uint64_t sets = 0;
  bool some_choice = false;
  bool terminals_only = false;
  std::vector<std::vector<Place>> place;  // [lane][channel]
};
Certificate read_certificate(const std::string& path, const Fabric& fabric);

// "fatwood-lengths 1": lengths of channels, and the load that they should prove.
struct Lengths {
  std::uint64_t numerator = 0, denominator = 1;
  std::vector<std::uint32_t> of;  // by channel
};
Lengths read_lengths(const std::string& path, const Fabric& fabric);

}  // namespace check
