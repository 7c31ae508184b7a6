// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Stores the costs of faults in a file, so that a stopped what-if run can continue.
//
// Format: a line "fatwood-whatif 4 KEY", then one line per fault, each ending in " .". The key
// identifies the question: everything that a cost depends on. Lines with another key, and an
// unfinished last line, are ignored. A file is written only if it is new, empty, or of this format.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/faults/fault_cost.hpp"

namespace fatwood {

// A hash of everything that a cost depends on: the program's version, the fabric with its
// numbering, rates and levels, the counted hosts, LIDs, tables, and random permutations.
std::uint64_t question_key(const Model& model, const Routing& routing, const Lids& lids,
                           std::size_t permutations, std::uint64_t seed);

// The contents of the file; "" if there is none. InputError unless it is a readable regular file
// that this program wrote, or empty.
std::string read_stored(const std::string& path);

// By fault: its cost, if the text has it.
std::vector<std::optional<FaultCost>> stored_costs(std::string_view text, std::uint64_t key,
                                                   const std::vector<Fault>& faults);

std::string stored_head(std::uint64_t key);
std::string stored_line(const Fault& fault, const FaultCost& cost);

}  // namespace fatwood
