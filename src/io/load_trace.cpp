// SPDX-License-Identifier: BSD-3-Clause
#include "io/load_trace.hpp"

#include "io/chakra.hpp"
#include "io/goal.hpp"
#include "io/input.hpp"

namespace fatwood {

LoadedTrace load_trace(const std::string& path) {
  if (chakra_name(path)) return {"Chakra", read_chakra(path)};
  Input input(path);
  const std::string_view head = input.peek();
  if (looks_like_goal_binary(head)) return {"GOAL binary", read_goal_binary(input)};
  if (looks_like_goal(head)) return {"GOAL", read_goal(input)};
  throw InputError({.file = path},
                   "no trace: expected GOAL (num_ranks ...), its binary form, or Chakra files "
                   "NAME.RANK.et");
}

}  // namespace fatwood
