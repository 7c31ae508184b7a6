// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A verb is one file: it adds a subcommand with its options and, when chosen, runs it. verbs.cpp
// has the one list. A verb's callback returns through Session::status: 0 it holds, 1 the property
// fails; what throws InputError ends with 2, PromiseError with 1 (main.cpp).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "core/progress.hpp"
#include "core/share.hpp"
#include "io/fabric/load_fabric.hpp"
#include "report/colour.hpp"
#include "topology/change/faults.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood::cli {

struct Session {
  int threads = 0;
  std::uint64_t seed = 1;
  bool json = false;
  bool stdout_taken = false;  // by a file that goes there
  Colour colour = Colour::kNone;
  int status = 0;
  int rank = 0;   // of several processes; only rank 0 writes files
  Share share{};  // with the other ranks; empty: there are none
};

// The question that a verb answers: the overview has a section for each.
enum class Topic : std::uint8_t { kPlan, kLook, kRoute, kProve, kChange, kJobs, kResearch, kFiles };

struct VerbRow {
  std::string_view name;
  void (*add)(CommandLine& app, Session& session);
  Topic topic = Topic::kFiles;
};
std::span<const VerbRow> verbs();
bool is_verb(std::string_view name);
// InputError with the closest verb where there is none of this name.
void require_verb(std::string_view name);
// All verbs by topic, for `fatwood help`. REQUIRES an app with all verbs.
std::string overview(const CommandLine& app);
// For `fatwood help formulas` and `fatwood help engines`; "" for any other word.
std::string list_of(std::string_view topic);

// The options that many verbs share.
void add_json(Verb& verb, Session& session);
void add_threads(Verb& verb, Session& session);
void add_seed(Verb& verb, Session& session);

// A fabric as every verb takes it: a spec or a file, less the faults asked for.
struct FabricArgument {
  std::string name;
  std::string node_name_map;             // a file of better descriptions; "": none
  bool lenient = false;                  // bad rows of a plan are left out
  std::string ibnl;                      // a folder; "": next to the .topo file
  std::vector<std::string> cut, remove;  // as faults.hpp reads them
  std::vector<std::string> fault_files;
  std::uint64_t fault_seed = 1;
  bool keep_connected = false;
  // Hints of the user; files, "" if not given.
  std::string roots, compute, uncounted, io;
  bool count_aggregation = false;
  bool count_flows = false;  // whatever the speeds of cables
};
// The hints that a verb takes, each with those before it.
enum class Hints {
  kNone,
  kLevels,   // --roots --compute
  kBalance,  // --io --uncounted --count-aggregation
  kLoads,    // --count-flows
};
// Adds FABRIC, the options of its faults and hints; `fabric` must outlive the parse.
void add_fabric(Verb& verb, FabricArgument& fabric, Hints hints = Hints::kLoads);

// The stream a verb prints to: standard output, or standard error when a file goes to the former.
void print(const Session& session, std::string_view text);

// On stderr; nothing for "", and a long list is cut.
void print_note(std::string_view note);
void print_warnings(std::span<const std::string> warnings);

// A fabric as it was asked for, and what its reader had to say.
struct LoadedModel {
  std::string format;
  std::vector<std::string> warnings;
  Model model;
  RunData run;                       // of the model's fabric
  std::shared_ptr<const Plan> plan;  // the model's fabric as a plan; none: it was read otherwise
};
LoadOptions load_options(const FabricArgument& argument);
// Reads a fabric, takes the faults out, and reads the hints.
LoadedModel load_with_warnings(const FabricArgument& argument);
// The same, with the warnings on stderr.
Model load(const FabricArgument& argument);
// The same for a verb that shares its work: rank 0 reads files and sends what is in them. A spec is
// built by each rank, so that its formula serves.
Model load(const FabricArgument& argument, const Session& session);

// A bar on stderr when that is a terminal, nothing otherwise.
Progress terminal_progress(std::string label);

}  // namespace fatwood::cli
