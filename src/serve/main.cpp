// SPDX-License-Identifier: BSD-3-Clause
// fatwood-serve: the server behind `fatwood serve`, which checks the words and starts this program.
//
// A program of its own: it is also the processes that compute (--worker, worker.hpp) and that touch
// files (--files-worker, files_worker.hpp), and it has a Debian package with a user and a unit.
//
//   fatwood-serve fabric=FABRIC routing=ROUTING port=8800 ...      (app/serve.hpp)
//
// Threads: the HTTP server's (http.hpp); one that reads the fabric again; those of the tasks.
// SIGTERM and SIGINT end it: children are killed, nothing is half written (io/base/output.hpp).

#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "app/serve.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/scratch_folder.hpp"
#include "io/fabric/live.hpp"
#include "serve/api/api.hpp"

namespace {

using namespace fatwood;
using namespace fatwood::serve;

struct Settings {
  LiveSource source;
  HttpOptions http;
  std::string token_file, history;
  std::chrono::seconds every{60};
};

Settings settings_of(const ServeQuestion& question) {
  Settings settings;
  settings.source.fabric = question.fabric;
  settings.source.routing = question.routing;
  settings.http.address = question.address;
  settings.http.port = static_cast<int>(question.port);
  settings.token_file = question.token_file;
  settings.every = time_between_reads(question);
  settings.history = question.history;
  settings.http.limits.connections = question.connections;
  settings.http.limits.connections_per_client = question.connections_per_client;
  return settings;
}

// Files are read when they change, a live fabric every --every seconds.
void monitor(Live& live, std::chrono::seconds every, const std::atomic<bool>& stopping) {
  auto next = std::chrono::steady_clock::now() + every;
  while (!stopping) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const bool due = std::chrono::steady_clock::now() >= next;
    try {
      if (live.files_changed() || (due && !live.is_file())) live.read();
      if (due) live.keep_history();
    } catch (const std::exception&) {
      // The last good state stays; its age and the error show.
    }
    if (due) next = std::chrono::steady_clock::now() + every;
  }
}

void announce(const Guard& guard, const Settings& settings, int port) {
  const std::string host = guard.is_loopback() ? "localhost" : settings.http.address;
  fmt::print("fatwood: serving {} at http://{}:{}/", settings.source.fabric, host, port);
  // A token of a file is not printed: logs are read by others.
  fmt::print("{}\n", settings.token_file.empty() ? "?token=" + guard.token() : "");
  std::fflush(stdout);
}

int serve_until_stopped(const Settings& settings) {
  const bool loopback = is_loopback(settings.http.address);
  if (!loopback && settings.token_file.empty()) {
    throw InputError(
        fmt::format("--bind {} can be reached from other hosts: give --token-file FILE",
                    settings.http.address));
  }
  const Guard guard(settings.token_file.empty() ? new_token() : read_token(settings.token_file),
                    settings.http.address);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // one thread waits for them
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file beyond ulimit -f is an error of write()

  if (!settings.history.empty()) History({.folder = settings.history}).prepare();
  const ScratchFolder folder("fatwood-serve");  // for files that tasks read
  Events events;
  LiveSource source = settings.source;
  source.folder = folder.path();
  source.every = settings.every;
  const auto file = [](const std::string& word) { return is_live(word) ? "" : word; };
  Files files({file(source.fabric), file(source.routing)}, settings.history,
              time_to_read(settings.every));
  Live live(std::move(source), {}, events, files);
  TaskPool tasks{ChildLimits{}};
  Api api(guard, live, tasks, events, files, folder.path());
  HttpServer server(settings.http, api);  // first: a port that is taken shows at once
  live.read();
  events.on_more([&] { server.wake(); });
  announce(guard, settings, server.port());
  std::atomic<bool> stopping = false;
  std::jthread reader([&] { monitor(live, settings.every, stopping); });
  std::jthread waiter([&] {
    int signal = 0;
    sigwait(&ends, &signal);
    stopping = true;
    events.close();
    tasks.stop();
    live.stop();
    server.stop();
  });
  server.run();
  events.on_more({});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--worker") {
      run_worker(parse_number<int>(argv[2]).value_or(-1));
      return 0;
    }
    if (argc == 3 && std::string_view(argv[1]) == "--files-worker") {
      run_files_worker(parse_number<int>(argv[2]).value_or(-1));
      return 0;
    }
    const ServeQuestion question = serve_question({argv + 1, argv + argc});
    if (question.fabric.empty()) throw InputError("start it by: fatwood serve FABRIC [ROUTING]");
    return serve_until_stopped(settings_of(question));
  } catch (const PromiseError& error) {
    fmt::print(stderr, "fatwood: {}\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fatwood: {}\n", error.what());
    return 2;
  }
}
