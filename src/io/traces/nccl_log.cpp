// SPDX-License-Identifier: BSD-3-Clause
#include "io/traces/nccl_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "core/text/parse_number.hpp"
#include "traffic/jobs/trace.hpp"

namespace fatwood {
namespace {

constexpr std::uint64_t kMostChannels = 1024;
constexpr std::uint32_t kUnknown = NcclEdge::kUnknown;
constexpr std::string_view kMark = " NCCL INFO ";

// "host" of "12: host:123:456 [0]"; empty when it is not of that form.
std::string_view host_of_prefix(std::string_view prefix) {
  const std::size_t open = prefix.rfind(" [");
  if (open == std::string_view::npos || prefix.back() != ']') return {};
  prefix = prefix.substr(0, open);
  const std::size_t blank = prefix.find_last_of(" \t");
  if (blank != std::string_view::npos) prefix.remove_prefix(blank + 1);
  for (unsigned part = 0; part < 2; ++part) {
    const std::size_t colon = prefix.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == prefix.size()) return {};
    if (!std::all_of(prefix.begin() + static_cast<std::ptrdiff_t>(colon) + 1, prefix.end(),
                     is_digit)) {
      return {};
    }
    prefix = prefix.substr(0, colon);
  }
  return prefix;
}

class LogReader {
 public:
  explicit LogReader(Input& input) : input_(input) { log_.file = input.name(); }

