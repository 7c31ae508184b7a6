// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Converts names for other programs. Descriptions come from devices and may contain any byte.

#include <string>
#include <string_view>

#include "core/text/split.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// The name of a node's kind in files: adapter, switch or router.
std::string_view kind_name(NodeKind kind);
// Replaces control bytes by blanks, so that no line ends.
std::string one_line(std::string_view text);
// Bytes that are not UTF-8 are read as Latin-1.
std::string as_utf8(std::string_view text);
// In quotes, escaped for JSON.
std::string json_quoted(std::string_view text);
// The description, or the id of a node that has none.
std::string_view description_or_id(const Fabric& fabric, Node node);

}  // namespace fatwood
