// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where devices stand, how long cables are, and what lies in the trays.
//
// Places. Devices that have a rack and unit keep them. Of the others, hosts with the leaves they
// are on are a block (a component of the graph of hosts and their switches). A block that fits
// stands in one rack, switches on top; several small ones share a rack. A larger block has racks of
// hosts, and its leaves in a rack in their middle. Spines and cores stand in racks of their own in
// the middle of the room. Racks fill rows in order: A01, A02, ..., B01, ...
//
// Lengths. In a rack: from unit to unit. Else up to the tray over the rack, along the row, if need
// be over a cross tray to the other row, along it and down; and slack at both ends. Where the rules
// have lengths by distance in racks, these count instead (racks side by side, as Oracle's).
// The length is rounded up to one that is sold (cable_table.hpp).
//
// Trays: one over each row and cross trays between rows. The fill of a section is the sum of the
// cross-sections of its cables over that of the tray. Cost: O(cables log cables).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "topology/plan/cable_table.hpp"

namespace fatwood {

struct Rack {
  std::string name;
  std::string row;
  std::uint32_t position = 1;  // in its row, from 1
  std::uint32_t units = 48;    // height
};

struct LayoutRules {
  std::uint32_t rack_units = 48;
  double rack_width_m = 0.6;
  std::uint32_t racks_per_row = 16;
  double row_pitch_m = 2.4;   // from row to row
  double tray_above_m = 0.3;  // above the racks
  double slack_m = 0.5;       // at each end
  double tray_width_m = 0.3;
  double tray_depth_m = 0.1;
  double tray_fill = 0.4;            // more is reported
  std::uint32_t host_units = 0;      // 0: 8 for hosts of 4 adapters or more, else 1
  std::uint32_t hosts_per_rack = 0;  // 0: as many as fit, of tall hosts 4
  std::uint32_t switch_units = 0;    // 0: by `heights`, else 1
  std::uint32_t director_units = 0;  // 0: by `heights`, else 29
  std::vector<std::pair<std::string, std::uint32_t>> heights{};  // units by model
  bool spines_with_units = false;                                // spine i stands with block i
  bool host_splitters = false;                                   // cables of hosts are splitters
  std::vector<std::uint32_t> cross{};                            // positions of cross trays
  std::vector<std::pair<std::uint32_t, double>> by_distance{};   // racks apart at most, m
  std::vector<Rack> racks{};                                     // empty: as many as needed
  struct Place {
    std::string device, rack;
    std::uint32_t unit;
  };
  std::vector<Place> places{};
};

struct TraySection {
  std::string name;       // "row A, position 3 to 4"; "cross tray at position 1, row A to B"
  bool across = false;    // from this row to the next; else from this position to the next
  std::uint32_t row = 0;  // from 0, in order of names
  std::uint32_t position = 1;
  std::size_t cables = 0;
  double area_mm2 = 0;
  double kg_per_m = 0;
  double fill = 0;
};

struct Bundle {
  std::uint32_t rack_a = 0, rack_b = 0;  // of Layout::racks; the same: inside a rack
  std::vector<std::uint32_t> cables;     // of the plan, in order of labels
};

struct Layout {
  std::vector<Rack> racks;             // in order of rows and positions
  std::vector<std::uint32_t> rack_of;  // by device
  std::vector<std::uint32_t> height;   // of devices, in units
  std::vector<double> run_m;           // by cable, before rounding
  std::vector<Bundle> bundles;
  std::vector<TraySection> trays;        // sections with cables, fullest first
  std::vector<std::uint32_t> unreached;  // cables that no kind of the table reaches
};

// Gives each device a place, each cable a length, a type and a label. InputError where the racks of
// the rules do not do, or a place is taken twice.
Layout lay_out(Plan& plan, const LayoutRules& rules, const CableTable& table);

// "A01-40:33/C03-14:04" (TIA-606-B): this end, then the other.
std::string cable_label(const Plan& plan, const PlanEnd& near, const PlanEnd& far);

}  // namespace fatwood
