// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parameters of a request that differ from their defaults, as words of a command line.

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "app/parameter.hpp"
#include "cli/options/add_options.hpp"

namespace fatwood::cli {

struct GivenOption {
  std::string name;  // "--fault-seed"
  bool flag = false;
  bool file = false;
  std::vector<std::string> words = {};  // of an option; a flag has none

  friend bool operator==(const GivenOption&, const GivenOption&) = default;
};

struct GivenOptions {
  template <class Request>
  explicit GivenOptions(Request request) {
    Collect all, defaults;
    Request unset{};
    describe(all, request);
    describe(defaults, unset);
    for (std::size_t i = 0; i < all.options.size(); ++i) {
      if (all.options[i] != defaults.options[i]) options.push_back(std::move(all.options[i]));
    }
  }

  std::vector<GivenOption> options;

 private:
  struct Collect {
    void operator()(bool value, const Parameter& p) {
      options.push_back({option_name(p.name), value});
    }
    void operator()(const NodeChoice& value, const Parameter& p) {
      words(p, value.file.empty() ? value.names : std::vector{value.file}, true);
    }
    void operator()(const std::string& value, const Parameter& p) {
      words(p, value.empty() ? std::vector<std::string>{} : std::vector{value}, p.file);
    }
    void operator()(const std::vector<std::string>& value, const Parameter& p) {
      words(p, value, p.file);
    }
    template <std::integral T>
    void operator()(T value, const Parameter& p) {
      words(p, {std::to_string(value)}, false);
    }
    template <class T>
    void operator()(const std::optional<T>& value, const Parameter& p) {
      words(p, value ? std::vector{std::to_string(*value)} : std::vector<std::string>{}, false);
    }
    void words(const Parameter& p, std::vector<std::string> list, bool file) {
      options.push_back({option_name(p.name), false, file, std::move(list)});
    }
    std::vector<GivenOption> options;
  };
};

}  // namespace fatwood::cli
