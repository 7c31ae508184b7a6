// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parameters of a request (app/parameter.hpp) as options of a verb: fault_seed is --fault-seed.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

// A parameter in a message: "--fault-seed 3".
inline std::string as_option(std::string_view name, std::string_view value) {
  std::string text = option_name(std::string(name));
  if (!value.empty()) text.append(" ").append(value);
  return text;
}

class AddOptions {
 public:
  explicit AddOptions(Verb& verb) : verb_(&verb) {}

  void operator()(NodeChoice& value, const Parameter& p) { (*this)(value.file, p); }
  template <class T>
  void operator()(T& value, const Parameter& p) {
    std::optional<Heading> under;
    if (*p.heading != 0) under.emplace(*verb_, p.heading);
    Option* const option = add(value, p);
    if (p.required) option->required();
    if (p.needs.size() == 1) option->needs((*this)[p.needs.front()]);
    if (p.needs.size() > 1) {
      std::vector<const Option*> others;
      for (const std::string& other : p.needs) others.push_back((*this)[other]);
      option->needs_any(others);
    }
    for (const std::string& other : p.excludes) option->excludes((*this)[other]);
    added_[p.name] = option;
  }
  // The option of a parameter that was described.
  Option* operator[](const std::string& parameter) const { return added_.at(parameter); }

 private:
  Option* add(bool& value, const Parameter& p) {
    return verb_->add_flag(option_name(p.name), value, p.help);
  }
  template <class T>
  Option* add(T& value, const Parameter& p) {
    const std::string also = *p.also != 0 ? "," + option_name(p.also) : "";
    Option* const option = verb_->add_option(option_name(p.name) + also, value, p.help);
    if (p.least && p.most) option->range(*p.least, *p.most);
    if (p.low && p.high) option->range(*p.low, *p.high);
    if (!p.words.empty()) option->one_of(p.words);
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      if (p.commas) option->separated_by(',');
      if (!p.commas) option->one_each();
    }
    return option;
  }

  Verb* verb_;
  std::map<std::string, Option*> added_;
};

}  // namespace fatwood::cli
