// SPDX-License-Identifier: BSD-3-Clause
// fatwood-serve: the server behind `fatwood serve`, which checks the words and starts this program.
//
// A program of its own, because the HTTP library brings OpenSSL, and loading both takes longer than
// most commands of fatwood. With --worker it is the process that computes (worker.hpp).
//
//   fatwood-serve FABRIC ROUTING ADDRESS PORT TOKEN_FILE SECONDS HISTORY     "": not given
//
// Threads: the HTTP library's; one that reads the fabric again; those of the tasks. SIGTERM and
// SIGINT end it: children are killed, nothing is half written (io/base/output.hpp).

#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/scratch_folder.hpp"
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

Settings settings_of(char** words) {
  Settings settings;
  settings.source.fabric = words[0];
  settings.source.routing = words[1];
  settings.http.address = words[2];
  settings.http.port = parse_number<int>(words[3]).value_or(8800);
  settings.token_file = words[4];
  settings.every = std::chrono::seconds(parse_number<int>(words[5]).value_or(60));
  settings.history = words[6];
  return settings;
}

// Files are looked at every second; what is no file is read every so often.
void monitor(Live& live, std::chrono::seconds every, const std::atomic<bool>& stopping) {
  const bool is_file = std::filesystem::exists(live.source().fabric);
  auto next = std::chrono::steady_clock::now() + every;
  while (!stopping) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    if (is_file ? !live.files_changed() : std::chrono::steady_clock::now() < next) continue;
    try {
      live.read();
    } catch (const std::exception&) {
      // The last good state stays; its age and the error show.
    }
    next = std::chrono::steady_clock::now() + every;
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

  std::optional<History> history;
  if (!settings.history.empty()) history.emplace(HistoryOptions{.folder = settings.history});
  const ScratchFolder folder("fatwood-serve");  // for files that tasks read
  Events events;
  LiveSource source = settings.source;
  source.folder = folder.path();
  source.every = settings.every;
  Live live(std::move(source), {}, events, history ? &*history : nullptr);
  TaskPool tasks{ChildLimits{}};
  Api api(guard, live, tasks, events, history ? &*history : nullptr, folder.path());
  live.read();
  HttpServer server(settings.http, [&](const HttpRequest& request) { return api.answer(request); });
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
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--worker") {
      run_worker(parse_number<int>(argv[2]).value_or(-1));
      return 0;
    }
    if (argc != 8) throw InputError("start it by: fatwood serve FABRIC [ROUTING]");
    return serve_until_stopped(settings_of(argv + 1));
  } catch (const PromiseError& error) {
    fmt::print(stderr, "fatwood: {}\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fatwood: {}\n", error.what());
    return 2;
  }
}
