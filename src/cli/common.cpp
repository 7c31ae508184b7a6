// SPDX-License-Identifier: BSD-3-Clause
// Shared by verbs: common options, loading a fabric.

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/outcome.hpp"
#include "cli/verb.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/lists/fault_file.hpp"
#include "io/lists/node_list.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/generate/spec.hpp"

namespace fatwood::cli {

void add_json(Verb& verb, Session& session) {
  verb.add_flag("--json", session.json, "print one JSON object instead of the table");
}

void add_threads(Verb& verb, Session& session) {
  const Heading under(verb, heading::kCommon);
  verb.add_option("--threads", session.threads, "threads to use (0: all cores)")->range(0, 1024);
}

void add_seed(Verb& verb, Session& session) {
  const Heading under(verb, heading::kCommon);
  verb.add_option("--seed", session.seed, "seed of all random choices");
}

void add_common(Verb& verb, Session& session) {
  add_threads(verb, session);
  add_seed(verb, session);
  add_json(verb, session);
}

void add_fabric(Verb& verb, FabricArgument& fabric, Hints hints) {
  verb.add_option("FABRIC", fabric.name,
                  "a formula, a file, the folder or archive of a run, -, or live")
      ->required();
  const Heading common(verb, heading::kCommon);
  verb.add_option("--node-name-map", fabric.node_name_map,
                  "a file of lines 0xGUID \"name\": what to call nodes");
  verb.add_flag("--lenient", fabric.lenient, "of a plan: leave bad rows out, with a warning");
  verb.add_option("--ibnl", fabric.ibnl, "of a .topo file: the folder of IBNL files");
  const Heading faults(verb, heading::kFaults);
  verb.add_option("--cut", fabric.cut,
                  "cut NAME[PORT], NAME (all its cables), 5%, 13, 5%@2-3 (levels) or @2-3")
      ->one_each();
  verb.add_option("--remove", fabric.remove, "remove NAME, 0xGUID, 2%, 3, 2@3 (level) or @3")
      ->one_each();
  verb.add_option("--faults", fabric.fault_files, "a file of lines \"cut ...\" and \"remove ...\"")
      ->one_each();
  verb.add_option("--fault-seed", fabric.fault_seed, "seed of random faults");
  verb.add_flag("--keep-connected", fabric.keep_connected,
                "random faults do not disconnect anything");
  const Heading under_hints(verb, heading::kHints);
  if (hints == Hints::kNone) return;
  verb.add_option("--roots", fabric.roots, "file: the root switches (default: found)");
  verb.add_option("--compute", fabric.compute, "file: the compute nodes (default: found)");
  if (hints == Hints::kLevels) return;
  verb.add_option("--io", fabric.io, "file: I/O nodes; they don't count for balance");
  verb.add_option("--uncounted", fabric.uncounted, "file: hosts that don't count for balance");
  verb.add_flag("--count-aggregation", fabric.count_aggregation,
                "count aggregation (SHARP) nodes of switches as hosts");
  if (hints == Hints::kBalance) return;
  verb.add_flag("--count-flows", fabric.count_flows,
                "take all cables for equally fast: loads count flows, not shares of a speed");
}

namespace {

std::vector<FaultRequest> faults_of(const FabricArgument& argument) {
  std::vector<FaultRequest> orders;
  for (const std::string& text : argument.cut) {
    orders.push_back({FaultKind::kCut, text, {.file = "--cut " + text}});
  }
  for (const std::string& text : argument.remove) {
    orders.push_back({FaultKind::kRemove, text, {.file = "--remove " + text}});
  }
  for (const std::string& path : argument.fault_files) {
    for (FaultRequest& order : read_faults(path)) orders.push_back(std::move(order));
  }
  return orders;
}

Fabric with_faults_of(const FabricArgument& argument, Fabric fabric) {
  const std::vector<FaultRequest> orders = faults_of(argument);
  if (argument.count_flows) fabric = with_equal_speeds(fabric);
  if (orders.empty()) return fabric;
  const FaultOptions options{
      argument.fault_seed,
      argument.keep_connected ? Connection::kKept : Connection::kMayBreak,
  };
  return with_faults(fabric, find_faults(fabric, orders, options));
}

// Without any name a list would silently mean the default.
template <class List>
List some(List list, const std::string& path) {
  if (list.empty()) throw InputError({.file = path}, "names no node");
  return list;
}

ModelHints hints_of(const FabricArgument& argument, const Fabric& fabric) {
  ModelHints hints;
  const auto terminals = [&](const std::string& path) {
    return path.empty() ? std::vector<Terminal>{} : some(read_terminal_list(fabric, path), path);
  };
  if (!argument.roots.empty()) {
    hints.roots = some(read_switch_list(fabric, argument.roots), argument.roots);
  }
  hints.compute = terminals(argument.compute);
  hints.uncounted = terminals(argument.uncounted);
  const std::vector<Terminal> io = terminals(argument.io);
  hints.uncounted.insert(hints.uncounted.end(), io.begin(), io.end());
  if (argument.count_aggregation) hints.aggregation = Aggregation::kCounted;
  return hints;
}

}  // namespace

void print(const Session& session, std::string_view text) {
  fmt::print(session.stdout_taken ? stderr : stdout, "{}", text);
}

void print_note(std::string_view note) {
  if (!note.empty()) say(fmt::format("fatwood: note: {}\n", note));
}
void print_warnings(std::span<const std::string> warnings) {
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < warnings.size() && i < kShown; ++i) {
    say(fmt::format("fatwood: warning: {}\n", warnings[i]));
  }
  if (warnings.size() > kShown) {
    say(fmt::format("fatwood: warning: and {} more\n", warnings.size() - kShown));
  }
}

