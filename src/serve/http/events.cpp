// SPDX-License-Identifier: BSD-3-Clause
#include "serve/http/events.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace fatwood::serve {

class Events::ClientSlot {
 public:
  explicit ClientSlot(Events& events) : events_(events) {}
  ~ClientSlot() {
    const std::lock_guard lock(events_.mutex_);
    --events_.clients_;
  }
  ClientSlot(const ClientSlot&) = delete;
  ClientSlot& operator=(const ClientSlot&) = delete;

 private:
  Events& events_;
};

void Events::on_more(std::function<void()> more) {
  const std::lock_guard lock(mutex_);
  more_ = std::move(more);
}

void Events::notify() {
  const auto more = [&] {
    const std::lock_guard lock(mutex_);
    return more_;
  }();
  if (more) more();
}

void Events::send(std::string kind, std::string data) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back({++last_, std::move(kind), std::move(data)});
    if (events_.size() > kKept) events_.pop_front();
  }
  notify();
}

std::optional<std::string> Events::next(std::uint64_t& seen) {
  const std::lock_guard lock(mutex_);
  if (closed_) return std::nullopt;
  if (last_ <= seen) return "";
  if (events_.front().id > seen + 1) {
    seen = last_;
    return fmt::format("id: {}\nevent: reload\ndata: {{}}\n\n", seen);
  }
  const Event& event = events_[seen + 1 - events_.front().id];
  seen = event.id;
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event.id, event.kind, event.data);
}

std::optional<std::function<std::optional<std::string>()>> Events::join(
    std::optional<std::uint64_t> last) {
  const std::lock_guard lock(mutex_);
  if (clients_ >= kMostClients) return std::nullopt;
  ++clients_;
  const auto client = std::make_shared<ClientSlot>(*this);
  const auto seen = std::make_shared<std::uint64_t>(std::min(last.value_or(last_), last_));
  const auto first = std::make_shared<bool>(true);
  return [this, client, seen, first]() -> std::optional<std::string> {
    if (std::exchange(*first, false)) return "retry: 2000\n\n";
    return next(*seen);
  };
}

std::uint64_t Events::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

std::size_t Events::clients() const {
  const std::lock_guard lock(mutex_);
  return clients_;
}

void Events::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  notify();
}

}  // namespace fatwood::serve
