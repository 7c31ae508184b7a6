// SPDX-License-Identifier: BSD-3-Clause
#include "serve/http/http.hpp"

#include "core/text/split.hpp"
#include "report/json.hpp"

namespace fatwood::serve {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "%5B" becomes "[". No value for a wrong escape, and for control characters.
std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(16 * high + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7f) return std::nullopt;
    out += c;
  }
  return out;
}

bool set_query(HttpRequest& request, std::string_view text) {
  for (const std::string_view one : split_at(text, '&')) {
    if (one.empty()) continue;
    const std::size_t equals = std::min(one.find('='), one.size());
    const auto name = decoded(one.substr(0, equals), true);
    const auto value = decoded(one.substr(std::min(equals + 1, one.size())), true);
    if (!name || !value) return false;
    request.query[*name] = *value;
  }
  return true;
}

}  // namespace

const std::string& HttpRequest::header_or_none(const std::string& name) const {
  static const std::string none;
  const auto at = header.find(name);
  return at == header.end() ? none : at->second;
}

bool set_target(HttpRequest& request, std::string_view target) {
  if (!target.starts_with('/')) {
    const std::size_t authority = target.find("://");
    if (authority == target.npos) return false;
    const std::string_view scheme = target.substr(0, authority);
    if (scheme != "http" && scheme != "https") return false;
    target.remove_prefix(authority + 3);
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    request.header["host"] = target.substr(0, end);
    target.remove_prefix(end);
  }
  const std::size_t mark = std::min(target.find('?'), target.size());
  const auto path = decoded(target.substr(0, mark), false);
  if (!path) return false;
  request.path = path->empty() ? "/" : *path;
  request.query.clear();
  return set_query(request, target.substr(std::min(mark + 1, target.size())));
}

HttpResponse refusal(int status, std::string_view message) {
  return {.status = status, .body = document(Json{{"error", message}})};
}

const std::vector<HttpStatus>& server_statuses() {
  static const std::vector<HttpStatus> all{
      {400, "The request is malformed, or its parameters or body are wrong"},
      {408, "The request took too long to arrive"},
      {413, "The body is too large, or this request takes none"},
      {414, "The address is too long"},
      {415, "The body is compressed"},
      {417, "Another expectation than 100-continue"},
      {431, "Too many headers, or too large ones"},
      {500, "An error of the server"},
      {501, "Another transfer coding than chunked"},
      {503, "Too many requests or connections, or a process failed: try again later"},
      {505, "Another version than HTTP/1.0 and 1.1"},
  };
  return all;
}

}  // namespace fatwood::serve
