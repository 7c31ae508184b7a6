// SPDX-License-Identifier: BSD-3-Clause
#include "serve/state/live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/fabric/live.hpp"
#include "routing/engine.hpp"
#include "serve/children/routed.hpp"
#include "serve/state/change_list.hpp"
#include "serve/state/live_counters.hpp"

namespace fatwood::serve {

namespace {

constexpr std::chrono::seconds kLeastTime{10};

std::uint64_t milliseconds_now() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

[[noreturn]] void rethrow(const WorkerReply& reply) {
  if (reply.status == 400) throw InputError(reply.error);
  if (reply.status == 409) throw PromiseError(reply.error);
  throw ChildError(reply.error);
}

void log(std::string_view what, const std::string& why) {
  fmt::print(stderr, "fatwood: {}: {}\n", what, why);
}

}  // namespace

std::chrono::seconds time_to_read(std::chrono::seconds every) {
  return std::max(kLeastTime, every);
}

Live::Live(LiveSource source, ChildLimits limits, Events& events, Files& files)
    : source_(std::move(source)),
      inputs_{source_.fabric, source_.routing, {}, {}},
      limits_(limits),
      worker_(limits, "--worker"),
      events_(events),
      files_(files) {
  // A folder like that of a run: the fabric and its counters.
  if (is_live(source_.fabric)) {
    inputs_.fabric = source_.folder + "/live";
    std::filesystem::create_directories(inputs_.fabric);
  }
  if (is_live(source_.routing)) inputs_.routing = source_.folder + "/live.tables";
}

// Without the worker: what-if requests do not wait for the switches' answers.
void Live::ask_switches() {
  const ProgramLimits limits{time_to_read(source_.every), limits_.output_bytes};
  const auto ask = [&](const char* program, const std::string& word, const std::string& path) {
    if (is_live(word)) write_output(path, live_output(program, word, limits, &stopping_));
  };
  ask("ibnetdiscover", source_.fabric, inputs_.fabric + "/ibdiagnet2.ibnetdiscover");
  ask("dump_fts", source_.routing, inputs_.routing);
  ask_counters();
}

// Where the program is absent, fails or takes too long, there are none from then on.
void Live::ask_counters() {
  if (!is_live(source_.fabric) || !counters_work_) return;
  const ProgramLimits limits{source_.every, limits_.output_bytes};
  std::string text;
  try {
    ProgramCall call = diagnostic(counters_command(source_.fabric));
    call.own_group = true;
    text = counters_file(run_program(std::move(call), limits, &stopping_).out);
  } catch (const InputError&) {
  }
  const std::string path = inputs_.fabric + "/ibdiagnet2.pm";
  counters_work_ = !text.empty();
  if (counters_work_) {
    write_output(path, text);
  } else {
    std::filesystem::remove(path);
  }
}

bool Live::files_changed() {
  std::vector<std::string> now;
  try {
    now = files_.stamps();
  } catch (const std::exception& error) {
    fail(error.what(), {});
    const std::lock_guard lock(mutex_);
    unreadable_ = error.what();
    return false;
  }
  const std::lock_guard lock(mutex_);
  return now != stamps_;
}

bool Live::is_file() const {
  const std::lock_guard lock(mutex_);
  return !stamps_.empty() && !stamps_.front().empty();
}

WorkerReply Live::call_open() {
  WorkerReply reply = from_bytes<WorkerReply>(
      worker_.call(to_bytes(WorkerRequest{WorkerOp::kOpen, inputs_.fabric, view().routing, {}, {}}),
                   {}, time_to_read(source_.every)));
  if (reply.status != 200) rethrow(reply);
  const std::lock_guard lock(mutex_);
  opened_ = worker_.deaths() + 1;
  return reply;
}

WorkerReply Live::call(const WorkerRequest& request, const PartHandler& part) {
  std::uint64_t opened = 0;
  {
    const std::lock_guard lock(mutex_);
    opened = opened_;
  }
  if (opened != worker_.deaths() + 1) {
    files_.read();
    (void)call_open();
  }
  WorkerReply reply = from_bytes<WorkerReply>(worker_.call(to_bytes(request), part));
  if (reply.status != 200) rethrow(reply);
  return reply;
}

// A file system that does not answer is asked again; other errors stay until the files change.
std::string Live::look_at_files(std::vector<std::string>& stamps) {
  try {
    stamps = files_.stamps();
    files_.read();
    return "";
  } catch (const ChildError& error) {
    stamps.clear();
    return error.what();
  } catch (const std::exception& error) {
    return error.what();
  }
}

void Live::fail(const std::string& why, const std::vector<std::string>& stamps) {
  const bool news = [&] {
    const std::lock_guard lock(mutex_);
    text_.reset();
    ++failed_;
    stamps_ = stamps;
    return std::exchange(error_, why) != why && facts_;
  }();
  if (!news) return;
  log("the fabric was not read", why);
  events_.send("failed", Json{{"error", why}}.text());
  announce();
}

void Live::read() {
  std::vector<std::string> stamps;
  std::string failure = look_at_files(stamps);
  {
    const std::lock_guard lock(mutex_);
    unreadable_ = failure;
  }
  try {
    if (!failure.empty()) throw InputError(failure);
    ask_switches();
    const std::lock_guard changing(changing_);
    if (!open_again(stamps)) return;
  } catch (const std::exception& error) {
    fail(error.what(), stamps);
    if (!view().facts) throw;
    return;
  }
  keep_history();
}

bool Live::open_again(const std::vector<std::string>& stamps) {
  WorkerReply reply = call_open();
  const bool first = [&] {
    const std::lock_guard lock(mutex_);
    text_.reset();
    ++reads_;
    stamps_ = stamps;
    error_.clear();
    read_at_ = Clock::now();
    const bool none = !facts_;
    facts_ = reply.facts;
    if (first_routing_.empty()) first_routing_ = reply.facts.routing;
    counters_ = reply.counters;
    return none;
  }();
  if (!reply.counters.empty()) events_.send("counters", reply.counters);
  if (!first && reply.same) {
    announce();  // its age, and the end of an error
    return false;
  }
  if (files_.keeps_history()) {
    unsaved_ = {milliseconds_now(), facts_json(reply.facts).text(), std::move(reply.text)};
  }
  for (const ServeEvent& event : reply.events) events_.send(event.kind, event.data);
  // Changes are of the new fabric now; one that no longer fits ends the what-if.
  std::vector<std::string> changes;
  std::size_t position = 0;
  {
    const std::lock_guard lock(mutex_);
    changes = changes_;
    position = position_;
  }
  try {
    (void)compute(std::move(changes), position);
  } catch (const std::exception&) {
    (void)compute({}, 0);
  }
  return true;
}

void Live::keep_history() {
  if (!unsaved_) return;
  std::string failure;
  try {
    files_.keep(unsaved_->time, unsaved_->facts, unsaved_->fabric);
    unsaved_.reset();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  const bool news = [&] {
    const std::lock_guard lock(mutex_);
    text_.reset();
    return std::exchange(history_error_, failure) != failure;
  }();
  if (!news || failure.empty()) return;
  log("the history was not kept", failure);
  events_.send("failed", Json{{"error", failure}, {"what", "history"}}.text());
}

std::string Live::compute(std::vector<std::string> changes, std::size_t position) {
  std::string result = "null";
  std::string lines;
  for (std::size_t i = 0; i < position; ++i) lines += changes[i] + '\n';
  // The first figures, for those who look.
  const auto show = [&](const std::string& bytes) {
    {
      const std::lock_guard lock(mutex_);
      text_.reset();
      pending_ = {changes, position, from_bytes<WorkerReply>(bytes).text};
    }
    announce();
  };
  try {
    const std::string text = call({WorkerOp::kChange, {}, {}, lines, {}}, show).text;
    if (position > 0) result = text;
  } catch (const std::exception&) {
    const bool shown = [&] {
      const std::lock_guard lock(mutex_);
      text_.reset();
      return std::exchange(pending_, std::nullopt).has_value();
    }();
    if (shown) announce();
    throw;
  }
  {
    const std::lock_guard lock(mutex_);
    text_.reset();
    changes_ = std::move(changes);
    position_ = position;
    whatif_ = result;
    pending_.reset();
    ++version_;
    ++made_;
  }
  announce();
  return result;
}

void Live::announce() { events_.send("state", state_json()); }

std::string Live::change(const std::string& text) {
  const std::lock_guard changing(changing_);
  std::vector<std::string> changes;
  {
    const std::lock_guard lock(mutex_);
    changes.assign(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(position_));
  }
  changes = with_changes(std::move(changes), text);
  const std::size_t position = changes.size();
  return compute(std::move(changes), position);
}

std::string Live::set_changes(const std::string& text) {
  std::vector<std::string> lines = change_lines(text);
  const std::lock_guard changing(changing_);
  const std::size_t position = lines.size();
  return compute(std::move(lines), position);
}

std::string Live::undo() {
  const std::lock_guard changing(changing_);
  if (position_ == 0) throw PromiseError("nothing to undo");
  return compute(changes_, position_ - 1);
}

std::string Live::redo() {
  const std::lock_guard changing(changing_);
  if (position_ == changes_.size()) throw PromiseError("nothing to redo");
  return compute(changes_, position_ + 1);
}

std::string Live::given_routing() const {
  if (source_.routing.empty()) return first_routing_;
  return std::filesystem::path(source_.routing).filename().string();
}

void Live::use_routing(const std::string& chosen) {
  const WorkerReply reply =
      call({WorkerOp::kRoute, {}, chosen.empty() ? inputs_.routing : chosen, {}, {}});
  const std::lock_guard lock(mutex_);
  text_.reset();
  chosen_ = chosen;
  facts_ = reply.facts;
}

std::string Live::set_routing(const std::string& engine) {
  if (!engine.empty()) (void)find_engine(engine);
  const std::lock_guard changing(changing_);
  const std::string before = chosen_;
  use_routing(engine);
  try {
    return compute(changes_, position_);
  } catch (const std::exception&) {
    use_routing(before);
    (void)compute(changes_, position_);
    throw;
  }
}

std::string Live::applied() const {
  std::string text;
  for (std::size_t i = 0; i < position_; ++i) text += changes_[i] + '\n';
  return text;
}

void Live::write(WorkerOp op, const std::string& path, const std::string& text) {
  const std::lock_guard changing(changing_);
  (void)call({op, {}, {}, text, path});
}

// Made once for each state: many clients poll it, and changes wait for the same lock.
std::shared_ptr<const Live::StateText> Live::state_text() const {
  if (text_) return text_;
  Json json{{"fabric", facts_ ? facts_json(*facts_) : Json()}, {"pending", pending_.has_value()}};
  json["changes"] = pending_ ? pending_->changes : changes_;
  json["position"] = pending_ ? pending_->position : position_;
  std::string tail = json.text();
  tail.front() = ',';  // the braces: what goes before is text, and so is the what-if
  tail.pop_back();
  tail += ",\"whatif\":" + (pending_ ? pending_->whatif : whatif_) + "}";
  Json start{{"version", version_}, {"error", text_or_null(error_)}};
  start["counters"] = !counters_.empty();
  start["history"] = files_.keeps_history();
  start["history_error"] = text_or_null(history_error_);
  std::string head = start.text();
  head.pop_back();
  text_ = std::make_shared<const StateText>(
      StateText{std::move(head) + ",\"age_seconds\":", std::move(tail), read_at_});
  return text_;
}

std::string Live::state_json() const {
  const auto text = [&] {
    const std::lock_guard lock(mutex_);
    return state_text();
  }();
  const double age = std::chrono::duration<double>(Clock::now() - text->read_at).count();
  return fmt::format("{}{}{}", text->head, age, text->tail);
}

LiveView Live::view() const {
  const std::lock_guard lock(mutex_);
  return {.facts = facts_,
          .age_seconds = std::chrono::duration<double>(Clock::now() - read_at_).count(),
          .reads = reads_,
          .failed_reads = failed_,
          .changes_made = made_,
          .worker_starts = worker_.starts(),
          .version = version_,
          .changes = applied(),
          .routing = chosen_.empty() ? inputs_.routing : chosen_,
          .counters = counters_,
          .unreadable = unreadable_,
          .history_error = history_error_};
}

}  // namespace fatwood::serve
