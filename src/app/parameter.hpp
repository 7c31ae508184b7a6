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
// The command line makes options of it (--fault-seed), Python keyword arguments (fault_seed=). An
// error message names it by param("fault_seed") (core/error.hpp). A new parameter is one member,
// one line of describe() and its use.
//
// Types: bool, numbers, optional numbers, texts, lists of texts, NodeChoice.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

struct Parameter {
  const char* name;  // in lower case, with underscores
  std::string help;  // one line
  // Numbers: the smallest and the largest.
  std::optional<std::int64_t> least = {}, most = {};
  std::optional<double> low = {}, high = {};  // of numbers with a fraction
  // Texts: the words there are; empty: any.
  std::vector<std::string> words = {};
  bool file = false;      // names a file: a request from the network must not
  bool required = false;  // there is no default
  bool commas = false;    // of a list: a text has several, with commas between them
  // Makes sense only together with one of these, which come before it.
  std::vector<std::string> needs = {};
  // Makes no sense together with any of these, which come before it.
  std::vector<std::string> excludes = {};
  // Texts: what a request from the network may say, as a regular expression. Empty: nothing.
  const char* pattern = "";
  const char* heading = "";  // of the help text that lists it
  const char* also = "";     // another name, on the command line alone
};

// Of lists and names of nodes: no path, no @FILE.
inline constexpr const char* kHostPattern = "[A-Za-z0-9_.,\\[\\]-]+";
inline constexpr const char* kNodePattern = "[A-Za-z0-9_.: ()\\[\\]-]+";

// Nodes: the lines of a file (io/lists/node_list.hpp), or names. Empty: not given.
struct NodeChoice {
  std::string file = {};
  std::vector<std::string> names = {};

  bool empty() const { return file.empty() && names.empty(); }
  friend bool operator==(const NodeChoice&, const NodeChoice&) = default;
};

// How HTTP writes a parameter in a message: "?fault_seed=3". A process that works for the server
// has this variable in its environment.
inline std::string as_query(std::string_view name, std::string_view value) {
  return std::string("?").append(name).append("=").append(value);
}
inline constexpr const char* kAsQueryVariable = "FATWOOD_QUERY";

}  // namespace fatwood
