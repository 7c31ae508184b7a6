// SPDX-License-Identifier: BSD-3-Clause
// fatwood serve FABRIC [ROUTING]: the page, live. Checks the words and becomes fatwood-serve, which
// stands next to this program (src/serve/main.cpp).

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"

namespace fatwood::cli {

namespace {

struct ServeArguments {
  std::string fabric, routing;
  std::string address = "127.0.0.1";
  unsigned port = 8800;
  std::string token_file;
  std::string every = "60s";
  std::string history;
  unsigned connections = 512;
  unsigned connections_per_client = 128;
};

// "60s", "5m", "1h", or a number of seconds.
unsigned seconds_of(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  const auto number = parse_number<unsigned>(std::string_view(text).substr(0, digits));
  const std::string unit = digits == text.npos ? "s" : text.substr(digits);
  const unsigned factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  constexpr unsigned kMost = 1'000'000;
  if (!number || *number == 0 || factor == 0 || *number > kMost / factor) {
    throw InputError(
        fmt::format("--every: expected a time such as 60s, 5m or 1h, not \"{}\"", text));
  }
  return *number * factor;
}

void become_server(const ServeArguments& arguments) {
  const std::string program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fatwood-serve").string();
  const std::string port = fmt::format("{}", arguments.port);
  const std::string every = fmt::format("{}", seconds_of(arguments.every));
  const std::string connections = fmt::format("{}", arguments.connections);
  const std::string per_client = fmt::format("{}", arguments.connections_per_client);
  execl(program.c_str(), "fatwood-serve", arguments.fabric.c_str(), arguments.routing.c_str(),
        arguments.address.c_str(), port.c_str(), arguments.token_file.c_str(), every.c_str(),
        arguments.history.c_str(), connections.c_str(), per_client.c_str(),
        static_cast<char*>(nullptr));
  throw InputError(fmt::format(
      "can't start {}: {}. Install the package fatwood-serve, or build with libboost-dev", program,
      strerror(errno)));
}

}  // namespace

void add_serve(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("serve", "show a fabric live in the browser, with what-if and metrics");
  auto arguments = std::make_shared<ServeArguments>();
  verb->add_option("FABRIC", arguments->fabric, "a spec, a file, the folder of a run, or live")
      ->required();
  verb->add_option("ROUTING", arguments->routing,
                   "an engine or a file of forwarding tables (default: even)");
  verb->add_option("--port", arguments->port, "the port to listen on; 0: any that is free")
      ->range(0, 65535);
  verb->add_option("--bind", arguments->address,
                   "the address to listen on; any but loopback needs --token-file");
  verb->add_option("--token-file", arguments->token_file,
                   "a file whose first line is the token (default: a random one, printed)");
  verb->add_option("--every", arguments->every,
                   "how often a FABRIC that is not a file is read again: 60s, 5m, 1h");
  verb->add_option("--history", arguments->history, "a folder that keeps every distinct state");
  verb->add_option("--connections", arguments->connections, "open connections at a time")
      ->range(8, 100000);
  verb->add_option("--connections-per-client", arguments->connections_per_client,
                   "of one address; behind a proxy, which is one client, as many as --connections")
      ->range(8, 100000);
  verb->footer("Example: fatwood serve 'ft(8,3)' sftree");
  verb->callback(session, [arguments] { become_server(*arguments); });
}

}  // namespace fatwood::cli
