// SPDX-License-Identifier: BSD-3-Clause
// The server: accepts connections, counts them, and hands requests to threads.

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <set>

#include "app/parameter.hpp"
#include "core/error.hpp"
#include "core/text/split.hpp"
#include "report/page/packed.hpp"
#include "serve/http/connection.hpp"

namespace fatwood::serve {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::size_t kSlowThreads = 32;
constexpr std::size_t kQuickThreads = 2;
constexpr std::size_t kSpareConnections = 32;
constexpr std::size_t kLeastPacked = 1400;  // bytes of one packet
constexpr std::chrono::milliseconds kAcceptAgain{100};
constexpr std::chrono::milliseconds kPlaceAgain{5};

// The address, or the network of 64 bits that one user of IPv6 has.
std::string client_of(const tcp::socket& socket) {
  boost::system::error_code error;
  const asio::ip::address address = socket.remote_endpoint(error).address();
  if (!address.is_v6()) return address.to_string();
  asio::ip::address_v6::bytes_type bytes = address.to_v6().to_bytes();
  if (address.to_v6().is_v4_mapped()) {
    return fmt::format("{}.{}.{}.{}", bytes[12], bytes[13], bytes[14], bytes[15]);
  }
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return asio::ip::address_v6(bytes).to_string();
}

bool accepts_gzip(const HttpRequest& request) {
  for (std::string_view one : split_at(request.header_or_none("accept-encoding"), ',')) {
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (!one.starts_with("gzip")) continue;
    one.remove_prefix(std::string_view("gzip").size());
    return one.empty() || one.find("q=0") == one.npos || one.find("q=0.") != one.npos;
  }
  return false;
}

void pack(const HttpRequest& request, HttpResponse& response) {
  if (response.stream || response.body.size() < kLeastPacked || !accepts_gzip(request)) return;
  response.body = gzipped(response.body);
  response.headers.emplace_back("Content-Encoding", "gzip");
  response.headers.emplace_back("Vary", "Accept-Encoding");
}

HttpResponse answer_of(HttpService& service, const HttpRequest& request) {
  try {
    HttpResponse response = service.answer(request);
    pack(request, response);
    return response;
  } catch (const InputError& error) {
    return refusal(400, error.text(as_query));
  } catch (const PromiseError& error) {
    return refusal(409, error.what());
  } catch (const std::exception& error) {
    return refusal(500, error.what());
  }
}

}  // namespace

