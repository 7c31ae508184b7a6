// SPDX-License-Identifier: BSD-3-Clause
// The HTTP server over sockets on the loopback address: RFC 9112, limits, slow and hostile clients.
// Tests wait for events, never for a time: a limit that must be hit is a few milliseconds, one that
// must not be is an hour.

#ifdef FATWOOD_HAS_HTTP

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "core/error.hpp"
#include "serve/http/events.hpp"
#include "serve/http/http.hpp"

namespace fatwood::serve {
namespace {

constexpr std::chrono::milliseconds kNever = std::chrono::hours(1), kSoon{30};

constexpr std::size_t kHuge = 32'000'000;  // more than sockets take unread

// /echo returns the body; /wait answers after release(); /quick and /monitor at once.
class TestService : public HttpService {
 public:
  HttpAdmission admit(const HttpRequest& head) const override {
    ++admitted;
    if (head.path == "/secret") return {.refused = refusal(401, "no")};
    const bool echo = head.path == "/echo";
    return {.most_body_bytes = echo ? 1000U : 0U,
            .threads = head.path == "/monitor" ? HttpThreads::kMonitoring
                       : head.path == "/wait"  ? HttpThreads::kSlow
                                               : HttpThreads::kQuick};
  }
  HttpResponse answer(const HttpRequest& request) override {
    if (request.path == "/wait") {
      std::unique_lock lock(mutex_);
      ++waiting_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return released_; });
    }
    if (request.path == "/throw") throw std::runtime_error("thrown");
    if (request.path == "/large") return {.body = std::string(200'000, 'x')};
    if (request.path == "/huge") return {.body = std::string(kHuge, 'x')};
    if (request.path == "/events") return {.type = "text/event-stream", .stream = *events.join({})};
    return {.type = "text/plain",
            .body = request.method + " " + request.header_or_none("host") + " " + request.body};
  }
  void wait_for_waiting(int number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= number; });
  }
  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

  mutable std::atomic<int> admitted = 0;
  Events events;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool released_ = false;
};

HttpOptions patient() {
  HttpOptions options{.port = 0};
  options.limits.request = options.limits.idle = options.limits.stalled = kNever;
  return options;
}

// A server that runs until the end of the test.
class Running {
 public:
  explicit Running(const HttpOptions& options = patient()) : server_(options, service) {
    service.events.on_more([this] { server_.wake(); });
  }
  ~Running() {
    service.release();
    server_.stop();
  }
  int port() const { return server_.port(); }

  TestService service;

 private:
  HttpServer server_;
  std::jthread thread_{[this] { server_.run(); }};
};

class Client {
 public:
  explicit Client(const Running& running) : Client(running.port()) {}
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return;  // refused already
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  // Reads until `end` was seen; "" is the end of the connection.
  std::string read_until(std::string_view end) {
    while (end.empty() || text_.find(end) == text_.npos) {
      char block[4096];
      const ssize_t n = recv(socket_, block, sizeof(block), 0);
      if (n <= 0) break;
      text_.append(block, static_cast<std::size_t>(n));
    }
    const std::size_t at = end.empty() ? text_.npos : text_.find(end);
    const std::size_t size = at == text_.npos ? text_.size() : at + end.size();
    const std::string part = text_.substr(0, size);
    text_.erase(0, size);
    return part;
  }
  std::string rest() { return read_until(""); }

 private:
  int socket_;
  std::string text_;
};

int status_of(const std::string& response) {
  return response.size() < 12 ? 0 : std::stoi(response.substr(9, 3));
}

constexpr std::string_view kHost = "Host: localhost\r\n";

// The status of one request; the server closes the connection, or is asked to.
int status_for(const Running& running, const std::string& request) {
  Client client(running);
  client.send(request);
  return status_of(client.rest());
}

std::string get(std::string_view path, std::string_view more = "Connection: close\r\n") {
  return "GET " + std::string(path) + " HTTP/1.1\r\n" + std::string(kHost) + std::string(more) +
         "\r\n";
}
std::string post(std::string_view more, std::string_view body) {
  return "POST /echo HTTP/1.1\r\n" + std::string(kHost) + std::string(more) + "\r\n" +
         std::string(body);
}

