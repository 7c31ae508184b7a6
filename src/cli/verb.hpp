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

#include "app/open_fabric.hpp"
#include "cli/command_line.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"
#include "report/colour.hpp"
#include "topology/model.hpp"

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

// The hints that a verb supports; each includes those before it.
enum class Hints {
  kNone,
  kLevels,   // --roots --compute
  kBalance,  // --io --uncounted --count-aggregation
  kLoads,    // --count-flows
};
// Adds FABRIC, the options of its faults and hints; `fabric` must outlive the parse.
void add_fabric(Verb& verb, FabricRequest& fabric, Hints hints = Hints::kLoads);

// Prints to standard output, or to standard error if a file goes to standard output.
void print(const Session& session, std::string_view text);

// To stderr; prints nothing for "", and truncates a long list.
void print_note(std::string_view note);
void print_warnings(std::span<const std::string> warnings);

// Opens a fabric; its note goes to stderr.
OpenFabric load_with_warnings(const FabricRequest& request);
// The same, with warnings to stderr.
OpenFabric load(const FabricRequest& request);
// The same for a verb that shares its work: rank 0 reads files and sends their contents. Each rank
// builds a spec itself, so that its formula stays known.
OpenFabric load(const FabricRequest& request, const Session& session);

// A bar of the progress line (progress_line.hpp), or lines for the program that started this one.
Progress terminal_progress(std::string label);

}  // namespace fatwood::cli
