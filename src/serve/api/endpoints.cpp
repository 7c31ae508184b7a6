// SPDX-License-Identifier: BSD-3-Clause
// The table of requests. A row has the usual status first, then those that the request can have
// next to the server's (server_statuses) and the guard's.

#include "serve/api/answers.hpp"
#include "serve/api/api.hpp"

namespace fatwood::serve {

namespace {

constexpr Access kOpen = Access::kOpen, kRead = Access::kRead, kChange = Access::kChange;
constexpr HttpThreads kMonitoring = HttpThreads::kMonitoring, kQuick = HttpThreads::kQuick,
                      kSlow = HttpThreads::kSlow;

std::vector<int> gives(auto... statuses) { return {statuses...}; }

}  // namespace

std::vector<Api::Endpoint> Api::view_endpoints() {
  return {
      {"GET", "/", "The page", kRead, kSlow, "text/html", gives(200, 303, 401, 409, 501),
       &Api::page},
      {"GET", "/page.js", "Its script", kRead, kQuick, "text/javascript", gives(200), &Api::script},
      {"GET", "/page.css", "Its style", kRead, kQuick, "text/css", gives(200), &Api::style},
      {"GET", "/healthz", "Whether the server runs", kOpen, kMonitoring, kText, gives(200),
       [](auto&&...) { return text_answer("ok\n"); }},
      {"GET", "/metrics", "Numbers for Prometheus", kRead, kMonitoring, "text/plain; version=0.0.4",
       gives(200), &Api::metrics},
      {"GET", "/api/v1/openapi.json", "This description", kRead, kQuick, kJson, gives(200),
       [](auto&&...) { return json_answer(openapi()); }},
      {"GET", "/api/v1/page", "The data of the page", kRead, kSlow, kJson, gives(200, 409),
       &Api::page_data},
      {"GET", "/api/v1/preview/{view}",
       "A what-if that nobody else sees: its figures (first-figures: without the fabric routed "
       "again), or the data of the page as repaired or rerouted (repaired-map, rerouted-map: only "
       "what the map needs)",
       kRead, kSlow, kJson, gives(200, 404, 409), &Api::preview},
      {"GET", "/api/v1/state", "The fabric, its age, the changes and their what-if", kRead, kQuick,
       kJson, gives(200), [](Api& api, auto&&...) { return json_line(api.live_.state_json()); }},
      {"GET", "/api/v1/events", "Changes as server-sent events", kRead, kQuick, "text/event-stream",
       gives(200), &Api::stream},
      {"GET", "/api/v1/engines", "The engines to choose from, and the one in use", kRead, kQuick,
       kJson, gives(200), &Api::engine_list},
      {"GET", "/api/v1/counters", "What links sent between the last two readings", kRead, kQuick,
       kJson, gives(200, 404), &Api::counters},
      {"GET", "/api/v1/history", "The states that were kept", kRead, kSlow, kJson, gives(200, 404),
       &Api::history_list},
      {"GET", "/api/v1/history/{id}", "What differs between a state and now", kRead, kSlow, kJson,
       gives(200, 404), &Api::history_diff},
  };
}

std::vector<Api::Endpoint> Api::work_endpoints() {
  return {
      {"GET", "/api/v1/changes", "The changes, as a --faults file", kRead, kQuick, kText,
       gives(200), [](Api& api, auto&&...) { return text_answer(api.live_.view().changes); }},
      {"POST", "/api/v1/changes", "Adds changes, a line each: cut, remove, speed, add, restore",
       kChange, kSlow, kJson, gives(200, 409),
       [](Api& api, auto& request, auto&) { return json_line(api.live_.change(request.body)); }},
      {"PUT", "/api/v1/changes", "Replaces the changes", kChange, kSlow, kJson, gives(200, 409),
       [](Api& api, auto& request, auto&) {
         return json_line(api.live_.set_changes(request.body));
       }},
      {"POST", "/api/v1/undo", "Takes the last change back", kChange, kSlow, kJson, gives(200, 409),
       [](Api& api, auto&&...) { return json_line(api.live_.undo()); }},
      {"POST", "/api/v1/redo", "Makes it again", kChange, kSlow, kJson, gives(200, 409),
       [](Api& api, auto&&...) { return json_line(api.live_.redo()); }},
      {"PUT", "/api/v1/routing", "Routes by the engine in the body; empty: as given at the start",
       kChange, kSlow, kJson, gives(200, 409), &Api::set_routing},
      {"GET", "/api/v1/verbs/{verb}", "Runs a verb and waits for its JSON", kRead, kSlow, kJson,
       gives(200), &Api::run_verb},
      {"POST", "/api/v1/tasks/{verb}", "Starts a verb as a task", kChange, kQuick, kJson,
       gives(202), &Api::start_task},
      {"GET", "/api/v1/tasks/{id}", "A task: its progress, and its result at the end", kRead,
       kQuick, kJson, gives(200, 404), &Api::show_task},
      {"DELETE", "/api/v1/tasks/{id}", "Cancels a task", kChange, kQuick, kJson, gives(200, 404),
       &Api::cancel_task},
      {"GET", "/api/v1/files/{what}",
       "Downloads tables, proof, page, fabric or faults of the what-if", kRead, kSlow, kText,
       gives(200, 404, 409), &Api::save},
  };
}

const std::vector<Api::Endpoint>& Api::endpoints() {
  static const std::vector<Endpoint> all = [] {
    std::vector<Endpoint> rows = view_endpoints();
    for (const Endpoint& row : work_endpoints()) rows.push_back(row);
    return rows;
  }();
  return all;
}

}  // namespace fatwood::serve
