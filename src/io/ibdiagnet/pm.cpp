// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/pm.hpp"

#include <charconv>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "io/base/cursor.hpp"
#include "io/base/records.hpp"
#include "io/fabric/node_words.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostCounters = 256;

struct Count {
  std::size_t port = 0;  // number of the block
  std::size_t column = 0;
  std::uint64_t value = 0;
};

class CountersReader {
 public:
  explicit CountersReader(Input& input) : input_(input), warnings_(input.name()) {}

  SideData run() {
    each_line();
    frame_.require_closed(input_);
    SideData side;
    side.warnings = warnings_.texts();
    SideData::Counters& to = side.counters.emplace_back();
    to.names = std::move(names_);
    to.keys = std::move(keys_);
    to.values.assign(to.keys.size() * to.names.size(), kNoCount);
    for (const Count& count : counts_) {
      to.values[count.port * to.names.size() + count.column] = count.value;
    }
    return side;
  }

 private:
  void each_line() {
    while (const auto text = input_.next_line(warnings_)) {
      Cursor line(*text, input_.name(), input_.line_number());
      line.skip_space();
      if (line.peek() == '#') {
        frame_.see(line.rest());
      } else if (line.accept("Port=")) {
        read_port(line);
      } else if (!line.at_end() && line.peek() != '-') {
        read_counter(line);
      }
    }
  }

  void read_port(Cursor& line) {
    PortKey key;
    key.port = static_cast<std::uint32_t>(line.decimal("a port's number", kMaxPorts));
    const std::size_t at = line.rest().find("GUID=0x");
    if (at == std::string_view::npos) line.expected("the port's GUID=0x...");
    line.advance(at + std::string_view("GUID=").size());
    key.guid = line.hex("a GUID");
    keys_.push_back(key);
  }

  void read_counter(Cursor& line) {
    const std::string_view text = line.rest();
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
      line.expected("'Port=' or 'counter=value'");
    if (keys_.empty()) line.expected("'Port=' before the first counter");
    const auto [at, fresh] = column_.emplace(text.substr(0, equals), names_.size());
    if (fresh) names_.push_back(at->first);
    if (names_.size() > kMostCounters) line.fail("expected at most 256 different counters");
    std::string_view value = text.substr(equals + 1);
    if (!value.starts_with("0x")) return;  // NA
    value.remove_prefix(2);
    Count count{keys_.size() - 1, at->second, 0};
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), count.value, 16);
    if (error == std::errc{}) counts_.push_back(count);
  }

  Input& input_;
  Warnings warnings_;
  Frame frame_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> column_;
  std::vector<PortKey> keys_;
  std::vector<Count> counts_;
};

}  // namespace

bool looks_like_pm(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return line.starts_with("Port=") && line.find("GUID=0x") != std::string_view::npos;
  });
}

SideData read_pm(Input& input) { return CountersReader(input).run(); }

}  // namespace fatwood
