// SPDX-License-Identifier: BSD-3-Clause
// Reads a message trace; the format is in lists.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/text_file.hpp"
#include "core/text/words.hpp"
#include "sim/workload/lists.hpp"
#include "sim/workload/sizes.hpp"

namespace fatwood::sim {

namespace {

constexpr std::string_view kSwitchPrefix = "switch:";

std::uint32_t find_terminal(const Fabric& fabric, const Network& network, const AdapterNames& names,
                            std::string_view text) {
  const std::span<const Terminal> ports = network.adapters.terminals(names.find(text));
  for (const Terminal t : ports) {
    if (text.ends_with(fmt::format("[{}]", index(fabric.port(fabric.terminal_channel(t)))))) {
      return index(t);
    }
  }
  return index(ports.front());
}

std::uint32_t find_endpoint(const Fabric& fabric, const Network& network, const AdapterNames& names,
                            const NodeNames& nodes, std::string_view text) {
  if (!text.starts_with(kSwitchPrefix)) return find_terminal(fabric, network, names, text);
  return index(network.endpoint(nodes.switch_of(text.substr(kSwitchPrefix.size()), {})));
}

// Nanoseconds, as ticks.
Time parse_time(std::string_view text, const Network& network) {
  constexpr double kLatest = 4e18;  // in ticks
  const auto value = parse_number<double>(text);
  if (!value || *value < 0 || *value > 1e15) {
    throw InputError(fmt::format("expected a time in nanoseconds, not \"{}\"", text));
  }
  const double ticks = *value * 1e-9 / network.tick_seconds;
  if (ticks > kLatest) throw InputError(fmt::format("{} ns is too late", text));
  return static_cast<Time>(std::llround(ticks));
}

}  // namespace

MessageLists parse_trace(std::istream& in, const std::string& file,
                         const fatwood::Model& fabric_model, const Network& network,
                         const Model& model) {
  const Fabric& fabric = fabric_model.fabric();
  const AdapterNames names(fabric_model);
  const NodeNames nodes(fabric);
  MessageLists lists(network.endpoints());
  TextLines lines(in, file);
  bool any = false;
  while (const auto line = lines.next()) {
    const Location where = lines.where();
    const std::vector<Word> word = split_words(*line, where);
    if (word.empty()) continue;
    if (word.size() != 4) {
      throw InputError({file, where.line, word[std::min<std::size_t>(4, word.size() - 1)].column},
                       "expected \"time source destination bytes\"");
    }
    const auto find = [&](const std::string& text) {
      return find_endpoint(fabric, network, names, nodes, text);
    };
    ListedMessage message;
    message.created = read_word(where, word[0],
                                [&](const std::string& text) { return parse_time(text, network); });
    const std::uint32_t source = read_word(where, word[1], find);
    message.dest = read_word(where, word[2], [&](const std::string& text) {
      if (find(text) == source) throw InputError(fmt::format("{} sends to itself", word[1].text));
      return find(text);
    });
    const auto bytes = [](const std::string& text) { return parse_bytes(text); };
    message.flits = (read_word(where, word[3], bytes) + model.flit_bytes - 1) / model.flit_bytes;
    lists[source].push_back(message);
    any = true;
  }
  if (!any) throw InputError({.file = file}, "the trace has no message");
  for (auto& list : lists) std::ranges::stable_sort(list, {}, &ListedMessage::created);
  return lists;
}

}  // namespace fatwood::sim
