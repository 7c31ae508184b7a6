// SPDX-License-Identifier: BSD-3-Clause
#include "serve/http/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <cctype>
#include <limits>
#include <utility>

namespace fatwood::serve {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr std::size_t kHeadBytes = 4096;         // read at a time, of a head
constexpr std::size_t kChunkBytes = 65536;       // read at a time, next to a head
constexpr std::size_t kMostDiscarded = 4 << 20;  // of what a refused client still sends
constexpr std::size_t kMostPiece = 256 << 10;    // events that are sent at a time
constexpr std::chrono::milliseconds kLinger{2000};
constexpr std::chrono::milliseconds kSlowReader{5000};  // its connection may be used for others
constexpr std::chrono::milliseconds kAgain{1000};

// No inline script, no frame, nothing from elsewhere. Styles are set by the page's own code.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, std::string client, bool spare,
                       ConnectionOwner& owner)
    : socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      client_(std::move(client)),
      spare_(spare),
      owner_(owner),
      // The largest that the parser may need at once: a start line or all headers.
      buffer_(owner.limits().header_bytes + kChunkBytes) {}

bool Connection::waits() const {
  if (state_ == State::kWriting) return Clock::now() - since_ > kSlowReader;
  if (state_ == State::kLingering) return true;
  if (state_ != State::kIdle && state_ != State::kHead) return false;
  Error error;
  return socket_.available(error) == 0;  // what has arrived will be read: it waits for us
}

void Connection::set_state(State state) {
  state_ = state;
  since_ = Clock::now();
}

void Connection::close() {
  if (state_ == State::kClosed) return;
  set_state(State::kClosed);
  owner_.remove_unsent(std::exchange(unsent_, 0));
  Error ignored;
  timer_.cancel();
  socket_.close(ignored);
  stream_ = {};
  owner_.closed(*this);
}

void Connection::arm(std::chrono::milliseconds time) {
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this()](Error error) {
    // A wait that ended just before it was replaced is not the one that counts.
    if (!error && self->timer_.expiry() <= Clock::now()) self->on_time();
  });
}

void Connection::on_time() {
  switch (state_) {
    case State::kHead:
    case State::kBody: {
      timed_out_ = true;
      Error ignored;
      socket_.cancel(ignored);
      arm(kAgain);  // a read that ended at the same moment was not cancelled
      return;
    }
    case State::kStreaming:
      if (piece_under_way_) return close();
      piece_ = ": still here\n\n";
      return write_piece();
    case State::kIdle:
    case State::kWriting:
    case State::kLingering:
      return close();
    case State::kAnswering:
    case State::kClosed:
      return;
  }
}

void Connection::read_request() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(owner_.limits().header_bytes));
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // see check_body
  if (buffer_.size() == 0) buffer_.shrink_to_fit();
  request_ = {};
  timed_out_ = false;
  keep_alive_ = true;
  set_state(State::kIdle);
  arm(answered_ ? owner_.limits().idle : owner_.limits().request);
  read_head();
}

// Parses what has been read, then waits for more. It does not leave the read to the library: what
// has arrived would then be in neither the socket nor the parser for a moment, and waits() would be
// wrong.
void Connection::read_head() {
  // Empty lines before a request are ignored (RFC 9112, 2.2).
  while (state_ == State::kIdle && buffer_.size() > 0 &&
         std::isspace(*static_cast<const char*>(buffer_.data().data())) != 0) {
    buffer_.consume(1);
  }
  if (buffer_.size() > 0) {
    if (state_ == State::kIdle) {
      set_state(State::kHead);
      arm(owner_.limits().request);
    }
    Error error;
    buffer_.consume(parser_->put(buffer_.data(), error));
    if (error == http::error::need_more) error = {};
    if (error || parser_->is_header_done()) return on_head(error);
  }
  socket_.async_wait(asio::ip::tcp::socket::wait_read,
                     [self = shared_from_this()](Error error) { self->on_readable(error); });
}

void Connection::on_readable(Error error) {
  if (state_ == State::kClosed) return;
  if (timed_out_) return on_read_error(error);
  if (!error) buffer_.commit(socket_.read_some(buffer_.prepare(kHeadBytes), error));
  if (error && error != asio::error::would_block) return close();  // the client has gone
  read_head();
}

void Connection::on_head(Error error) {
  if (state_ == State::kClosed) return;
  if (error || timed_out_) return on_read_error(error);
  if (auto malformed = convert_head()) return refuse(std::move(*malformed));
  HttpAdmission admission = owner_.service().admit(request_);
  threads_ = admission.threads;
  if (spare_ && threads_ != HttpThreads::kMonitoring && !admission.refused) {
    admission.refused = refusal(503, "too many connections: try again later");
  }
  if (admission.refused) {
    keep_alive_ = keep_alive_ && !has_body();  // which stays unread
    return write_response(std::move(*admission.refused));
  }
  if (auto refused = check_body(admission)) return refuse(std::move(*refused));
  if (parser_->is_done()) return dispatch();
  if (request_.header_or_none("expect").empty()) return read_body();
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  set_state(State::kBody);
  asio::async_write(socket_, asio::buffer(kContinue.data(), kContinue.size()),
                    [self = shared_from_this()](Error failed, std::size_t) {
                      if (self->state_ == State::kClosed) return;
                      if (failed) return self->close();
                      self->read_body();
                    });
}

