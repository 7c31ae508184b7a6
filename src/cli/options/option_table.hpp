// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which option of which verb is read, and by what: the one table of it. An option that nothing in a
// command reads is an error. A verb has the options of the table and no others.
//
// What reads an option is the verb itself, whatever it does; another option that is given; or a use
// that the command makes of something: an engine with lanes, traffic that is drawn at random. A
// verb tells its uses before it begins (Verb::callback), and again (Verb::check) when it has read
// files that decide about some.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace fatwood::cli {

using Uses = std::uint64_t;
constexpr Uses use(unsigned bit) { return Uses{1} << bit; }
inline constexpr Uses kVerb = use(0);  // always
inline constexpr Uses kDrawnFaults = use(1);
inline constexpr Uses kDraws = use(2);  // something is drawn by --seed
inline constexpr Uses kText = use(3);   // what is printed is for people
// Of engines.
inline constexpr Uses kEngine = use(4);
inline constexpr Uses kLanes = use(5);
inline constexpr Uses kOrder = use(6);
inline constexpr Uses kManager = use(7);
inline constexpr Uses kGroups = use(8);
inline constexpr Uses kAim = use(9);
inline constexpr Uses kLevels = use(10);
inline constexpr Uses kBalance = use(11);
// Of tables.
inline constexpr Uses kTablesFile = use(12);
inline constexpr Uses kPortSets = use(13);   // entries of several ports
inline constexpr Uses kBounded = use(14);    // some of them chosen by burst
inline constexpr Uses kManyPaths = use(15);  // of a pair
// Of verbs.
inline constexpr Uses kGuids = use(16);
inline constexpr Uses kHostTarget = use(17);
inline constexpr Uses kSampled = use(18);
inline constexpr Uses kStudies = use(19);
inline constexpr Uses kStudyFabrics = use(20);
inline constexpr Uses kStudyOpensm = use(21);
inline constexpr Uses kSeveralStages = use(22);
inline constexpr Uses kRounds = use(23);
inline constexpr Uses kSwitchMessages = use(24);
// Of jobs.
inline constexpr Uses kCollectives = use(25);
inline constexpr Uses kRankCount = use(26);
inline constexpr Uses kAdapters = use(27);
inline constexpr Uses kRings = use(28);
inline constexpr Uses kRingsOrTrees = use(29);
inline constexpr Uses kAllToAlls = use(30);
inline constexpr Uses kRooted = use(31);
inline constexpr Uses kSendReceive = use(32);
inline constexpr Uses kGroupSizes = use(33);
inline constexpr Uses kExpertGroups = use(34);
inline constexpr Uses kLatency = use(35);
inline constexpr Uses kPlacement = use(36);
inline constexpr Uses kJobUses = kCollectives | kRankCount | kAdapters | kRings | kRingsOrTrees |
                                 kAllToAlls | kRooted | kSendReceive | kGroupSizes | kExpertGroups |
                                 kLatency;

struct OptionRow {
  std::string_view options;  // "--roots --compute"
  std::string_view verbs;    // "show verify"
  Uses uses;                 // any of them reads it
  std::string_view with;     // and any of these options
};
std::span<const OptionRow> option_rows();

// Whether the verb has the option.
bool has_option(std::string_view verb, std::string_view option);

// Why the option has no effect in a command of these uses; "" when it has. `given`: is the option
// on the command line? REQUIRES that the verb has it.
std::string why_void(std::string_view verb, std::string_view option, Uses uses,
                     const std::function<bool(std::string_view)>& given);

}  // namespace fatwood::cli
