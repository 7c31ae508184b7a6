// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/random.hpp"
#include "topology/change/fabric_change.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/levels/levels.hpp"
#include "topology/node_names.hpp"

namespace fatwood {

namespace {

// The number and levels that a request names.
struct Selection {
  double share = 1;  // of those there are, unless there is a count
  std::optional<std::uint32_t> count;
  bool all = false;
  std::optional<std::pair<unsigned, unsigned>> levels;  // low, high
};

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_char(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// "@2-3", "@2": nothing when it is something else.
bool take_levels(std::string_view& text, Selection& selection) {
  if (!take_char(text, '@')) return true;
  std::pair<unsigned, unsigned> levels;
  if (!take_number(text, levels.first)) return false;
  levels.second = levels.first;
  if (take_char(text, '-') && !take_number(text, levels.second)) return false;
  if (levels.first > levels.second) std::swap(levels.first, levels.second);
  selection.levels = levels;
  return true;
}

// Nothing when the text is no number of things, so that it must be a name.
std::optional<Selection> parse_selection(std::string_view text) {
  Selection selection;
  if (text.starts_with('@')) {
    selection.all = true;
    if (!take_levels(text, selection) || !text.empty()) return std::nullopt;
    return selection;
  }
  double number = 0;
  std::string_view rest = text;
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  if (take_number(rest, number) && take_char(rest, '%')) {
    selection.share = number / 100;
  } else {
    rest = text;
    std::uint32_t count = 0;
    if (!take_number(rest, count)) return std::nullopt;
    selection.count = count;
  }
  if (!take_levels(rest, selection) || !rest.empty()) return std::nullopt;
  return selection;
}

class FaultFinder {
 public:
  FaultFinder(const Fabric& fabric, const FaultOptions& options)
      : fabric_(fabric),
        options_(options),
        cut_(fabric.num_channels(), 0),
        removed_(fabric.num_nodes(), 0),
        mark_(fabric.num_nodes(), 0) {}

  void take(const FaultRequest& order) {
    ++number_;
    if (order.text.empty()) throw InputError(order.where, "expected what is to be cut or removed");
    if (order.kind == FaultKind::kSpeed) return take_speed(order);
    if (order.kind == FaultKind::kAdd) {
      faults_.added.push_back(parse_addition(order.text, levels().height, order.where));
      return;
    }
    const std::optional<Selection> selection = parse_selection(order.text);
    if (!selection) {
      take_named(order);
    } else if (order.kind == FaultKind::kCut) {
      cut_some(order, *selection);
    } else {
      remove_some(order, *selection);
    }
  }

  ResolvedFaults result() && { return std::move(faults_); }

 private:
  bool intact(Channel c) const {
    return fabric_.connected(c) && cut_[c] == 0 && removed_[fabric_.neighbour(c)] == 0 &&
           removed_[fabric_.owner(c)] == 0;
  }
  void cut(Channel c) {
    cut_[c] = cut_[fabric_.peer(c)] = 1;
    faults_.cut.push_back(c);
  }
  void remove(Node node) {
    removed_[node] = 1;
    faults_.removed.push_back(node);
  }

  const Levels& levels() {
    if (!levels_) levels_ = find_levels(fabric_);
    return *levels_;
  }
  unsigned level_of(Node node) {
    return fabric_.is_switch(node) ? levels().level[fabric_.as_switch(node)] : 0U;
  }
  void check_levels(const FaultRequest& order, const Selection& selection) {
    if (!selection.levels || selection.levels->second <= unsigned{levels().height}) return;
    throw InputError(order.where, fmt::format("there is no level {}: the levels are 0 to {}",
                                              selection.levels->second, unsigned{levels().height}));
  }

  // "NAME[PORT] RATE" or "NAME RATE".
  void take_speed(const FaultRequest& order) {
    const std::size_t space = order.text.find_last_of(" \t");
    const auto rate = space == std::string::npos
                          ? std::nullopt
                          : parse_rate(std::string_view(order.text).substr(space + 1));
    if (!rate) {
      throw InputError(order.where, "expected NAME[PORT] RATE, such as leaf-1[33] 2xHDR");
    }
    const std::string name = order.text.substr(0, order.text.find_last_not_of(" \t", space) + 1);
    if (!names_) names_.emplace(fabric_);
    const Node node = names_->find(name, order.where);
    const Channel one = node == kNone<Node> ? names_->find_port(name, order.where) : kNone<Channel>;
    if (node == kNone<Node> && (one == kNone<Channel> || !fabric_.connected(one))) {
      throw InputError(order.where,
                       fmt::format("there is no cable at \"{}\"{}", name,
                                   names_->suggestion(name.substr(0, name.find('[')))));
    }
    if (node == kNone<Node>) {
      faults_.speeds.emplace_back(one, *rate);
      return;
    }
    for (const Channel c : fabric_.channels(node)) {
      if (fabric_.connected(c)) faults_.speeds.emplace_back(c, *rate);
    }
  }

  void take_named(const FaultRequest& order) {
    if (!names_) names_.emplace(fabric_);
    const Node node = names_->find(order.text, order.where);
    if (node != kNone<Node>) return take_node(order.kind, node);
    const Channel c = names_->find_port(order.text, order.where);
    if (c == kNone<Channel>) {
      if (take_host(order)) return;
      throw InputError(
          order.where,
          fmt::format("no node is called \"{}\"{}; expected NAME, NAME[PORT], 0xGUID, a "
                      "number or a percentage, perhaps with @LEVEL",
                      order.text, names_->suggestion(order.text.substr(0, order.text.find('[')))));
    }
    if (order.kind == FaultKind::kRemove) {
      throw InputError(order.where,
                       fmt::format("\"{}\" is a port: it can be cut, not removed", order.text));
    }
    if (cut_[c] == 0 && !fabric_.connected(c)) {
      throw InputError(order.where, fmt::format("there is no cable at {}", order.text));
    }
    if (intact(c)) cut(c);
  }

  void take_node(FaultKind kind, Node node) {
    if (kind == FaultKind::kRemove) {
      if (removed_[node] == 0) remove(node);
      return;
    }
    for (const Channel c : fabric_.channels(node)) {
      if (intact(c)) cut(c);
    }
  }

  // All adapters of a host that has this name; false if there is none.
  bool take_host(const FaultRequest& order) {
    const Hosts hosts = map_hosts(fabric_).hosts;
    const std::span<const Host> called = hosts.called(order.text);
    if (called.empty()) return false;
    if (called.size() > 1) {
      const Node first = hosts.adapters(called.front()).front();
      throw InputError(order.where,
                       fmt::format("{} hosts are called \"{}\": name an adapter, such as \"{}\"",
                                   called.size(), order.text, unique_name(fabric_, first)));
    }
    for (const Node adapter : hosts.adapters(called.front())) take_node(order.kind, adapter);
    return true;
  }

  void cut_some(const FaultRequest& order, const Selection& selection) {
    check_levels(order, selection);
    std::vector<Channel> candidates;
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (!intact(c) || fabric_.peer(c) < c) continue;
      const auto levels_of = [&]() -> std::pair<unsigned, unsigned> {
        return std::minmax(level_of(fabric_.owner(c)), level_of(fabric_.neighbour(c)));
      };
      const bool fits =
          selection.levels ? levels_of() == *selection.levels : fabric_.between_switches(c);
      if (fits) candidates.push_back(c);
    }
    draw(order, selection, candidates, "cables", [&](Channel c) {
      const bool may_break = options_.connection == Connection::kMayBreak;
      if (!may_break && !joined({fabric_.owner(c), fabric_.neighbour(c)}, c, kNone<Node>))
        return false;
      cut(c);
      return true;
    });
  }

  void remove_some(const FaultRequest& order, const Selection& selection) {
    if (selection.levels && selection.levels->second == 0) {
      throw InputError(order.where, "level 0 is the hosts: switches have levels from 1 on");
    }
    if (selection.levels && selection.levels->first != selection.levels->second) {
      throw InputError(order.where, "switches have one level: expected @LEVEL");
    }
    check_levels(order, selection);
    std::vector<Node> candidates;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      const Node node = fabric_.node(s);
      if (removed_[node] != 0) continue;
      if (selection.levels && level_of(node) != selection.levels->first) continue;
      candidates.push_back(node);
    }
    draw(order, selection, candidates, "switches", [&](Node node) {
      if (options_.connection == Connection::kKept && !is_spare(node)) return false;
      remove(node);
      return true;
    });
  }

