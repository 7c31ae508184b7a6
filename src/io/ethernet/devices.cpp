// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "plan/model/device_words.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

namespace {

// "swp1s0" has the shape "swp#s#".
std::string shape(std::string_view name) {
  std::string text;
  for (const char c : canonical_interface(name)) {
    if (!is_digit(c)) {
      text += c;
    } else if (!text.ends_with('#')) {
      text += '#';
    }
  }
  return text;
}

std::string_view short_name(std::string_view name) {
  const std::size_t dot = name.find('.');
  const bool domain = dot != std::string_view::npos && dot > 0 && dot + 1 < name.size() &&
                      std::ranges::any_of(name.substr(dot + 1), is_letter);
  return domain ? name.substr(0, dot) : name;
}

// Names that many devices have before somebody names them.
bool is_stock(std::string_view name) {
  constexpr std::array<std::string_view, 8> kStock{
      "localhost", "sonic", "cumulus", "switch", "ubuntu", "debian", "(none)", "not advertised"};
  return std::ranges::find(kStock, short_name(name)) != kStock.end();
}

}  // namespace

std::optional<std::uint32_t> EthernetDevice::find_port(std::string_view text) const {
  const auto at = port_of.find(canonical_interface(text));
  if (at == port_of.end()) return std::nullopt;
  return at->second;
}

std::uint32_t EthernetDevice::port(std::string_view text) {
  const auto [at, fresh] =
      port_of.emplace(canonical_interface(text), static_cast<std::uint32_t>(ports.size()));
  if (fresh) {
    ports.push_back({.name = std::string(trimmed(text, " \t\""))});
    shapes.insert(shape(text));
  }
  return at->second;
}

bool EthernetDevice::has_shape(std::string_view text) const { return shapes.contains(shape(text)); }

EthernetDevices::EthernetDevices(std::vector<DeviceReport>& reports) : reports_(reports) {
  collect_names();
  name_reports();
  for (const DeviceReport& report : reports_) {
    const std::uint32_t d = intern(report.name);
    owner_.push_back(d);
    EthernetDevice& device = devices_[d];
    if (report.kind && (!device.kind || *report.kind == NodeKind::kSwitch)) {
      device.kind = report.kind;
    }
    if (report.speaks) (report.meant ? device.plans : device.speaks) = true;
  }
  add_ports();
  find_kinds();
}

void EthernetDevices::collect_names() {
  const auto note = [&](std::string_view given, const std::string& chassis) {
    const std::string name = lower_case(trimmed(given));
    if (name.empty()) return;
    const std::string_view plain = short_name(name);
    if (plain != name) full_names_[std::string(plain)].insert(name);
    if (chassis.empty()) return;
    const auto [at, fresh] = by_chassis_.emplace(chassis, name);
    if (!fresh && at->second != name &&
        !(at->second.starts_with(plain) && short_name(at->second) == plain)) {
      at->second.clear();
    }
  };
  for (const DeviceReport& report : reports_) {
    if (!is_stock(lower_case(report.name))) note(report.name, report.chassis);
    for (const Neighbour& seen : report.neighbours) {
      if (!is_stock(lower_case(seen.peer))) note(seen.peer, seen.chassis);
    }
  }
}

// Without the domain, unless that is all that differs between two devices.
std::string EthernetDevices::plain_name(std::string_view name) const {
  std::string text = lower_case(trimmed(name));
  const std::string_view plain = short_name(text);
  const auto at = full_names_.find(plain);
  if (at != full_names_.end() && at->second.size() > 1) return text;
  return std::string(plain);
}

std::uint32_t EthernetDevices::intern(std::string_view name) {
  const auto [at, fresh] =
      by_name_.emplace(plain_name(name), static_cast<std::uint32_t>(devices_.size()));
  if (fresh) {
    const std::size_t length = at->first.size();  // without the domain, if that is left out
    devices_.push_back({.name = std::string(trimmed(name).substr(0, length))});
  }
  return at->second;
}

std::string EthernetDevices::name_of_peer(const Neighbour& seen) const {
  const bool stock = is_stock(lower_case(seen.peer));
  if (!seen.peer.empty() && !(stock && !seen.chassis.empty())) return seen.peer;
  if (seen.chassis.empty()) return "";
  const auto at = by_chassis_.find(seen.chassis);
  return at == by_chassis_.end() || at->second.empty() ? seen.chassis : at->second;
}

