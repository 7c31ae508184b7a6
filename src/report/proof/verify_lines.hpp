// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by reports of proofs: lines of a word and a text, names, counts of pairs.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "report/json.hpp"
#include "verify/reach/endpoint.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood {

inline std::string switch_name(const Fabric& fabric, Switch s) { return unique_name(fabric, s); }

inline std::string destination_name(const Fabric& fabric, const Routing& routing,
                                    Destination destination) {
  return endpoint_name(fabric, endpoint(routing.tables, destination));
}

// By kind of source and destination.
inline Json by_kind(const PairCounts& counts) {
  return {{"terminal_terminal", counts.terminal_terminal},
          {"terminal_switch", counts.terminal_switch},
          {"switch_terminal", counts.switch_terminal},
          {"switch_switch", counts.switch_switch}};
}

class Lines {
 public:
  void add(std::string_view name, const std::string& value) {
    text_ += fmt::format("{:<10} {}\n", name, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace fatwood
