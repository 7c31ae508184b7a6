// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Who may ask what.
//
// On a loopback address anybody on this host may read; a change needs the token. On any other
// address everything but /healthz needs it. A browser shows the token as a cookie, which it gets by
// opening /?token=TOKEN once; scripts send "Authorization: Bearer TOKEN".
//
// Changes are also refused to pages of other origins (Origin, Sec-Fetch-Site), and every request
// to a loopback address under another host name (DNS rebinding).

#include <optional>
#include <string>
#include <string_view>

#include "serve/http.hpp"

namespace fatwood::serve {

inline constexpr std::string_view kTokenCookie = "fatwood_token";

enum class Access : std::uint8_t {
  kOpen,    // for everybody: /healthz
  kRead,    // changes nothing
  kChange,  // changes the state, or starts work
};

class Guard {
 public:
  // REQUIRES a token of 16 characters or more (read_token, new_token).
  Guard(std::string token, std::string_view address);

  const std::string& token() const { return token_; }
  bool is_loopback() const { return loopback_; }
  // The refusal; no value if the request may pass.
  std::optional<HttpResponse> check(const HttpRequest& request, Access access) const;
  // Compares in a time that does not depend on where the first difference is.
  bool is_token(std::string_view text) const;

 private:
  bool shows_token(const HttpRequest& request) const;

  std::string token_;
  bool loopback_;
};

bool is_loopback(std::string_view address);
// 32 random hexadecimal digits.
std::string new_token();
// The first line of a file. InputError if it has fewer than 16 characters, or others can read
// it.
std::string read_token(const std::string& path);

}  // namespace fatwood::serve
