// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The endpoints of the server in one table, from which the OpenAPI description is made, too.

#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "serve/api/task_words.hpp"
#include "serve/children/task_pool.hpp"
#include "serve/http/events.hpp"
#include "serve/http/guard.hpp"
#include "serve/http/http.hpp"
#include "serve/state/files.hpp"
#include "serve/state/live.hpp"

namespace fatwood::serve {

class Api : public HttpService {
 public:
  // `folder`: of the server, for files that tasks read. All arguments must outlive this.
  Api(const Guard& guard, Live& live, TaskPool& tasks, Events& events, Files& files,
      std::string folder);

  // Refuses addresses and methods that do not exist, and requests that the guard refuses.
  HttpAdmission admit(const HttpRequest& head) const override;
  // REQUIRES that admit() did not refuse it.
  HttpResponse answer(const HttpRequest& request) override;
  // The description of the endpoints, OpenAPI 3.
  static std::string openapi();

 private:
  struct Endpoint {
    std::string_view method, path;  // "{id}" and "{verb}" match one word
    std::string_view summary;
    Access access;
    HttpThreads threads;
    std::string_view type;      // of the answer
    std::vector<int> statuses;  // of answers, the usual one first; more: see openapi.cpp
    std::function<HttpResponse(Api&, const HttpRequest&, const std::string& word)> answer;
  };
  static const std::vector<Endpoint>& endpoints();
  static std::vector<Endpoint> view_endpoints();  // what is seen
  static std::vector<Endpoint> work_endpoints();  // what is changed or run
  struct Found {
    const Endpoint* endpoint = nullptr;  // nullptr: there is none
    std::string word = {};               // of "{id}" or "{verb}"
    std::string methods = {};            // of the address, as in Allow; "": no such address
  };
  static Found find(const HttpRequest& request);

  HttpResponse page(const HttpRequest&, const std::string&);
  HttpResponse script(const HttpRequest&, const std::string&);
  HttpResponse style(const HttpRequest&, const std::string&);
  HttpResponse page_data(const HttpRequest&, const std::string&);
  HttpResponse preview(const HttpRequest&, const std::string& view);
  HttpResponse metrics(const HttpRequest&, const std::string&);
  HttpResponse stream(const HttpRequest&, const std::string&);
  HttpResponse engine_list(const HttpRequest&, const std::string&);
  HttpResponse set_routing(const HttpRequest&, const std::string&);
  HttpResponse run_verb(const HttpRequest&, const std::string& verb);
  HttpResponse start_task(const HttpRequest&, const std::string& verb);
  HttpResponse show_task(const HttpRequest&, const std::string& id);
  HttpResponse cancel_task(const HttpRequest&, const std::string& id);
  HttpResponse save(const HttpRequest&, const std::string& what);
  HttpResponse counters(const HttpRequest&, const std::string&);
  HttpResponse history_list(const HttpRequest&, const std::string&);
  HttpResponse history_diff(const HttpRequest&, const std::string& id);

  // The whole command for the present state.
  std::vector<std::string> command(const TaskVerb& verb, const HttpRequest& request);
  std::vector<std::string> fabric_words();  // FABRIC and its faults
  // Runs a command to its end, once per state: later calls get the same answer.
  HttpResponse run_once(const std::vector<std::string>& words);
  std::string state_name(const std::string& command) const;  // of an answer for the present state
  std::optional<HttpResponse> known_answer(const std::string& name);
  HttpResponse keep_answer(const std::string& name, std::string text);
  // A file of the worker: `write` gets the path to write to.
  std::string written(const std::function<void(const std::string& path)>& write);
  std::string written(WorkerOp op);  // of the state
  std::string page_command();

  const Guard& guard_;
  Live& live_;
  TaskPool& tasks_;
  Events& events_;
  Files& files_;
  std::string folder_;
  struct Known {
    std::string command;  // with the version of the state
    std::string text;
  };
  std::mutex known_mutex_;
  std::deque<Known> known_;
  std::mutex files_mutex_, page_mutex_;
};

}  // namespace fatwood::serve
