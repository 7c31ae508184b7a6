// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The verbs that a request can run, and the conversion of its parameters to a command line.
//
// A parameter is one option, and its value must match a pattern that allows no path: a request
// cannot name files. Fabric and routes are those of the server.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fatwood::serve {

struct TaskParameter {
  std::string_view name;     // of the request
  std::string_view option;   // of the command line
  std::string_view pattern;  // of a value, a regular expression
  std::string_view help;
  bool required = false;
};

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
