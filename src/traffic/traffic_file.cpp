// SPDX-License-Identifier: BSD-3-Clause
// Traffic from a file, and names of hosts. The format is in traffic.hpp.

#include <fmt/format.h>

#include <istream>
#include <map>
#include <memory>

#include "core/common_multiple.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/text_file.hpp"
#include "core/text/words.hpp"
#include "topology/hosts/rails.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

namespace {

using Amounts = std::map<std::pair<std::uint32_t, std::uint32_t>, Fraction>;

// Sums of millions of amounts stay below 2^63.
constexpr std::int64_t kMost = std::int64_t{1} << 40;

Traffic to_traffic(const Amounts& amounts, const AdapterNames& names, const std::string& file) {
  Traffic traffic{.adapters = names.count()};
  for (const auto& [pair, amount] : amounts) {
    traffic.units_in_one = common_multiple(traffic.units_in_one, amount.den(), kMost);
    if (traffic.units_in_one == 0) {
      throw InputError({.file = file}, "the amounts have no common denominator below 2^40");
    }
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

AdapterNames::AdapterNames(const Model& model)
    : count_(model.adapters().size()), model_(&model), names_(model.fabric()) {}

std::vector<Adapter> AdapterNames::called(std::string_view text) const {
  std::vector<Adapter> found;
  if (!names_) return found;
  const Fabric& fabric = model_->fabric();
  std::vector<Node> nodes = names_->called(text);
  if (nodes.empty()) {
    const Channel c = names_->find_port(text, {});
    if (c != kNone<Channel> && fabric.terminal_at(c) != kNone<Terminal>) {
      nodes.push_back(fabric.owner(c));
    }
  }
  if (nodes.empty()) {
    const Hosts& hosts = model_->hosts().hosts;
    for (const Host host : hosts.called(text)) {
      nodes.insert(nodes.end(), hosts.adapters(host).begin(), hosts.adapters(host).end());
    }
  }
  for (const Node node : nodes) {
    for (const Channel c : fabric.channels(node)) {
      const Terminal t = fabric.terminal_at(c);
      if (t == kNone<Terminal> || !model_->adapters().sends(t)) continue;
      found.push_back(model_->adapters().of(t));
      break;
    }
  }
  return found;
}

Adapter AdapterNames::find(std::string_view text) const {
  const std::vector<Adapter> found = called(text);
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    throw InputError(fmt::format(
        "{} adapters are called \"{}\": expected a name of one of them, a GUID (0x..) or a number",
        found.size(), text));
  }
  const auto number = parse_number<std::uint32_t>(text);
  if (!number || *number >= count_) {
    throw InputError(
        fmt::format("there is no counted host \"{}\": expected a name, a GUID (0x..) or 0 to {}",
                    text, count_ - 1));
  }
  return static_cast<Adapter>(*number);
}

std::string AdapterNames::name(Adapter adapter) const {
  if (!names_) return std::to_string(index(adapter));
  const Node node = model_->adapters().node(model_->fabric(), adapter);
  const std::string name = unique_name(model_->fabric(), node);
  // A name that is written must be found.
  if (called(name) == std::vector{adapter}) return std::string(name);
  return fmt::format("0x{:016x}", model_->fabric().guid(node));
}

}  // namespace fatwood
