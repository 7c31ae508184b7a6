// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which switch a file belongs to, and which port a switch means, by names.

#include <string>
#include <string_view>
#include <unordered_map>

#include "topology/fabric.hpp"

namespace fatwood {

class SwitchNames {
 public:
  explicit SwitchNames(const Fabric& fabric);

  // Of a file, by its own name or that of a folder; kNone if there is none.
  Switch of_file(const std::string& name) const;

 private:
  std::unordered_map<std::string, Switch> by_name_;
};

// The ports of a switch by the names of its operating system: labels, otherwise the number.
class PortNames {
 public:
  // `labels`: by channel, or empty.
  PortNames(const Fabric& fabric, const Names& labels, Switch s);

  // kNoRoute: no port of the fabric.
  Port find(std::string_view name) const;

 private:
  Port find_word(const std::string& word) const;

  const Fabric& fabric_;
  Switch switch_;
  std::unordered_map<std::string, Port> by_label_;
};

// A name that cannot lead to another switch: a VLAN, a bridge, a loopback.
bool is_for_hosts(std::string_view name);

}  // namespace fatwood
