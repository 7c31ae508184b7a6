// SPDX-License-Identifier: BSD-3-Clause
// The rules for the head of a request (RFC 9112), and the refusals of those that break them.

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <cctype>

#include "serve/http/connection.hpp"

namespace fatwood::serve {

namespace http = boost::beast::http;

namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string text_of(const auto& view) { return std::string(view.data(), view.size()); }

// Of a request that the parser refused.
HttpResponse parse_refusal(boost::system::error_code error, bool has_target) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return has_target ? refusal(431, "the headers are too large")
                      : refusal(414, "the address is too long");
  }
  if (error == http::error::bad_version) {
    return refusal(505, "this server speaks HTTP/1.1 and HTTP/1.0");
  }
  if (error == http::error::body_limit) return refusal(413, "the body is too large");
  if (error == http::error::bad_content_length) {
    return refusal(400, "Content-Length: expected one number, once, without Transfer-Encoding");
  }
  if (error == http::error::bad_transfer_encoding) {
    return refusal(400, "Transfer-Encoding: expected chunked, once, without Content-Length");
  }
  if (error == http::error::bad_chunk || error == http::error::bad_chunk_extension) {
    return refusal(400, "the chunks of the body are malformed");
  }
  return refusal(400, fmt::format("the request is malformed: {}", error.message()));
}

}  // namespace

void Connection::on_read_error(Error error) {
  if (timed_out_) {
    return refuse(
        refusal(408, fmt::format("the request took more than {} s",
                                 std::chrono::duration<double>(owner_.limits().request).count())));
  }
  const bool malformed = error.category() == make_error_code(http::error::bad_method).category();
  if (!malformed || error == http::error::end_of_stream || error == http::error::partial_message) {
    return close();  // the client has gone
  }
  refuse(parse_refusal(error, !parser_->get().target().empty()));
}

bool Connection::has_body() const {
  return parser_->chunked() || parser_->content_length().value_or(0) > 0;
}

std::optional<HttpResponse> Connection::convert_head() {
  const auto& head = parser_->get();
  const HttpLimits& limits = owner_.limits();
  keep_alive_ = head.keep_alive() && !spare_;
  request_.method = text_of(head.method_string());
  std::size_t count = 0, hosts = 0;
  for (const auto& field : head) {
    const std::string name = lower(text_of(field.name_string()));
    hosts += name == "host" ? 1U : 0U;
    if (++count > limits.headers) {
      return refusal(431, fmt::format("more than {} headers", limits.headers));
    }
    std::string& value = request_.header[name];
    if (!value.empty()) value += name == "cookie" ? "; " : ", ";
    value += text_of(field.value());
  }
  const std::string target = text_of(head.target());
  if (target.size() > limits.target_bytes) {
    return refusal(414, fmt::format("the address is longer than {} bytes", limits.target_bytes));
  }
  if (hosts > 1 || (hosts == 0 && head.version() == 11)) {
    return refusal(400, "expected one Host header");
  }
  if (!set_target(request_, target)) return refusal(400, "the address is malformed");
  if (request_.header_or_none("host").find_first_of("@/, ") != std::string::npos) {
    return refusal(400, "Host: expected a name and a port");
  }
  const std::string coding = lower(request_.header_or_none("transfer-encoding"));
  if (!coding.empty() && request_.header.contains("content-length")) {
    return refusal(400, "a request has Transfer-Encoding or Content-Length, not both");
  }
  if (!coding.empty() && head.version() != 11) {
    return refusal(400, "HTTP/1.0 has no Transfer-Encoding");
  }
  if (!coding.empty() && coding != "chunked") {
    return refusal(501, "the only transfer coding here is chunked");
  }
  return std::nullopt;
}

std::optional<HttpResponse> Connection::check_body(const HttpAdmission& admission) {
  const std::size_t most = admission.most_body_bytes;
  if (parser_->content_length().value_or(0) > most || (parser_->chunked() && most == 0)) {
    return most == 0 ? refusal(413, "this request takes no body")
                     : refusal(413, fmt::format("the body has more than {} bytes", most));
  }
  const std::string& coding = request_.header_or_none("content-encoding");
  if (!coding.empty() && lower(coding) != "identity") {
    HttpResponse response = refusal(415, "send the body uncompressed, without Content-Encoding");
    response.headers.emplace_back("Accept-Encoding", "identity");
    return response;
  }
  const std::string& expected = request_.header_or_none("expect");
  if (!expected.empty() && lower(expected) != "100-continue") {
    return refusal(417, "Expect: 100-continue is the only expectation that is met here");
  }
  parser_->body_limit(most);
  return std::nullopt;
}

}  // namespace fatwood::serve
