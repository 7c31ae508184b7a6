// SPDX-License-Identifier: BSD-3-Clause
// Reads lengths of channels, as `fatwood load --bound` writes them.

#include "files.hpp"
#include "lines.hpp"

namespace check {
namespace {

using Names = std::unordered_map<std::string, std::uint32_t>;

// By GUID, or by name as in the fabric's file.
std::uint32_t node_of(Lines& lines, const Fabric& fabric, const Names& by_name) {
  if (lines.accept("0x")) {
    const auto node = fabric.by_guid.find(lines.guid("a GUID"));
    if (node == fabric.by_guid.end()) lines.fail("the fabric has no node with this GUID");
    return node->second;
  }
  const std::size_t bracket = lines.rest().rfind('[');
  if (bracket == std::string_view::npos) lines.fail("expected NODE[PORT]");
  const std::string name(lines.rest().substr(0, bracket));
  const auto node = by_name.find(name);
  if (node == by_name.end()) lines.fail("the fabric has no node called \"" + name + "\"");
  if (node->second == kNobody) lines.fail("several nodes are called \"" + name + "\"");
  lines.accept(name);
  return node->second;
}

}  // namespace

Lengths read_lengths(const std::string& path, const Fabric& fabric) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  Lines lines(path);
  Lengths lengths;
  lengths.of.resize(fabric.channels);
  std::vector<bool> given(fabric.channels);
  Names by_name;
  for (std::uint32_t n = 0; n < fabric.nodes.size(); ++n) {
    const auto [at, fresh] = by_name.emplace(fabric.nodes[n].name, n);
    if (!fresh) at->second = kNobody;  // no name to rely on
  }
  int part = 0;  // head, bound, channels
  while (lines.next()) {
    if (lines.at_end() || lines.peek() == '#') continue;
    if (part == 0) {
      lines.expect("fatwood-lengths 1");
    } else if (part == 1) {
      lines.expect("bound ");
      lengths.numerator = lines.decimal(kMost, "a bound");
      if (lines.accept("/")) lengths.denominator = lines.decimal(kMost, "a denominator");
      if (lengths.denominator == 0) lines.fail("expected a denominator above 0");
    } else {
      const std::uint64_t length = lines.decimal(kNobody, "a length");
      lines.expect(" ");
      const std::uint32_t node = node_of(lines, fabric, by_name);
      lines.expect("[");
      const std::uint64_t port = lines.decimal(kMaxPorts, "a port");
      lines.expect("]");
      const std::vector<Port>& ports = fabric.nodes[node].ports;
      if (port >= ports.size() || ports[port].channel == kNobody) {
        lines.fail("no cable leaves this port");
      }
      const std::uint32_t channel = ports[port].channel;
      if (given[channel]) lines.fail("this channel has a length already");
      given[channel] = true;
      lengths.of[channel] = static_cast<std::uint32_t>(length);
    }
    if (!lines.at_end()) lines.fail("expected the end of the line");
    if (part < 2) ++part;
  }
  if (part < 2) lines.ends_early(part == 0 ? "\"fatwood-lengths 1\"" : "\"bound\"");
  return lengths;
}

}  // namespace check
