// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/read_priorities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/ethernet/device_files.hpp"
#include "io/ethernet/sonic.hpp"
#include "io/routes/route_names.hpp"

namespace fatwood {

namespace {

using NumberMap = std::map<unsigned, unsigned>;
using NamedMaps = std::map<std::string, NumberMap, std::less<>>;

// "[DSCP_TO_TC_MAP|AZURE]" and "DSCP_TO_TC_MAP|AZURE" are AZURE.
std::string map_name(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  return std::string(text.substr(text.find('|') + 1));
}

NamedMaps named_maps(const Tree& database, std::string_view table) {
  NamedMaps maps;
  each_row_of(database, table, [&](std::string_view name, const Tree& row) {
    for (std::size_t i = 0; i < row.keys.size(); ++i) {
      const auto from = parse_number<std::uint32_t>(row.keys[i]);
      const auto to = parse_number<std::uint32_t>(row.items[i].text());
      if (from && to && *to < kCodePoints) maps[std::string(name)][*from] = *to;
    }
  });
  return maps;
}

template <std::size_t Size>
void fill_values(std::array<std::uint8_t, Size>& values, const NumberMap& map) {
  for (const auto& [from, to] : map) {
    if (from < Size) values[from] = static_cast<std::uint8_t>(to);
  }
}

std::uint8_t priorities_in(std::string_view list) {
  unsigned bits = 0;
  for (const std::string_view part : split_at(list, ',')) {
    const auto priority = parse_number<std::uint32_t>(trimmed(part, " "));
    if (priority && *priority < kPriorities) bits |= 1U << *priority;
  }
  return static_cast<std::uint8_t>(bits);
}

PriorityProfile plain_profile() {
  PriorityProfile profile;
  std::iota(profile.group.begin(), profile.group.end(), std::uint8_t{0});
  std::iota(profile.queue.begin(), profile.queue.end(), std::uint8_t{0});
  std::iota(profile.stopped.begin(), profile.stopped.end(), std::uint8_t{0});
  profile.rewrite.fill(kUnchanged);
  profile.bounce.fill(kUnchanged);
  return profile;
}

class PriorityReader {
 public:
  PriorityReader(const std::string& path, const Fabric& fabric, const Names& labels)
      : fabric_(fabric), labels_(labels), names_(fabric), files_(path) {
    result_.number.resize(fabric.num_channels(), PortPriorities::kUnknown);
  }

  PortPriorities run() {
    files_.each([&](Input& input, const std::string& inside) {
      if (!looks_like_sonic_db(input.peek())) return;
      const std::string file = input.name();
      for (const Tree& value : read_json_values(input)) read(value, file, inside);
    });
    use_common_map();
    result_.warnings = files_.warnings().texts();
    return std::move(result_);
  }

 private:
  // The maps of one switch.
  struct Maps {
    NamedMaps classes, groups, queues, stopped, rewrites;
    NumberMap bounce;
  };

  void read(const Tree& value, const std::string& file, const std::string& inside) {
    bool any = false;
    each_row_of(value, "PORT_QOS_MAP", [&](std::string_view, const Tree&) { any = true; });
    if (!any) return;
    Switch s = kNone<Switch>;
    each_row_of(value, "DEVICE_METADATA", [&](std::string_view, const Tree& row) {
      if (row.has("hostname")) s = names_.of_file(std::string(row.text("hostname")));
    });
    if (s == kNone<Switch>) s = names_.of_file(inside);
    if (s == kNone<Switch>) {
      Warnings one(file);
      one.add("has priorities of no switch of the fabric");
      files_.warnings().append(one);
      return;
    }
    ++result_.switches;
    read_switch(s, value, file);
  }

