// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The role of a host by its name: the last resort of roles.hpp.
//
// A name is split into words of letters ("gpu-login02" has "gpu" and "login"). Only whole words
// count, so "blogin" says nothing. The stem of a name has '#' in place of each number: "luna-0129"
// and "luna-0002" have the same stem.

#include <optional>
#include <string>
#include <string_view>

#include "topology/hosts/roles.hpp"

namespace fatwood {

// The role that a word of the name stands for. Words for storage or service outrank words for
// compute ("login-gpu1"); of several words, the last counts.
std::optional<Role> role_in_name(std::string_view name);

std::string name_stem(std::string_view name);

}  // namespace fatwood
