// SPDX-License-Identifier: BSD-3-Clause
#include "serve/api/api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/version.hpp"
#include "io/base/output.hpp"
#include "routing/engine.hpp"
#include "serve/api/answers.hpp"
#include "serve/api/metrics.hpp"
#include "serve/api/task_words.hpp"

namespace fatwood::serve {

namespace {

constexpr std::size_t kKnownAnswers = 32;
constexpr std::size_t kMostBodyBytes = 1'000'000;

Json task_json(const TaskView& task) {
  Json json{{"id", task.id},
            {"verb", task.verb},
            {"status", status_name(task.status)},
            {"progress", task.progress},
            {"seconds", task.seconds}};
  json["error"] = text_or_null(task.error);
  return json;
}

// The word of "{id}" or "{verb}" in the pattern; returns nullopt for other paths.
std::optional<std::string> word_of(std::string_view pattern, std::string_view path) {
  const std::size_t open = pattern.find('{');
  if (open == pattern.npos) {
    return pattern == path ? std::optional<std::string>("") : std::nullopt;
  }
  const std::string_view after = pattern.substr(pattern.find('}') + 1);
  if (!path.starts_with(pattern.substr(0, open)) || !path.ends_with(after)) return std::nullopt;
  if (path.size() <= open + after.size()) return std::nullopt;
  const std::string_view word = path.substr(open, path.size() - open - after.size());
  return word.find('/') == word.npos ? std::optional<std::string>(word) : std::nullopt;
}

}  // namespace

Api::Api(const Guard& guard, Live& live, TaskPool& tasks, Events& events, Files& files,
         std::string folder)
    : guard_(guard),
      live_(live),
      tasks_(tasks),
      events_(events),
      files_(files),
      folder_(std::move(folder)) {}

Api::Found Api::find(const HttpRequest& request) {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  Found found;
  for (const Endpoint& endpoint : endpoints()) {
    auto word = word_of(endpoint.path, request.path);
    if (!word) continue;
    found.methods += fmt::format("{}{}", found.methods.empty() ? "" : ", ", endpoint.method);
    if (endpoint.method == "GET") found.methods += ", HEAD";
    if (endpoint.method != method) continue;
    found.endpoint = &endpoint;
    found.word = std::move(*word);
  }
  return found;
}

HttpAdmission Api::admit(const HttpRequest& head) const {
  const Found found = find(head);
  if (found.methods.empty()) {
    return {.refused = refusal(404, "no such address; /api/v1/openapi.json lists them")};
  }
  if (found.endpoint == nullptr) {
    HttpResponse response = refusal(405, "this address does not take " + head.method);
    response.headers.emplace_back("Allow", found.methods);
    return {.refused = std::move(response)};
  }
  const bool entering = head.path == "/" && head.query.contains("token");
  if (!entering) {
    if (auto refused = guard_.check(head, found.endpoint->access)) return {.refused = *refused};
  }
  return {.most_body_bytes = found.endpoint->access == Access::kChange ? kMostBodyBytes : 0,
          .threads = found.endpoint->threads};
}

HttpResponse Api::answer(const HttpRequest& request) {
  const Found found = find(request);
  try {
    return found.endpoint->answer(*this, request, found.word);
  } catch (const ChildError& error) {
    return refusal(503, error.what());
  }
}

HttpResponse Api::metrics(const HttpRequest&, const std::string&) {
  const std::string text = metrics_text(live_.view(), events_.clients(), tasks_.times());
  return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = text};
}

HttpResponse Api::stream(const HttpRequest& request, const std::string&) {
  auto next = events_.join(parse_number<std::uint64_t>(request.header_or_none("last-event-id")));
  if (!next) return refusal(503, "too many clients of the event stream");
  return {.type = "text/event-stream", .stream = std::move(*next)};
}

HttpResponse Api::engine_list(const HttpRequest&, const std::string&) {
  Json json{{"fatwood", version()},
            {"routing", live_.view().facts.value_or(Facts{}).routing},
            {"given", live_.given_routing()},
            {"engines", Json::array()}};
  for (const Engine& engine : engines()) {
    json["engines"].push_back({{"name", engine.name},
                               {"summary", engine.summary},
                               {"needs", engine.needs},
                               {"adaptive", engine.has(Engine::kAdaptive)}});
  }
  return json_line(json.text());
}

HttpResponse Api::set_routing(const HttpRequest& request, const std::string&) {
  std::string engine = request.body;
  while (engine.ends_with('\n') || engine.ends_with('\r')) engine.pop_back();  // of echo
  return json_line(live_.set_routing(engine));
}

std::vector<std::string> Api::fabric_words() {
  const LiveView state = live_.view();
  if (state.changes.empty()) return {live_.fabric_word()};
  const std::string path = fmt::format("{}/faults.{}", folder_, state.version);
  if (!std::filesystem::exists(path)) write_output(path, state.changes);
  return {live_.fabric_word(), "--faults", path};
}

