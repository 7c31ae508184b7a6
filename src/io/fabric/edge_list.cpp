// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/text/hostlist.hpp"
#include "core/text/parse_number.hpp"
#include "io/fabric/raw_fabric.hpp"
#include "topology/rate.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kEdges = "edges:";
constexpr std::string_view kDictionary = "{...} at the end of a line, skipped";
constexpr std::uint32_t kMostHosts = 1U << 24U;

struct EdgeWord {
  std::string_view text;
  std::size_t column = 1;
};

// Without the comment. Commas inside brackets belong to host lists.
std::vector<EdgeWord> words_of(std::string_view line) {
  std::vector<EdgeWord> words;
  line = line.substr(0, line.find('#'));
  bool inside = false;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '[') ++depth;
    if (c == ']' && depth > 0) --depth;
    const bool blank = c == ' ' || c == '\t' || c == '\r' || (c == ',' && depth == 0);
    if (!blank && !inside) words.push_back({line.substr(i, 0), i + 1});
    if (!blank)
      words.back().text = line.substr(words.back().column - 1, i + 2 - words.back().column);
    inside = !blank;
    if (c == '{' && words.back().text == "{") {  // to the end of the line
      words.back().text = line.substr(i);
      break;
    }
  }
  return words;
}

class EdgeReader {
 public:
  explicit EdgeReader(Input& edges) : edges_(edges), raw_(edges.name()) { raw_.both_ends = false; }

  LoadedFabric run(Input* hosts) {
    while (const auto line = edges_.next_line()) {
      std::vector<EdgeWord> words = words_of(*line);
      if (!words.empty()) read_edge(words);
    }
    if (raw_.links.empty()) throw InputError(edges_.at(1), "expected an edge: two nodes on a line");
    if (hosts == nullptr) {
      make_hosts_of_leaves();
    } else {
      read_hosts(*hosts);
    }
    for (std::uint32_t n = 0; n < raw_.nodes.size(); ++n) {
      raw_.nodes[n].ports = std::max(raw_.nodes[n].ports, 1U);
      raw_.declare(n);
    }
    return assemble(std::move(raw_), "edges");
  }

 private:
  std::uint32_t node(const EdgeWord& word, std::size_t line) {
    const std::uint32_t n = raw_.intern(word.text, line, word.column);
    if (n == cables_.size()) {
      cables_.push_back(0);
      raw_.nodes[n].kind = NodeKind::kSwitch;
    }
    ++cables_[n];
    return n;
  }

  [[noreturn]] static void fail(const Input& input, const EdgeWord& word, std::string_view what) {
    throw InputError(input.at(word.column),
                     fmt::format("expected {}, found '{}'", what, word.text));
  }

  std::uint32_t port(const EdgeWord& word, std::uint32_t n) {
    const auto number = parse_number<std::uint32_t>(word.text);
    if (!number || *number < 1 || *number > kMaxPorts) {
      fail(edges_, word, fmt::format("a port from 1 to {}", kMaxPorts));
    }
    raw_.nodes[n].ports = std::max(raw_.nodes[n].ports, *number);
    return *number;
  }

  std::uint32_t next_port(std::uint32_t n, const Location& where) {
    if (raw_.nodes[n].ports == kMaxPorts) {
      throw InputError(where,
                       fmt::format("{} has more than {} cables", raw_.nodes[n].id, kMaxPorts));
    }
    return ++raw_.nodes[n].ports;
  }

  void read_edge(std::vector<EdgeWord>& words) {
    const std::size_t line = edges_.line_number();
    if (words.back().text.starts_with('{')) {
      raw_.warnings.count(kDictionary, line);
      words.pop_back();
    }
    RawLink link;
    link.line = line;
    link.rate = kDefaultRate;
    link.rated = false;
    if (words.size() == 3 || words.size() == 5) {
      const auto rate = parse_rate(std::string(words.back().text));
      if (!rate) fail(edges_, words.back(), "a rate like 4xHDR or the end of the line");
      link.rate = *rate;
      link.rated = true;
      words.pop_back();
    }
    if (words.size() != 2 && words.size() != 4) {
      throw InputError(edges_.at(1), "expected an edge: 'A B' or 'A PORT B PORT'");
    }
    const bool ports = words.size() == 4;
    if (with_ports_ && *with_ports_ != ports) {
      throw InputError(edges_.at(1), ports ? "a line with ports after lines without"
                                           : "a line without ports after lines with ports");
    }
    with_ports_ = ports;
    link.node = node(words[0], line);
    link.other = node(words[ports ? 2 : 1], line);
    if (link.node == link.other) fail(edges_, words[0], "two different nodes");
    link.port = ports ? port(words[1], link.node) : next_port(link.node, edges_.at(1));
    link.other_port = ports ? port(words[3], link.other) : next_port(link.other, edges_.at(1));
    raw_.links.push_back(link);
  }

