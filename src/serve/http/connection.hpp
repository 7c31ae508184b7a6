// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One connection of the server: reads requests (RFC 9112), writes responses, keeps the time limits.
//
//   idle ─▶ head ─▶ (body) ─▶ answering ─▶ writing ─▶ idle, or lingering ─▶ closed
//                                     └──▶ streaming ─▶ closed
//
// Only one operation of the socket is under way at a time, next to the timer. Requests that a
// client sends without waiting for answers (pipelining) stay in the buffer until their turn. All
// calls are on the I/O thread.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>
#include <string>

#include "serve/http/http.hpp"

namespace fatwood::serve {

class Connection;

// The server, as a connection sees it.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  virtual const HttpLimits& limits() const = 0;
  virtual const HttpService& service() const = 0;
  // Answers on other threads, and calls connection.respond() when done. A refusal if too many
  // requests are under way.
  virtual std::optional<HttpResponse> start(const std::shared_ptr<Connection>& connection,
                                            HttpThreads threads, HttpRequest request) = 0;
  // Accounts for the bytes of a response; false if there are too many.
  virtual bool add_unsent(std::size_t bytes) = 0;
  virtual void remove_unsent(std::size_t bytes) = 0;
  virtual void closed(const Connection& connection) = 0;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  // `spare`: one above the limit, for requests of kMonitoring only.
  Connection(boost::asio::ip::tcp::socket socket, std::string client, bool spare,
             ConnectionOwner& owner);

  void start() { read_request(); }
  void respond(HttpResponse response);
  void wake();  // a stream may have more
  void close();

  const std::string& client() const { return client_; }
  bool spare() const { return spare_; }
  // Whether it waits for its client, so that it may be closed for a new one; and since when.
  bool waits() const;
  Clock::time_point since() const { return since_; }

 private:
  enum class State : std::uint8_t {
    kIdle,
    kHead,
    kBody,
    kAnswering,
    kWriting,
    kStreaming,
    kLingering,
    kClosed
  };
  using Error = boost::system::error_code;

  void set_state(State state);
  void arm(std::chrono::milliseconds time);  // the time until on_time()
  void on_time();

  void read_request();
  void read_head();
  void on_readable(Error error);
  void on_head(Error error);
  std::optional<HttpResponse> convert_head();  // to request_; the refusal of a malformed one
  std::optional<HttpResponse> check_body(const HttpAdmission& admission);
  void read_body();
  void on_body(Error error);
  void on_read_error(Error error);
  void dispatch();
  bool has_body() const;

  void refuse(HttpResponse response);  // and closes: what follows can't be read
  void write_response(HttpResponse response);
  void write_some();
  void after_write();
  void linger();
  void discard();

  void watch_stream();  // for the client's end
  void pump();
  void write_piece();

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer timer_;
  std::string client_;
  bool spare_;
  ConnectionOwner& owner_;
  State state_ = State::kIdle;
  Clock::time_point since_ = Clock::now();

  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  HttpRequest request_;
  HttpThreads threads_ = HttpThreads::kQuick;
  bool answered_ = false;   // a request before this one
  bool timed_out_ = false;  // the request did
  bool keep_alive_ = true;

  std::optional<boost::beast::http::response<boost::beast::http::string_body>> message_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::string_body>>
      serializer_;
  std::size_t unsent_ = 0;
  Clock::time_point write_until_;
  std::size_t discarded_ = 0;

  std::function<std::optional<std::string>()> stream_;
  std::string piece_;
  bool piece_under_way_ = false;
};

}  // namespace fatwood::serve
