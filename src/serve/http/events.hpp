// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Server-sent events: every client gets every event, in one order.
//
// The last kKept events are stored, so that a client that lost its connection can continue after
// the last one it saw (Last-Event-ID). If that is too old, it gets "reload".

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace fatwood::serve {

class Events {
 public:
  static constexpr std::size_t kKept = 256;
  static constexpr std::size_t kMostClients = 64;  // each uses a connection

  // `more` is called after each event, from any thread, and must outlive this.
  void on_more(std::function<void()> more);

  // `data`: one line.
  void send(std::string kind, std::string data);

  // The pieces of one client's response (HttpResponse::stream), starting after event `last`; no
  // value if there are too many clients.
  std::optional<std::function<std::optional<std::string>()>> join(
      std::optional<std::uint64_t> last);

  std::uint64_t last() const;
  std::size_t clients() const;
  void close();  // ends all clients

 private:
  struct Event {
    std::uint64_t id;
    std::string kind, data;
  };
  class ClientSlot;  // of a client
  std::optional<std::string> next(std::uint64_t& seen);
  void notify();

  mutable std::mutex mutex_;
  std::function<void()> more_;
  std::deque<Event> events_;
  std::uint64_t last_ = 0;
  std::size_t clients_ = 0;
  bool closed_ = false;
};

}  // namespace fatwood::serve
