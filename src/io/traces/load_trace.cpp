// SPDX-License-Identifier: BSD-3-Clause
#include "io/traces/load_trace.hpp"

#include "io/traces/chakra.hpp"
#include "io/traces/goal.hpp"

namespace fatwood {

LoadedTrace load_trace(Input& input) {
  if (chakra_name(input.name())) return {"Chakra", read_chakra(input.name())};
  const std::string_view head = input.peek();
  if (looks_like_goal_binary(head)) return {"GOAL binary", read_goal_binary(input)};
  if (looks_like_goal(head)) return {"GOAL", read_goal(input)};
  throw InputError({.file = input.name()},
                   "no trace: expected GOAL (num_ranks ...), its binary form, Chakra files "
                   "NAME.RANK.et, a log of NCCL, or lines \"time source destination bytes\"");
}

}  // namespace fatwood
