// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The links that each operation of a program uses, in one of two encodings.
//
//   lists     Every operation has its own list: amounts are multiplied by those of the edges, and
//             equal links are merged. 8 bytes per link.
//   bundles   Every operation has one link of its own, the adapter's cable, and refers to a bundle:
//             the other links, shared with all operations that have the same path after the leaf.
//             All amounts are 1. 8 bytes per operation. An operation without links has neither.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/rates/max_min.hpp"
#include "traffic/jobs/program.hpp"

namespace fatwood {

class OpUses {
 public:
  using Bundle = std::uint32_t;
  static constexpr Bundle kNoBundle = 0xffffffffU;

  // To build lists: add the links of an operation, then call end_op().
  void add(LinkUse use) { uses_.push_back(use); }
  // Merges equal links of the operation. REQUIRES no bundles.
  void join_equal() {
    const auto begin = uses_.begin() + static_cast<std::ptrdiff_t>(first_.back());
    std::sort(begin, uses_.end(),
              [](const LinkUse& a, const LinkUse& b) { return a.link < b.link; });
    std::size_t kept = first_.back();
    for (std::size_t i = kept + 1; i < uses_.size(); ++i) {
      if (uses_[i].link == uses_[kept].link) {
        uses_[kept].amount += uses_[i].amount;
      } else {
        uses_[++kept] = uses_[i];
      }
    }
    if (kept < uses_.size()) uses_.resize(kept + 1);
  }
  void end_op() { first_.push_back(uses_.size()); }
  // To build bundles: add the bundles, each with its links after the leaf, then the operations.
  Bundle add_bundle(std::span<const LinkUse> beyond) {
    uses_.insert(uses_.end(), beyond.begin(), beyond.end());
    end_op();
    return static_cast<Bundle>(first_.size() - 2);
  }
  // REQUIRES no copy made by without().
  void add_op(LinkNumber own, Bundle bundle) {
    if (owned_ == nullptr) owned_ = std::make_shared<std::vector<Bundled>>();
    owned_->push_back({own, bundle});
    ops_ = owned_->data();
  }

  void reserve(std::size_t ops) { first_.reserve(ops + 1); }
  void reserve_bundled(std::size_t ops) {
    if (owned_ == nullptr) owned_ = std::make_shared<std::vector<Bundled>>();
    owned_->reserve(ops);
  }

  bool bundled() const { return ops_ != nullptr; }
  std::size_t num_bundles() const { return first_.size() - 1; }
  std::span<const LinkUse> beyond(Bundle bundle) const { return listed(bundle); }
  LinkNumber own(Op op) const { return ops_[op].own; }  // kNoLink: it has no links
  Bundle bundle(Op op) const { return ops_[op].bundle; }

  // Fetches own() and bundle() ahead. REQUIRES bundled().
  void fetch(Op op) const { __builtin_prefetch(&ops_[op]); }

  bool empty(Op op) const { return bundled() ? own(op) == kNoLink : listed(op).empty(); }
  // `room` holds the list if it must be assembled.
  std::span<const LinkUse> of(Op op, std::vector<LinkUse>& room) const {
    if (!bundled()) return listed(op);
    if (own(op) == kNoLink) return {};
    const std::span<const LinkUse> rest = beyond(bundle(op));
    room.resize(rest.size() + 1);
    room[0] = {own(op), 1};
    for (std::size_t i = 0; i < rest.size(); ++i) room[i + 1] = rest[i];
    return room;
  }
  // The same uses without the links for which leave_out(link) is true.
  template <class LeaveOut>
  OpUses without(const LeaveOut& leave_out) const {
    OpUses result;
    result.reserve(first_.size());
    for (std::size_t i = 0; i + 1 < first_.size(); ++i) {
      for (const LinkUse& use : listed(i)) {
        if (!leave_out(use.link)) result.add(use);
      }
      result.end_op();
    }
    result.owned_ = owned_;
    result.ops_ = ops_;
    return result;
  }
  // Calls take(op) for each of the first `count` operations that uses the link, in order.
  template <class Take>
  void each_user(LinkNumber link, std::size_t count, const Take& take) const {
    const auto on = [&](std::span<const LinkUse> list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const LinkUse& use) { return use.link == link; });
    };
    std::vector<std::uint8_t> shared;
    for (Bundle b = 0; bundled() && b < num_bundles(); ++b) shared.push_back(on(beyond(b)) ? 1 : 0);
    for (Op op = 0; op < count; ++op) {
      const bool uses = !bundled()
                            ? on(listed(op))
                            : own(op) == link || (own(op) != kNoLink && shared[bundle(op)] != 0);
      if (uses) take(op);
    }
  }

 private:
  struct Bundled {
    LinkNumber own;
    Bundle bundle;
  };
  std::span<const LinkUse> listed(std::size_t i) const {
    return {uses_.data() + first_[i], first_[i + 1] - first_[i]};
  }

  std::vector<std::size_t> first_{0};  // by operation, or by bundle
  std::vector<LinkUse> uses_;
  std::shared_ptr<std::vector<Bundled>> owned_;  // shared with what without() made
  const Bundled* ops_ = nullptr;                 // its data; nullptr: lists
};

// Makes lists. Calls route(op, edge, take) for every edge, which calls take(link, share) for every
// link.
template <class Route>
OpUses route_program(const Program& program, const Route& route) {
  OpUses result;
  result.reserve(program.size());
  for (Op op = 0; op < program.size(); ++op) {
    for (const Edge& edge : program.edges(op)) {
      route(op, edge, [&](LinkNumber link, double share) {
        result.add({link, static_cast<float>(share) * edge.amount});
      });
    }
    if (program.edges(op).size() > 1) result.join_equal();
    result.end_op();
  }
  return result;
}

}  // namespace fatwood
