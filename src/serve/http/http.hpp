// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Requests and responses as the rest of this folder sees them. http_server.cpp, the only file that
// uses the HTTP library, converts them.

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
  std::map<std::string, std::string> header;  // names in lower case
  std::string body;

  // "" if there is none.
  const std::string& header_or_none(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // An endless response: the next piece, "" after a while without one, no value at the end.
  std::function<std::optional<std::string>()> stream = {};
};

// {"error": message} with the status.
HttpResponse refusal(int status, std::string_view message);

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

struct HttpOptions {
  std::string address = "127.0.0.1";
  int port = 8800;            // 0: any free one
  std::size_t threads = 160;  // each open connection uses one
  std::size_t most_body_bytes = 1'000'000;
  int seconds_to_read = 10;  // slower requests are dropped
};

// Listens in the constructor (InputError if the address is not available), answers until stop().
class HttpServer {
 public:
  HttpServer(const HttpOptions& options, HttpHandler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  void run();   // returns after stop()
  void stop();  // from any thread

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace fatwood::serve
