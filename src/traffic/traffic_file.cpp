// SPDX-License-Identifier: BSD-3-Clause
// Traffic from a file, and names of hosts. The format is in traffic.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <map>
#include <memory>
#include <numeric>

#include "core/error.hpp"
#include "core/parse_number.hpp"
#include "core/text_file.hpp"
#include "core/words.hpp"
#include "topology/hosts/hosts.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

namespace {

using Amounts = std::map<std::pair<std::uint32_t, std::uint32_t>, Fraction>;

// Sums of millions of amounts stay below 2^63.
constexpr std::int64_t kMost = std::int64_t{1} << 40;

Traffic to_traffic(const Amounts& amounts, const AdapterNames& names, const std::string& file) {
  Traffic traffic{.hosts = names.count()};
  for (const auto& [pair, amount] : amounts) {
    const std::int64_t factor = amount.den() / std::gcd(amount.den(), traffic.units_in_one);
    if (factor > kMost / traffic.units_in_one) {
      throw InputError({.file = file}, "the amounts have no common denominator below 2^40");
    }
    traffic.units_in_one *= factor;
  }
  for (const auto& [pair, amount] : amounts) {
    const Adapter from{pair.first};
    const Adapter to{pair.second};
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
void add_flow(const std::vector<Word>& word, const Location& where, const AdapterNames& names,
              Amounts& amounts) {
  if (word.size() != 2 && word.size() != 3) {
    throw InputError({where.file, where.line, word.size() < 2 ? word[0].column : word[3].column},
                     "expected \"source destination [amount]\" or \"stage\"");
  }
  const auto find = [&](const std::string& text) { return names.find(text); };
  const Adapter s = read_word(where, word[0], find);
  const Adapter d = read_word(where, word[1], [&](const std::string& text) {
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

Schedule parse_traffic(std::istream& in, const std::string& file, const AdapterNames& names) {
  std::vector<Amounts> stages(1);
  TextLines lines(in, file);
  bool any = false;
  while (const auto line = lines.next()) {
    const Location where = lines.where();
    const std::vector<Word> word = split_words(*line, where);
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

AdapterNames::AdapterNames(const Model& model) : count_(model.adapters().size()) {
  const Fabric& fabric = model.fabric();
  for (const Adapter host : ids<Adapter>(count_)) {
    const std::span<const Terminal> terminals = model.adapters().terminals(host);
    const Node adapter = fabric.adapter(terminals.front());
    name_.emplace_back(display_name(fabric, adapter));
    for (const std::string& word : {name_.back(), std::string(fabric.id(adapter)),
                                    fmt::format("0x{:016x}", fabric.guid(adapter))}) {
      by_name_.emplace_back(word, host);
      for (const Terminal t : terminals) {
        const Port port = fabric.port(fabric.terminal_channel(t));
        by_name_.emplace_back(fmt::format("{}[{}]", word, index(port)), host);
      }
    }
  }
  // A computer's name, for its only adapter; of several, it finds none.
  const Hosts hosts = named_hosts(fabric);
  for (const Adapter host : ids<Adapter>(count_)) {
    const Host m = hosts.of(model.adapters().adapter(fabric, host));
    if (m != kNone<Host>) by_name_.emplace_back(hosts.name(m), host);
  }
  std::sort(by_name_.begin(), by_name_.end());
  by_name_.erase(std::unique(by_name_.begin(), by_name_.end()), by_name_.end());
  // Names that are written are names that are found.
  for (const Adapter host : ids<Adapter>(count_)) {
    if (several(name_[index(host)])) {
      name_[index(host)] =
          fmt::format("0x{:016x}", fabric.guid(model.adapters().adapter(fabric, host)));
    }
  }
}

std::pair<AdapterNames::Entry, AdapterNames::Entry> AdapterNames::called(
    std::string_view text) const {
  return std::equal_range(by_name_.begin(), by_name_.end(),
                          std::pair<std::string, Adapter>(text, Adapter{}),
                          [](const auto& a, const auto& b) { return a.first < b.first; });
}

bool AdapterNames::several(std::string_view text) const {
  const auto [first, last] = called(text);
  return last - first > 1;
}

Adapter AdapterNames::find(std::string_view text) const {
  const auto [first, last] = called(text);
  if (last - first == 1) return first->second;
  if (last - first > 1) {
    throw InputError(fmt::format(
        "{} hosts are called \"{}\": expected a name of one of them, a GUID (0x..) or a number",
        last - first, text));
  }
  const auto number = parse_number<std::uint32_t>(text);
  if (!number || *number >= count_) {
    throw InputError(
        fmt::format("there is no counted host \"{}\": expected a name, a GUID (0x..) or 0 to {}",
                    text, count_ - 1));
  }
  return static_cast<Adapter>(*number);
}

std::string AdapterNames::name(Adapter host) const {
  return name_.empty() ? std::to_string(index(host)) : name_[index(host)];
}

}  // namespace fatwood
