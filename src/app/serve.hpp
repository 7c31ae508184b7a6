// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The request that starts the server. The command line hands it to fatwood-serve as words
// "name=value", by the names of describe().

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "app/parameter.hpp"

namespace fatwood {

struct ServeQuestion {
  std::string fabric = {}, routing = {};
  unsigned port = 8800;
  std::string address = "127.0.0.1";
  std::string token_file = {};
  std::string every = "60s";
  std::string history = {};
  unsigned connections = 512, connections_per_client = 128;
};
template <class Visitor>
void describe(Visitor& visit, ServeQuestion& question) {
  visit(question.port, {.name = "port",
                        .help = "the port to listen on; 0: any that is free",
                        .least = 0,
                        .most = 65535});
  visit(question.address,
        {.name = "bind", .help = "the address to listen on; any but loopback needs a token file"});
  visit(question.token_file,
        {.name = "token_file",
         .help = "a file whose first line is the token (default: a random one, printed)",
         .file = true});
  visit(question.every,
        {.name = "every",
         .help = "how often a FABRIC that is not a file is read again: 60s, 5m, 1h"});
  visit(question.history,
        {.name = "history", .help = "a folder that keeps every distinct state", .file = true});
  visit(question.connections,
        {.name = "connections", .help = "open connections at a time", .least = 8, .most = 100000});
  visit(question.connections_per_client,
        {.name = "connections_per_client",
         .help = "of one address; behind a proxy, which is one client, as many as in all",
         .least = 8,
         .most = 100000});
}

// InputError for what is no time such as 60s, 5m, 1h or a number of seconds.
std::chrono::seconds time_between_reads(const ServeQuestion& question);

// "fabric=...", "port=8800", ...; and back.
std::vector<std::string> words_of(const ServeQuestion& question);
ServeQuestion serve_question(std::span<const char* const> words);

}  // namespace fatwood
