// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The places of devices, the lengths of cables, and the fill of cable trays.
//
// Places. Devices with a given rack and unit keep them. The others form blocks: hosts with the
// leaves that they are on (components of the graph of hosts and their switches). A block that fits
// into a rack is placed in one, switches on top; small blocks share a rack. A larger block has
// several racks of hosts, with a rack of leaves in the middle. Spines and cores have their own
// racks in the middle of the room. Racks fill rows in order: A01, A02, ..., B01, ...
//
// Lengths. Within a rack: from unit to unit. Otherwise up to the tray above the rack, along the
// row, over a cross tray to another row if necessary, along that row and down; plus slack at both
// ends. If the rules list lengths by distance in racks (as Oracle does), these are used instead.
// The result is rounded up to a length for sale (cable_table.hpp).
//
// Trays. One above each row, and cross trays between rows. The fill of a section is the sum of the
// cross-sections of its cables divided by that of the tray. Cost: O(cables log cables).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plan/model/cable_table.hpp"

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
  double row_pitch_m = 2.4;   // distance between rows
  double tray_above_m = 0.3;  // above the racks
  double slack_m = 0.5;       // at each end
  double tray_width_m = 0.3;
  double tray_depth_m = 0.1;
  double tray_fill = 0.4;            // a higher fill is reported
  std::uint32_t host_units = 0;      // 0: 8 for hosts with 4 adapters or more, otherwise 1
  std::uint32_t hosts_per_rack = 0;  // 0: as many as fit; 4 if they are tall
  std::uint32_t switch_units = 0;    // 0: by `heights`, otherwise 1
  std::uint32_t director_units = 0;  // 0: by `heights`, otherwise 29
  std::vector<std::pair<std::string, std::uint32_t>> heights{};  // units by model
  bool spines_with_units = false;                                // spine i is placed with block i
  bool host_splitters = false;                                   // cables of hosts are splitters
  std::vector<std::uint32_t> cross{};                            // positions of cross trays
  std::vector<std::pair<std::uint32_t, double>> by_distance{};   // largest distance in racks, m
  std::vector<Rack> racks{};                                     // empty: as many as needed
  struct Place {
    std::string device, rack;
    std::uint32_t unit;
  };
  std::vector<Place> places{};
};

struct TraySection {
  std::string name;       // "row A, position 3 to 4"; "cross tray at position 1, row A to B"
  bool across = false;    // true: from this row to the next; false: from this position to the next
  std::uint32_t row = 0;  // from 0, in order of names
  std::uint32_t position = 1;
  std::size_t cables = 0;
  double area_mm2 = 0;
  double kg_per_m = 0;
  double fill = 0;
};

struct Bundle {
  std::uint32_t rack_a = 0, rack_b = 0;  // indices in Layout::racks; equal: inside a rack
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

// Gives each device a place, and each cable a length, a type and a label. InputError if the racks
// of the rules are not enough, or if a place is used twice.
Layout lay_out(Plan& plan, const LayoutRules& rules, const CableTable& table);
// Without labels, bundles and trays: what a bill needs.
Layout lay_out_lengths(Plan& plan, const LayoutRules& rules, const CableTable& table);

// The first half of lay_out(): fills racks, rack_of and height of the layout, and rack and unit of
// the devices.
void place_devices(Plan& plan, const LayoutRules& rules, Layout& layout);

// "A01-40:33/C03-14:04" (TIA-606-B): this end, then the other.
std::string cable_label(const Plan& plan, const PlanEnd& near, const PlanEnd& far);

}  // namespace fatwood