std::optional<std::uint32_t> EthernetDevices::peer(const Neighbour& seen) {
  const std::string name = name_of_peer(seen);
  if (name.empty()) return std::nullopt;
  return intern(name);
}

namespace {

// If report R has its port p at the port q of device P, and some report has its port q at the port
// p of a device N, then R may be N.
class NameVotes {
 public:
  using NameOf = std::function<std::string(const Neighbour&)>;

  NameVotes(const std::vector<DeviceReport>& reports, std::vector<std::string> called,
            const NameOf& name_of)
      : reports_(reports), called_(std::move(called)), name_of_(name_of) {
    for (std::size_t r = 0; r < reports_.size(); ++r) {
      named_.push_back(reports_[r].name.empty() ? 0 : 1);
      if (!reports_[r].speaks) continue;
      for (const Neighbour& seen : reports_[r].neighbours) {
        const std::string name = name_of_(seen);
        if (name.empty() || interface_use(seen.port) != InterfaceUse::kPort) continue;
        for (const std::string& port : seen.ports) {
          seen_by_[key(seen.port, port)].emplace_back(r, name);
        }
      }
    }
  }

  // The name that most neighbours of a report use; "" if less than half agree.
  std::string of(std::size_t r) const {
    const DeviceReport& report = reports_[r];
    std::map<std::string, std::size_t> votes;
    std::size_t all = 0;
    for (const Neighbour& seen : report.neighbours) all += vote(r, seen, votes) ? 2U : 0U;
    const auto best =
        std::ranges::max_element(votes, {}, [](const auto& one) { return one.second; });
    if (best == votes.end() || best->second * 2 < all) return "";
    const auto word = votes.find(lower_case(report.file_word));
    return word != votes.end() && word->second == best->second ? report.file_word : best->first;
  }

 private:
  static std::string key(std::string_view here, std::string_view there) {
    return canonical_interface(here) + '|' + canonical_interface(there);
  }
  bool vote(std::size_t r, const Neighbour& seen, std::map<std::string, std::size_t>& votes) const {
    if (interface_use(seen.port) != InterfaceUse::kPort) return false;
    const std::string peer = name_of_(seen);
    bool voted = false;
    for (const std::string& port : seen.ports) {
      const auto at = seen_by_.find(key(port, seen.port));
      if (at == seen_by_.end()) continue;
      for (const auto& [witness, name] : at->second) {
        const bool same = called_[witness] == peer;
        if (witness == r || name == peer || (!same && named_[witness] != 0)) continue;
        // A witness that is called as the neighbour is knows best.
        votes[name] += same ? 2 : 1;
        voted = true;
      }
    }
    return voted;
  }

  const std::vector<DeviceReport>& reports_;
  std::vector<std::string> called_;  // by report, as far as that is known
  const NameOf& name_of_;
  std::vector<std::uint8_t> named_;
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::string>>> seen_by_;
};

}  // namespace

// Names those that do not name themselves.
void EthernetDevices::name_reports() {
  std::vector<std::string> called;
  for (const DeviceReport& report : reports_) {
    called.push_back(plain_name(report.name.empty() ? report.file_word : report.name));
  }
  const NameVotes::NameOf name_of = [&](const Neighbour& seen) {
    return plain_name(name_of_peer(seen));
  };
  const NameVotes votes(reports_, std::move(called), name_of);
  std::set<std::string> words;
  for (const DeviceReport& report : reports_) words.insert(lower_case(report.file_word));
  std::vector<std::string> voted;
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    voted.push_back(reports_[r].name.empty() ? votes.of(r) : "");
    // Another file is called so: this one's neighbours mean that, and contradict this one.
    const std::string name = lower_case(voted[r]);
    if (name != lower_case(reports_[r].file_word) && words.contains(name)) voted[r].clear();
  }
  std::map<std::string, std::string> by_word;  // names of other files of the same device
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    DeviceReport& report = reports_[r];
    if (is_stock(lower_case(report.name)) && !report.chassis.empty()) report.name = report.chassis;
    const auto known = by_chassis_.find(report.chassis);
    if (report.name.empty() && known != by_chassis_.end()) report.name = known->second;
    if (report.name.empty()) report.name = voted[r];
    if (report.name.empty() || report.file_word.empty()) continue;
    const auto [at, fresh] = by_word.emplace(report.file_word, report.name);
    if (!fresh && plain_name(at->second) != plain_name(report.name)) at->second.clear();
  }
  std::size_t nameless = 0;
  for (DeviceReport& report : reports_) {
    if (!report.name.empty()) continue;
    if (const auto at = by_word.find(report.file_word); at != by_word.end()) {
      report.name = at->second;
    }
    if (report.name.empty()) report.name = report.file_word;
    if (report.name.empty()) report.name = report.chassis;
    if (report.name.empty()) report.name = fmt::format("device-{}", ++nameless);
  }
}