TEST(HttpServer, PipelinedRequestsAreAnsweredInOrder) {
  Running running;
  Client client(running);
  client.send(get("/a", "X: 1\r\n") + post("Content-Length: 3\r\n", "one") + "\r\n" +
              post("Content-Length: 3\r\nConnection: close\r\n", "two"));
  EXPECT_TRUE(client.read_until("GET localhost ").ends_with("GET localhost "));
  EXPECT_TRUE(client.read_until("POST localhost one").ends_with("one"));
  EXPECT_TRUE(client.rest().ends_with("POST localhost two"));
}

TEST(HttpServer, HeadHasTheHeadersOfGetAndNoBody) {
  Running running;
  Client client(running);
  client.send("HEAD /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string response = client.rest();
  EXPECT_EQ(status_of(response), 200);
  EXPECT_NE(response.find("Content-Length: 200000\r\n"), std::string::npos);
  EXPECT_TRUE(response.ends_with("\r\n\r\n"));
}

TEST(HttpServer, APostWithoutABodyIsAnsweredAtOnce) {
  Running running;
  Client client(running);
  client.send(post("", ""));
  EXPECT_TRUE(client.read_until("POST localhost ").starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, BodiesInChunksAndAfterContinue) {
  Running running;
  Client client(running);
  client.send(
      post("Transfer-Encoding: chunked\r\n", "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nHost: evil\r\n\r\n"));
  EXPECT_TRUE(client.read_until("abcde").ends_with("POST localhost abcde"));
  client.send(post("Expect: 100-continue\r\nContent-Length: 3\r\n", ""));
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_TRUE(client.read_until("POST localhost abc").starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, TheBodyOfARefusedRequestIsNotRead) {
  Running running;
  // Neither the rest of the body nor 100 Continue is waited for.
  for (const char* const more : {"Content-Length: 1000000000\r\n", "Transfer-Encoding: chunked\r\n",
                                 "Expect: 100-continue\r\nContent-Length: 5\r\n",
                                 "Content-Encoding: gzip\r\nContent-Length: 500\r\n"}) {
    Client client(running);
    client.send("POST /secret HTTP/1.1\r\n" + std::string(kHost) + more + "\r\n");
    const std::string response = client.rest();
    EXPECT_EQ(status_of(response), 401) << more;
    EXPECT_NE(response.find("Connection: close"), std::string::npos);
  }
}

TEST(HttpServer, EveryRefusalHasItsStatusAndAllAreListed) {
  HttpOptions options = patient();
  options.limits.target_bytes = 100;
  options.limits.header_bytes = 2000;
  options.limits.headers = 10;
  Running running(options);
  const std::string many = [] {
    std::string headers;
    for (int i = 0; i < 20; ++i) headers += "X-" + std::to_string(i) + ": 1\r\n";
    return headers;
  }();
  const std::string target101 = "/" + std::string(100, 'a');
  const std::vector<std::pair<int, std::string>> cases{
      {400, "nonsense\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: localhost:80@evil\r\n\r\n"},
      {400, "GET http://a@localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {400, "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {400, "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: localhost\r\nA b: c\r\n\r\n"},
      {400, post("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd")},
      {400, post("Content-Length: 3, 4\r\n", "abcd")},
      {400, post("Content-Length: -3\r\n", "abc")},
      {400, post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")},
      {400, post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n")},
      {400, post("Transfer-Encoding: gzip\r\nContent-Length: 3\r\n", "abc")},
      {400, post("Transfer-Encoding: chunked\r\n", "zz\r\n")},
      {400, "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {413, post("Content-Length: 1001\r\n", "")},
      {413, post("Transfer-Encoding: chunked\r\n", "3e9\r\n")},
      {413, "GET /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n"},
      {414, "GET " + target101 + " HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {414, "GET /" + std::string(5000, 'a')},
      {415, post("Content-Encoding: gzip\r\nContent-Length: 3\r\n", "abc")},
      {417, post("Expect: wonders\r\nContent-Length: 3\r\n", "abc")},
      {431, "GET / HTTP/1.1\r\nHost: localhost\r\n" + many + "\r\n"},
      {431, "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(5000, 'a')},
      {500, get("/throw")},
      {501, post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")},
      {505, "GET / HTTP/3.1\r\nHost: localhost\r\n\r\n"},
  };
  std::set<int> seen{408, 503};  // of the tests below
  for (const auto& [status, request] : cases) {
    EXPECT_EQ(status_for(running, request), status) << request.substr(0, 200);
    seen.insert(status);
  }
  std::set<int> listed;
  for (const HttpStatus& one : server_statuses()) listed.insert(one.status);
  EXPECT_EQ(seen, listed);
  // The absolute form counts more than Host; a repeated equal length is no conflict.
  EXPECT_EQ(status_for(running,
                       "GET http://localhost/ HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n"),
            200);
  EXPECT_EQ(
      status_for(running,
                 post("Content-Length: 3\r\nContent-Length: 3\r\nConnection: close\r\n", "abc")),
      200);
}

TEST(HttpServer, ASlowHeadOrBodyIsRefused) {
  HttpOptions options = patient();
  options.limits.request = kSoon;
  Running running(options);
  EXPECT_EQ(status_for(running, "GET /a HTTP/1.1\r\nX: "), 408);
  EXPECT_EQ(status_for(running, post("Content-Length: 3\r\n", "a")), 408);
  EXPECT_EQ(status_for(running, post("Transfer-Encoding: chunked\r\n", "3\r\na")), 408);
  // A byte now and then does not help.
  Client dripping(running);
  dripping.send("GET /a HTTP/1.1\r\nX: ");
  std::atomic<bool> done = false;
  std::jthread drip([&] {
    while (!done) {
      dripping.send("x");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_EQ(status_of(dripping.rest()), 408);
  done = true;
}

TEST(HttpServer, IdleConnectionsAreClosed) {
  HttpOptions options = patient();
  options.limits.idle = kSoon;
  Running running(options);
  Client client(running);
  client.send(get("/a", ""));
  EXPECT_TRUE(client.rest().ends_with("GET localhost "));
}

// A response that its client does not read is given up, and its memory freed: only one fits.
TEST(HttpServer, AResponseThatNobodyReadsIsGivenUp) {
  for (const auto limit : {&HttpLimits::stalled, &HttpLimits::response}) {
    HttpOptions options = patient();
    options.limits.response = kNever;
    options.limits.*limit = kSoon;
    options.limits.unsent_bytes = kHuge;
    Running running(options);
    Client stalled(running);
    stalled.send(get("/huge"));
    ASSERT_TRUE(stalled.read_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
    for (bool answered = false; !answered; std::this_thread::yield()) {
      Client other(running);
      other.send(get("/huge"));
      answered = other.read_until("\r\n").starts_with("HTTP/1.1 200");
    }
    EXPECT_LT(stalled.rest().size(), kHuge);
  }
}

TEST(HttpServer, AStreamThatNobodyReadsIsGivenUp) {
  HttpOptions options = patient();
  options.limits.stalled = kSoon;
  Running running(options);
  Client client(running);
  client.send(get("/events"));
  (void)client.read_until("retry");
  while (running.service.events.clients() > 0) {
    running.service.events.send("a", std::string(100'000, 'x'));
  }
}

TEST(HttpServer, MonitoringIsAnsweredWhileAllElseIsBusy) {
  HttpOptions options = patient();
  options.limits.connections = options.limits.connections_per_client = 40;
  Running running(options);
  std::vector<std::unique_ptr<Client>> busy;
  for (int i = 0; i < 40; ++i) {
    busy.push_back(std::make_unique<Client>(running));
    busy.back()->send(get("/wait"));
  }
  running.service.wait_for_waiting(32);  // all threads
  EXPECT_EQ(status_for(running, get("/monitor")), 200);
  EXPECT_EQ(status_for(running, get("/a")), 503);  // above the limit
  running.service.release();
  for (const auto& one : busy) EXPECT_EQ(status_of(one->rest()), 200);
}

TEST(HttpServer, SlowRequestsAreLimited) {
  HttpOptions options = patient();
  options.limits.slow_requests = 1;
  Running running(options);
  Client first(running);
  first.send(get("/wait"));
  running.service.wait_for_waiting(1);
  EXPECT_EQ(status_for(running, get("/wait")), 503);
  EXPECT_EQ(status_for(running, get("/a")), 200);
}

TEST(HttpServer, TheConnectionThatWaitsLongestMakesRoom) {
  HttpOptions options = patient();
  options.limits.connections_per_client = 3;
  Running running(options);
  Client first(running), second(running);
  first.send("GET /a HTTP/1.1\r\nX: ");  // a head that never ends
  second.send(get("/wait", ""));         // is being answered: stays
  running.service.wait_for_waiting(1);
  std::vector<std::unique_ptr<Client>> next;  // they stay open: more than the limit
  for (int i = 0; i < 20; ++i) {
    next.push_back(std::make_unique<Client>(running));
    next.back()->send(get("/a", ""));
    EXPECT_TRUE(next.back()->read_until("GET localhost ").starts_with("HTTP/1.1 200"));
  }
  EXPECT_EQ(first.rest(), "");
  running.service.release();
  EXPECT_TRUE(second.read_until("GET localhost ").starts_with("HTTP/1.1 200"));
}

// Many more than there are places, and all have asked before the server looks.
TEST(HttpServer, ARequestThatHasArrivedKeepsItsConnection) {
  HttpOptions options = patient();
  options.limits.connections = options.limits.connections_per_client = 1;
  TestService service;
  HttpServer server(options, service);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    clients.back()->send(get("/monitor"));
  }
  const std::jthread thread([&] { server.run(); });
  for (const auto& one : clients) EXPECT_EQ(status_of(one->rest()), 200);
  server.stop();
}

TEST(HttpServer, EventsAreSentAsTheyHappen) {
  HttpOptions options = patient();
  options.limits.heartbeat = kSoon;
  Running running(options);
  Client client(running);
  client.send(get("/events"));
  EXPECT_TRUE(client.read_until("retry: 2000\n\n").starts_with("HTTP/1.1 200"));
  running.service.events.send("a", "1");
  EXPECT_TRUE(client.read_until("data: 1\n\n").ends_with("id: 1\nevent: a\ndata: 1\n\n"));
  EXPECT_TRUE(client.read_until(": still here\n\n").ends_with(": still here\n\n"));
  running.service.events.close();
  EXPECT_EQ(client.rest().find("event"), std::string::npos);
}

TEST(HttpServer, AClientThatLeavesFreesItsPlaceOnTheStream) {
  Running running;
  {
    Client client(running);
    client.send(get("/events"));
    (void)client.read_until("retry");
    EXPECT_EQ(running.service.events.clients(), 1U);
  }
  while (running.service.events.clients() > 0) std::this_thread::yield();
}

TEST(HttpServer, ResponsesArePackedForThoseWhoTakeIt) {
  Running running;
  const auto answer = [&](const char* more) {
    Client client(running);
    client.send(get("/large", more + std::string("Connection: close\r\n")));
    return client.rest();
  };
  const std::string packed = answer("Accept-Encoding: br, gzip\r\n");
  EXPECT_NE(packed.find("Content-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_LT(packed.size(), 20'000U);
  for (const char* const more : {"", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n"}) {
    EXPECT_GT(answer(more).size(), 200'000U) << more;
  }
}

TEST(HttpServer, ASecondServerOnAPortIsRefused) {
  Running running;
  HttpOptions options = patient();
  options.port = running.port();
  TestService service;
  EXPECT_THROW(HttpServer(options, service), InputError);
  options.address = "nowhere.invalid";
  EXPECT_THROW(HttpServer(options, service), InputError);
}

}  // namespace
}  // namespace fatwood::serve

#endif
