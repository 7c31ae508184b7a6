// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The load of one flow between two adapters on each channel. Jobs see every routing through this
// class.
//
//   tables, algebraic routings   even: every path of the pair has an equal share; hashed: one path
//   adaptive tables              even: each switch divides traffic evenly over the ports of its
//                                entry, the mean of packets that choose by load; hashed: one port
//                                per switch
//
// A hash depends on the queue pair. A connection has `queue_pairs` of them, with equal shares, and
// two adapters may have several connections (one per NCCL channel). Hashed ports and paths are
// random by (seed, source, destination, connection, queue pair, switch).
// Cost for adaptive tables: O(ports of the destination's entries) when the destination changes, and
// O(switches) per flow.

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/load/even_split.hpp"
#include "analysis/rates/max_min.hpp"
#include "routing/tables/path_source.hpp"

namespace fatwood {

enum class PortChoice : std::uint8_t { kEven, kHashed };

class FlowLinks {
 public:
  // Both must outlive it.
  FlowLinks(const Model& model, const PathSource& paths, PortChoice choice = PortChoice::kEven,
            std::uint64_t seed = 1, std::uint32_t queue_pairs = 1);

  // Whether connections of one pair differ.
  bool hashed() const { return choice_ == PortChoice::kHashed; }
  // Whether every pair has one path that is the same, after the source's leaf, for all sources on
  // that leaf: tables with one address per port, and adapters with one port.
  bool by_leaf() const;
  // The adapter's cable, and the switch at its end (or kNone). REQUIRES by_leaf().
  LinkNumber first_link(Adapter from) const;
  Switch leaf(Adapter from) const;
  // Empty: no route, or some choice loses its packets. A link may occur twice. REQUIRES from != to.
  std::vector<LinkUse> links(Adapter from, Adapter to, std::uint32_t connection = 0);

 private:
  struct QueuePair {
    std::uint64_t seed;
    std::uint64_t flow;
  };
  void add_paths(const PathList& list, float share, const QueuePair& pair,
                 std::vector<LinkUse>& links) const;
  // Adds the load of a share of a flow on this path; false: packets may be lost.
  bool add_path(const PortPath& path, float share, const QueuePair& pair,
                std::vector<LinkUse>& links);
  void add_even(std::uint32_t leaf, float share, std::vector<LinkUse>& links);
  void add_hashed(std::uint32_t leaf, float share, const QueuePair& pair,
                  std::vector<LinkUse>& links);

  const Model& model_;
  const PathSource& paths_;
  PortChoice choice_;
  std::uint64_t seed_;
  std::uint32_t queue_pairs_;
  std::optional<EvenSplit> split_;  // for adaptive tables
  const ChoiceWalk* walk_ = nullptr;
  Destination followed_ = kNone<Destination>;
};

}  // namespace fatwood
