// SPDX-License-Identifier: BSD-3-Clause
#include "serve/live.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "core/error.hpp"

namespace fatwood::serve {

namespace {

// The lines that say something, trimmed.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    lines.emplace_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
  }
  return lines;
}

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

}  // namespace

Live::Live(LiveSource source, ChildLimits limits, Events& events, History* history)
    : source_(std::move(source)), worker_(limits), events_(events), history_(history) {}

std::string Live::stamp() const {
  std::string stamp;
  for (const std::string& path : {source_.fabric, source_.routing}) {
    struct stat status{};
    if (path.empty() || stat(path.c_str(), &status) != 0) continue;
    stamp += fmt::format("{} {} {} {};", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                         status.st_mtim.tv_nsec);
  }
  return stamp;
}

bool Live::files_changed() const {
  const std::string now = stamp();
  const std::lock_guard lock(mutex_);
  return now != stamp_;
}

WorkerReply Live::call_open() {
  WorkerReply reply = from_bytes<WorkerReply>(worker_.call(
      to_bytes(WorkerRequest{WorkerOp::kOpen, source_.fabric, source_.routing, {}, {}})));
  if (reply.status != 200) rethrow(reply);
  const std::lock_guard lock(mutex_);
  opened_ = worker_.deaths() + 1;
  return reply;
}

WorkerReply Live::call(const WorkerRequest& request) {
  std::uint64_t opened = 0;
  {
    const std::lock_guard lock(mutex_);
    opened = opened_;
  }
  if (opened != worker_.deaths() + 1) (void)call_open();
  WorkerReply reply = from_bytes<WorkerReply>(worker_.call(to_bytes(request)));
  if (reply.status != 200) rethrow(reply);
  return reply;
}

void Live::read() {
  const std::lock_guard changing(changing_);
  const std::string stamp_before = stamp();
  WorkerReply reply;
  try {
    reply = call_open();
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    ++failed_;
    stamp_ = stamp_before;
    const bool news = error_ != error.what();
    error_ = error.what();
    if (!facts_) throw;
    if (news) events_.send("failed", Json{{"error", error_}}.text());
    return;
  }
  const bool first = [&] {
    const std::lock_guard lock(mutex_);
    ++reads_;
    stamp_ = stamp_before;
    error_.clear();
    read_at_ = Clock::now();
    const bool none = !facts_;
    facts_ = reply.facts;
    return none;
  }();
  if (!first && reply.same) return;
  if (history_ != nullptr) {
    try {
      history_->keep(milliseconds_now(), facts_json(reply.facts).text(), reply.text);
    } catch (const std::exception& error) {
      events_.send("failed", Json{{"error", error.what()}}.text());
    }
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
}

std::string Live::compute(std::vector<std::string> changes, std::size_t position) {
  std::string result = "null";
  if (position > 0) {
    std::string lines;
    for (std::size_t i = 0; i < position; ++i) lines += changes[i] + '\n';
    result = call({WorkerOp::kChange, {}, {}, lines, {}}).text;
  } else {
    (void)call({WorkerOp::kChange, {}, {}, "", {}});
  }
  while (result.ends_with('\n')) result.pop_back();
  {
    const std::lock_guard lock(mutex_);
    changes_ = std::move(changes);
    position_ = position;
    whatif_ = result;
    ++version_;
    ++made_;
  }
  announce();
  return result;
}

void Live::announce() { events_.send("state", state_json()); }

std::string Live::change(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  if (lines.empty()) {
    throw InputError("expected a change per line, such as: cut leaf-1[33], or: remove spine-2");
  }
  const std::lock_guard changing(changing_);
  std::vector<std::string> changes;
  {
    const std::lock_guard lock(mutex_);
    changes.assign(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(position_));
  }
  for (const std::string& line : lines) {
    constexpr std::string_view kRestore = "restore ";
    if (!line.starts_with(kRestore)) {
      changes.push_back(line);
      continue;
    }
    const std::string what = line.substr(kRestore.size());
    const std::size_t before = changes.size();
    std::erase_if(changes, [&](const std::string& one) {
      return one == "cut " + what || one == "remove " + what;
    });
    if (changes.size() == before) {
      throw InputError(fmt::format("{} was neither cut nor removed here", what));
    }
  }
  if (changes.size() > kMostChanges) {
    throw InputError(fmt::format("at most {} changes at a time", kMostChanges));
  }
  const std::size_t position = changes.size();
  return compute(std::move(changes), position);
}

std::string Live::set_changes(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  if (lines.size() > kMostChanges) {
    throw InputError(fmt::format("at most {} changes at a time", kMostChanges));
  }
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

std::string Live::changes_text() const {
  const std::lock_guard lock(mutex_);
  return applied();
}

std::string Live::applied() const {
  std::string text;
  for (std::size_t i = 0; i < position_; ++i) text += changes_[i] + '\n';
  return text;
}

std::string Live::whatif_json() const {
  const std::lock_guard lock(mutex_);
  return whatif_;
}

void Live::write(WorkerOp op, const std::string& path) {
  const std::lock_guard changing(changing_);
  (void)call({op, {}, {}, {}, path});
}

std::string Live::state_json() const {
  const std::lock_guard lock(mutex_);
  Json json{{"version", version_}, {"error", error_.empty() ? Json() : Json(error_)}};
  json["age_seconds"] = std::chrono::duration<double>(Clock::now() - read_at_).count();
  json["fabric"] = facts_ ? facts_json(*facts_) : Json();
  json["changes"] = Json::array();
  for (const std::string& change : changes_) json["changes"].push_back(change);
  json["position"] = position_;
  std::string text = json.text();
  text.pop_back();  // the brace: the what-if is text already
  return text + ",\"whatif\":" + whatif_ + "}";
}

Facts Live::facts() const {
  const std::lock_guard lock(mutex_);
  return facts_.value_or(Facts{});
}
bool Live::has_facts() const {
  const std::lock_guard lock(mutex_);
  return facts_.has_value();
}
double Live::age_seconds() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(Clock::now() - read_at_).count();
}
std::uint64_t Live::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}
std::uint64_t Live::failed_reads() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}
std::uint64_t Live::changes_made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}
std::uint64_t Live::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

}  // namespace fatwood::serve
