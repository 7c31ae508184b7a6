// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Slurm's short form of host lists, read and written.
//
//   list   := item (("," | blank) item)*
//   item   := part+ ["*" count]             n1*2 is n1,n1
//   part   := text | "[" range ("," range)* "]" | " (" text ")": an id, as Fatwood prints it
//   range  := number | number "-" number    first <= last; as wide as the first: [09-11]
//
// Several brackets multiply, the rightmost fastest: r[1-2]n[1-2] is r1n1,r1n2,r2n1,r2n2. Order and
// duplicates are kept. As in Slurm a range has at most 65,536 names; lists of more than a million
// are refused. Functions (switch{s1}) need a running slurmctld and are refused with a hint.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace fatwood {

// InputError at the column of the error, counted from where.column. If `where` has no line, the
// message has the list and the position in it.
std::vector<std::string> expand_hostlist(std::string_view list, const Location& where = {});

// The inverse, in the given order: {"t2", "t1", "t2"} is "t[2,1-2]". Names that end in more than 18
// digits are not folded.
std::string hostlist_in_order(std::span<const std::string> names);

// Sorted and without duplicates, as in files for Slurm: {"n1", "n3", "n2", "x"} is "x,n[1-3]". The
// last number of a name is folded: "h4-1-gpu" and "h4-10-gpu" are "h4-[1,10]-gpu". GUIDs as names
// ("S-0008f10500108530") and names with an id ("node (H-1)") are not folded.
std::string hostlist(std::span<const std::string> names);

}  // namespace fatwood