// In the time that is left of the request's.
void Connection::read_body() {
  state_ = State::kBody;
  http::async_read(socket_, buffer_, *parser_,
                   [self = shared_from_this()](Error error, std::size_t) { self->on_body(error); });
}

void Connection::on_body(Error error) {
  if (state_ == State::kClosed) return;
  if (error || timed_out_) return on_read_error(error);
  request_.body = std::move(parser_->get().body());
  dispatch();
}

void Connection::dispatch() {
  set_state(State::kAnswering);
  timer_.cancel();
  if (auto refused = owner_.start(shared_from_this(), threads_, std::move(request_))) {
    write_response(std::move(*refused));
  }
}

void Connection::respond(HttpResponse response) {
  if (state_ != State::kClosed) write_response(std::move(response));
}

void Connection::refuse(HttpResponse response) {
  keep_alive_ = false;
  write_response(std::move(response));
}

void Connection::write_response(HttpResponse response) {
  set_state(State::kWriting);
  write_until_ = Clock::now() + owner_.limits().response;
  const bool head_only = parser_->get().method() == http::verb::head;
  if (!owner_.add_unsent(response.body.size())) {
    response = refusal(503, "too many responses are being sent: try again later");
    (void)owner_.add_unsent(0);
  } else {
    unsent_ = response.body.size();
  }
  stream_ = head_only ? nullptr : std::move(response.stream);
  if (stream_) keep_alive_ = false;  // it ends with the connection
  auto& message = message_.emplace();
  message.version(parser_->get().version() == 10 ? 10 : 11);
  message.result(static_cast<unsigned>(response.status));
  message.set(http::field::content_type, response.type);
  message.set("Content-Security-Policy", kPolicy);
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Referrer-Policy", "no-referrer");
  message.set(http::field::cache_control, "no-store");
  for (const auto& [name, value] : response.headers) message.set(name, value);
  if (response.status == 503) message.set(http::field::retry_after, "1");
  message.keep_alive(keep_alive_);
  if (!stream_) message.content_length(response.body.size());
  if (!head_only) message.body() = std::move(response.body);
  serializer_.emplace(message);
  write_some();
}

void Connection::write_some() {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(write_until_ - Clock::now());
  arm(std::min(owner_.limits().stalled, std::max(left, std::chrono::milliseconds(0))));
  http::async_write_some(socket_, *serializer_,
                         [self = shared_from_this()](Error error, std::size_t) {
                           if (self->state_ == State::kClosed) return;
                           if (error) return self->close();
                           if (self->serializer_->is_done()) return self->after_write();
                           self->write_some();
                         });
}

void Connection::after_write() {
  serializer_.reset();
  message_.reset();
  owner_.remove_unsent(std::exchange(unsent_, 0));
  answered_ = true;
  if (stream_) {
    set_state(State::kStreaming);
    watch_stream();
    return pump();
  }
  if (keep_alive_) return read_request();
  linger();
}

// A socket that is closed with unread bytes resets the connection, and the client may lose the
// response. So what it still sends is read first, within limits.
void Connection::linger() {
  set_state(State::kLingering);
  Error ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  buffer_.clear();
  arm(kLinger);
  discard();
}

void Connection::discard() {
  socket_.async_read_some(buffer_.prepare(kChunkBytes),
                          [self = shared_from_this()](Error error, std::size_t n) {
                            if (self->state_ == State::kClosed) return;
                            self->discarded_ += n;
                            if (error || self->discarded_ > kMostDiscarded) return self->close();
                            self->discard();
                          });
}

void Connection::watch_stream() {
  socket_.async_wait(asio::ip::tcp::socket::wait_read, [self = shared_from_this()](Error) {
    self->close();  // nothing follows a request for a stream
  });
}

void Connection::wake() {
  if (state_ == State::kStreaming && !piece_under_way_) pump();
}

void Connection::pump() {
  piece_.clear();
  while (piece_.size() < kMostPiece) {
    const std::optional<std::string> next = stream_();
    if (!next) return linger();
    if (next->empty()) break;
    piece_ += *next;
  }
  if (piece_.empty()) return arm(owner_.limits().heartbeat);
  write_piece();
}

void Connection::write_piece() {
  piece_under_way_ = true;
  arm(owner_.limits().stalled);
  asio::async_write(socket_, asio::buffer(piece_),
                    [self = shared_from_this()](Error error, std::size_t) {
                      self->piece_under_way_ = false;
                      if (self->state_ != State::kStreaming) return;
                      if (error) return self->close();
                      self->pump();
                    });
}

}  // namespace fatwood::serve
