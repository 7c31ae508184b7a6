// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/first_lines.hpp"
#include "report/json.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kShownChanges = 20;  // of each kind

std::string far_port(const Model& model, Channel c) {
  return model.labels().port(model.fabric().peer(c));
}

Json cable_json(const Model& model, Channel c) {
  return {model.labels().port(c), far_port(model, c)};
}

Json moved_json(const Model& before, const Model& after, const MovedCable& moved) {
  return {{"stays", before.labels().port(moved.before)},
          {"from", far_port(before, moved.before)},
          {"to", far_port(after, moved.after)}};
}

std::string moved_text(const Model& before, const Model& after, const MovedCable& moved) {
  return fmt::format("{}: from {} to {}", before.labels().port(moved.before),
                     far_port(before, moved.before), far_port(after, moved.after));
}

// What a moved cable probably was.
std::string guess(const Model& before, const Model& after, const MovedCable& moved) {
  const Fabric& a = before.fabric();
  const Fabric& b = after.fabric();
  const bool host = !a.is_switch(a.owner(moved.before));
  const bool same_box = a.guid(a.neighbour(moved.before)) == b.guid(b.neighbour(moved.after));
  const std::uint32_t from = index(a.port(a.peer(moved.before)));
  const std::uint32_t to = index(b.port(b.peer(moved.after)));
  if (same_box) {
    const std::uint32_t by = from < to ? to - from : from - to;
    return fmt::format("probably {} moved {} port{} along", host ? "a host" : "a cable", by,
                       by == 1 ? "" : "s");
  }
  return host ? "probably a host moved to another switch"
              : "probably a cable plugged into another switch";
}

template <class List, class Line>
void add_lines(std::string& text, std::string_view title, const List& list, const Line& line) {
  if (list.empty()) return;
  text += fmt::format("{} ({})\n", title, list.size()) +
          first_lines(list, kShownChanges, " (--json has all)", line);
}

std::string_view matched_name(Matched matched) {
  constexpr std::string_view kNames[] = {"guid", "id", "place", "plan"};
  return kNames[static_cast<std::size_t>(matched)];
}

std::string is_port(const Model& after, const ChangedLid& lid) {
  if (lid.port == kOwnPort) return after.labels()(lid.after);
  return after.labels().port(after.fabric().channel(lid.after, lid.port));
}

std::string lid_text(const Address& address) {
  return address.lmc == 0 ? std::to_string(index(address.lid))
                          : fmt::format("{} (LMC {})", index(address.lid), address.lmc);
}

Json lid_json(const Model& after, const ChangedLid& lid) {
  return {{"port", is_port(after, lid)},
          {"from", index(lid.from.lid)},
          {"to", index(lid.to.lid)},
          {"from_lmc", lid.from.lmc},
          {"to_lmc", lid.to.lmc}};
}

std::string tables_text(const Model& after, const TableChanges& changes) {
  std::string text = fmt::format(
      "tables: {} of {} entries and {} of {} blocks differ; {} of {} pairs take another route\n",
      changes.entries, changes.all_entries, changes.blocks, changes.all_blocks, changes.pairs,
      changes.all_pairs);
  std::vector<Switch> order;
  for (const Switch s : ids<Switch>(changes.entries_at.size())) {
    if (changes.entries_at[s] > 0) order.push_back(s);
  }
  std::ranges::stable_sort(order, std::greater{}, [&](Switch s) { return changes.entries_at[s]; });
  return text + first_lines(order, kShownChanges, " switches", [&](Switch s) {
           return fmt::format("{}: {} entries in {} blocks", after.labels()(s),
                              changes.entries_at[s], changes.blocks_at[s]);
         });
}

Json cables_json(const Model& before, const Model& after, const FabricDiff& diff) {
  const auto moved = [&](const MovedCable& cable) {
    Json json = moved_json(before, after, cable);
    json["guess"] = guess(before, after, cable);
    return json;
  };
  const auto swapped = [&](const auto& pair) {
    return Json::array(
        {moved_json(before, after, pair.first), moved_json(before, after, pair.second)});
  };
  const auto speed = [&](const MovedCable& cable) -> Json {
    return {{"ports", cable_json(after, cable.after)},
            {"from", to_string(before.fabric().rate(cable.before))},
            {"to", to_string(after.fabric().rate(cable.after))}};
  };
  return {{"lost", Json::list(diff.lost, [&](Channel c) { return cable_json(before, c); })},
          {"new", Json::list(diff.added, [&](Channel c) { return cable_json(after, c); })},
          {"moved", Json::list(diff.moved, moved)},
          {"swapped", Json::list(diff.swapped, swapped)},
          {"speeds", Json::list(diff.speeds, speed)}};
}

