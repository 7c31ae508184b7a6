// SPDX-License-Identifier: BSD-3-Clause
#include "report/proof/certificate_report.hpp"

#include <fmt/format.h>

#include <utility>

#include "report/json.hpp"

namespace fatwood {

std::string certificate_text(const CertificateCheck& check, const std::string& name) {
  if (check.holds()) {
    return fmt::format("holds: {} routes{}{} ascend the order in {} lane{}\n", check.routes,
                       check.terminals_only ? " between terminals" : "",
                       check.some_choice ? ", if waiting packets choose again," : "", check.lanes,
                       check.lanes == 1 ? "" : "s");
  }
  const std::string where = check.line == 0 ? name : fmt::format("{}:{}", name, check.line);
  return fmt::format("does not hold: {}: {}\n", where, check.why_not);
}

std::string certificate_json(const CertificateCheck& check) {
  Json json{{"holds", check.holds()},
            {"routes", check.routes},
            {"lanes", check.lanes},
            {"sources", check.terminals_only ? "terminals" : "all"},
            {"rechoosing", check.some_choice},
            {"why_not", nullptr}};
  if (!check.holds()) json["why_not"] = check.why_not;
  return document(std::move(json));
}

}  // namespace fatwood
