// SPDX-License-Identifier: BSD-3-Clause
#include "serve/worker.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <sstream>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/base/output.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/lists/fault_file.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/routing_files.hpp"
#include "report/change/loss_report.hpp"
#include "report/fabric/counters_report.hpp"
#include "report/fabric/diff_report.hpp"
#include "routing/engine.hpp"
#include "routing/repair/changes.hpp"
#include "routing/resolve.hpp"
#include "serve/child.hpp"
#include "topology/change/fabric_diff.hpp"
#include "topology/change/faults.hpp"

namespace fatwood::serve {

namespace {

// Where the user names no routing.
constexpr const char* kDefaultEngine = "even";

// A fabric with its routes.
struct Routed {
  std::unique_ptr<Model> model;
  Routing routing;
  Lids lids;
  Facts facts;
  RunData run;  // with counters, perhaps
  std::chrono::steady_clock::time_point read_at = std::chrono::steady_clock::now();
  // What every what-if begins with; empty for adaptive tables.
  std::optional<Participants> who = {};
  std::optional<LossFigures> before = {};
};

bool is_file_of_tables(const std::string& routing) {
  return !is_engine(routing) && find_oblivious(routing) == nullptr &&
         std::filesystem::exists(routing);
}

Routed read_routed(const std::string& fabric, const std::string& routing) {
  LoadedFabric loaded = load_fabric(fabric);
  Routed routed;
  std::vector<std::string> warnings = std::move(loaded.warnings);
  routed.run = std::move(loaded.run);
  routed.model = std::make_unique<Model>(std::move(loaded.fabric));
  if (is_file_of_tables(routing)) {
    LoadedRouting tables = load_routing_files(routing, routed.model->fabric());
    warnings.insert(warnings.end(), tables.warnings.begin(), tables.warnings.end());
    routed.routing = std::move(tables.routing);
    routed.lids = std::move(tables.lids);
  } else {
    routed.routing = resolve_routing(*routed.model, routing.empty() ? kDefaultEngine : routing, {},
                                     Prefer::kTables)
                         .routing;
    routed.lids = assign_lids(routed.model->fabric(), routed.routing.tables.lmc());
  }
  routed.facts = find_facts(*routed.model, routed.routing);
  routed.facts.title = std::filesystem::path(fabric).filename().string();
  routed.facts.format = std::move(loaded.format);
  routed.facts.routing =
      routing.empty() ? kDefaultEngine : std::filesystem::path(routing).filename().string();
  routed.facts.warnings = std::move(warnings);
  if (routed.routing.sets.empty() && routed.routing.tables.num_destinations() > 0) {
    routed.who = default_participants(*routed.model);
    routed.before = figures_before(*routed.model, routed.routing, *routed.who);
  }
  return routed;
}

std::string fabric_text(const Fabric& fabric) {
  std::ostringstream out;
  write_json_fabric(out, fabric);
  return out.str();
}

// In one line: what a server-sent event needs.
std::string one_line(std::string json) {
  while (json.ends_with('\n')) json.pop_back();
  return json;
}

// What links sent between two readings, next to what the routes predict; "": not known.
std::string counters_between(const Routed& before, const Routed& now) {
  if (before.run.counters.empty() || now.run.counters.empty()) return "";
  const RunData earlier = carried(before.run, before.model->fabric(), now.model->fabric());
  CounterOptions options{.earlier = &earlier};
  options.seconds = std::chrono::duration<double>(now.read_at - before.read_at).count();
  std::unique_ptr<const PathSource> paths;
  if (now.routing.sets.empty()) paths = path_source(*now.model, Routing(now.routing));
  options.paths = paths.get();
  constexpr std::size_t kShown = 20;
  return one_line(
      document(counters_object(*now.model, count_links(*now.model, now.run, options), kShown)));
}

class WorkerState {
 public:
  // `part` sends what is known before the end of a reply.
  explicit WorkerState(std::function<void(const WorkerReply&)> part) : part_(std::move(part)) {}

  WorkerReply answer(const WorkerRequest& request) {
    switch (request.op) {
      case WorkerOp::kOpen:
        return open(request);
      case WorkerOp::kChange:
        return change(request.text);
      case WorkerOp::kTables:
        return write_tables(request.path);
      case WorkerOp::kFabric:
        return write_fabric(request.path);
    }
    return {.status = 500, .error = "unknown call"};
  }

