// Traffic from a file, and names of terminals. The format is in traffic.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <map>
#include <memory>
#include <numeric>

#include "core/error.hpp"
#include "core/parse_number.hpp"
#include "core/words.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

namespace {

using Amounts = std::map<std::pair<std::uint32_t, std::uint32_t>, Fraction>;

// Sums of millions of amounts stay below 2^63.
constexpr std::int64_t kMost = std::int64_t{1} << 40;

Traffic to_traffic(const Amounts& amounts, const TerminalNames& names, const std::string& file) {
  Traffic traffic{.terminals = names.count()};
  for (const auto& [pair, amount] : amounts) {
    const std::int64_t factor = amount.den() / std::gcd(amount.den(), traffic.units_in_one);
    if (factor > kMost / traffic.units_in_one) {
      throw InputError({.file = file}, "the amounts have no common denominator below 2^40");
    }
    traffic.units_in_one *= factor;
  }
  for (const auto& [pair, amount] : amounts) {
    const Terminal from{pair.first};
    const Terminal to{pair.second};
    if (Fraction(kMost / traffic.units_in_one) < amount) {
      throw InputError(
          {.file = file},
          fmt::format("{} sends {} to {}: expected at most 2^40 over the amounts' "
                      "common denominator, {}",
                      names.name(from), amount.to_string(), names.name(to), traffic.units_in_one));
    }
    const Fraction units = amount * Fraction(traffic.units_in_one);
    if (units != 0) traffic.flows.push_back({from, to, units.num()});
  }
  return traffic;
}

Fraction read_amount(const std::string& text) {
  try {
    const Fraction amount = parse_fraction(text);
    if (amount < 0) throw InputError(fmt::format("the amount {} is negative", text));
    return amount;
  } catch (const std::overflow_error& error) {
    throw InputError(error.what());
  }
}

// Of a line "source destination [amount]".
void add_flow(const std::vector<Word>& word, const Location& where, const TerminalNames& names,
              Amounts& amounts) {
  if (word.size() != 2 && word.size() != 3) {
    throw InputError({where.file, where.line, word.size() < 2 ? word[0].column : word[3].column},
                     "expected \"source destination [amount]\" or \"stage\"");
  }
  const auto find = [&](const std::string& text) { return names.find(text); };
  const Terminal s = read_word(where, word[0], find);
  const Terminal d = read_word(where, word[1], [&](const std::string& text) {
    if (find(text) == s) throw InputError(fmt::format("\"{}\" sends to itself", word[0].text));
    return find(text);
  });
  const Fraction amount = word.size() == 3 ? read_word(where, word[2], read_amount) : Fraction(1);
  try {
    amounts[{index(s), index(d)}] += amount;
  } catch (const std::overflow_error& error) {
    throw InputError({where.file, where.line, word.back().column}, error.what());
  }
}

}  // namespace

Schedule parse_traffic(std::istream& in, const std::string& file, const TerminalNames& names) {
  std::vector<Amounts> stages(1);
  std::string line;
  bool any = false;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const Location where{.file = file, .line = number};
    const std::vector<Word> word = split_words(line, where);
    if (word.empty()) continue;
    if (word.size() == 1 && word[0].text == "stage") {
      if (any) stages.emplace_back();
      any = false;
      continue;
    }
    add_flow(word, where, names, stages.back());
    any = true;
  }
  if (!any && stages.size() > 1) stages.pop_back();
  if (stages.size() == 1 && stages.front().empty()) {
    throw InputError({.file = file}, "no traffic: expected lines \"source destination [amount]\"");
  }
  auto made = std::make_shared<std::vector<Traffic>>();
  for (const Amounts& amounts : stages) {
    made->push_back(to_traffic(amounts, names, file));
  }
  return {file, made->size(), [made](std::size_t stage) { return (*made)[stage]; }};
}

TerminalNames::TerminalNames(const Fabric& fabric) : count_(fabric.num_terminals()) {
  for (const Terminal t : ids<Terminal>(count_)) {
    const Channel c = fabric.terminal_channel(t);
    const Node adapter = fabric.owner(c);
    const bool only_port = fabric.ports(adapter) == 1;
    const std::string port = port_name(fabric, c);
    name_.push_back(only_port ? std::string(display_name(fabric, adapter)) : port);
    by_name_.emplace_back(port, t);
    by_name_.emplace_back(std::string(display_name(fabric, adapter)), t);
    by_name_.emplace_back(std::string(fabric.id(adapter)), t);
    by_name_.emplace_back(fmt::format("{}[{}]", fabric.id(adapter), fabric.port(c)), t);
  }
  std::sort(by_name_.begin(), by_name_.end());
  by_name_.erase(std::unique(by_name_.begin(), by_name_.end()), by_name_.end());
}

Terminal TerminalNames::find(std::string_view text) const {
  const auto [first, last] = std::equal_range(
      by_name_.begin(), by_name_.end(), std::pair<std::string, Terminal>(text, Terminal{}),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  if (last - first == 1) return first->second;
  if (last - first > 1) {
    throw InputError(fmt::format("\"{}\" names {} terminals: write \"name[port]\" or a number",
                                 text, last - first));
  }
  const auto number = parse_number<std::uint32_t>(text);
  if (!number || *number >= count_) {
    throw InputError(
        fmt::format("no terminal is called \"{}\": expected a name or 0 to {}", text, count_ - 1));
  }
  return static_cast<Terminal>(*number);
}

std::string TerminalNames::name(Terminal t) const {
  return name_.empty() ? std::to_string(index(t)) : name_[index(t)];
}

}  // namespace fatwood
