// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/raw_fabric.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/text/natural_order.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/printable.hpp"
#include "io/fabric/node_words.hpp"
#include "topology/builder.hpp"

namespace fatwood {

namespace {
constexpr std::size_t kMaxFilePorts = std::size_t{1} << 24;

std::string quote(std::string_view id) { return '"' + std::string(id) + '"'; }
std::string end_name(const RawFabric& raw, std::uint32_t node, std::uint32_t port) {
  return quote(raw.nodes[node].id) + '[' + std::to_string(port) + ']';
}
}  // namespace

std::uint32_t RawFabric::intern(std::string_view name, std::size_t line, std::size_t column) {
  const std::string id = printable(name);  // as the fabric will have it
  if (const auto found = by_id_.find(id); found != by_id_.end()) return found->second;
  const auto node = static_cast<std::uint32_t>(nodes.size());
  by_id_.emplace(id, node);
  RawNode& made = nodes.emplace_back();
  made.id = id;
  made.line = line;
  made.column = column;
  return node;
}

std::optional<std::uint32_t> RawFabric::find(std::string_view id) const {
  const auto found = by_id_.find(printable(id));
  if (found == by_id_.end()) return std::nullopt;
  return found->second;
}

void RawFabric::forget() {
  nodes.clear();
  links.clear();
  addresses.clear();
  labels.clear();
  order.clear();
  by_id_.clear();
}

void RawFabric::declare(std::uint32_t node) {
  nodes[node].declared = true;
  order.push_back(node);
}

namespace {

// Nodes that are named by links only.
void settle_undeclared(RawFabric& raw) {
  const bool no_end_nodes = std::none_of(raw.order.begin(), raw.order.end(), [&](std::uint32_t n) {
    return raw.nodes[n].kind != NodeKind::kSwitch;
  });
  std::size_t made = 0;
  std::size_t first_line = 0;
  for (std::uint32_t n = 0; n < raw.nodes.size(); ++n) {
    RawNode& node = raw.nodes[n];
    if (node.declared) continue;
    if (!no_end_nodes || !(node.id.starts_with("H-") || node.id.starts_with("R-"))) {
      throw cut_short(
          {raw.file, node.line, node.column},
          quote(node.id) + " has no record of its own; expected one before the end of the file");
    }
    node.kind = node.id.starts_with("R-") ? NodeKind::kRouter : NodeKind::kAdapter;
    node.guid = guid_in_id(node.id);
    for (const RawLink& link : raw.links) {
      if (made > 0) break;  // all ports are counted in the first round
      RawNode& other = raw.nodes[link.other];
      if (!other.declared) other.ports = std::max(other.ports, link.other_port);
    }
    if (made++ == 0) first_line = node.line;
    raw.declare(n);
  }
  if (made > 0) {
    raw.warnings.add(first_line, "no record of any end node: " + std::to_string(made) +
                                     " are made from the links that name them");
  }
}

class Assembler {
 public:
  explicit Assembler(RawFabric& raw) : raw_(raw), handle_(raw.nodes.size()) {
    first_.resize(raw.nodes.size());
  }

  Fabric run() {
    add_nodes();
    link_at_.resize(slots_, kNobody);
    for (const RawLink& link : raw_.links) add_link(link);
    for (const RawAddress& given : raw_.addresses) {
      builder_.set_address(handle_[given.node], static_cast<Port>(given.port), given.address);
    }
    if (raw_.both_ends) report_one_sided();
    report_lids_of_switches();
    return builder_.build();
  }

 private:
  void add_nodes() {
    std::unordered_map<std::uint64_t, std::uint32_t> by_guid;
    for (const std::uint32_t n : raw_.order) {
      const RawNode& node = raw_.nodes[n];
      first_[n] = slots_;
      slots_ += node.ports + 1;
      if (node.ports > kMaxPorts) {
        throw InputError({raw_.file, node.line, node.column},
                         quote(node.id) + " has " + std::to_string(node.ports) +
                             " ports; expected " + std::to_string(kMaxPorts) + " at most");
      }
      if (slots_ > kMaxFilePorts) {
        throw InputError({raw_.file, node.line, node.column},
                         "more than 16777216 ports; expected a smaller fabric");
      }
      handle_[n] = builder_.add(node.kind, node.id, node.ports, node.guid);
      if (!node.description.empty()) builder_.set_description(handle_[n], node.description);
      builder_.set_hardware(handle_[n], node.hardware);
      if (node.kind == NodeKind::kSwitch) builder_.set_address(handle_[n], kOwnPort, node.address);
      if (node.guid == 0) continue;
      if (const auto [at, fresh] = by_guid.emplace(node.guid, n); !fresh) {
        raw_.warnings.add(node.line, quote(node.id) + " has the GUID of " +
                                         quote(raw_.nodes[at->second].id) + " (line " +
                                         std::to_string(raw_.nodes[at->second].line) + ")");
      }
    }
  }

