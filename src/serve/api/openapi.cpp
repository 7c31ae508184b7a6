// SPDX-License-Identifier: BSD-3-Clause
// The description of the requests, OpenAPI 3: made from the table of endpoints and that of verbs.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "core/version.hpp"
#include "serve/api/api.hpp"

namespace fatwood::serve {

namespace {

// The statuses that are not the server's own.
constexpr std::pair<int, std::string_view> kMeanings[]{
    {202, "The task was started"},
    {303, "The token was right: the page is at /"},
    {401, "The token is missing or wrong"},
    {403, "A page of another origin, or another host name than localhost"},
    {404, "There is none, or none was kept"},
    {409, "The fabric or its routes do not allow it, or nothing is left to undo"},
    {501, "Built without the page, or another transfer coding than chunked"},
};

std::string_view meaning_of(int status) {
  const auto* const at =
      std::ranges::find(kMeanings, status, &std::pair<int, std::string_view>::first);
  if (at != std::end(kMeanings)) return at->second;
  return std::ranges::find(server_statuses(), status, &HttpStatus::status)->meaning;
}

Json refusal_json(int status) {
  Json content = Json::object();
  content["application/json"]["schema"]["$ref"] = "#/components/schemas/Error";
  return {{"description", meaning_of(status)}, {"content", content}};
}

Json parameter(std::string_view name, std::string_view in, std::string_view help, bool required,
               std::string_view pattern) {
  Json schema{{"type", "string"}};
  if (!pattern.empty()) schema["pattern"] = fmt::format("^{}$", pattern);
  Json json{{"name", name}, {"in", in}, {"required", required}, {"description", help}};
  json["schema"] = std::move(schema);
  return json;
}

}  // namespace

std::string Api::openapi() {
  Json paths = Json::object();
  const auto add = [&](const Endpoint& endpoint, std::string path, std::string_view summary,
                       const TaskVerb* verb) {
    Json operation{{"summary", summary}};
    operation["parameters"] = Json::array();
    if (verb != nullptr) {
      for (const TaskParameter& one : verb->parameters) {
        operation["parameters"].push_back(
            parameter(one.name, "query", one.help, one.required, one.pattern));
      }
    } else if (const std::size_t open = path.find('{'); open != path.npos) {
      const std::string name = path.substr(open + 1, path.find('}') - open - 1);
      operation["parameters"].push_back(parameter(name, "path", name, true, ""));
    }
    if (path.ends_with("{view}")) {
      operation["parameters"].push_back(
          parameter("changes", "query", "lines of a --faults file", false, ""));
    }
    if (endpoint.access == Access::kChange) {
      operation["security"] = Json::array({Json{{"token", Json::array()}}});
    }
    Json content = Json::object();
    content[endpoint.type.substr(0, endpoint.type.find(';'))] = Json::object();
    Json responses = Json::object();
    responses[std::to_string(endpoint.statuses.front())] =
        Json{{"description", summary}, {"content", content}};
    std::set<int> others(endpoint.statuses.begin() + 1, endpoint.statuses.end());
    for (const HttpStatus& one : server_statuses()) others.insert(one.status);
    if (endpoint.access != Access::kOpen) others.insert({401, 403});
    for (const int status : others) responses[std::to_string(status)] = refusal_json(status);
    operation["responses"] = std::move(responses);
    std::string method(endpoint.method);
    std::ranges::transform(method, method.begin(), [](unsigned char c) { return std::tolower(c); });
    paths[path][method] = std::move(operation);
  };
  for (const Endpoint& endpoint : endpoints()) {
    const std::string path(endpoint.path);
    if (const std::size_t at = path.find("{verb}"); at != path.npos) {
      for (const TaskVerb& verb : task_verbs()) {
        add(endpoint, path.substr(0, at) + std::string(verb.name), verb.summary, &verb);
      }
    } else {
      add(endpoint, path, endpoint.summary, nullptr);
    }
  }
  Json json{{"openapi", "3.0.3"}};
  json["info"] = Json{{"title", "fatwood serve"}, {"version", version()}};
  json["components"]["securitySchemes"]["token"] = Json{{"type", "http"}, {"scheme", "bearer"}};
  Json error{{"type", "object"}, {"required", Json::array({"error"})}};
  error["properties"]["error"]["type"] = "string";
  json["components"]["schemas"]["Error"] = std::move(error);
  json["paths"] = std::move(paths);
  return json.text() + "\n";
}

}  // namespace fatwood::serve