  NcclLog run() {
    Warnings warnings(input_.name());
    while (const auto line = input_.next_line(warnings)) {
      const std::size_t mark = line->find(kMark);
      if (mark == std::string_view::npos) continue;
      host_ = std::string(host_of_prefix(line->substr(0, mark)));
      read(line->substr(mark + kMark.size()));
    }
    if (edges_.empty()) {
      throw InputError({input_.name(), 0, 0},
                       "no connection between nodes: expected lines '... [send] via NET/...' "
                       "(NCCL_DEBUG=INFO)");
    }
    sort_out();
    for (std::string& text : warnings.texts()) log_.notes.push_back(std::move(text));
    return std::move(log_);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  void read(std::string_view text) {
    if (text.starts_with("Channel ")) {
      channel_line(text.substr(8));
    } else if (text.starts_with("Ring ")) {
      ring_line(text.substr(5));
    } else if (text.starts_with("Trees ")) {
      trees_line(text.substr(6));
    } else if (text.starts_with("NET/IB : Using ")) {
      devices_line(text.substr(15));
    } else if (const std::size_t at = text.find(" rank ");
               text.starts_with("comm ") && at != std::string_view::npos) {
      comm_line(text.substr(at + 6));
    }
  }

  // A number at the front of what is left, which is taken off.
  static std::optional<std::uint64_t> number(std::string_view& text) {
    while (!text.empty() && text[0] == ' ') text.remove_prefix(1);
    std::size_t end = 0;
    std::uint64_t value = 0;
    while (end < text.size() && is_digit(text[end]) && end < 10) {
      value = value * 10 + static_cast<std::uint64_t>(text[end++] - '0');
    }
    if (end == 0) return std::nullopt;
    text.remove_prefix(end);
    return value;
  }
  static bool take(std::string_view& text, std::string_view what) {
    while (!text.empty() && text[0] == ' ' && !what.starts_with(" ")) text.remove_prefix(1);
    if (!text.starts_with(what)) return false;
    text.remove_prefix(what.size());
    return true;
  }

  // A rank and, in brackets, what it is on: "7[e1000]".
  std::optional<std::uint32_t> rank(std::string_view& text) const {
    const auto value = number(text);
    if (!value) return std::nullopt;
    if (*value >= kMostRanks) throw InputError(input_.at(), "a rank beyond a million");
    if (!text.empty() && text[0] == '[') {
      const std::size_t close = text.find(']');
      if (close == std::string_view::npos) return std::nullopt;
      text.remove_prefix(close + 1);
    }
    return static_cast<std::uint32_t>(*value);
  }

  std::optional<std::uint32_t> channel(std::string_view& text) {
    const auto value = number(text);
    if (!value || *value >= kMostChannels) return std::nullopt;
    log_.channels = std::max(log_.channels, static_cast<std::uint32_t>(*value) + 1);
    return static_cast<std::uint32_t>(*value);
  }

  void channel_line(std::string_view text) {
    const auto c = channel(text);
    if (!c) return;
    std::uint32_t connection = 0;
    bool of_all = false;
    if (take(text, "/")) {
      connection = static_cast<std::uint32_t>(number(text).value_or(0));
      of_all = true;
    }
    if (!take(text, ":")) return;
    if (text.find("->") == std::string_view::npos) {
      order_line(*c, text);
    } else {
      connection_line(*c, of_all ? connection : 0, text);
    }
  }

  // Ring order: neighbours that are both shown.
  void order_line(std::uint32_t c, std::string_view text) {
    std::optional<std::uint32_t> last;
    std::uint64_t shown = 0;
    while (const auto next = rank(text)) {
      if (last) ring_next_[{c, *last}] = *next;
      last = next;
      ++shown;
    }
    shown_[c] = std::max(shown_[c], shown);
  }

  void connection_line(std::uint32_t c, std::uint32_t connection, std::string_view text) {
    const auto from = rank(text);
    if (!from || !take(text, "->")) return;
    const auto to = rank(text);
    if (!to) return;
    const bool send = take(text, "[send] via NET/");
    if (!send && !take(text, "[receive] via NET/")) return;
    std::size_t slash = text.find('/');
    while (slash != std::string_view::npos &&
           (slash + 1 >= text.size() || !is_digit(text[slash + 1]))) {
      slash = text.find('/', slash + 1);
    }
    if (slash == std::string_view::npos) return;
    text.remove_prefix(slash + 1);
    const auto nic = number(text);
    if (!nic || *nic > 255) return;
    add(c, connection, *from, *to, send, static_cast<std::uint32_t>(*nic));
  }

  void add(std::uint32_t c, std::uint32_t connection, std::uint32_t from, std::uint32_t to,
           bool send, std::uint32_t nic) {
    NcclEdge& edge = edges_.try_emplace(Key{c, connection, from, to}).first->second;
    edge.channel = c;
    edge.from = from;
    edge.to = to;
    if (edge.line == 0) edge.line = input_.line_number();
    std::uint32_t& known = send ? edge.out : edge.into;
    if (known != kUnknown && known != nic) ++contradictions_;
    known = nic;
    put_on(send ? from : to);
  }

  // This line was printed by the process of this rank.
  void put_on(std::uint32_t r) {
    if (host_.empty()) return;
    if (r >= log_.host_of.size()) log_.host_of.resize(r + 1);
    std::string& known = log_.host_of[r];
    if (!known.empty() && known != host_) {
      throw InputError(input_.at(), fmt::format("rank {} is on {} and on {}: the log has several "
                                                "jobs; give one",
                                                r, known, host_));
    }
    known = host_;
  }

  // "03 : 7 -> 8 [send] via .." (2.4) or "00 : 7 -> 0 -> 1".
  void ring_line(std::string_view text) {
    const auto c = channel(text);
    if (!c || !take(text, ":")) return;
    if (text.find("via NET/") != std::string_view::npos) return connection_line(*c, 0, text);
    const auto before = rank(text);
    if (!before || !take(text, "->")) return;
    const auto me = rank(text);
    if (!me || !take(text, "->")) return;
    const auto next = rank(text);
    if (!next) return;
    ring_next_[{*c, *before}] = *me;
    ring_next_[{*c, *me}] = *next;
  }

  // "[0] 1/8/-1->0->-1 [1] ..."
  void trees_line(std::string_view text) {
    while (take(text, "[")) {
      const auto c = channel(text);
      if (!c || !take(text, "] ")) return;
      std::vector<std::uint32_t> down;
      do {
        if (take(text, "-1")) continue;
        const auto child = rank(text);
        if (!child) return;
        down.push_back(*child);
      } while (take(text, "/"));
      if (!take(text, "->")) return;
      const auto me = rank(text);
      if (!me) return;
      for (const std::uint32_t child : down) join(*c, *me, child);
      // An entry that is cut off at the end of the line may lack its parent.
      if (!take(text, "->")) return;
      if (!take(text, "-1")) {
        if (const auto up = rank(text)) join(*c, *me, *up);
      }
      in_tree_.insert({*c, *me});
      const std::size_t next = text.find('[');
      text.remove_prefix(std::min(next, text.size()));
    }
  }
  void join(std::uint32_t c, std::uint32_t a, std::uint32_t b) {
    tree_.insert({c, a, b});
    tree_.insert({c, b, a});
  }

  void devices_line(std::string_view text) {
    if (host_.empty()) return;
    std::vector<std::string> list;
    while (take(text, "[")) {
      const auto at = number(text);
      if (!at || *at != list.size() || !take(text, "]")) break;  // "[RO]"
      const std::size_t end = std::min(text.find_first_of("/ "), text.size());
      list.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(text.find(' '), text.size()));
    }
    if (!list.empty()) log_.devices[host_] = std::move(list);
  }

