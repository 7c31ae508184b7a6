// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/certificate_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/error.hpp"
#include "core/text/text_file.hpp"
#include "routing/tables/lane_map.hpp"

namespace fatwood::oracle {

namespace {

// One line at a time, split at single spaces.
class CertificateReader {
 public:
  CertificateReader(std::istream& text, const std::string& name)
      : lines_(text, name), name_(name) {}

  void next(std::size_t words, std::string_view expected) {
    words_.clear();
    ++number_;
    const std::optional<std::string_view> read = lines_.next();
    if (!read) fail(fmt::format("the file ends where {} is expected", expected));
    const std::string_view line = *read;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t space = std::min(line.find(' ', at), line.size());
      words_.push_back(line.substr(at, space - at));
      at = space + 1;
    }
    if (words_.size() != words) fail(fmt::format("expected {}", expected));
  }
  void literal(std::size_t word, std::string_view text) {
    if (words_[word] != text) fail(fmt::format("expected \"{}\"", text));
  }
  std::uint64_t hex(std::size_t word) {
    const std::string_view text = words_[word];
    if (!text.starts_with("0x")) fail("expected a number that begins with 0x");
    return number(text.substr(2), 16);
  }
  std::uint64_t decimal(std::size_t word) { return number(words_[word], 10); }
  std::string_view word(std::size_t i) const { return words_[i]; }
  void end() {
    next(1, "\"end\"");
    literal(0, "end");
    ++number_;
    if (lines_.next()) fail("nothing is expected after \"end\"");
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError({name_, number_, 0}, message);
  }
  std::size_t line() const { return number_; }

 private:
  std::uint64_t number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) fail("expected a number");
    return value;
  }

  TextLines lines_;
  std::string name_;
  std::vector<std::string_view> words_;
  std::size_t number_ = 0;
};

using NodesByGuid = std::unordered_map<std::uint64_t, Node>;

NodesByGuid nodes_by_guid(const Fabric& fabric) {
  NodesByGuid nodes;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    if (!nodes.emplace(fabric.guid(node), node).second) {
      throw InputError(
          fmt::format("two nodes of the fabric have GUID {:#018x}: a certificate can't "
                      "distinguish their channels",
                      fabric.guid(node)));
    }
  }
  return nodes;
}

using Places = std::vector<std::uint32_t>;  // by channel

// The node GUID and port that a line begins with.
Channel read_channel(CertificateReader& in, const Fabric& fabric, const NodesByGuid& nodes) {
  const auto node = nodes.find(in.hex(0));
  if (node == nodes.end()) in.fail("the fabric has no node with this GUID");
  const std::uint64_t port = in.decimal(1);
  const Channel c = fabric.find_channel(node->second, port);
  if (port == 0 || c == kNone<Channel>) in.fail("the node has no such port");
  if (!fabric.connected(c)) in.fail("no cable leaves this port");
  return c;
}

Places read_lane(CertificateReader& in, const Fabric& fabric, const NodesByGuid& nodes,
                 std::uint64_t channels) {
  Places place(fabric.num_channels(), kUnplaced);
  if (channels > fabric.num_channels()) in.fail("more channels than the fabric has");
  for (std::uint32_t i = 0; i < channels; ++i) {
    in.next(2, "a channel: node GUID and port");
    const Channel c = read_channel(in, fabric, nodes);
    if (place[index(c)] != kUnplaced) in.fail("this channel has a place already");
    place[index(c)] = i;
  }
  return place;
}

// One order of channels in lanes.
std::vector<Places> read_order(CertificateReader& in, const Fabric& fabric,
                               const NodesByGuid& nodes, std::uint64_t lanes, std::uint64_t count) {
  if (count > lanes * fabric.num_channels()) in.fail("more than all channels in all lanes");
  std::vector<Places> place(lanes, Places(fabric.num_channels(), kUnplaced));
  for (std::uint32_t i = 0; i < count; ++i) {
    in.next(3, "a channel in a lane: node GUID, port and lane");
    const Channel c = read_channel(in, fabric, nodes);
    const std::uint64_t lane = in.decimal(2);
    if (lane >= lanes) in.fail(fmt::format("expected a lane below {}", lanes));
    if (place[lane][index(c)] != kUnplaced)
      in.fail("this channel has a place in this lane already");
    place[lane][index(c)] = i;
  }
  return place;
}

}  // namespace

Certificate read_certificate(std::istream& text, const std::string& name, const Fabric& fabric) {
  CertificateReader in(text, name);
  const NodesByGuid nodes = nodes_by_guid(fabric);
  Certificate certificate;
  in.next(3, "\"fatwood certificate 1\"");
  in.literal(0, "fatwood");
  in.literal(1, "certificate");
  in.literal(2, "1");
  in.next(2, "\"fabric\" and its fingerprint");
  in.literal(0, "fabric");
  certificate.fabric = in.hex(1);
  in.next(2, "\"tables\" and their fingerprint");
  in.literal(0, "tables");
  certificate.tables = in.hex(1);
  in.next(2, "\"sources all\" or \"sources terminals\"");
  if (in.word(0) == "sets") {
    certificate.adaptive = true;
    certificate.sets = in.hex(1);
    in.next(2, "\"choice every\" or \"choice some\"");
    in.literal(0, "choice");
    certificate.some_choice = in.word(1) == "some";
    if (!certificate.some_choice) in.literal(1, "every");
    in.next(2, "\"sources all\" or \"sources terminals\"");
  }
  if (in.word(0) == "lane-map") {
    certificate.changing = true;
    certificate.lane_map = in.hex(1);
    if (certificate.some_choice) in.fail("expected \"choice every\" where routes change lanes");
    in.next(2, "\"sources all\" or \"sources terminals\"");
  }
  in.literal(0, "sources");
  certificate.terminals_only = in.word(1) == "terminals";
  if (!certificate.terminals_only) in.literal(1, "all");
  in.next(2, "\"lanes\" and their number");
  in.literal(0, "lanes");
  const std::uint64_t lanes = in.decimal(1);
  if (lanes == 0 || lanes > 256) in.fail("expected 1 to 256 lanes");
  if (certificate.changing) {
    if (lanes > kLevels) in.fail(fmt::format("expected at most {} lanes", kLevels));
    in.next(2, "\"order\" and how many channels in lanes it has");
    in.literal(0, "order");
    certificate.place = read_order(in, fabric, nodes, lanes, in.decimal(1));
  }
  for (std::uint64_t lane = 0; lane < lanes && !certificate.changing; ++lane) {
    in.next(3, fmt::format("\"lane {}\" and how many channels it has", lane));
    in.literal(0, "lane");
    if (in.decimal(1) != lane) in.fail(fmt::format("expected lane {}", lane));
    certificate.place.push_back(read_lane(in, fabric, nodes, in.decimal(2)));
  }
  in.end();
  return certificate;
}

}  // namespace fatwood::oracle
