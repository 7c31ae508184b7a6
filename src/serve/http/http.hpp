// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Requests and responses as the rest of this folder sees them, and the server. The HTTP library
// (Boost.Beast) is seen by http_server.cpp and connection.* only.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fatwood::serve {

struct HttpRequest {
  std::string method;
  std::string path;                           // decoded, without the query
  std::map<std::string, std::string> query;   // decoded; the last one of a repeated name
  std::map<std::string, std::string> header;  // names in lower case; repeated ones joined by commas
  std::string body;

  // "" if there is none.
  const std::string& header_or_none(const std::string& name) const;
};

// Sets path and query, and from a target such as http://host/path the header "host" (RFC 9112,
// 3.2.2). False if it is malformed.
bool set_target(HttpRequest& request, std::string_view target);

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // An endless response: the next piece, "" if there is none yet, no value at the end. Never waits;
  // HttpServer::wake() makes the server ask again.
  std::function<std::optional<std::string>()> stream = {};
};

// {"error": message} with the status.
HttpResponse refusal(int status, std::string_view message);

// The statuses that the server itself sends, whatever is asked for, and their meaning.
struct HttpStatus {
  int status;
  std::string_view meaning;
};
const std::vector<HttpStatus>& server_statuses();

// Which threads answer a request.
enum class HttpThreads : std::uint8_t {
  kMonitoring,  // a thread that nothing else uses: /healthz, /metrics
  kQuick,       // never waits for a computation
  kSlow,        // may wait for minutes
};

// What to do with a request of which all but the body is known.
struct HttpAdmission {
  std::optional<HttpResponse> refused = {};  // sent at once; the body is not read
  std::size_t most_body_bytes = 0;
  HttpThreads threads = HttpThreads::kQuick;
};

class HttpService {
 public:
  virtual ~HttpService() = default;
  // Called before a body is read. Must not wait.
  virtual HttpAdmission admit(const HttpRequest& head) const = 0;
  // Called by several threads at a time.
  virtual HttpResponse answer(const HttpRequest& request) = 0;
};

struct HttpLimits {
  std::size_t target_bytes = 16384;
  std::size_t header_bytes = 32768;
  std::size_t headers = 100;
  std::chrono::milliseconds request{10'000};    // head and body of a request
  std::chrono::milliseconds idle{30'000};       // between two requests of a connection
  std::chrono::milliseconds stalled{10'000};    // the client takes nothing of a response
  std::chrono::milliseconds response{600'000};  // the client takes the whole response
  std::chrono::milliseconds heartbeat{15'000};  // a comment on a stream without events
  std::size_t connections = 512, connections_per_client = 128;
  std::size_t slow_requests = 48;          // at a time, waiting ones included
  std::size_t unsent_bytes = 256'000'000;  // of all responses
};

struct HttpOptions {
  std::string address = "127.0.0.1";
  int port = 8800;  // 0: any free one
  HttpLimits limits = {};
};

// Listens in the constructor (InputError if the address is not available), answers until stop().
//
// One thread moves bytes; others call the service. So slow clients cost a socket, not a thread. If
// the connections of a client, or all of them, reach their limit, the one that has waited longest
// for its client is closed for a new one. If all are being answered, a few more are accepted for
// requests of kMonitoring only.
class HttpServer {
 public:
  HttpServer(const HttpOptions& options, HttpService& service);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  void run();   // returns after stop()
  void stop();  // from any thread
  void wake();  // from any thread: streams may have more to send

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace fatwood::serve
