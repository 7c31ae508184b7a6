// SPDX-License-Identifier: BSD-3-Clause
// The one file that knows the HTTP library (cpp-httplib).

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <memory>

#include "core/error.hpp"
#include "serve/http/http.hpp"

namespace fatwood::serve {

namespace {

HttpRequest request_of(const httplib::Request& from) {
  HttpRequest request;
  request.method = from.method;
  request.path = from.path;
  for (const auto& [name, value] : from.params) request.query[name] = value;
  for (const auto& [name, value] : from.headers) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    request.header[lower] = value;
  }
  request.body = from.body;
  return request;
}

// No inline script, no frame, nothing from elsewhere. Styles are set by the page's own code.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void put(const HttpResponse& from, httplib::Response& to, const std::atomic<bool>& stopping) {
  to.status = from.status;
  to.set_header("Content-Security-Policy", kPolicy);
  to.set_header("X-Content-Type-Options", "nosniff");
  to.set_header("Referrer-Policy", "no-referrer");
  to.set_header("Cache-Control", "no-store");
  for (const auto& [name, value] : from.headers) to.set_header(name, value);
  if (!from.stream) {
    to.set_content(from.body, from.type);
    return;
  }
  to.set_chunked_content_provider(
      from.type, [next = from.stream, &stopping](std::size_t, httplib::DataSink& sink) {
        const std::optional<std::string> piece = stopping ? std::nullopt : next();
        if (!piece) {
          sink.done();
          return true;
        }
        return sink.write(piece->data(), piece->size());
      });
}

}  // namespace

class HttpServer::Library {
 public:
  Library(const HttpOptions& options, HttpHandler handler) : handler_(std::move(handler)) {
    server_.new_task_queue = [n = options.threads] { return new httplib::ThreadPool(n); };
    server_.set_payload_max_length(options.most_body_bytes);
    server_.set_read_timeout(options.seconds_to_read);
    server_.set_write_timeout(options.seconds_to_read);
    server_.set_keep_alive_max_count(1000);
    server_.set_keep_alive_timeout(5);
    server_.set_tcp_nodelay(true);
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      put(answer_to(request_of(request)), response, stopping_);
    };
    const char* const everything = ".*";
    server_.Get(everything, answer);
    server_.Post(everything, answer);
    server_.Put(everything, answer);
    server_.Delete(everything, answer);
    server_.set_error_handler([this](const httplib::Request&, httplib::Response& response) {
      if (!response.body.empty()) return;  // ours
      const int status = response.status;
      const char* const why = status == 413   ? "the request is too large"
                              : status == 414 ? "the address is too long"
                              : status == 404 ? "no such method here"
                                              : "the request can't be read: a POST needs a "
                                                "Content-Length, as curl -d '' sends";
      put(refusal(status, why), response, stopping_);
    });
    port_ = options.port;
    if (options.port == 0) {
      port_ = server_.bind_to_any_port(options.address);
    } else if (!server_.bind_to_port(options.address, options.port)) {
      port_ = -1;
    }
    if (port_ < 0) {
      throw InputError(
          fmt::format("can't listen on {} port {}: is another server running there? Try --port 0",
                      options.address, options.port));
    }
  }

  int port() const { return port_; }
  void run() { server_.listen_after_bind(); }
  void stop() {
    stopping_ = true;
    server_.stop();
  }

 private:
  HttpResponse answer_to(const HttpRequest& request) const {
    try {
      return handler_(request);
    } catch (const InputError& error) {
      return refusal(400, error.what());
    } catch (const PromiseError& error) {
      return refusal(409, error.what());
    } catch (const std::exception& error) {
      return refusal(500, error.what());
    }
  }

  httplib::Server server_;
  HttpHandler handler_;
  std::atomic<bool> stopping_ = false;
  int port_ = -1;
};

HttpServer::HttpServer(const HttpOptions& options, HttpHandler handler)
    : library_(std::make_unique<Library>(options, std::move(handler))) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return library_->port(); }
void HttpServer::run() { library_->run(); }
void HttpServer::stop() { library_->stop(); }

}  // namespace fatwood::serve
