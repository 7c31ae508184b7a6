// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/lid_disputes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace fatwood {

namespace {

using DisputedLine = LidDisputes::Line;

// The lines of one LID.
class Dispute {
 public:
  Dispute(LidTables& tables, std::span<const DisputedLine> lines)
      : tables_(tables), lines_(lines), lid_(lines.front().lid), first_(tables.port_guid[lid_]) {}

  bool several_guids() const {
    return std::ranges::any_of(lines_,
                               [&](const DisputedLine& line) { return line.guid != first_; });
  }

  // `given`: the GUID of the port that has this LID in the fabric; 0: unknown.
  std::uint64_t owner(std::uint64_t given) const {
    std::map<std::uint64_t, std::size_t> votes;
    std::uint64_t best = first_;
    for (const Switch s : switches()) {
      for (const auto& [guid, port] : of(s)) ++votes[guid];
    }
    if (votes.contains(given)) return given;
    for (const auto& [guid, count] : votes) {
      if (count > votes[best]) best = guid;
    }
    return best;
  }

  // Gives each switch the entry of this owner. Returns those that have none.
  std::vector<Switch> settle(std::uint64_t owner) {
    tables_.port_guid[lid_] = owner;
    std::vector<Switch> unknown;
    for (const Switch s : switches()) {
      Port entry = kNoRoute;
      for (const auto& [guid, port] : of(s)) {
        if (guid == owner) entry = port;
      }
      tables_.row[lid_][index(s)] = entry;
      if (entry == kNoRoute) unknown.push_back(s);
    }
    return unknown;
  }

 private:
  // Those with an entry.
  std::vector<Switch> switches() const {
    std::vector<Switch> found;
    for (const Switch s : ids<Switch>(tables_.filled.size())) {
      if (tables_.row[lid_] && tables_.row[lid_][index(s)] != kNoRoute) found.push_back(s);
    }
    return found;
  }
  // GUID and port of the lines of a switch. Lines that are not kept here have the first GUID.
  std::vector<std::pair<std::uint64_t, Port>> of(Switch s) const {
    std::vector<std::pair<std::uint64_t, Port>> found;
    for (const DisputedLine& line : lines_) {
      if (line.at != s) continue;
      if (found.empty() && line.before != kNoRoute) found.emplace_back(first_, line.before);
      found.emplace_back(line.guid, line.port);
    }
    if (found.empty()) found.emplace_back(first_, tables_.row[lid_][index(s)]);
    return found;
  }

  LidTables& tables_;
  std::span<const DisputedLine> lines_;
  Lid lid_;
  std::uint64_t first_;
};

// The GUID of the end port that has each LID in the fabric; 0: none.
Table<Lid, std::uint64_t> guids_in(const Fabric& fabric) {
  Table<Lid, std::uint64_t> guid(kNumLids);
  const auto note = [&](const Address& address) {
    for (std::uint32_t i = 0; i < 1U << address.lmc && address.lid + i <= kMaxLid; ++i) {
      if (address.lid != kNoLid) guid[address.lid + i] = address.guid;
    }
  };
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) note(fabric.address(t));
  for (const Switch s : ids<Switch>(fabric.num_switches())) note(fabric.address(s));
  return guid;
}

}  // namespace

void LidDisputes::settle(const Fabric& fabric, LidTables& tables, Warnings& warnings) && {
  if (lines_.empty()) return;
  std::ranges::stable_sort(lines_, {}, &DisputedLine::lid);
  const Table<Lid, std::uint64_t> given = guids_in(fabric);
  std::size_t lids = 0;
  Lid first = kNoLid;
  for (auto at = lines_.begin(); at != lines_.end();) {
    const auto end = std::ranges::find_if(
        at, lines_.end(), [&](const DisputedLine& line) { return line.lid != at->lid; });
    Dispute dispute(tables, std::span(at, end));
    if (dispute.several_guids()) {
      if (lids++ == 0) first = at->lid;
      for (const Switch s : dispute.settle(dispute.owner(given[at->lid]))) {
        tables.unknown.emplace_back(s, at->lid);
      }
    }
    at = end;
  }
  if (lids == 0) return;
  std::string text = fmt::format(
      "{} LID{} with lines of different ports, by their GUIDs: the first is LID {}. The line of "
      "the "
      "port that has the LID counts",
      lids, lids == 1 ? "" : "s", index(first));
  if (!tables.unknown.empty()) {
    const Switch s = tables.unknown.front().first;
    text +=
        fmt::format("; {} without such a line are unknown. Dump {} again",
                    tables.unknown.size() == 1 ? "an entry" : "entries", unique_name(fabric, s));
    const bool others =
        std::ranges::any_of(tables.unknown, [&](const auto& one) { return one.first != s; });
    if (others) text += " (and others)";
  }
  warnings.add(text);
}

}  // namespace fatwood
