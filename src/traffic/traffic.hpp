// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Traffic: who sends how much to whom. A schedule is a sequence of stages of traffic.
//
// Amounts are exact: a flow has an integer number of units, and a stage says how many units make 1.
// Patterns of several stages are schedules; collectives of jobs are programs (jobs/program.hpp). A
// stage is made when it is asked for, so all N-1 shifts are never in memory together.
//
// Text syntax, one row of patterns() each: "permutation", "uniform:0.3", "cluster:4", "shift:5",
// "hotspot:0", "file:PATH", ... A host is a number or, in files
// and in "hotspot:", also a name.

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fraction.hpp"
#include "core/ids.hpp"
#include "topology/model.hpp"
#include "topology/node_names.hpp"

namespace fatwood {

struct Flow {
  Adapter source;
  Adapter destination;
  std::int64_t units;  // positive

  friend bool operator==(const Flow&, const Flow&) = default;
};

// One stage. Invariants: source != destination in every flow, both below `adapters`; at most one
// flow per pair.
struct Traffic {
  std::size_t adapters = 0;       // of the fabric
  std::int64_t units_in_one = 1;  // the amount of a flow is units / units_in_one
  std::vector<Flow> flows{};

  Fraction amount(const Flow& flow) const { return {flow.units, units_in_one}; }
};

// Flows between ports: an adapter with several ports uses all of them (Adapters::port_pairs).
struct PortFlow {
  Terminal source;
  Terminal destination;
  double units;  // of Traffic::units_in_one
};

std::vector<PortFlow> port_flows(const Adapters& adapters, const Traffic& traffic);

struct Schedule {
  std::string name;
  std::size_t stages = 1;
  std::function<Traffic(std::size_t stage)> stage;
};

// Finds counted adapters by the names in files: the name (node_names.hpp) of the adapter or of one
// of its ports, the name of a host with one adapter, or a number.
class AdapterNames {
 public:
  explicit AdapterNames(std::size_t count) : count_(count) {}  // numbers only
  explicit AdapterNames(const Model& model);                   // it must outlive this

  std::size_t count() const { return count_; }
  // InputError, with what is expected, if there is none or several.
  Adapter find(std::string_view text) const;
  std::string name(Adapter adapter) const;

 private:
  std::vector<Adapter> called(std::string_view text) const;

  std::size_t count_;
  const Model* model_ = nullptr;
  std::optional<NodeNames> names_;
};

struct Pattern {
  std::string_view usage;    // "shift:K"
  std::string_view summary;  // one line, including the rule for sizes that do not fit
  bool seeded;
};
std::span<const Pattern> patterns();

// InputError if there is no such pattern, or if its number or file is wrong.
Schedule make_traffic(std::string_view text, const AdapterNames& names, std::uint64_t seed = 1);

// Rank i of the schedule runs on adapter at[i]. `adapters` is how many the fabric has. REQUIRES
// as many different adapters in `at` as the schedule has ranks.
Schedule place(Schedule ranks, std::vector<Adapter> at, std::size_t adapters);

// The generators behind the rows. n is the number of adapters.
Traffic permutation_traffic(std::span<const std::uint32_t> destination_of);  // fixed points: silent
Traffic random_permutation(std::size_t n, std::uint64_t seed);
Traffic uniform_traffic(std::size_t n, double probability, std::uint64_t seed);
Traffic clustered_traffic(std::size_t n, std::size_t group, std::uint64_t seed);
Traffic shift_traffic(std::size_t n, std::size_t by);
Traffic hotspot_traffic(std::size_t n, Adapter hot);
Traffic all_to_all(std::size_t n);
Schedule recursive_doubling(std::size_t n);
Schedule recursive_halving(std::size_t n);

// Format: lines "source destination amount" (default amount 1). '#' starts a comment. A name with
// blanks is in double quotes. A line "stage" starts another stage. Amounts of a repeated pair are
// added; 0 is allowed and ignored. InputError, with file, line and column, for unknown or equal
// hosts, negative amounts, a common denominator of the amounts above 2^40, or an amount above 2^40
// units.
Schedule parse_traffic(std::istream& in, const std::string& file, const AdapterNames& names);

}  // namespace fatwood