  // Tries the candidates in random order until enough were taken.
  template <class Candidate, class Try>
  void draw(const FaultRequest& order, const Selection& selection,
            std::vector<Candidate>& candidates, std::string_view what, const Try& try_one) {
    const double share = selection.share * static_cast<double>(candidates.size());
    const std::size_t count = selection.all     ? candidates.size()
                              : selection.count ? *selection.count
                                                : static_cast<std::size_t>(std::llround(share));
    if (count > candidates.size()) {
      throw InputError(order.where, fmt::format("{} {} are asked for; there are {}", count, what,
                                                candidates.size()));
    }
    if (!selection.all) Random(options_.seed, number_).shuffle(candidates);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < candidates.size() && taken < count; ++i) {
      if (try_one(candidates[i])) ++taken;
    }
    if (taken < count) {
      throw PromiseError(
          fmt::format("only {} of {} {} (\"{}\") can be removed without disconnecting the fabric",
                      taken, count, what, order.text));
    }
  }

  bool is_spare(Node gone) {
    std::vector<Node> neighbours;
    for (const Channel c : fabric_.channels(gone)) {
      if (intact(c)) neighbours.push_back(fabric_.neighbour(c));
    }
    return joined(neighbours, kNone<Channel>, gone);
  }
  // Whether these nodes are joined without the cable or node: a search from the first.
  bool joined(const std::vector<Node>& nodes, Channel cable, Node gone) {
    if (nodes.empty()) return true;
    marks_ += 2;
    std::size_t left = 0;  // nodes not found yet, marked by marks_
    for (const Node node : nodes) left += std::exchange(mark_[node], marks_) != marks_ ? 1U : 0U;
    std::vector<Node> found{nodes.front()};
    mark_[found[0]] = marks_ + 1;
    --left;
    const Channel back = cable == kNone<Channel> ? cable : fabric_.peer(cable);
    for (std::size_t i = 0; i < found.size() && left > 0; ++i) {
      for (const Channel c : fabric_.channels(found[i])) {
        if (!intact(c) || c == cable || c == back) continue;
        const Node other = fabric_.neighbour(c);
        if (other == gone || mark_[other] == marks_ + 1) continue;
        if (mark_[other] == marks_) --left;
        mark_[other] = marks_ + 1;
        found.push_back(other);
      }
    }
    return left == 0;
  }

