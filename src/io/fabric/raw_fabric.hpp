// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The contents of a fabric file before it is checked: nodes by name, and each cable as often as the
// file lists it. assemble() makes a Fabric of it.
//
// Rules for every format:
// - a cable listed twice from the same port is a duplicate: a warning;
// - a cable listed at one end only, in a format that lists both: a warning, and the cable is kept;
// - two cables at one port contradict each other: an error with both lines;
// - a node that is named but has no record: an error (the file is truncated), unless the file has
//   no record of any end node; then end nodes are made from the links that name them;
// - ports above the node's number of ports, and fabrics of more than 2^24 ports: errors.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/base/warnings.hpp"
#include "io/fabric/load_fabric.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

struct RawNode {
  std::string id;
  std::string description;
  NodeKind kind = NodeKind::kAdapter;
  bool declared = false;
  std::uint32_t ports = 0;
  std::uint64_t guid = 0;  // 0: none given
  Hardware hardware;
  Address address;       // a switch's port 0
  std::size_t line = 0;  // of its record, or where it is first named
  std::size_t column = 0;
};

struct RawLink {
  std::uint32_t node = 0;
  std::uint32_t other = 0;
  std::uint32_t port = 0;  // as read; the node may not have it
  std::uint32_t other_port = 0;
  Rate rate;
  bool rated = true;  // false: not in the file, `rate` is the default
  Address end;        // from the line: of its own port, if that belongs to an end node
  Address other_end;  // from the line: of the other port
  std::size_t line = 0;
};

// The address of an end node's port, in formats that list addresses separately.
struct RawAddress {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  Address address;
  std::size_t line = 0;
};

// The label printed next to a port.
struct RawLabel {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  std::string text;
};

struct RawFabric {
  explicit RawFabric(std::string name) : file(name), warnings(std::move(name)) {}

  // The node of this name; a new one is not yet declared.
  std::uint32_t intern(std::string_view name, std::size_t line, std::size_t column);
  std::optional<std::uint32_t> find(std::string_view id) const;
  // Clears everything but file and warnings.
  void forget();
  // Declares a node. The fabric has nodes in the order of declaration.
  void declare(std::uint32_t node);

  std::string file;
  std::vector<RawNode> nodes;
  std::vector<RawLink> links;
  std::vector<RawAddress> addresses;
  std::vector<RawLabel> labels;
  std::vector<std::uint32_t> order;  // declared nodes
  bool both_ends = true;             // the format lists each cable at both ends
  Warnings warnings;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> by_id_;
};

// InputError with file, line and column if the parts contradict each other.
LoadedFabric assemble(RawFabric&& raw, std::string format);

}  // namespace fatwood