LoadOptions load_options(const FabricArgument& argument) {
  return {.node_name_map = argument.node_name_map,
          .strictness = argument.lenient ? Strictness::kLenient : Strictness::kStrict,
          .ibnl = argument.ibnl};
}

LoadedModel load_with_warnings(const FabricArgument& argument) {
  LoadedFabric loaded = load_fabric(argument.name, load_options(argument));
  print_note(loaded.note);
  Fabric fabric = with_faults_of(argument, loaded.fabric);
  RunData run = carried(loaded.run, loaded.fabric, fabric);
  ModelHints hints = hints_of(argument, fabric);
  if (!faults_of(argument).empty()) loaded.plan.reset();
  return {std::move(loaded.format), std::move(loaded.warnings),
          Model(std::move(fabric), std::move(hints)), std::move(run), std::move(loaded.plan)};
}

namespace {

struct Given {
  Fabric fabric;
  ModelHints hints;
};

Given read(const FabricArgument& argument) {
  LoadedFabric loaded = load_fabric(argument.name, load_options(argument));
  print_note(loaded.note);
  print_warnings(loaded.warnings);
  Given given{with_faults_of(argument, std::move(loaded.fabric)), {}};
  given.hints = hints_of(argument, given.fabric);
  return given;
}

std::string sent(const Given& given) {
  std::ostringstream fabric;
  write_json_fabric(fabric, given.fabric);
  BytesOut out;
  const ModelHints& hints = given.hints;
  out(fabric.str(), hints.roots, hints.compute, hints.uncounted, hints.aggregation);
  return out.take();
}

Given received(const std::string& bytes) {
  std::string fabric;
  ModelHints hints;
  BytesIn in(bytes);
  in(fabric, hints.roots, hints.compute, hints.uncounted, hints.aggregation);
  Input input(std::string_view(fabric), "the fabric of rank 0");
  return {read_json_fabric(input).fabric, std::move(hints)};
}

}  // namespace

Model load(const FabricArgument& argument) {
  Given given = read(argument);
  return Model(std::move(given.fabric), std::move(given.hints));
}

Model load(const FabricArgument& argument, const Session& session) {
  if (!session.share || looks_like_spec(argument.name)) return load(argument);
  Given given = received(session.share.once([&] { return sent(read(argument)); }));
  return Model(std::move(given.fabric), std::move(given.hints));
}

}  // namespace fatwood::cli
