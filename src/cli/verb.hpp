// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A verb is one file: it adds a subcommand with its options and runs it if chosen. verbs.cpp has
// the list. The callback sets Session::status: 0 success, 1 the property fails
// (3 in diff: not complete yet). InputError ends with exit code 2, PromiseError with 1
// (outcome.cpp).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"
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
  bool stdout_taken = false;  // a file is written to standard output
  Colour colour = Colour::kNone;
  int status = 0;
  int rank = 0;       // of several processes; only rank 0 writes files
  WorkShare share{};  // with the other ranks; default: none
};

// The questions that verbs answer; the overview has a section for each.
enum class Topic : std::uint8_t { kPlan, kLook, kRoute, kProve, kChange, kJobs, kResearch, kFiles };

// Adds a verb with its options.
using AddVerb = void(CommandLine& app, Session& session);

struct VerbRow {
  std::string_view name;
  AddVerb* add;
  Topic topic = Topic::kFiles;
};
std::span<const VerbRow> verbs();
bool is_verb(std::string_view name);
// InputError, with the closest verb, if there is none of this name.
void require_verb(std::string_view name);
// All verbs by topic, for `fatwood help`. REQUIRES an app with all verbs.
std::string overview(const CommandLine& app);
// For `fatwood help formulas` and `fatwood help engines`; "" for any other word.
std::string list_of(std::string_view topic);

// The options that many verbs share.
void add_json(Verb& verb, Session& session);
void add_threads(Verb& verb, Session& session);
void add_seed(Verb& verb, Session& session);
void add_common(Verb& verb, Session& session);  // all three

// A fabric as nearly every verb takes it: a spec or a file, with optional faults.
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
  bool count_flows = false;  // ignore the speeds of cables
};
// The hints that a verb supports; each includes those before it.
enum class Hints {
  kNone,
  kLevels,   // --roots --compute
  kBalance,  // --io --uncounted --count-aggregation
  kLoads,    // --count-flows
};
// Adds FABRIC, the options of its faults and hints; `fabric` must outlive the parse.
void add_fabric(Verb& verb, FabricArgument& fabric, Hints hints = Hints::kLoads);

// Prints to standard output, or to standard error if a file goes to standard output.
void print(const Session& session, std::string_view text);

// To stderr; prints nothing for "", and truncates a long list.
void print_note(std::string_view note);
void print_warnings(std::span<const std::string> warnings);

// A fabric with its faults and hints, and the notes of its reader.
struct LoadedModel {
  std::string format;
  std::vector<std::string> warnings;
  Model model;
  RunData run;                       // of the model's fabric
  std::shared_ptr<const Plan> plan;  // if the fabric was read from a plan
};
LoadOptions load_options(const FabricArgument& argument);
// Reads a fabric, applies faults, and reads hints.
LoadedModel load_with_warnings(const FabricArgument& argument);
// The same, with warnings to stderr.
Model load(const FabricArgument& argument);
// The same for a verb that shares its work: rank 0 reads files and sends their contents. Each rank
// builds a spec itself, so that its formula stays known.
Model load(const FabricArgument& argument, const Session& session);

// A progress bar on stderr if that is a terminal, otherwise nothing.
Progress terminal_progress(std::string label);

}  // namespace fatwood::cli