Json nodes_json(const Model& before, const Model& after, const FabricDiff& diff) {
  const auto names = [&](const auto& pair) -> Json {
    return {{"from", before.labels()(pair.first)}, {"to", after.labels()(pair.second)}};
  };
  const auto replaced = [&](const auto& pair) {
    Json json = names(pair);
    json["from_guid"] = fmt::format("{:#018x}", before.fabric().guid(pair.first));
    json["to_guid"] = fmt::format("{:#018x}", after.fabric().guid(pair.second));
    return json;
  };
  return {{"lost", Json::list(diff.lost_nodes, [&](Node node) { return before.labels()(node); })},
          {"new", Json::list(diff.new_nodes, [&](Node node) { return after.labels()(node); })},
          {"renamed", Json::list(diff.renamed, names)},
          {"replaced", Json::list(diff.replaced, replaced)}};
}

}  // namespace

std::string diff_text(const Model& before, const Model& after, const DiffReport& report) {
  const FabricDiff& diff = report.fabric;
  const auto was = [&](Node node) { return before.labels()(node); };
  const auto is = [&](Node node) { return after.labels()(node); };
  std::string text;
  if (report.cabling) {
    text = cabling_text({*report.cabling, after});
    return report.tables ? text + tables_text(after, *report.tables) : text;
  }
  add_lines(text, "nodes lost", diff.lost_nodes, was);
  add_lines(text, "nodes new", diff.new_nodes, is);
  add_lines(text, "nodes replaced", diff.replaced, [&](const auto& pair) {
    return fmt::format("{} by {} in the same place", was(pair.first), is(pair.second));
  });
  add_lines(text, "nodes renamed", diff.renamed, [&](const auto& pair) {
    return fmt::format("{} to {}", was(pair.first), is(pair.second));
  });
  add_lines(text, "cables swapped", diff.swapped, [&](const auto& pair) {
    return fmt::format("{}; {}", moved_text(before, after, pair.first),
                       moved_text(before, after, pair.second));
  });
  add_lines(text, "cables moved", diff.moved, [&](const MovedCable& moved) {
    return fmt::format("{} ({})", moved_text(before, after, moved), guess(before, after, moved));
  });
  add_lines(text, "cables lost", diff.lost, [&](Channel c) { return before.labels().cable(c); });
  add_lines(text, "cables new", diff.added, [&](Channel c) { return after.labels().cable(c); });
  add_lines(text, "speeds changed", diff.speeds, [&](const MovedCable& cable) {
    return fmt::format("{}: {} to {}", after.labels().cable(cable.after),
                       to_string(before.fabric().rate(cable.before)),
                       to_string(after.fabric().rate(cable.after)));
  });
  add_lines(text, "LIDs changed", diff.lids, [&](const ChangedLid& lid) {
    return fmt::format("{}: {} to {}", is_port(after, lid), lid_text(lid.from), lid_text(lid.to));
  });
  if (text.empty()) text = "The fabrics are the same.\n";
  if (report.tables) text += tables_text(after, *report.tables);
  return text;
}

std::string diff_json(const Model& before, const Model& after, const DiffReport& report) {
  const FabricDiff& diff = report.fabric;
  Json json{{"matched", matched_name(diff.matched)},
            {"same", report.same()},
            {"cables", cables_json(before, after, diff)},
            {"nodes", nodes_json(before, after, diff)},
            {"lids", Json::list(diff.lids, [&](const auto& lid) { return lid_json(after, lid); })},
            {"entries_changed", nullptr},
            {"blocks_changed", nullptr},
            {"pairs_changed", nullptr},
            {"switches", nullptr}};
  if (report.tables) {
    json["entries_changed"] = report.tables->entries;
    json["blocks_changed"] = report.tables->blocks;
    json["pairs_changed"] = report.tables->pairs;
    json["switches"] = Json::array();
    for (const Switch s : ids<Switch>(report.tables->entries_at.size())) {
      if (report.tables->entries_at[s] == 0) continue;
      json["switches"].push_back({{"switch", after.labels()(s)},
                                  {"entries", report.tables->entries_at[s]},
                                  {"blocks", report.tables->blocks_at[s]}});
    }
  }
  if (report.cabling) add_cabling(json, {*report.cabling, after});
  return document(std::move(json));
}

}  // namespace fatwood