  void check_port(const RawLink& link, std::uint32_t node, std::uint32_t port) const {
    const std::uint32_t ports = raw_.nodes[node].ports;
    if (port >= 1 && port <= ports) return;
    throw InputError({raw_.file, link.line, 1}, quote(raw_.nodes[node].id) + " has no port " +
                                                    std::to_string(port) + "; expected 1 to " +
                                                    std::to_string(ports));
  }

  [[noreturn]] void contradiction(const RawLink& link, std::uint32_t node,
                                  std::uint32_t port) const {
    const auto there = builder_.peer(handle_[node], static_cast<Port>(port));
    const auto other = std::find(handle_.begin(), handle_.end(), there->first);
    const RawLink* const earlier = link_at(node, port);
    throw InputError(
        {raw_.file, link.line, 1},
        end_name(raw_, link.node, link.port) + " can't be connected to " +
            end_name(raw_, link.other, link.other_port) + ": " + end_name(raw_, node, port) +
            " is connected to " +
            end_name(raw_, static_cast<std::uint32_t>(other - handle_.begin()),
                     index(there->second)) +
            (earlier != nullptr ? " by line " + std::to_string(earlier->line) : " already"));
  }

  void add_link(const RawLink& link) {
    check_port(link, link.node, link.port);
    check_port(link, link.other, link.other_port);
    if (link.node == link.other && link.port == link.other_port) {
      throw InputError(
          {raw_.file, link.line, 1},
          end_name(raw_, link.node, link.port) + " is connected to itself; expected another port");
    }
    const auto port = static_cast<Port>(link.port);
    const auto other_port = static_cast<Port>(link.other_port);
    const auto here = builder_.peer(handle_[link.node], port);
    const auto there = builder_.peer(handle_[link.other], other_port);
    if (!here && !there) {
      builder_.connect(handle_[link.node], port, handle_[link.other], other_port, link.rate);
    } else if (here && *here == std::pair{handle_[link.other], other_port}) {
      if (const RawLink* const before = link_at(link.node, link.port); before != nullptr) {
        raw_.warnings.add(link.line, "duplicate: " + end_name(raw_, link.node, link.port) + " to " +
                                         end_name(raw_, link.other, link.other_port) +
                                         " is also on line " + std::to_string(before->line));
        return;
      }
      check_agreement(link);
    } else if (here) {
      contradiction(link, link.node, link.port);
    } else {
      contradiction(link, link.other, link.other_port);
    }
    set_addresses(link);
    link_at_[first_[link.node] + link.port] = static_cast<std::uint32_t>(&link - raw_.links.data());
  }

  // Compares the second record of a cable with the first.
  void check_agreement(const RawLink& link) {
    const RawLink* const other = link_at(link.other, link.other_port);
    if (other == nullptr) return;
    const RawLink& before = *other;
    if (link.rate != before.rate) {
      const auto speed = [](Rate rate) { return std::pair{gigabits(rate), rate.width}; };
      const auto [slower, faster] = std::ranges::minmax(link.rate, before.rate, {}, speed);
      const bool both = link.rated && before.rated && slower != Rate{};
      const Rate only = !link.rated ? before.rate : !before.rated ? link.rate : faster;
      builder_.set_rate(handle_[link.node], static_cast<Port>(link.port), both ? slower : only);
      if (both) {
        raw_.warnings.add(link.line, end_name(raw_, link.node, link.port) + " says " +
                                         to_string(link.rate) + ", its other end " +
                                         to_string(before.rate) + " (line " +
                                         std::to_string(before.line) + "); the slower is taken");
      }
    }
    const Lid own = link.end.lid;
    const Lid other_end = before.other_end.lid;
    if (own != kNoLid && other_end != kNoLid && own != other_end) {
      raw_.warnings.add(link.line, end_name(raw_, link.node, link.port) + " says its LID is " +
                                       std::to_string(index(own)) + ", its other end " +
                                       std::to_string(index(other_end)) + " (line " +
                                       std::to_string(before.line) + "); the former is taken");
    }
  }

  // A port's own record counts; the other end's record fills the gaps.
  void set_addresses(const RawLink& link) {
    const RawLink* const other = link_at(link.other, link.other_port);
    if (raw_.nodes[link.other].kind != NodeKind::kSwitch && other == nullptr) {
      builder_.set_address(handle_[link.other], static_cast<Port>(link.other_port), link.other_end);
    }
    if (raw_.nodes[link.node].kind == NodeKind::kSwitch) return;
    Address own = link.end;
    if (other != nullptr && own.guid == 0) own.guid = other->other_end.guid;
    if (other != nullptr && own.lid == kNoLid) own.lid = other->other_end.lid;
    builder_.set_address(handle_[link.node], static_cast<Port>(link.port), own);
  }

