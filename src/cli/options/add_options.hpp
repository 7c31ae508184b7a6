// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parameters of a request (app/parameter.hpp) as options of a verb: fault_seed is --fault-seed.

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "app/parameter.hpp"
#include "cli/command_line.hpp"

namespace fatwood::cli {

// "--fault-seed" for "fault_seed".
inline std::string option_name(std::string parameter) {
  std::ranges::replace(parameter, '_', '-');
  return "--" + parameter;
}

class AddOptions {
 public:
  explicit AddOptions(Verb& verb) : verb_(&verb) {}

  void operator()(bool& value, const Parameter& p) {
    verb_->add_flag(option_name(p.name), value, p.help);
  }
  void operator()(NodeChoice& value, const Parameter& p) { (*this)(value.file, p); }
  template <class T>
  void operator()(T& value, const Parameter& p) {
    Option* const option = verb_->add_option(option_name(p.name), value, p.help);
    if (p.least && p.most) option->range(*p.least, *p.most);
    if (!p.words.empty()) option->one_of(p.words);
    if constexpr (std::is_same_v<T, std::vector<std::string>>) option->one_each();
  }

 private:
  Verb* verb_;
};

}  // namespace fatwood::cli
