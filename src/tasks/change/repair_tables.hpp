// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps of a repair (repair.hpp) without figures, for other tasks, and what these tasks give to
// it: an aim of step 4, tables of their own, and what they know already.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "routing/improve/row_flows.hpp"
#include "routing/repair/forced.hpp"
#include "tasks/change/repair.hpp"

namespace fatwood {

// Step 4 for jobs.
struct SpreadRequest {
  std::vector<Terminal> host_order = {};  // RouteOptions::host_order
  // The numbers of spare blocks to try, ascending, if this many blocks must be sent.
  std::function<std::vector<std::uint64_t>(std::uint64_t forced)> spare_blocks;
  // Takes one of them: the tables with each number, which are those of step 3 first. Empty: the
  // last.
  std::function<std::size_t(std::span<const ForwardingTables>)> choose = {};
};

// What is known of tables that are repaired again and again.
struct KnownBefore {
  // By destination, 1: known to need no repair (settled_rows). Empty: nothing is known.
  std::span<const std::uint8_t> settled = {};
  const KnownTables* tables = nullptr;  // nullptr: nothing is known
  const TableFlows* flows = nullptr;    // the same
};

struct RepairGiven {
  // Used instead of `spare_blocks` where possible (spread_blocks.hpp); nullptr: for the load.
  const SpreadRequest* spread = nullptr;
  // Used unchanged if no repair can be proved; nullptr: tables of sftree.
  const Routing* fresh = nullptr;
  // The tables in the switches, kNoRoute where unknown; nullptr: the old tables.
  const ForwardingTables* in_switches = nullptr;
  KnownBefore known = {};  // of the old tables
};

// `old`: tables of this fabric's size, with the VLs of their routes. PromiseError unless the fabric
// is like a tree. Cost: O(destinations * switches) for facts about the old tables that are not
// known yet; all else, on one VL, only for rows that change.
RepairedTables repair_tables(const Model& model, const Routing& old, const Lids& lids,
                             const RepairOptions& options = {}, const RepairGiven& given = {});

// A repair that is enough: the slowest pair and the jobs have at least this part of what fresh
// tables give them.
inline constexpr double kEnoughWorst = 0.90, kEnoughJobs = 0.95;
// How much of that these figures are: 1 or more is enough.
double part_of_enough(const LossFigures& found, const LossFigures& fresh);
// The first of some repairs, by blocks, that is enough; else the one that is nearest to it.
std::size_t first_enough(std::size_t repairs, const std::function<double(std::size_t)>& part);
// The spare blocks with which 1, 2, 4 and 8 times the forced ones are sent.
std::vector<std::uint64_t> usual_spare_blocks(std::uint64_t forced);
// RouteOptions::host_order.
std::vector<Terminal> terminals_in_order(const Model& model, const GivenOrder& order);

}  // namespace fatwood