  void report_one_sided() {
    for (const RawLink& link : raw_.links) {
      if (link_at(link.other, link.other_port) != nullptr) continue;
      raw_.warnings.add(link.line, "one-sided: " + end_name(raw_, link.node, link.port) + " to " +
                                       end_name(raw_, link.other, link.other_port) +
                                       ", which does not list it");
    }
  }

  // Neighbours of a switch have its LID, too. One warning for each switch: if its record is wrong,
  // all its neighbours disagree.
  void report_lids_of_switches() {
    struct Disagreement {
      const RawLink* first = nullptr;
      std::size_t count = 0;
    };
    std::map<std::uint32_t, Disagreement> found;  // by switch
    for (const RawLink& link : raw_.links) {
      const RawNode& other = raw_.nodes[link.other];
      const Lid said = link.other_end.lid;
      if (other.kind != NodeKind::kSwitch || said == kNoLid || other.address.lid == kNoLid)
        continue;
      if (said == other.address.lid) continue;
      Disagreement& one = found[link.other];
      if (one.count++ == 0) one.first = &link;
    }
    for (const auto& [n, one] : found) {
      const RawNode& node = raw_.nodes[n];
      raw_.warnings.add(
          one.first->line,
          quote(node.id) + " has LID " + std::to_string(index(one.first->other_end.lid)) +
              " here and LID " + std::to_string(index(node.address.lid)) +
              " in its own record (line " + std::to_string(node.line) + "), which is taken" +
              (one.count > 1
                   ? "; " + std::to_string(one.count) + " lines of neighbours disagree with it"
                   : ""));
    }
  }

  // The link in this port's own record; none yet, or none at all.
  const RawLink* link_at(std::uint32_t node, std::uint32_t port) const {
    const std::uint32_t link = link_at_[first_[node] + port];
    return link == kNobody ? nullptr : &raw_.links[link];
  }

  static constexpr std::uint32_t kNobody = 0xffffffffU;
  RawFabric& raw_;
  FabricBuilder builder_;
  std::vector<FabricBuilder::Handle> handle_;  // by raw node
  std::vector<std::size_t> first_;             // slot of port 0, by raw node
  std::vector<std::uint32_t> link_at_;         // by slot: the link in its own record
  std::size_t slots_ = 0;
};

// By raw node; ids are unique.
std::vector<Node> numbered(const RawFabric& raw, const Fabric& fabric) {
  std::unordered_map<std::string_view, Node> by_id;
  for (const Node node : ids<Node>(fabric.num_nodes())) by_id.emplace(fabric.id(node), node);
  std::vector<Node> node_of(raw.nodes.size(), kNone<Node>);
  for (const std::uint32_t n : raw.order) node_of[n] = by_id.at(raw.nodes[n].id);
  return node_of;
}

Names labels_of(const RawFabric& raw, const Fabric& fabric) {
  Names labels;
  if (raw.labels.empty()) return labels;
  const std::vector<Node> node_of = numbered(raw, fabric);
  std::vector<std::string_view> by_channel(fabric.num_channels());
  for (const RawLabel& label : raw.labels) {
    const Channel c = fabric.find_channel(node_of[label.node], label.port);
    if (c != kNone<Channel>) by_channel[index(c)] = label.text;
  }
  for (const std::string_view text : by_channel) labels.push_back(text);
  return labels;
}

}  // namespace

LoadedFabric assemble(RawFabric&& raw, std::string format) {
  if (raw.order.empty()) {
    throw InputError({raw.file}, "has no nodes; expected at least one switch or adapter");
  }
  settle_undeclared(raw);
  // Nodes without GUIDs get them, and nodes that share one are numbered, in the order of their ids:
  // the order of lines counts for nothing.
  std::ranges::sort(raw.order, [&](std::uint32_t a, std::uint32_t b) {
    const RawNode& x = raw.nodes[a];
    const RawNode& y = raw.nodes[b];
    return x.guid != y.guid ? x.guid < y.guid : natural_less(x.id, y.id);
  });
  LoadedFabric loaded;
  loaded.fabric = Assembler(raw).run();
  loaded.format = std::move(format);
  loaded.warnings = raw.warnings.texts();
  loaded.run.labels = labels_of(raw, loaded.fabric);
  return loaded;
}

}  // namespace fatwood
