// SPDX-License-Identifier: BSD-3-Clause
#include "serve/http/http.hpp"

#include "report/json.hpp"

namespace fatwood::serve {

const std::string& HttpRequest::header_or_none(const std::string& name) const {
  static const std::string none;
  const auto at = header.find(name);
  return at == header.end() ? none : at->second;
}

HttpResponse refusal(int status, std::string_view message) {
  return {.status = status, .body = document(Json{{"error", message}})};
}

}  // namespace fatwood::serve
