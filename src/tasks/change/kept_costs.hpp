// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Costs of faults, kept in a file between runs.
//
// Format: a line "fatwood-whatif 3 KEY", then one line per fault, each ending in " .". The key
// stands for the question: everything that a cost depends on. Lines of another question, and a last
// line that was not finished, are not used. Only a file of this format, an empty one or a new one
// is ever written.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/faults/fault_cost.hpp"

namespace fatwood {

// Of the version of this program, the fabric with its numbering, rates and levels, the hosts that
// count, LIDs, tables, and random permutations.
std::uint64_t question_key(const Model& model, const Routing& routing, const Lids& lids,
                           std::size_t permutations, std::uint64_t seed);

// The content of the file; "" if there is none. InputError unless it is a regular file that can be
// read and was written by this program, or is empty.
std::string read_kept(const std::string& path);

// By fault, in their order: what the text has of them.
std::vector<std::optional<FaultCost>> kept_costs(std::string_view text, std::uint64_t key,
                                                 const std::vector<Fault>& faults);

std::string kept_head(std::uint64_t key);
std::string kept_line(const Fault& fault, const FaultCost& cost);

}  // namespace fatwood
