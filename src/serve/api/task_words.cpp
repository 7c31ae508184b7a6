// SPDX-License-Identifier: BSD-3-Clause
#include "serve/api/task_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <type_traits>

#include "app/job.hpp"
#include "app/load.hpp"
#include "app/permutations.hpp"
#include "app/questions.hpp"
#include "app/whatif.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"

namespace fatwood::serve {

namespace {

constexpr std::size_t kMostValue = 4000;

// The parameters of a request that may come from the network.
class NetworkParameters {
 public:
  void operator()(bool&, const Parameter& p) { add(p, std::string(kFlagValue)); }
  void operator()(NodeChoice&, const Parameter&) {}
  void operator()(std::string&, const Parameter& p) { add_text(p); }
  void operator()(std::vector<std::string>&, const Parameter& p) { add_text(p); }
  template <class T>
  void operator()(T&, const Parameter& p) {
    add(p, std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>> ? "[0-9.]{1,12}"
                                                                                 : "[0-9]{1,9}");
  }
  std::vector<TaskParameter> list;

 private:
  void add_text(const Parameter& p) {
    if (!p.words.empty()) {
      add(p, fmt::format("({})", fmt::join(p.words, "|")));
    } else if (*p.pattern != 0) {
      add(p, p.pattern);
    }
  }
  void add(const Parameter& p, std::string pattern) {
    list.push_back({p.name, std::move(pattern), p.help, p.required, p.least, p.most});
  }
};

template <class Question>
std::vector<TaskParameter> parameters() {
  Question question;
  NetworkParameters found;
  describe(found, question);
  return std::move(found.list);
}

const std::regex& regex_of(std::string_view pattern) {
  static std::map<std::string_view, std::regex> known = [] {
    std::map<std::string_view, std::regex> made;
    for (const TaskVerb& verb : task_verbs()) {
      for (const TaskParameter& one : verb.parameters) {
        made.try_emplace(one.pattern, one.pattern);
      }
    }
    return made;
  }();
  return known.at(pattern);
}

}  // namespace

std::string TaskParameter::option() const {
  std::string option = "--" + name;
  std::ranges::replace(option, '_', '-');
  return option;
}

const std::vector<TaskVerb>& task_verbs() {
  constexpr auto kNo = TakesRouting::kNo, kYes = TakesRouting::kYes;
  static const std::vector<TaskVerb> verbs{
      {"show", "What the fabric is and what is wrong with its cabling", kNo, {}},
      {"verify", "Whether the routes reach every pair and can deadlock", kYes,
       parameters<VerifyQuestion>()},
      {"load", "What a traffic pattern puts on each link", kYes, parameters<LoadQuestion>()},
      {"compare", "The engines side by side", kNo, parameters<CompareQuestion>()},
      {"whatif", "What each loss costs, what to put back first", kYes,
       parameters<WhatifQuestion>()},
      {"worst", "The worst traffic for the routes", kYes, parameters<WorstQuestion>()},
      {"permutations", "Random permutations", kYes, parameters<PermutationQuestion>()},
      {"job", "How long a collective takes", kYes, parameters<JobQuestion>()},
      {"trace", "The path between two end ports", kYes, parameters<TraceQuestion>()},
  };
  return verbs;
}

const TaskVerb* find_task_verb(std::string_view name) {
  const auto at = std::ranges::find(task_verbs(), name, &TaskVerb::name);
  return at == task_verbs().end() ? nullptr : &*at;
}

std::vector<std::string> task_options(const TaskVerb& verb,
                                      const std::map<std::string, std::string>& query) {
  for (const auto& [name, value] : query) {
    if (std::ranges::find(verb.parameters, name, &TaskParameter::name) == verb.parameters.end()) {
      throw InputError(fmt::format("{} has no parameter {}", verb.name, name));
    }
  }
  std::vector<std::string> words;
  for (const TaskParameter& parameter : verb.parameters) {
    const auto at = query.find(parameter.name);
    if (at == query.end()) {
      if (!parameter.required) continue;
      throw InputError(
          fmt::format("{} needs {}: {}", verb.name, param(parameter.name), parameter.help));
    }
    const std::string& value = at->second;
    const auto expected = [&](const std::string& what) {
      return InputError(fmt::format("{}: expected {}", param(parameter.name, value), what));
    };
    if (value.size() > kMostValue || value.starts_with('-') ||
        !std::regex_match(value, regex_of(parameter.pattern))) {
      throw expected(fmt::format("{}, as {}", parameter.help, parameter.pattern));
    }
    const auto number = parse_number<std::int64_t>(value);
    if ((parameter.least && number < parameter.least) ||
        (parameter.most && number > parameter.most)) {
      throw expected(fmt::format("a number from {} to {}", *parameter.least, *parameter.most));
    }
    words.push_back(parameter.option());
    if (parameter.pattern != kFlagValue) words.push_back(value);
  }
  return words;
}

}  // namespace fatwood::serve
