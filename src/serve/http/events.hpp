// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Server-sent events: every client gets every event, in one order.
//
// The last kKept events are stored, so that a client that lost its connection can continue after
// the last one it saw (Last-Event-ID). If that is too old, it gets "reload".

#include <chrono>
#include <condition_variable>
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
  static constexpr std::size_t kMostClients = 48;  // each uses a thread of the server

  // `data`: one line.
  void send(std::string kind, std::string data);

  // The pieces of one client's response, starting after event `last`; no value if there are too
  // many clients. A call waits at most `patience`, then returns a comment to keep proxies from
  // closing.
  std::optional<std::function<std::optional<std::string>()>> join(
      std::optional<std::uint64_t> last,
      std::chrono::milliseconds patience = std::chrono::milliseconds(1000));

  std::uint64_t last() const;
  std::size_t clients() const;
  void close();  // ends all clients

 private:
  struct Event {
    std::uint64_t id;
    std::string kind, data;
  };
  class ClientSlot;  // of a client
  std::optional<std::string> next(std::uint64_t& seen, std::chrono::milliseconds patience);

  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Event> events_;
  std::uint64_t last_ = 0;
  std::size_t clients_ = 0;
  bool closed_ = false;
};

}  // namespace fatwood::serve
