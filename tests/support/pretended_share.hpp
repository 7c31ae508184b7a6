// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A WorkShare of three processes that are all this one: what it gives has gone through bytes.

#include "core/work_share.hpp"

namespace fatwood::test {

inline WorkShare pretended_share() {
  return {.processes = 3,
          .each =
              [](std::size_t count, int /*threads*/, const SharedWork& work) {
                std::vector<std::string> results(count);
                for (std::size_t i = count; i > 0; --i) results[i - 1] = work(i - 1, 0);
                return results;
              },
          .once = [](const std::function<std::string()>& read) { return read(); }};
}

}  // namespace fatwood::test
