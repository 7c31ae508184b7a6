#pragma once
// A verb is one file: it adds a subcommand with its options and, when chosen, runs it. verbs.cpp
// has the one list. A verb's callback returns through Session::status: 0 it holds, 1 the property
// fails; what throws InputError ends with 2, PromiseError with 1 (main.cpp).

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "core/progress.hpp"
#include "topology/fabric.hpp"

namespace fatwood::cli {

struct Session {
  int threads = 0;
  std::uint64_t seed = 1;
  bool json = false;
  int status = 0;
};

using AddVerb = void (*)(CLI::App& app, Session& session);
std::span<const AddVerb> verbs();

// The options that many verbs share.
void add_json(CLI::App& verb, Session& session);
void add_threads(CLI::App& verb, Session& session);
void add_seed(CLI::App& verb, Session& session);

// Reads a fabric and tells its warnings on stderr.
Fabric load(const std::string& spec_or_path);

// A bar on stderr when that is a terminal, nothing otherwise.
Progress terminal_progress(std::string label);

}  // namespace fatwood::cli