  void make_hosts_of_leaves() {
    bool any = false;
    for (std::uint32_t n = 0; n < raw_.nodes.size(); ++n) {
      if (cables_[n] != 1) continue;
      raw_.nodes[n].kind = NodeKind::kAdapter;
      any = true;
    }
    if (any) return;
    throw InputError({.file = edges_.name()},
                     "no hosts: no node has a single cable. Give a second file, "
                     "edges:FILE,HOSTS, with lines like 'SWITCH 4', 'SWITCH = n[1-4]' or '* 4'");
  }

  void read_hosts(Input& hosts) {
    const std::size_t switches = raw_.nodes.size();
    while (const auto line = hosts.next_line()) {
      const std::vector<EdgeWord> words = words_of(*line);
      if (words.empty()) continue;
      if (words.size() < 2)
        throw InputError(hosts.at(1), "expected 'SWITCH COUNT' or 'SWITCH = HOSTS'");
      for (const std::uint32_t s : switches_of(hosts, words[0], switches))
        add_hosts(hosts, words, s);
    }
    if (raw_.nodes.size() == switches) throw InputError(hosts.at(1), "expected hosts, found none");
  }

  std::vector<std::uint32_t> switches_of(const Input& hosts, const EdgeWord& word,
                                         std::size_t switches) const {
    std::vector<std::uint32_t> found;
    if (word.text == "*") {
      for (std::uint32_t s = 0; s < switches; ++s) found.push_back(s);
      return found;
    }
    const std::optional<std::uint32_t> s = raw_.find(word.text);
    if (!s || *s >= switches) fail(hosts, word, "a switch of the edges");
    return {*s};
  }

  void add_hosts(const Input& hosts, const std::vector<EdgeWord>& words, std::uint32_t s) {
    std::vector<std::string> names;
    if (words[1].text == "=") {
      for (std::size_t i = 2; i < words.size(); ++i) {
        for (std::string& name : expand_hostlist(words[i].text, hosts.at(words[i].column))) {
          names.push_back(std::move(name));
        }
      }
    } else {
      const auto count = parse_number<std::uint32_t>(words[1].text);
      if (!count || *count > kMaxPorts || words.size() > 2) {
        fail(hosts, words[1], fmt::format("a number of hosts up to {}, or '='", kMaxPorts));
      }
      for (std::uint32_t i = 0; i < *count; ++i) {
        names.push_back(fmt::format("{}-h{}", raw_.nodes[s].id, i));
      }
    }
    if (raw_.nodes.size() + names.size() > kMostHosts)
      throw InputError(hosts.at(1), "too many hosts");
    for (const std::string& name : names) {
      const std::uint32_t host = raw_.intern(name, hosts.line_number(), 1);
      if (host < cables_.size()) {
        throw InputError(hosts.at(1), fmt::format("{} is a switch of the edges", name));
      }
      RawLink link;
      link.line = hosts.line_number();
      link.rate = kDefaultRate;
      link.rated = false;
      link.node = host;
      link.port = next_port(host, hosts.at(1));
      link.other = s;
      link.other_port = next_port(s, hosts.at(1));
      raw_.links.push_back(link);
    }
  }

  Input& edges_;
  RawFabric raw_;
  std::vector<std::uint32_t> cables_;  // by node of the edges
  std::optional<bool> with_ports_;
};

}  // namespace

bool is_edge_list(std::string_view word) { return word.starts_with(kEdges); }

LoadedFabric read_edge_list(Input& edges, Input* hosts) { return EdgeReader(edges).run(hosts); }

LoadedFabric load_edge_list(std::string_view word) {
  const std::string_view files = word.substr(kEdges.size());
  const std::size_t comma = std::min(files.find(','), files.size());
  Input edges(std::string(files.substr(0, comma)));
  if (comma == files.size()) return read_edge_list(edges, nullptr);
  Input hosts(std::string(files.substr(comma + 1)));
  return read_edge_list(edges, &hosts);
}

}  // namespace fatwood