  // "3 nRanks 16 ..."
  void comm_line(std::string_view text) {
    const auto r = rank(text);
    if (!r || !take(text, "nRanks")) return;
    const auto all = number(text);
    if (!all || *all > kMostRanks) return;
    // The first communicator in the log is the job's; later ones are parts of it.
    if (log_.ranks == 0) log_.ranks = static_cast<std::uint32_t>(*all);
    if (*all == log_.ranks) put_on(*r);
  }

  void sort_out() {
    std::size_t one_sided = 0;
    std::size_t unclear = 0;
    for (auto& [key, edge] : edges_) {
      if (edge.out == kUnknown || edge.into == kUnknown) ++one_sided;
      const auto next = ring_next_.find({edge.channel, edge.from});
      const bool tree = tree_.contains({edge.channel, edge.from, edge.to});
      const bool is_in_tree = in_tree_.contains({edge.channel, edge.from}) ||
                              in_tree_.contains({edge.channel, edge.to});
      if (next != ring_next_.end() && next->second == edge.to) {
        edge.part = NcclEdge::Part::kRing;
      } else if (tree) {
        edge.part = next == ring_next_.end() ? NcclEdge::Part::kUnclear : NcclEdge::Part::kTree;
      } else if (is_in_tree) {
        edge.part = NcclEdge::Part::kRing;
      }
      if (edge.part == NcclEdge::Part::kUnclear) ++unclear;
      log_.edges.push_back(edge);
    }
    const auto note = [&](std::size_t count, std::string_view what) {
      if (count > 0) log_.notes.push_back(fmt::format("{} {}", count, what));
    };
    note(one_sided, "connections with the adapter of one end only");
    note(unclear, "connections that may be of a ring or of a tree");
    note(contradictions_, "connections listed twice, with different adapters");
    for (const auto& [c, shown] : shown_) {
      if (log_.ranks == 0 || shown >= log_.ranks) continue;
      log_.notes.push_back(
          fmt::format("the ring of channel {} shows {} of {} ranks", c, shown, log_.ranks));
    }
    if (log_.ranks == 0) log_.notes.emplace_back("no line has the number of ranks");
    log_.host_of.resize(std::max<std::size_t>(log_.host_of.size(), log_.ranks));
    note(static_cast<std::size_t>(std::count(log_.host_of.begin(), log_.host_of.end(), "")),
         "ranks without a line of their own: their hosts are not known");
  }

  Input& input_;
  NcclLog log_;
  std::string host_;
  std::map<Key, NcclEdge> edges_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ring_next_;
  std::map<std::uint32_t, std::uint64_t> shown_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> tree_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> in_tree_;
  std::size_t contradictions_ = 0;
};

}  // namespace

NcclLog read_nccl_log(Input& input) { return LogReader(input).run(); }

bool looks_like_nccl_log(std::string_view bytes) {
  return bytes.find(kMark) != std::string_view::npos;
}

}  // namespace fatwood
