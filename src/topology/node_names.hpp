// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds nodes and ports by the names that people and files use.
//
//   NODE  an id, a GUID as 0x..., a description, a display_name, or "NAME (ID)" as unique_name has
//         it; NAME may also be that of the host
//   PORT  NODE[NUMBER], or a cable as it is printed: "PORT - PORT", "PORT -> PORT", "PORT > PORT",
//         "PORT on PORT": the first of the two; NUMBER 0 is a switch's own port
//
// Ids, then GUIDs take precedence over names. If several nodes share a name, only the id, the GUID
// or "NAME (ID)" finds one of them. Cost: O(nodes log nodes) to build, O(log nodes) to find.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// The fabric must outlive it.
class NodeNames {
 public:
  explicit NodeNames(const Fabric& fabric);

  const Fabric& fabric() const { return *fabric_; }
  // In order of number: none, one or several.
  std::vector<Node> called(std::string_view text) const;
  // kNone if there is no such node or port. InputError at `where` if several nodes have the name,
  // or if the node has no such port.
  Node find(std::string_view text, const Location& where) const;
  Channel find_port(std::string_view text, const Location& where) const;
  // The same, but InputError if there is none.
  Node node(std::string_view text, const Location& where) const;
  Switch switch_of(std::string_view text, const Location& where) const;
  // " (did you mean X?)", or "".
  std::string suggestion(std::string_view text) const;

 private:
  Channel find_one_port(std::string_view text, const Location& where) const;

  const Fabric* fabric_;
  std::vector<std::pair<std::string_view, Node>> by_name_;  // sorted
  std::unordered_map<std::string_view, Node> by_id_;
  std::unordered_map<std::uint64_t, Node> by_guid_;
};

}  // namespace fatwood
