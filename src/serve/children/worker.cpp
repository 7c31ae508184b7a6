// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/base/output.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/lists/fault_file.hpp"
#include "io/tables/lfts.hpp"
#include "report/change/repair_report.hpp"
#include "report/fabric/counters_report.hpp"
#include "report/fabric/diff_report.hpp"
#include "routing/engine.hpp"
#include "routing/repair/changes.hpp"
#include "serve/children/child.hpp"
#include "serve/children/routed.hpp"
#include "tasks/recommend.hpp"
#include "topology/change/fabric_diff.hpp"
#include "topology/change/faults.hpp"

namespace fatwood::serve {

namespace {

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
  if (!has_counters(before.fabric.run) || !has_counters(now.fabric.run)) return "";
  const RunData earlier = carried(before.fabric.run, before.model->fabric(), now.model->fabric());
  CounterOptions options{.earlier = &earlier};
  options.seconds = std::chrono::duration<double>(now.read_at - before.read_at).count();
  std::unique_ptr<const PathSource> paths;
  if (now.routing.sets.empty()) paths = path_source(*now.model, Routing(now.routing));
  options.paths = paths.get();
  constexpr std::size_t kShown = 20;
  return one_line(document(
      counters_object(*now.model, count_links(*now.model, now.fabric.run, options), kShown)));
}

class WorkerState {
 public:
  // `part` sends what is known before the end of a reply.
  explicit WorkerState(std::function<void(const WorkerReply&)> part) : part_(std::move(part)) {}

  WorkerReply answer(const WorkerRequest& request) {
    switch (request.op) {
      case WorkerOp::kOpen:
        return open(request);
      case WorkerOp::kRoute:
        return reroute(request.routing);
      case WorkerOp::kChange:
        return change(request.text);
      case WorkerOp::kPreview:
        return answer_preview(request);
      case WorkerOp::kPreviewData:
      case WorkerOp::kPreviewMap:
        return write_preview(request);
      case WorkerOp::kTables:
      case WorkerOp::kFabric:
      case WorkerOp::kProof:
      case WorkerOp::kPage:
      case WorkerOp::kPageData:
        return write(request);
    }
    return {.status = 500, .error = "unknown call"};
  }

 private:
  WorkerReply open(const WorkerRequest& request) {
    Routed now = read_routed(request.fabric, request.routing, [this] { part_({}); });
    compare_with_proved(now);
    WorkerReply reply;
    if (base_.model) {
      reply.counters = counters_between(base_, now);
      reply.same = now.facts.fingerprint == base_.facts.fingerprint &&
                   now.facts.routes_fingerprint == base_.facts.routes_fingerprint &&
                   now.facts.links == base_.facts.links;
      if (!reply.same) reply.events = events_of(base_, now);
    }
    reply.facts = now.facts;
    reply.text = fabric_text(now.model->fabric());
    base_ = std::move(now);
    changed_.reset();
    previews_.clear();
    return reply;
  }

