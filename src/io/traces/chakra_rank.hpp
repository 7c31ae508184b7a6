// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A rank of a Chakra trace, node by node, for all file formats (for chakra*.cpp).

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/base/input.hpp"
#include "traffic/jobs/trace.hpp"

namespace fatwood {

struct ChakraNode {
  std::uint64_t id = 0;
  std::uint64_t type = 0;
  double micros = 0;
  std::vector<std::uint64_t> data_deps;
  bool on_cpu = false;
  std::optional<std::uint64_t> size;  // comm_size
  std::optional<std::uint64_t> collective;
  std::optional<std::int64_t> source, destination;
  std::int64_t tag = 0;
  std::string group;
};

class ChakraRank {
 public:
  ChakraRank(Trace& trace, std::uint32_t rank) : trace_(trace), rank_(rank) {}

  // InputError for an inconsistent node.
  void add(const ChakraNode& node, const Location& where);
  // Adds the waits, once all nodes are known.
  void finish();

 private:
  TraceOp operation(const ChakraNode& node, const Location& where);
  std::uint32_t collective(const ChakraNode& node, const Location& where);

  Trace& trace_;
  std::uint32_t rank_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_id_;
  std::vector<std::pair<std::uint32_t, std::vector<std::uint64_t>>> waits_;
  std::map<std::string, std::uint64_t> left_out_;  // counts by kind
};

void read_chakra_protobuf(Input& input, ChakraRank& rank);
void read_chakra_json(Input& input, ChakraRank& rank);

}  // namespace fatwood