 private:
  WorkerReply open(const WorkerRequest& request) {
    Routed now = read_routed(request.fabric, request.routing);
    WorkerReply reply;
    if (base_.model) {
      reply.counters = counters_between(base_, now);
      reply.same = now.facts.fingerprint == base_.facts.fingerprint &&
                   now.facts.routes_fingerprint == base_.facts.routes_fingerprint &&
                   now.facts.links == base_.facts.links;
      now.facts.differing_entries = differing(base_, now);
      if (!reply.same) reply.events = events_of(base_, now);
    }
    reply.facts = now.facts;
    reply.text = fabric_text(now.model->fabric());
    base_ = std::move(now);
    changed_.reset();
    return reply;
  }

  // Entries that differ from the tables that were proved before, on the switches of both.
  static std::uint64_t differing(const Routed& before, const Routed& now) {
    const bool alike = before.facts.fingerprint == now.facts.fingerprint &&
                       before.routing.tables.lmc() == now.routing.tables.lmc();
    if (!alike) return 0;
    return table_changes(*now.model, before.routing.tables, now.routing.tables, now.lids).entries;
  }

  static std::vector<ServeEvent> events_of(const Routed& before, const Routed& now) {
    std::vector<ServeEvent> events;
    const DiffReport diff{diff_fabrics(*before.model, *now.model), {}};
    if (!diff.same()) {
      events.push_back({"fabric", one_line(diff_json(*before.model, *now.model, diff))});
    }
    if (now.facts.differing_entries > 0) {
      events.push_back({"tables", Json{{"differing_entries", now.facts.differing_entries}}.text()});
    }
    if (!now.facts.safe()) events.push_back({"unsafe", facts_json(now.facts).text()});
    return events;
  }

  WorkerReply change(const std::string& text);
  WorkerReply write_tables(const std::string& path) const;
  WorkerReply write_fabric(const std::string& path) const;

  std::function<void(const WorkerReply&)> part_;
  Routed base_;
  std::optional<Routed> changed_;
};

WorkerReply WorkerState::change(const std::string& text) {
  if (!base_.model) return {.status = 503, .error = "no fabric was read yet"};
  if (text.empty()) {
    changed_.reset();
    return {.text = "null"};
  }
  Input input(std::string_view(text), "changes");
  const Fabric& fabric = base_.model->fabric();
  const Faults faults = find_faults(fabric, read_faults(input));
  LossOptions options{.engine = is_engine(base_.facts.routing) ? &find_engine(base_.facts.routing)
                                                               : &find_engine(kDefaultEngine)};
  options.route.quick = options.engine->has(Engine::kAims);
  options.route.lmc = base_.routing.tables.lmc();
  options.who = base_.who;
  options.before = base_.before;
  options.part = [this](const LossResult& known) { part_({.text = loss_json(known)}); };
  LossResult result = lose(*base_.model, base_.routing, base_.lids, faults, options);
  std::string text_of_loss = loss_json(result);
  Routed changed;
  changed.model = std::move(result.after);
  changed.routing = std::move(result.repaired_routing);
  changed.lids = std::move(result.lids);
  changed_ = std::move(changed);
  return {.text = std::move(text_of_loss)};
}

WorkerReply WorkerState::write_tables(const std::string& path) const {
  const Routed& routed = changed_ ? *changed_ : base_;
  write_output(path, [&](std::ostream& out) {
    write_lfts(out, routed.model->fabric(), routed.routing.tables, routed.lids);
  });
  return {};
}

WorkerReply WorkerState::write_fabric(const std::string& path) const {
  const Routed& routed = changed_ ? *changed_ : base_;
  write_output(path, [&](std::ostream& out) { write_json_fabric(out, routed.model->fabric()); });
  return {};
}

WorkerReply safe_answer(WorkerState& state, const std::string& bytes) {
  try {
    return state.answer(from_bytes<WorkerRequest>(bytes));
  } catch (const InputError& error) {
    return {.status = 400, .error = error.what()};
  } catch (const PromiseError& error) {
    return {.status = 409, .error = error.what()};
  } catch (const std::bad_alloc&) {
    return {.status = 507, .error = "out of memory"};
  } catch (const std::exception& error) {
    return {.status = 500, .error = error.what()};
  }
}

}  // namespace

void run_worker(int socket) {
  WorkerState state([socket](const WorkerReply& part) { reply_part(socket, to_bytes(part)); });
  for (std::string bytes = receive(socket); !bytes.empty(); bytes = receive(socket)) {
    reply(socket, to_bytes(safe_answer(state, bytes)));
  }
}

}  // namespace fatwood::serve
