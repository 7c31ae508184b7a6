// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/rank_file.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/text/hostlist.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/input.hpp"
#include "io/base/text.hpp"
#include "io/lists/host_list.hpp"

namespace fatwood {
namespace {

constexpr std::uint32_t kMostOfHost = 1 << 16;  // of a host
constexpr std::string_view kBlanks = " \t\r";

class RankFileReader {
 public:
  RankFileReader(const Fabric& fabric, const Hosts& hosts, const std::string& path)
      : fabric_(fabric), hosts_(hosts), input_(path) {}

  RankOrder run() {
    while (const auto line = input_.next_line()) {
      const std::string_view text = trimmed(line->substr(0, line->find('#')));
      if (!text.empty()) read(text);
    }
    if (items_.empty()) throw InputError({input_.name(), 0, 0}, "expected hosts");
    return order();
  }

 private:
  struct Item {
    std::string name;
    std::uint32_t ranks;
    Location at;
  };

  void read(std::string_view text) {
    if (text.starts_with("rank ") || text.starts_with("rank\t")) return rankfile_line(text);
    if (const std::size_t at = text.find("slots="); at != std::string_view::npos && at > 0) {
      const std::string_view digits = text.substr(at + 6);
      return add(trimmed(text.substr(0, text.find_first_of(kBlanks))),
                 number(digits.substr(0, digits.find_first_of(kBlanks)), "slots"), true);
    }
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && text.find('[') == std::string_view::npos) {
      return add(text.substr(0, colon), number(text.substr(colon + 1), "processes"), true);
    }
    for (const std::string& name : expand_hostlist(text, input_.at(1))) add(name, 1, false);
  }

  void rankfile_line(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      throw InputError(input_.at(1), "expected rank NUMBER=HOST slot=NUMBER");
    }
    const auto rank = parse_number<std::uint32_t>(trimmed(text.substr(5, equals - 5)));
    if (!rank || *rank != next_rank_) {
      throw InputError(input_.at(1), fmt::format("expected rank {}", next_rank_));
    }
    ++next_rank_;
    const std::string_view rest = trimmed(text.substr(equals + 1));
    add(rest.substr(0, rest.find_first_of(kBlanks)), 1, true);
  }

  std::uint32_t number(std::string_view digits, std::string_view what) const {
    const auto value = parse_number<std::uint32_t>(digits);
    if (!value || *value == 0 || *value > kMostOfHost) {
      throw InputError(input_.at(1),
                       fmt::format("expected a number of {} from 1 to {}", what, kMostOfHost));
    }
    return *value;
  }

  void add(std::string_view name, std::uint32_t ranks, bool counted) {
    counted_ = counted_ || counted;
    items_.push_back({std::string(name), ranks, input_.at()});
  }

  // Leaves out items whose host is not in the fabric.
  KnownHosts find() {
    std::vector<NamedHost> names;
    for (const Item& item : items_) names.push_back({item.name, item.at});
    KnownHosts known = find_known_hosts(fabric_, hosts_, names, Repeats::kKept);
    const std::set<std::string> missing(known.missing.begin(), known.missing.end());
    std::erase_if(items_, [&](const Item& item) { return missing.contains(item.name); });
    return known;
  }

  RankOrder order() {
    const KnownHosts known = find();
    const std::vector<Host>& found = known.hosts;
    RankOrder order;
    order.warning = known.warning();
    order.last_line = items_.back().at.line;
    std::map<Host, std::size_t> first;  // item
    std::vector<std::uint32_t> ranks;   // by host of the order
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (i > 0 && found[i] == found[i - 1]) {
        ranks.back() += items_[i].ranks;
        continue;
      }
      const auto [at, is_new] = first.try_emplace(found[i], i);
      if (!is_new) {
        throw InputError(items_[i].at, fmt::format("host {} comes twice, first on line {}",
                                                   items_[i].name, items_[at->second].at.line));
      }
      order.hosts.push_back(found[i]);
      ranks.push_back(items_[i].ranks);
    }
    if (counted_ || ranks.front() > 1) order.ranks = ranks.front();
    for (std::size_t m = 0; m < ranks.size(); ++m) {
      if (ranks[m] == ranks.front()) continue;
      const Item& item = items_[first.at(order.hosts[m])];
      throw InputError(item.at,
                       fmt::format("{} has {} and {} has {}: expected as many ranks on every host",
                                   items_.front().name, counted_text(ranks.front()), item.name,
                                   counted_text(ranks[m])));
    }
    return order;
  }

  static std::string counted_text(std::uint32_t ranks) {
    return fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s");
  }

  const Fabric& fabric_;
  const Hosts& hosts_;
  Input input_;
  std::vector<Item> items_;
  std::uint32_t next_rank_ = 0;
  bool counted_ = false;  // some line has a number of ranks
};

}  // namespace

RankOrder read_rank_file(const Fabric& fabric, const Hosts& hosts, const std::string& path) {
  return RankFileReader(fabric, hosts, path).run();
}

}  // namespace fatwood