  const Fabric& fabric_;
  const FaultOptions& options_;
  Table<Channel, std::uint8_t> cut_;
  Table<Node, std::uint8_t> removed_;
  Table<Node, std::uint32_t> mark_;
  std::uint32_t marks_ = 0;
  std::uint64_t number_ = 0;
  std::optional<Levels> levels_;
  std::optional<NodeNames> names_;
  ResolvedFaults faults_;
};

}  // namespace

bool is_drawn(const FaultRequest& order) {
  if (order.kind == FaultKind::kSpeed || order.kind == FaultKind::kAdd) return false;
  const std::optional<Selection> selection = parse_selection(order.text);
  return selection && !selection->all;
}

ResolvedFaults find_faults(const Fabric& fabric, std::span<const FaultRequest> orders,
                           const FaultOptions& options) {
  FaultFinder finder(fabric, options);
  for (const FaultRequest& order : orders) finder.take(order);
  return std::move(finder).result();
}

Fabric with_faults(const Fabric& fabric, const ResolvedFaults& faults) {
  if (faults.empty()) return fabric;
  FabricChange change(fabric);
  for (const Channel c : faults.cut) change.cut[c] = change.cut[fabric.peer(c)] = 1;
  for (const Node node : faults.removed) change.removed[node] = 1;
  for (const auto& [c, rate] : faults.speeds) change.rate[c] = change.rate[fabric.peer(c)] = rate;
  Fabric result = changed(fabric, change);
  for (const Addition& addition : faults.added) {
    result = with_addition(Model(std::move(result)), addition).fabric;
  }
  return result;
}

}  // namespace fatwood
