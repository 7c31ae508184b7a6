// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The jobs that `even` makes tables for: windows of neighbouring hosts, in the order in which a
// scheduler gives hosts to jobs (topology/hosts/job_places.hpp).
//
// Windows are not drawn at random. They cover the machine in rows. A row has windows of one size,
// next to each other, so it has exactly one window of each host. Sizes are 1/2, 1, 2, 4, .. times
// the hosts of the fullest leaf, and the whole machine; smaller jobs cross one boundary between
// leaves. Each size has eight rows, shifted by an eighth of the size. So a job of any size and
// offset has a window that is similar: of 0.7 to 1.4 times its size, and at most a sixteenth of
// that size away. (With four rows, unseen windows of Selene get 0.01 less.)
//
// In a window every host sends to every other, on its own rail. On fabrics with rails further rows,
// with a quarter of the sizes and one offset, are jobs in which every adapter sends to every other.
//
// The bound of a window is what its most loaded link must carry: what a host receives, or the fair
// share of a cut (topology/levels/tree_cuts.hpp) if that is larger. Loads are divided by it.
// Each size counts as much as any other: a window has its size as weight.
// Cost: O(rows * (terminals + windows * leaves in them * levels)).

#include <cstdint>
#include <span>
#include <vector>

#include "routing/even/even_net.hpp"
#include "topology/hosts/job_places.hpp"

namespace fatwood {

class EvenWindows {
 public:
  // `offsets`: rows of a size. `order`: RouteOptions::host_order.
  EvenWindows(const Model& model, const EvenNet& net, std::span<const Terminal> order,
              std::uint32_t offsets = kOffsets);

  static constexpr std::uint32_t kOffsets = 8;

  std::uint32_t hosts() const { return hosts_; }
  std::uint32_t rows() const { return static_cast<std::uint32_t>(weight_.size()); }
  // The window of a terminal (its number in EvenNet) in a row; kNobody if jobs do not use it.
  // Windows of a row have consecutive numbers.
  std::uint32_t window(std::uint32_t terminal, std::uint32_t row) const {
    return window_[std::size_t{terminal} * rows() + row];
  }
  // 1 / the bound of the window, for each address.
  float scale(std::uint32_t window) const { return scale_[window]; }
  float weight(std::uint32_t row) const { return weight_[row]; }
  // The hosts in a window that send to this terminal, by source (EvenNet::sources). Terminals of
  // one rail have the same list.
  struct Senders {
    std::uint32_t source;
    float hosts;
  };
  std::span<const Senders> senders(std::uint32_t window, std::uint32_t terminal) const {
    const std::size_t i = std::size_t{window} * rails_ + places_[terminal].rail;
    return {senders_.data() + first_sender_[i], senders_.data() + first_sender_[i + 1]};
  }

 private:
  struct Row {
    double size, shift;  // in hosts
    bool all_rails;
  };
  std::vector<Row> choose_rows(std::uint32_t offsets, std::uint32_t fullest_leaf) const;
  // Adds the windows of a row, whose numbers are in window_.
  void fill(std::uint32_t row, bool all_rails, const EvenNet& net, class WindowShares& shares);

  std::uint32_t hosts_ = 0, rails_ = 1;
  std::vector<JobPlace> places_;       // by terminal
  std::vector<std::uint32_t> source_;  // by terminal
  std::vector<float> weight_;          // by row
  std::vector<std::uint32_t> window_;  // [terminal][row]
  std::vector<float> scale_;           // by window
  std::vector<std::uint32_t> first_sender_ = {0};
  std::vector<Senders> senders_;
};

}  // namespace fatwood
