// SPDX-License-Identifier: BSD-3-Clause
// Chakra traces as JSON (chakra.hpp).

#include <nlohmann/json.hpp>

#include "io/base/json_bytes.hpp"
#include "io/traces/chakra_rank.hpp"

namespace fatwood {
namespace {

using Json = nlohmann::json;

[[noreturn]] void wrong(const Location& where, const std::string& what) {
  throw InputError(where, what);
}

std::optional<std::int64_t> whole(const Json& node, const char* key, const Location& where) {
  const auto at = node.find(key);
  if (at == node.end() || at->is_null()) return std::nullopt;
  if (at->is_boolean()) return at->get<bool>() ? 1 : 0;
  if (!at->is_number_integer()) wrong(where, std::string("expected a whole number for ") + key);
  return at->get<std::int64_t>();
}

ChakraNode read_node(const Json& json, const Location& where) {
  if (!json.is_object()) wrong(where, "expected an object for each node of workload_graph");
  ChakraNode node;
  const auto id = whole(json, "Id", where);
  if (!id || *id < 0) wrong(where, "expected an Id of 0 or more");
  node.id = static_cast<std::uint64_t>(*id);
  node.type = static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, whole(json, "NodeType", where).value_or(0)));
  const auto runtime = json.find("runtime");
  if (runtime != json.end() && runtime->is_number()) node.micros = runtime->get<double>();
  node.on_cpu = whole(json, "is_cpu_op", where).value_or(0) != 0;
  const auto deps = json.find("data_deps");
  if (deps != json.end() && deps->is_array()) {
    for (const Json& dep : *deps) {
      if (!dep.is_number_unsigned()) wrong(where, "expected numbers of nodes in data_deps");
      node.data_deps.push_back(dep.get<std::uint64_t>());
    }
  }
  if (const auto size = whole(json, "comm_size", where)) {
    if (*size < 0) wrong(where, "expected a comm_size of 0 or more");
    node.size = static_cast<std::uint64_t>(*size);
  }
  if (const auto type = whole(json, "comm_type", where)) {
    node.collective = static_cast<std::uint64_t>(*type);
  }
  node.source = whole(json, "comm_src", where);
  node.destination = whole(json, "comm_dst", where);
  node.tag = whole(json, "comm_tag", where).value_or(0);
  const auto group = json.find("pg_name");
  if (group != json.end() && group->is_string()) node.group = group->get<std::string>();
  return node;
}

}  // namespace

void read_chakra_json(Input& input, ChakraRank& rank) {
  JsonBytes bytes(input);
  Json json;
  try {
    json = Json::parse(JsonIterator(&bytes), JsonIterator(nullptr));
  } catch (const Json::exception&) {
    wrong(bytes.where(), "expected JSON");
  }
  const Location where{input.name(), 0, 0};
  const auto graph = json.find("workload_graph");
  if (!json.is_object() || graph == json.end() || !graph->is_array()) {
    wrong(where, "expected {\"workload_graph\": [...]}");
  }
  for (const Json& node : *graph) rank.add(read_node(node, where), where);
}

}  // namespace fatwood