  void read_switch(Switch s, const Tree& value, const std::string& file) {
    Maps maps{named_maps(value, "DSCP_TO_TC_MAP"),  named_maps(value, "TC_TO_PRIORITY_GROUP_MAP"),
              named_maps(value, "TC_TO_QUEUE_MAP"), named_maps(value, "MAP_PFC_PRIORITY_TO_QUEUE"),
              named_maps(value, "TC_TO_DSCP_MAP"),  {}};
    each_row_of(value, "TUNNEL", [&](std::string_view, const Tree& row) {
      maps.bounce = named(maps.rewrites, row.text("encap_tc_to_dscp_map"), file);
    });
    const Tree* global = nullptr;
    each_row_of(value, "PORT_QOS_MAP", [&](std::string_view key, const Tree& row) {
      if (key == "global") global = &row;
    });
    const Tree none;
    const Node node = fabric_.node(s);
    for (const Channel c : fabric_.channels(node)) {
      set(c, none, global == nullptr ? none : *global, maps, file);
    }
    const PortNames ports(fabric_, labels_, s);
    each_row_of(value, "PORT_QOS_MAP", [&](std::string_view key, const Tree& row) {
      for (const std::string_view name : split_at(key, ',')) {
        const Port port = ports.find(name);
        if (port == kNoRoute) continue;
        set(fabric_.channel(node, port), row, global == nullptr ? none : *global, maps, file);
      }
    });
  }

  const NumberMap& named(const NamedMaps& maps, std::string_view text, const std::string& file) {
    static const NumberMap kNothing;
    if (text.empty()) return kNothing;
    const auto found = maps.find(map_name(text));
    if (found != maps.end()) return found->second;
    Warnings one(file);
    one.add(fmt::format("there is no map {}", text));
    files_.warnings().append(one);
    return kNothing;
  }

  void set(Channel c, const Tree& row, const Tree& global, const Maps& maps,
           const std::string& file) {
    const auto field = [&](std::string_view key) {
      return row.has(key) ? row.text(key) : global.text(key);
    };
    PriorityProfile profile = plain_profile();
    fill_values(profile.traffic_class, named(maps.classes, field("dscp_to_tc_map"), file));
    fill_values(profile.group, named(maps.groups, field("tc_to_pg_map"), file));
    fill_values(profile.queue, named(maps.queues, field("tc_to_queue_map"), file));
    fill_values(profile.stopped, named(maps.stopped, field("pfc_to_queue_map"), file));
    fill_values(profile.rewrite, named(maps.rewrites, field("tc_to_dscp_map"), file));
    fill_values(profile.bounce, maps.bounce);
    profile.pauses = priorities_in(row.text("pfc_enable"));
    for (std::uint8_t& tc : profile.traffic_class) tc = std::min<std::uint8_t>(tc, 15);
    const bool sorts = !field("dscp_to_tc_map").empty();
    if (!sorts && profile.pauses != 0) without_map_.push_back(c);
    if (sorts && profile.pauses != 0) ++times_[profile.traffic_class];
    result_.number[c] = number_of(profile);
  }

  std::uint32_t number_of(const PriorityProfile& profile) {
    const auto [at, added] =
        known_.emplace(profile, static_cast<std::uint32_t>(result_.profiles.size()));
    if (added) result_.profiles.push_back(profile);
    return at->second;
  }

  void use_common_map() {
    if (without_map_.empty() || times_.empty()) return;
    const auto most =
        std::ranges::max_element(times_, {}, [](const auto& one) { return one.second; });
    for (const Channel c : without_map_) {
      PriorityProfile profile = *result_.at(c);
      profile.traffic_class = most->first;
      result_.number[c] = number_of(profile);
    }
    files_.warnings().add(fmt::format(
        "{} ports pause but have no map of code points, the first is {}: they are taken to have "
        "the most common one",
        without_map_.size(), port_name(fabric_, without_map_.front())));
  }

  const Fabric& fabric_;
  const Names& labels_;
  SwitchNames names_;
  DeviceFiles files_;
  PortPriorities result_;
  std::map<PriorityProfile, std::uint32_t> known_;
  std::vector<Channel> without_map_;
  std::map<std::array<std::uint8_t, kCodePoints>, std::size_t> times_;
};

}  // namespace

PortPriorities read_priorities(const std::string& path, const Fabric& fabric, const Names& labels) {
  return PriorityReader(path, fabric, labels).run();
}

}  // namespace fatwood
