// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Messages with their times: lines "time source destination bytes"; '#' starts a comment. Time is
// in nanoseconds (decimals allowed), in any order; an end is a host as AdapterNames finds it; bytes
// are 4096, 4k or 2M. The same format as for `fatwood sim --trace`, without switches.

#include <string_view>
#include <vector>

#include "io/base/input.hpp"
#include "traffic/jobs/recorded_run.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

// In order of time. InputError with line and column, also for a file without messages.
std::vector<TimedMessage> read_message_list(Input& input, const AdapterNames& names);

// Whether the first line that is not a comment has four words and begins with a number.
bool looks_like_messages(std::string_view bytes);

}  // namespace fatwood
