// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The verbs that a request can run, and the conversion of its parameters to a command line.
//
// Parameters are those that the requests of app/ describe. A value must match a pattern that allows
// no path, and parameters that only name files are left out: a request from the network cannot name
// files. Fabric and routes are those of the server.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fatwood::serve {

struct TaskParameter {
  std::string name;     // of the request; the option of the command line is option()
  std::string pattern;  // of a value, a regular expression; kFlagValue: a flag
  std::string help;
  bool required = false;
  std::optional<std::int64_t> least = {}, most = {};

  std::string option() const;  // "--message-size"
};
inline constexpr std::string_view kFlagValue = "(1|true)";

enum class TakesRouting : bool { kNo, kYes };

struct TaskVerb {
  std::string_view name;
  std::string_view summary;
  TakesRouting routing;
  std::vector<TaskParameter> parameters;
};

const std::vector<TaskVerb>& task_verbs();
const TaskVerb* find_task_verb(std::string_view name);

// The words after fabric and routing. InputError for an unknown parameter, a value that does not
// match its pattern, or a missing parameter.
std::vector<std::string> task_options(const TaskVerb& verb,
                                      const std::map<std::string, std::string>& query);

}  // namespace fatwood::serve
