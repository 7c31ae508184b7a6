// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Max-min fair rates of an exchange in rounds, updated while flows come and go: live_shares.hpp for
// the case that every rank sends one flow at a time and all links have one capacity.
//
// Problem: a pairwise all-to-all of some thousand ranks has millions of solutions of about ten
// rates each. Their time is spent waiting for memory, so all state should fit into a cache.
//
// Method: as LiveShares, in the same order, so every rate has the same bits. A link matters if it
// has two flows or more. The flows and links that links which matter connect are a part. A part is
// solved by progressive filling; its links are in a list sorted by level, since they are few.
//
// Encoding: a flow is the rank that sends it. It has half a cache line, and a link a quarter, with
// its first flows. Numbers of ranks and links have 16 bits.
// Cost: O(entries of the touched parts) per settle().

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/radix_heap.hpp"

namespace fatwood {

class RankShares {
 public:
  using Rank = std::uint16_t;
  using Link = std::uint16_t;
  static constexpr std::uint16_t kNone = 0xffff;
  static constexpr std::size_t kLinks = 6;  // of one flow

  // What is wanted when a rate changes. `started` and `round` are for the caller.
  struct alignas(32) Progress {
    double left = 0;  // bytes at `since`
    double since = 0;
    double started = 0;
    std::uint16_t round = 0;
  };

  // REQUIRES fewer than kNone ranks and links, and a capacity whose small multiples are exact.
  RankShares(double capacity, std::size_t ranks, std::size_t links);

  double rate(Rank rank) const { return flows_[rank].rate; }
  Link held_by(Rank rank) const { return flows_[rank].held_by; }  // kNone: its own cable
  Progress& progress(Rank rank) { return progress_[rank]; }
  // Starts or ends the flow of a rank. Rates are valid after settle(). `path`: different links.
  // REQUIRES settle() between the start and the end of a flow.
  void add(Rank rank, std::span<const Link> path, double bytes, double now);
  void remove(Rank rank);
  // Updates rates. Returns the flows whose rates are new or changed, valid until the next call.
  std::span<const Rank> settle(double now);
  std::uint64_t solved() const { return solved_; }  // flows, in all settle() so far
  // Fetches a flow, and then its links, before remove() wants them.
  void fetch(Rank rank) const {
    __builtin_prefetch(&flows_[rank], 1);
    __builtin_prefetch(&progress_[rank], 1);
  }
  void fetch_links(Rank rank) const {
    for (unsigned i = 0; i < flows_[rank].size; ++i) {
      __builtin_prefetch(&links_[flows_[rank].link[i]], 1);
    }
  }

 private:
  struct alignas(32) Flow {
    double rate = 0;
    std::array<Link, kLinks> link{};
    Link held_by = kNone;
    std::uint8_t size = 0;
    std::uint8_t narrow = 0;  // bit i: link i matters
    bool open = false;        // in the part being solved, without a rate
  };
  static constexpr std::size_t kFew = 5;  // flows that fit into a link
  struct alignas(16) LinkState {
    std::uint16_t size = 0;
    std::uint16_t local = kNone;  // in filling_
    bool touched = false;
    bool many = false;             // flows are in many_[few[0]]
    std::array<Rank, kFew> few{};  // in the order in which they came
  };
  struct Filling {       // a link of the part being solved
    double left;         // remaining capacity
    std::uint32_t open;  // flows without a rate
    Link link;
  };
  struct Level {
    double key;
    std::uint32_t at;  // in filling_
  };

  const Rank* users(const LinkState& link) const {
    return link.many ? many_[link.few[0]].data() : link.few.data();
  }
  void add_to_many(LinkState& link, Rank rank);
  void remove_from_many(LinkState& link, Rank rank);
  void flip_narrow(Rank rank, Link link);
  void gather(Rank rank);
  void gather_users(const LinkState& link);
  void gather_part();
  void fill();
  void fill_many();
  void fix_users(const Filling& full, double level);
  void set_rate(Flow& flow, Rank rank, double rate, Link by);

  double capacity_;
  double now_ = 0;
  std::vector<double> level_of_;  // by number of flows
  std::vector<Flow> flows_;
  std::vector<Progress> progress_;
  std::vector<LinkState> links_;
  std::vector<std::vector<Rank>> many_;
  std::vector<std::uint16_t> free_many_;

  std::vector<Rank> added_;
  std::vector<Link> touched_;
  // With room for all, and how many are in use.
  std::vector<Rank> part_, changed_;
  std::size_t num_part_ = 0, num_changed_ = 0;
  std::vector<Filling> filling_;
  std::size_t num_filling_ = 0;
  std::vector<Level> levels_;
  RadixHeap<std::uint32_t> heap_;
  std::uint64_t solved_ = 0;
};

}  // namespace fatwood