std::vector<std::string> Api::command(const TaskVerb& verb, const HttpRequest& request) {
  // A verb would wait for the file until its time is over.
  if (const std::string why = live_.view().unreadable; !why.empty()) throw ChildError(why);
  std::vector<std::string> words{std::string(verb.name)};
  std::vector<std::string> fabric = fabric_words();
  words.push_back(fabric.front());
  if (verb.routing == TakesRouting::kYes) {
    const LiveView state = live_.view();
    words.push_back(state.routing.empty() ? state.facts->routing : state.routing);
  }
  words.insert(words.end(), fabric.begin() + 1, fabric.end());
  const std::vector<std::string> options = task_options(verb, request.query);
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--json");
  return words;
}

std::string Api::state_name(const std::string& command) const {
  const LiveView state = live_.view();
  return fmt::format("{} {} {}", state.version, state.reads, command);
}

std::optional<HttpResponse> Api::known_answer(const std::string& name) {
  const std::lock_guard lock(known_mutex_);
  const auto at = std::ranges::find(known_, name, &Known::command);
  if (at == known_.end()) return std::nullopt;
  return json_answer(at->text);
}

HttpResponse Api::keep_answer(const std::string& name, std::string text) {
  const std::lock_guard lock(known_mutex_);
  known_.push_back({name, text});
  if (known_.size() > kKnownAnswers) known_.pop_front();
  return json_answer(std::move(text));
}

HttpResponse Api::run_once(const std::vector<std::string>& words) {
  const std::string name = state_name(fmt::format("{}", fmt::join(words, " ")));
  if (auto known = known_answer(name)) return *known;
  const auto id = tasks_.start(words);
  if (!id) return refusal(503, "too many tasks wait: try again later");
  TaskView task = tasks_.wait(*id);
  if (task.status != TaskStatus::kDone) {
    return refusal(task.exit_code == 2 ? 400 : 503, task.error);
  }
  return keep_answer(name, std::move(task.result));
}

HttpResponse Api::run_verb(const HttpRequest& request, const std::string& word) {
  const TaskVerb* verb = find_task_verb(word);
  if (verb == nullptr) return refusal(404, "no such verb here");
  return run_once(command(*verb, request));
}

HttpResponse Api::start_task(const HttpRequest& request, const std::string& word) {
  const TaskVerb* verb = find_task_verb(word);
  if (verb == nullptr) return refusal(404, "no such verb here");
  const auto id = tasks_.start(command(*verb, request));
  if (!id) return refusal(503, "too many tasks wait: try again later");
  return json_answer(document(task_json(*tasks_.find(*id))), 202);
}

HttpResponse Api::show_task(const HttpRequest&, const std::string& word) {
  const auto id = parse_number<std::uint64_t>(word);
  const auto task = id ? tasks_.find(*id) : std::nullopt;
  if (!task) return refusal(404, "no such task: only the last ones are kept");
  std::string text = task_json(*task).text();
  text.pop_back();
  std::string result = task->status == TaskStatus::kDone ? task->result : "null";
  while (result.ends_with('\n')) result.pop_back();
  return json_answer(text + ",\"result\":" + result + "}\n");
}

HttpResponse Api::cancel_task(const HttpRequest& request, const std::string& word) {
  const auto id = parse_number<std::uint64_t>(word);
  if (!id || !tasks_.cancel(*id)) return refusal(404, "no such task is waiting or running");
  return show_task(request, word);
}

HttpResponse Api::counters(const HttpRequest&, const std::string&) {
  const std::string text = live_.view().counters;
  if (!text.empty()) return json_line(text);
  return refusal(404,
                 "counters need two readings of a run of ibdiagnet, or of live with ibqueryerrors");
}

HttpResponse Api::history_list(const HttpRequest&, const std::string&) {
  if (!files_.keeps_history()) return refusal(404, "nothing is kept: start with --history DIR");
  std::string text = fmt::format("{{\"fatwood\":\"{}\",\"states\":[", version());
  bool first = true;
  for (const StoredState& state : files_.history()) {
    text += fmt::format("{}{{\"id\":{},\"fabric\":{}}}", first ? "" : ",", state.id,
                        state.facts.empty() ? "null" : state.facts);
    first = false;
  }
  return json_answer(text + "]}\n");
}

HttpResponse Api::history_diff(const HttpRequest&, const std::string& word) {
  if (!files_.keeps_history()) return refusal(404, "nothing is kept: start with --history DIR");
  const auto id = parse_number<std::uint64_t>(word);
  const auto file = id ? files_.history_file(*id) : std::nullopt;
  if (!file) return refusal(404, "no such state is kept");
  return run_once({"diff", *file, live_.fabric_word(), "--json"});
}

}  // namespace fatwood::serve
