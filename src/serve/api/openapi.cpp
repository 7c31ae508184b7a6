// SPDX-License-Identifier: BSD-3-Clause
// The description of the requests, OpenAPI 3: made from the table of endpoints and that of verbs.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/version.hpp"
#include "serve/api/api.hpp"

namespace fatwood::serve {

std::string Api::openapi() {
  Json paths = Json::object();
  const auto parameter = [](std::string_view name, std::string_view in, std::string_view help,
                            bool required, std::string_view pattern) {
    Json schema{{"type", "string"}};
    if (!pattern.empty()) schema["pattern"] = fmt::format("^{}$", pattern);
    Json json{{"name", name}, {"in", in}, {"required", required}, {"description", help}};
    json["schema"] = std::move(schema);
    return json;
  };
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
    if (endpoint.access == Access::kChange) {
      operation["security"] = Json::array({Json{{"token", Json::array()}}});
    }
    Json content = Json::object();
    content[endpoint.type.substr(0, endpoint.type.find(';'))] = Json::object();
    operation["responses"] = Json{{"200", Json{{"description", summary}, {"content", content}}}};
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
  json["paths"] = std::move(paths);
  return json.text() + "\n";
}

}  // namespace fatwood::serve
