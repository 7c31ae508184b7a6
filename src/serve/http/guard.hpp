// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Access control.
//
// On a loopback address anyone on this host may read; a change needs the token. On any other
// address everything except /healthz needs it. A browser sends the token as a cookie, which it gets
// by opening /?token=TOKEN once; scripts send "Authorization: Bearer TOKEN".
//
// Changes from pages of other origins are refused (Origin, Sec-Fetch-Site), and so is every request
// to a loopback address with another host name, which a page gets by DNS rebinding.

#include <optional>
#include <string>
#include <string_view>

#include "serve/http/http.hpp"

namespace fatwood::serve {

inline constexpr std::string_view kTokenCookie = "fatwood_token";

enum class Access : std::uint8_t {
  kOpen,    // for everyone: /healthz
  kRead,    // changes nothing
  kChange,  // changes the state, or starts work
};

class Guard {
 public:
  // REQUIRES a token of at least 16 characters (read_token, new_token).
  Guard(std::string token, std::string_view address);

  const std::string& token() const { return token_; }
  bool is_loopback() const { return loopback_; }
  // The refusal; no value if the request is allowed.
  std::optional<HttpResponse> check(const HttpRequest& request, Access access) const;
  // Compares in constant time.
  bool is_token(std::string_view text) const;

 private:
  bool shows_token(const HttpRequest& request) const;

  std::string token_;
  bool loopback_;
};

// Compares whole names: localhost, 127.x.y.z, ::1, [::1].
bool is_loopback(std::string_view address);
// 32 random hexadecimal digits.
std::string new_token();
// The first line of a file. InputError if it has fewer than 16 characters, or if others can read
// the file.
std::string read_token(const std::string& path);

}  // namespace fatwood::serve
