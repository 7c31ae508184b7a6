// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Requests as data: each request names its parameters once, and every front end reads that list.
//
//   struct FaultChoice { std::vector<std::string> cut; std::uint64_t seed = 1; };
//
//   template <class Visitor>
//   void describe(Visitor& visit, FaultChoice& faults) {
//     visit(faults.cut, {.name = "cut", .help = "cut NAME[PORT], ..."});
//     visit(faults.seed, {.name = "fault_seed", .help = "seed of random faults"});
//   }
//
// The command line makes options of it (--fault-seed), Python keyword arguments (fault_seed=). A
// new parameter is one member, one line of describe() and its use.
//
// Types: bool, numbers, optional numbers, texts, lists of texts, NodeChoice.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fatwood {

struct Parameter {
  const char* name;  // in lower case, with underscores
  const char* help;  // one line
  // Numbers: the smallest and the largest.
  std::optional<std::int64_t> least = {}, most = {};
  // Texts: the words there are; empty: any.
  std::vector<std::string> words = {};
  bool file = false;  // names a file: a request from the network must not
};

// Nodes: the lines of a file (io/lists/node_list.hpp), or names. Empty: not given.
struct NodeChoice {
  std::string file = {};
  std::vector<std::string> names = {};

  bool empty() const { return file.empty() && names.empty(); }
  friend bool operator==(const NodeChoice&, const NodeChoice&) = default;
};

}  // namespace fatwood
