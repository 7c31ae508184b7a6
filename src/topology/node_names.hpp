// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds nodes and ports by what people and files call them.
//
//   NODE  an id, a GUID as 0x..., a description, or what people say (display_name)
//   PORT  NODE[NUMBER]
//
// Ids and GUIDs are unique and win over names. Several nodes may share a name: then only the id or
// the GUID finds one of them. Cost: O(nodes log nodes) to build, O(log nodes) to find.

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
  // kNone when there is no such node or port. InputError at `where` when several nodes have the
  // name, or when the node has no such port.
  Node find(std::string_view text, const Location& where) const;
  Channel find_port(std::string_view text, const Location& where) const;
  // The same, with an InputError when there is none.
  Node node(std::string_view text, const Location& where) const;
  Switch switch_of(std::string_view text, const Location& where) const;
  // " (did you mean X?)", or "".
  std::string suggestion(std::string_view text) const;

 private:
  const Fabric* fabric_;
  std::vector<std::pair<std::string_view, Node>> by_name_;  // sorted
  std::unordered_map<std::string_view, Node> by_id_;
  std::unordered_map<std::uint64_t, Node> by_guid_;
};

}  // namespace fatwood
