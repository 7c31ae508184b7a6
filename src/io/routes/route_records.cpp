// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/route_records.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"

namespace fatwood {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

std::string whole_text(Input& input) {
  std::string text;
  std::array<char, 65536> buffer;
  while (const std::size_t got = input.read(buffer)) {
    text.append(buffer.data(), got);
    if (text.size() > kMostBytes) throw InputError({.file = input.name()}, "has over 256 MiB");
  }
  return text;
}

std::string record_text(const Json& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

void add_record(const Json& record, std::vector<RouteRecord>& records) {
  if (!record.is_object() || !record.contains("hostname")) return;
  records.push_back({record_text(record, "hostname"), record_text(record, "data")});
}

}  // namespace

bool looks_like_records(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (head[first] != '[' && head[first] != '{')) return false;
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  return has("\"hostname\"") && has("\"cmd\"");
}

std::vector<RouteRecord> read_records(Input& input) {
  std::istringstream text(whole_text(input));
  std::vector<RouteRecord> records;
  try {
    while (text >> std::ws && !text.eof()) {
      Json value;
      text >> value;
      if (!value.is_array()) add_record(value, records);
      if (value.is_array()) {
        for (const Json& record : value) add_record(record, records);
      }
    }
  } catch (const Json::exception&) {
    throw InputError({.file = input.name()}, "this is no JSON, or it is cut short");
  }
  return records;
}

}  // namespace fatwood
