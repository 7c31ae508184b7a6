// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/cables.hpp"

#include <utility>

#include "core/text/split.hpp"
#include "io/base/cursor.hpp"
#include "io/base/records.hpp"
#include "io/fabric/node_words.hpp"

namespace fatwood {

namespace {

class CablesReader {
 public:
  explicit CablesReader(Input& input) : input_(input), warnings_(input.name()) {}

  SideData run() {
    while (const auto text = input_.next_line(warnings_)) {
      Cursor line(*text, input_.name(), input_.line_number());
      line.skip_space();
      if (line.peek() == '#') {
        frame_.see(line.rest());
      } else if (line.accept("Port=")) {
        side_.cables.push_back({port_of(line), {}});
      } else if (!line.at_end() && line.peek() != '-') {
        read_fact(line);
      }
    }
    frame_.require_closed(input_);
    side_.warnings = warnings_.texts();
    return std::move(side_);
  }

 private:
  static PortKey port_of(Cursor& line) {
    PortKey key;
    key.port = static_cast<std::uint32_t>(line.decimal("a port's number", kMaxPorts));
    const std::size_t at = line.rest().find("GUID=0x");
    if (at == std::string_view::npos) line.expected("the port's GUID=0x...");
    line.advance(at + std::string_view("GUID=").size());
    key.guid = line.hex("a GUID");
    return key;
  }

  void read_fact(Cursor& line) {
    const std::size_t colon = line.rest().find(':');
    if (colon == std::string_view::npos || colon == 0) line.expected("'Port=' or 'Key: value'");
    if (side_.cables.empty()) line.expected("'Port=' before the first key");
    const std::string_view key = trimmed(line.rest().substr(0, colon));
    const std::string_view value = trimmed(line.rest().substr(colon + 1));
    if (value.empty() || value == "N/A" || value == "NA") return;
    CableFacts& facts = side_.cables.back().facts;
    if (key == "PN") facts.part = value;
    if (key == "SN") facts.serial = value;
    if (key == "Type") facts.type = value;
    if (key == "Length") facts.length_m = parse_metres(value);
    if (key == "Temperature") facts.celsius = parse_celsius(value);
    if (key == "AlarmTemperatureHighThresh") facts.limit_celsius = parse_celsius(value);
  }

  Input& input_;
  Warnings warnings_;
  Frame frame_;
  SideData side_;
};

}  // namespace

bool looks_like_cables(std::string_view head) {
  bool port = false;
  return any_line(head, [&](std::string_view line) {
    port = port || (line.starts_with("Port=") && line.find("GUID=0x") != std::string_view::npos);
    // ibdiagnet2.pm has the same blocks, with "counter=value".
    const std::size_t colon = line.find(':');
    return port && colon != std::string_view::npos && !line.starts_with("Port=") &&
           !line.starts_with('#') && line.find('=') == std::string_view::npos;
  });
}

SideData read_cables(Input& input) { return CablesReader(input).run(); }

}  // namespace fatwood
