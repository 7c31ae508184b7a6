// SPDX-License-Identifier: BSD-3-Clause
#include "serve/api/task_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "core/error.hpp"

namespace fatwood::serve {

namespace {

constexpr std::size_t kMostValue = 4000;

constexpr std::string_view kNumber = "[0-9]{1,9}";
constexpr std::string_view kWord = "[A-Za-z0-9_+:.-]{1,64}";
// Names of hosts, folded or not; no path, no @FILE.
constexpr std::string_view kHosts = "[A-Za-z0-9_.,\\[\\]-]+";
constexpr std::string_view kNode = "[A-Za-z0-9_.: ()\\[\\]-]+";
constexpr std::string_view kSize = "[0-9.]{1,12}[kKMGTi]{0,2}[bB]?";
constexpr std::string_view kTraffic =
    "(alltoall|permutation|shifts|ring|doubling|halving|complement|reverse|transpose|shuffle|"
    "(shift|cluster|hotspot):[0-9]+)";
constexpr std::string_view kAmong = "(all|compute|storage|service)";

const std::regex& regex_of(std::string_view pattern) {
  static std::map<std::string_view, std::regex> known = [] {
    std::map<std::string_view, std::regex> made;
    for (const TaskVerb& verb : task_verbs()) {
      for (const TaskParameter& one : verb.parameters) {
        made.try_emplace(one.pattern, std::string(one.pattern));
      }
    }
    return made;
  }();
  return known.at(pattern);
}

}  // namespace

const std::vector<TaskVerb>& task_verbs() {
  static const std::vector<TaskVerb> verbs{
      {"show", "What the fabric is and what is wrong with its cabling", TakesRouting::kNo, {}},
      {"verify", "Whether the routes reach every pair and can deadlock", TakesRouting::kYes, {}},
      {"load",
       "What a traffic pattern puts on each link",
       TakesRouting::kYes,
       {{"traffic", "--traffic", kTraffic, "the pattern", true},
        {"top", "--top", kNumber, "how many of the most loaded links"},
        {"among", "--among", kAmong, "the hosts that take part"}}},
      {"compare",
       "The engines side by side",
       TakesRouting::kNo,
       {{"among", "--among", kAmong, "the hosts that take part"}}},
      {"whatif",
       "What each loss costs, what to put back first",
       TakesRouting::kYes,
       {{"lose", "--lose", kNode, "a switch or cable that is lost"},
        {"only", "--only", "(cables|switches)", "which losses"},
        {"top", "--top", kNumber, "how many losses"}}},
      {"worst", "The worst traffic for the routes", TakesRouting::kYes, {}},
      {"permutations",
       "Random permutations",
       TakesRouting::kYes,
       {{"samples", "--samples", kNumber, "how many"},
        {"among", "--among", kAmong, "the hosts that take part"}}},
      {"job",
       "How long a collective takes",
       TakesRouting::kYes,
       {{"hosts", "--hosts", kHosts, "the hosts, as Slurm lists them, or all", true},
        {"collective", "--collective", kWord, "such as allreduce:ring", true},
        {"message_size", "--message-size", kSize, "such as 1G", true}}},
      {"trace",
       "The path between two end ports",
       TakesRouting::kYes,
       {{"from", "--from", kNode, "where it starts", true},
        {"to", "--to", kNode, "where it ends", true}}},
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
    const auto at = query.find(std::string(parameter.name));
    if (at == query.end()) {
      if (!parameter.required) continue;
      throw InputError(
          fmt::format("{} needs the parameter {}: {}", verb.name, parameter.name, parameter.help));
    }
    const std::string& value = at->second;
    if (value.size() > kMostValue || value.starts_with('-') ||
        !std::regex_match(value, regex_of(parameter.pattern))) {
      throw InputError(fmt::format("parameter {}: expected {}, as {}", parameter.name,
                                   parameter.help, parameter.pattern));
    }
    words.emplace_back(parameter.option);
    words.push_back(value);
  }
  return words;
}

}  // namespace fatwood::serve
