// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lines of `fatwood verify`, each a word and a text, and the names in them.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "verify/reach/endpoint.hpp"

namespace fatwood {

inline std::string switch_name(const Fabric& fabric, Switch s) {
  return std::string(display_name(fabric, fabric.node(s)));
}

inline std::string destination_name(const Fabric& fabric, const Routing& routing,
                                    Destination destination) {
  return endpoint_name(fabric, endpoint(routing.tables, destination));
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