  // Counts the entries that differ from the first tables of this fabric that were proved. Another
  // fabric has other tables, and so has another engine: the first that are proved count from then
  // on.
  void compare_with_proved(Routed& now) {
    const ForwardingTables& tables = now.routing.tables;
    if (proved_ && proved_->fingerprint == now.facts.fingerprint &&
        proved_->tables.lmc() == tables.lmc() &&
        proved_->tables.num_destinations() == tables.num_destinations()) {
      now.facts.differing_entries =
          table_changes(*now.model, proved_->tables, tables, now.lids).entries;
      return;
    }
    proved_.reset();
    if (now.facts.safe()) proved_ = {now.facts.fingerprint, tables};
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

  WorkerReply reroute(const std::string& routing) {
    if (!base_.model) return no_fabric();
    route_again(base_, routing);
    previews_.clear();
    proved_.reset();
    compare_with_proved(base_);
    return {.facts = base_.facts};
  }
  static WorkerReply no_fabric() { return {.status = 503, .error = "no fabric was read yet"}; }

  // A what-if of one client.
  struct Preview {
    std::string changes, json;
    LossResult result;  // its tables are in `routed`
    Routed routed;
    std::optional<Routing> rerouted = {};
  };
  LossOptions loss_options() const;
  Preview whatif(const std::string& text, const LossOptions& options);
  WorkerReply change(const std::string& text);
  WorkerReply answer_preview(const WorkerRequest& request);
  Preview& preview(const std::string& text);
  Preview first_stages(const std::string& text);
  void route_preview(Preview& preview);
  WorkerReply write_preview(const WorkerRequest& request);
  WorkerReply write(const WorkerRequest& request) const;

  std::function<void(const WorkerReply&)> part_;
  Routed base_;
  struct Proved {
    std::uint64_t fingerprint;  // of the fabric
    ForwardingTables tables;
  };
  std::optional<Proved> proved_;
  std::optional<Routed> changed_;
  std::deque<Preview> previews_;  // the last ones
};

// The options of every what-if: those that are known of the base are not computed again.
LossOptions WorkerState::loss_options() const {
  LossOptions options{.engine = &find_engine(is_engine(base_.facts.routing)
                                                 ? base_.facts.routing
                                                 : default_engine(*base_.model))};
  options.route.quick = options.engine->has(Engine::kAims);
  options.route.lmc = base_.routing.tables.lmc();
  options.who = base_.who;
  options.before = base_.before;
  options.jobs = MeasureJobs::kYes;
  return options;
}

WorkerState::Preview WorkerState::whatif(const std::string& text, const LossOptions& options) {
  Input input(std::string_view(text), "changes");
  const ResolvedFaults faults = find_faults(base_.model->fabric(), read_faults(input));
  LossResult result = lose(*base_.model, base_.routing, base_.lids, faults, options,
                           {.settled = base_.settled,
                            .tables = base_.known ? &*base_.known : nullptr,
                            .flows = base_.flows ? &*base_.flows : nullptr});
  Preview found{.changes = text, .json = one_line(loss_json(result)), .result = {}, .routed = {}};
  found.routed.model = result.after;
  found.routed.routing = std::move(result.new_routing);
  found.routed.lids = std::move(result.lids);
  found.routed.facts.title = base_.facts.title;
  found.routed.facts.format = base_.facts.format;
  found.routed.facts.routing =
      result.not_repaired.empty() ? "repaired" : found.routed.routing.engine;
  found.routed.fabric.run =
      carried(base_.fabric.run, base_.model->fabric(), found.routed.model->fabric());
  found.rerouted = std::move(result.rerouted_tables);
  found.result = std::move(result);
  return found;
}

WorkerReply WorkerState::change(const std::string& text) {
  if (!base_.model) return no_fabric();
  if (text.empty()) {
    changed_.reset();
    return {.text = "null"};
  }
  LossOptions options = loss_options();
  options.part = [this](const LossResult& known) { part_({.text = one_line(loss_json(known))}); };
  Preview found = whatif(text, options);
  changed_ = std::move(found.routed);
  return {.text = std::move(found.json)};
}

// Soon: without fresh tables, so repaired in the blocks that must be sent, and without figures of
// jobs. All stages if the tables can't be repaired.
WorkerState::Preview WorkerState::first_stages(const std::string& text) {
  LossOptions options = loss_options();
  options.jobs = MeasureJobs::kNo;
  const Engine* const engine = std::exchange(options.engine, nullptr);
  try {
    return whatif(text, options);
  } catch (const PromiseError&) {
    options.engine = engine;
    return whatif(text, options);
  }
}

WorkerState::Preview& WorkerState::preview(const std::string& text) {
  constexpr std::size_t kKept = 4;  // of different clients
  const auto known = std::ranges::find(previews_, text, &Preview::changes);
  if (known != previews_.end()) return *known;
  Preview found{.changes = text, .json = "null", .result = {}, .routed = {}};
  if (text.empty()) {
    found.routed.model = base_.model;
    found.routed.routing = base_.routing;
    found.routed.facts = base_.facts;
  } else {
    found = first_stages(text);
  }
  if (previews_.size() == kKept) previews_.pop_front();
  return previews_.emplace_back(std::move(found));
}

// All stages, with a repair for jobs, which is chosen by what fresh tables would give.
void WorkerState::route_preview(Preview& preview) {
  if (preview.changes.empty() || preview.result.stage == LossStage::kAll) return;
  preview = whatif(preview.changes, loss_options());
}

WorkerReply WorkerState::answer_preview(const WorkerRequest& request) {
  if (!base_.model) return no_fabric();
  Preview& found = preview(request.text);
  if (request.routing != "first") route_preview(found);
  return {.text = found.json};
}

WorkerReply WorkerState::write_preview(const WorkerRequest& request) {
  if (!base_.model) return no_fabric();
  Preview& found = preview(request.text);
  Routed rerouted;
  if (request.routing == "rerouted") {
    route_preview(found);
    if (found.rerouted) {
      rerouted.model = found.routed.model;
      rerouted.routing = *found.rerouted;
      rerouted.facts = found.routed.facts;
      rerouted.facts.routing = "routed again";
    }
  }
  const Routed& routed = rerouted.model ? rerouted : found.routed;
  const std::string text = request.op == WorkerOp::kPreviewMap
                               ? map_of(routed, routed.facts.routing)
                               : page_of(routed, routed.facts.routing, "", PageForm::kData);
  write_output(request.path, [&](std::ostream& out) { out << text; });
  return {};
}

WorkerReply WorkerState::write(const WorkerRequest& request) const {
  if (!base_.model) return no_fabric();
  const Routed& routed = changed_ ? *changed_ : base_;
  std::string text;  // made first: what fails leaves no file
  if (request.op == WorkerOp::kProof) text = proof_of(routed);
  if (request.op == WorkerOp::kPage || request.op == WorkerOp::kPageData) {
    text = page_of(routed, routed.facts.routing, request.text,
                   request.op == WorkerOp::kPage ? PageForm::kFile : PageForm::kData);
  }
  write_output(request.path, [&](std::ostream& out) {
    if (request.op == WorkerOp::kTables) {
      write_lfts(out, routed.model->fabric(), routed.routing.tables, routed.lids);
    } else if (request.op == WorkerOp::kFabric) {
      write_json_fabric(out, routed.model->fabric());
    } else {
      out << text;
    }
  });
  return {};
}

WorkerReply safe_answer(WorkerState& state, const std::string& bytes) {
  try {
    return state.answer(from_bytes<WorkerRequest>(bytes));
  } catch (const InputError& error) {
    return {.status = 400, .error = error.text(as_query)};
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
