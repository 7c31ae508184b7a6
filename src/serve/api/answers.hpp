// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Responses of the usual types.

#include <string>
#include <string_view>
#include <utility>

#include "serve/http/http.hpp"

namespace fatwood::serve {

inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kText = "text/plain; charset=utf-8";

inline HttpResponse json_answer(std::string body, int status = 200) {
  return {.status = status, .type = std::string(kJson), .body = std::move(body)};
}

// A line of JSON.
inline HttpResponse json_line(const std::string& json) { return json_answer(json + "\n"); }

inline HttpResponse text_answer(std::string text) {
  return {.type = std::string(kText), .body = std::move(text)};
}

}  // namespace fatwood::serve
