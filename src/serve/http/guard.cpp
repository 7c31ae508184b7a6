// SPDX-License-Identifier: BSD-3-Clause
#include "serve/http/guard.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>

#include "core/error.hpp"
#include "core/text/split.hpp"

namespace fatwood::serve {

namespace {

constexpr std::size_t kLeastToken = 16;

// "localhost" of "localhost:8800", "[::1]" of "[::1]:8800"; "" if it has another form.
std::string_view name_of(std::string_view host) {
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  if (bracket == host.npos) return {};
  const std::size_t colon = std::min(host.find(':', bracket), host.size());
  const std::string_view name = host.substr(0, colon);
  if (bracket > 0 && name.size() != bracket + 1) return {};
  const std::string_view port = host.substr(std::min(colon + 1, host.size()));
  if (port.find_first_not_of("0123456789") != port.npos) return {};
  return name;
}

// The value of a cookie; "": it is not there.
std::string_view cookie(std::string_view cookies, std::string_view name) {
  for (std::string_view one : split_at(cookies, ';')) {
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) {
      return one.substr(name.size() + 1);
    }
  }
  return {};
}

bool is_other_origin(const HttpRequest& request) {
  const std::string& site = request.header_or_none("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return true;
  const std::string& origin = request.header_or_none("origin");
  if (origin.empty()) return false;
  const std::string& host = request.header_or_none("host");
  return origin != "http://" + host && origin != "https://" + host;
}

}  // namespace

bool is_loopback(std::string_view address) {
  if (address == "localhost") return true;
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  const std::string text(address);  // with a zero at its end
  in_addr v4{};
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24U == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

Guard::Guard(std::string token, std::string_view address)
    : token_(std::move(token)), loopback_(serve::is_loopback(address)) {}

bool Guard::is_token(std::string_view text) const {
  unsigned difference = text.size() == token_.size() ? 0 : 1;
  for (std::size_t i = 0; i < token_.size(); ++i) {
    const char other = i < text.size() ? text[i] : '\0';
    difference |= static_cast<unsigned>(static_cast<unsigned char>(token_[i] ^ other));
  }
  return difference == 0;
}

bool Guard::shows_token(const HttpRequest& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view authorization = request.header_or_none("authorization");
  if (authorization.starts_with(kBearer)) return is_token(authorization.substr(kBearer.size()));
  return is_token(cookie(request.header_or_none("cookie"), kTokenCookie));
}

std::optional<HttpResponse> Guard::check(const HttpRequest& request, Access access) const {
  if (access == Access::kOpen) return std::nullopt;
  std::string host(name_of(request.header_or_none("host")));
  std::ranges::transform(host, host.begin(), [](unsigned char c) { return std::tolower(c); });
  if (loopback_ && !serve::is_loopback(host)) {
    return refusal(403, "this server answers to localhost only: use its address, or --bind");
  }
  if (access == Access::kChange && is_other_origin(request)) {
    return refusal(403, "a page of another origin may not change this server's state");
  }
  if ((access == Access::kChange || !loopback_) && !shows_token(request)) {
    HttpResponse response = refusal(
        401, "this needs the token: open /?token=TOKEN once, or send Authorization: Bearer TOKEN");
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
  }
  return std::nullopt;
}

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw InputError("no random numbers for a token: give --token-file");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string read_token(const std::string& path) {
  std::ifstream in(path);
  std::string token;
  if (!in || !std::getline(in, token)) throw InputError({.file = path}, "can't read a token");
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.size() < kLeastToken) {
    throw InputError({.file = path, .line = 1},
                     fmt::format("a token has {} characters or more, this one {}. Make one with: "
                                 "openssl rand -hex 16",
                                 kLeastToken, token.size()));
  }
  struct stat status{};
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & S_IRWXO) != 0) {
    throw InputError({.file = path}, "other users can read the token: chmod 640 it");
  }
  return token;
}

}  // namespace fatwood::serve