class HttpServer::Library : public ConnectionOwner {
 public:
  Library(const HttpOptions& options, HttpService& service)
      : options_(options), service_(service), acceptor_(io_), pause_(io_) {
    const auto fail = [&](const std::string& why) -> InputError {
      return InputError(fmt::format("can't listen on {} port {}: {}. Try --port 0, or --bind",
                                    options.address, options.port, why));
    };
    boost::system::error_code error;
    tcp::resolver resolver(io_);
    const auto found = resolver.resolve(options.address, std::to_string(options.port),
                                        tcp::resolver::passive, error);
    if (error || found.empty()) throw fail("this is not an address of this host");
    const tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor_.open(endpoint.protocol(), error);
    // Does not allow a second server; without it a new start would have to wait for a minute.
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error == asio::error::address_in_use) throw fail("another server is running there");
    if (error) throw fail(error.message());
  }
  ~Library() override { join(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  int port() const { return acceptor_.local_endpoint().port(); }

  void run() {
    accept();
    const auto work = asio::make_work_guard(io_);
    io_.run();
    join();
  }

  void stop() {
    asio::post(io_, [this] {
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      const auto open = connections_;
      for (const auto& one : open) one->close();
      io_.stop();
    });
  }

  void wake() {
    asio::post(io_, [this] {
      const auto open = connections_;  // one that fails leaves the list
      for (const auto& one : open) one->wake();
    });
  }

  const HttpLimits& limits() const override { return options_.limits; }
  const HttpService& service() const override { return service_; }

  std::optional<HttpResponse> start(const std::shared_ptr<Connection>& connection,
                                    HttpThreads threads, HttpRequest request) override {
    const bool slow = threads == HttpThreads::kSlow;
    if (slow && slow_requests_ >= limits().slow_requests) {
      return refusal(503, "too many requests are waiting: try again later");
    }
    slow_requests_ += slow ? 1 : 0;
    asio::post(pool(threads), [this, connection, slow, request = std::move(request)] {
      auto response = std::make_shared<HttpResponse>(answer_of(service_, request));
      asio::post(io_, [this, connection, slow, response] {
        slow_requests_ -= slow ? 1 : 0;
        connection->respond(std::move(*response));
      });
    });
    return std::nullopt;
  }

  bool add_unsent(std::size_t bytes) override {
    if (unsent_ + bytes > limits().unsent_bytes) return false;
    unsent_ += bytes;
    return true;
  }
  void remove_unsent(std::size_t bytes) override { unsent_ -= bytes; }
  void closed(const Connection& connection) override {
    std::erase_if(connections_, [&](const auto& one) { return one.get() == &connection; });
  }

 private:
  asio::thread_pool& pool(HttpThreads threads) {
    return threads == HttpThreads::kMonitoring ? monitoring_
           : threads == HttpThreads::kQuick    ? quick_
                                               : slow_;
  }
  void join() {
    monitoring_.join();
    quick_.join();
    slow_.join();
  }

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      // No descriptor is left: some will be closed.
      if (error) return after(kAcceptAgain, [this] { accept(); });
      add(std::make_shared<tcp::socket>(std::move(socket)));
    });
  }

  template <class Call>
  void after(std::chrono::milliseconds time, Call call) {
    pause_.expires_after(time);
    pause_.async_wait([call = std::move(call)](boost::system::error_code end) {
      if (!end) call();
    });
  }

  // Closes the one that waits longest of those that `counts` selects.
  template <class Counts>
  bool make_room(const Counts& counts) {
    std::shared_ptr<Connection> oldest;
    for (const auto& one : connections_) {
      if (!counts(*one) || !one->waits()) continue;
      if (!oldest || one->since() < oldest->since()) oldest = one;
    }
    if (oldest) oldest->close();
    return oldest != nullptr;
  }

  // Whether there is a place among `most` for one more of those that `counts` selects.
  template <class Counts>
  bool has_room(std::size_t most, const Counts& counts) {
    const auto number = static_cast<std::size_t>(
        std::ranges::count_if(connections_, [&](const auto& one) { return counts(*one); }));
    return number < most || make_room(counts);
  }

  // Starts a connection, and accepts the next. All places may have requests that are being
  // answered: then it waits, and the others wait in the kernel's queue. Closing it would reset it,
  // with its request unread.
  void add(const std::shared_ptr<tcp::socket>& socket) {
    const std::string client = client_of(*socket);
    const bool room =
        has_room(limits().connections_per_client,
                 [&](const Connection& one) { return !one.spare() && one.client() == client; }) &&
        has_room(limits().connections, [](const Connection& one) { return !one.spare(); });
    if (!room && !has_room(kSpareConnections, [](const Connection& one) { return one.spare(); })) {
      return after(kPlaceAgain, [this, socket] { add(socket); });
    }
    boost::system::error_code ignored;
    socket->set_option(tcp::no_delay(true), ignored);
    socket->non_blocking(true, ignored);
    connections_.push_back(std::make_shared<Connection>(std::move(*socket), client, !room, *this));
    connections_.back()->start();
    accept();
  }

  HttpOptions options_;
  HttpService& service_;
  std::size_t slow_requests_ = 0, unsent_ = 0;  // these and all connections: of the I/O thread
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::vector<std::shared_ptr<Connection>> connections_;
  asio::thread_pool monitoring_{1}, quick_{kQuickThreads}, slow_{kSlowThreads};
};

HttpServer::HttpServer(const HttpOptions& options, HttpService& service)
    : library_(std::make_unique<Library>(options, service)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return library_->port(); }
void HttpServer::run() { library_->run(); }
void HttpServer::stop() { library_->stop(); }
void HttpServer::wake() { library_->wake(); }

}  // namespace fatwood::serve
