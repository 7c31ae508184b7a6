// SPDX-License-Identifier: BSD-3-Clause
// Faults of an installation in words.

#include <fmt/format.h>

#include <algorithm>

#include "report/fabric/cabling_report.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kNamedDevices = 6;

std::string cable_words(const Plan& plan, std::uint32_t cable) {
  return fmt::format("{} - {}", end_text(plan, plan.cables[cable].a),
                     end_text(plan, plan.cables[cable].b));
}

std::string device_words(const Plan& plan, std::uint32_t device) {
  const std::string place = place_text(plan.devices[device]);
  return plan.devices[device].name + (place.empty() ? "" : fmt::format(" ({})", place));
}

std::string all_devices(const Plan& plan, const std::vector<std::uint32_t>& devices) {
  std::vector<std::string> words;
  for (const std::uint32_t d : devices) words.push_back(device_words(plan, d));
  return listed(words, kNamedDevices);
}

// A cable of another fault that is at the new port now.
std::string occupied_words(const CablingView& view, const CablingFault& fault,
                           const CablingMove& move) {
  const Fabric& fabric = view.found.fabric();
  if (move.to == kNone<Channel> || !fabric.connected(move.to)) return "";
  const auto leaves = [&](const CablingMove& other) { return other.from == move.to; };
  if (std::ranges::any_of(fault.moves, leaves)) return "";
  return fmt::format(", once the cable to {} is out", found_port(view, fabric.peer(move.to)));
}

std::string move_words(const CablingView& view, const CablingFault& fault,
                       const CablingMove& move) {
  if (move.is_removal()) {
    return fmt::format("remove the cable from {} to {}", found_port(view, move.stays),
                       found_port(view, move.from));
  }
  return fmt::format("move the end at {} to {}{}", found_port(view, move.from),
                     destination_words(view, move), occupied_words(view, fault, move));
}

std::string plug_words(const Plan& plan, std::uint32_t cable) {
  const std::string& label = plan.cables[cable].label;
  return label.empty() ? "plug it: " + cable_words(plan, cable) : "plug cable " + label;
}

std::string what_of(const CablingView& view, const CablingFault& fault) {
  const Plan& plan = view.check.plan;
  switch (fault.kind) {
    case CablingFaultKind::kSwappedRacks:
      return fmt::format("racks {}: {} cables", fault.detail, fault.cables.size());
    case CablingFaultKind::kSwappedDevices:
      return fmt::format("{}: {} cables", all_devices(plan, fault.devices), fault.cables.size());
    case CablingFaultKind::kDown:
      return fmt::format(
          "{}: {} planned{}", device_words(plan, fault.devices.front()),
          counted(fault.cables.size(), "cable"),
          fault.devices.size() == 1
              ? ""
              : fmt::format(", {} behind it", counted(fault.devices.size() - 1, "device")));
    case CablingFaultKind::kUnplannedDevice:
      return fmt::format("{}: {}", view.found.labels()(fault.nodes.front()),
                         counted(fault.found.size(), "cable"));
    case CablingFaultKind::kExtra:
      return view.found.labels().cable(fault.found.front());
    default:
      break;
  }
  if (fault.cables.size() > 2) {
    return fmt::format("{}: {} cables", all_devices(plan, fault.devices), fault.cables.size());
  }
  std::string text;
  for (const std::uint32_t k : fault.cables)
    text += (text.empty() ? "" : "; ") + cable_words(plan, k);
  return fault.detail.empty() ? text : fmt::format("{}: {}", text, fault.detail);
}

std::string todo_of(const CablingView& view, const CablingFault& fault) {
  const Plan& plan = view.check.plan;
  switch (fault.kind) {
    case CablingFaultKind::kMissing:
      return plug_words(plan, fault.cables.front());
    case CablingFaultKind::kSwappedDevices:
      if (!fault.moves.empty()) break;
      return "exchange their names or places, or all their cables";
    case CablingFaultKind::kSwappedRacks:
      return fmt::format("exchange the two racks' cables: {} ends",
                         std::max(fault.moves.size(), fault.cables.size()));
    case CablingFaultKind::kDown:
      return "switch it on, or check its cables and its management";
    case CablingFaultKind::kUnplannedDevice:
      if (fault.moves.size() == 1) {
        return move_words(view, fault, fault.moves.front()) + ", or add the device to the plan";
      }
      return fmt::format(
          "remove {}, or add it to the plan",
          fault.moves.empty() ? "it" : fmt::format("its {} cables", fault.moves.size()));
    case CablingFaultKind::kSlow:
    case CablingFaultKind::kNarrow:
      return "reseat the cable at both ends; replace it if that does not help";
    case CablingFaultKind::kWrongPart:
    case CablingFaultKind::kWrongLength:
      return "replace the cable, or correct the plan";
    case CablingFaultKind::kFlapping:
      return "clean and reseat both ends, then replace the cable";
    default:
      break;
  }
  if (fault.moves.size() > 2) return fmt::format("exchange {} cable ends", fault.moves.size());
  std::string text;
  for (const CablingMove& move : fault.moves) {
    text += (text.empty() ? "" : "; ") + move_words(view, fault, move);
  }
  return text;
}

}  // namespace

std::string destination_words(const CablingView& view, const CablingMove& move) {
  const PlanCable& cable = view.check.plan.cables[move.cable];
  return end_text(view.check.plan, move.to_a ? cable.a : cable.b);
}

std::string found_port(const CablingView& view, Channel c) { return view.found.labels().port(c); }

FaultWords words_of(const CablingView& view, const CablingFault& fault) {
  return {what_of(view, fault), todo_of(view, fault)};
}

}  // namespace fatwood