void EthernetDevices::add_ports() {
  // A device's own tables first, then what it says itself, then lists.
  const auto visit = [&](bool listed, bool with_tables) {
    for (std::size_t r = 0; r < reports_.size(); ++r) {
      DeviceReport& report = reports_[r];
      const bool tables = std::ranges::any_of(
          report.ports, [](const OwnPort& port) { return !port.alias.empty() || port.gbps > 0; });
      if (!report.speaks != listed || tables != with_tables) continue;
      EthernetDevice& device = devices_[owner_[r]];
      for (const OwnPort& own : report.ports) {
        DevicePort& port = device.ports[device.port(own.name)];
        if (own.gbps > 0) port.gbps = own.gbps;
        if (!own.bundle.empty()) port.bundle = own.bundle;
      }
      for (const OwnPort& own : report.ports) {
        if (own.alias.empty()) continue;
        device.port_of.emplace(canonical_interface(own.alias), device.port(own.name));
      }
    }
  };
  visit(true, true);  // config_db alone
  visit(false, true);
  visit(false, false);
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    if (!reports_[r].speaks) continue;
    for (const Neighbour& seen : reports_[r].neighbours) devices_[owner_[r]].port(seen.port);
  }
  visit(true, false);
}

void EthernetDevices::find_kinds() {
  std::unordered_map<std::uint32_t, SystemFacts> said;
  for (const DeviceReport& report : reports_) {
    for (const Neighbour& seen : report.neighbours) {
      const auto d = peer(seen);
      if (!d) continue;
      SystemFacts& about = said[*d];
      if (!seen.description.empty() && about.descriptions.size() < 4) {
        about.descriptions.push_back(seen.description);
      }
      if (seen.forwards) about.forwards = about.forwards.value_or(false) || *seen.forwards;
      if (!seen.ports.empty()) about.shapes.insert(shape(seen.ports.front()));
    }
  }
  for (std::uint32_t d = 0; d < devices_.size(); ++d) {
    if (devices_[d].kind) continue;
    SystemFacts& about = said[d];
    about.shapes.insert(devices_[d].shapes.begin(), devices_[d].shapes.end());
    devices_[d].kind = suggested_kind(devices_[d].name, about);
  }
}

std::optional<NodeKind> suggested_kind(const std::string& name, const SystemFacts& facts) {
  constexpr std::array<std::string_view, 14> kSwitchSystems{
      "cumulus", "sonic", "arista", "juniper",  "junos",   "nx-os", "cisco",
      "dell",    "onyx",  "mlnx",   "sr linux", "srlinux", "ocnos", "exos"};
  constexpr std::array<std::string_view, 12> kHostSystems{
      "ubuntu", "debian", "centos",  "red hat", "rocky", "oracle linux",
      "suse",   "esx",    "windows", "dgx os",  "linux", "connectx"};
  const auto says = [&](std::span<const std::string_view> words) {
    return std::ranges::any_of(facts.descriptions, [&](const std::string& text) {
      const std::string lower = lower_case(text);
      return std::ranges::any_of(
          words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
    });
  };
  const auto has_ports = [&](bool (*test)(std::string_view)) {
    return std::ranges::any_of(facts.shapes, [&](std::string text) {
      std::ranges::replace(text, '#', '1');
      return test(text);
    });
  };
  if (has_ports(is_switch_interface)) return NodeKind::kSwitch;
  if (has_ports(is_host_interface)) return NodeKind::kAdapter;
  if (says(kSwitchSystems)) return NodeKind::kSwitch;
  if (says(kHostSystems)) return NodeKind::kAdapter;
  if (const auto by_name = kind_of_name(name)) return by_name;
  const auto letters = std::ranges::find_if_not(name, is_letter);
  const std::string word(name.begin(), letters);
  if (const auto by_word = kind_of_type(word); by_word && letters != name.begin()) {
    return by_word;
  }
  if (!mac_address(name).empty() || (facts.forwards && !*facts.forwards)) return NodeKind::kAdapter;
  return std::nullopt;
}

}  // namespace fatwood
