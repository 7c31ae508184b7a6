#pragma once
// A verb is one file: it adds a subcommand with its options and, when chosen, runs it. verbs.cpp
// has the one list. A verb's callback returns through Session::status: 0 it holds, 1 the property
// fails; what throws InputError ends with 2, PromiseError with 1 (main.cpp).

#include <CLI/CLI.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/progress.hpp"
#include "topology/fabric.hpp"
#include "topology/faults.hpp"

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

// A fabric as every verb takes it: a spec or a file, less the faults asked for.
struct FabricArgument {
  std::string name;
  std::string node_name_map;             // a file of better descriptions; "": none
  std::vector<std::string> cut, remove;  // as faults.hpp reads them
  std::vector<std::string> fault_files;
  std::uint64_t fault_seed = 1;
  bool keep_connected = false;
};
// Adds FABRIC and the options of its faults; `fabric` must outlive the parse.
void add_fabric(CLI::App& verb, FabricArgument& fabric);

// On stderr; a long list is cut.
void print_warnings(std::span<const std::string> warnings);

// Reads a fabric, tells its warnings on stderr, and takes the faults out.
Fabric load(const FabricArgument& argument);
// The faults asked for, taken out of a fabric that was read already.
Fabric with_faults_of(const FabricArgument& argument, Fabric fabric);

// A bar on stderr when that is a terminal, nothing otherwise.
Progress terminal_progress(std::string label);

}  // namespace fatwood::cli
