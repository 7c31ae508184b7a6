// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The paths between two adapters and their shares of the traffic. Loads, worst cases and studies
// see every routing through this interface: algebraic routings, forwarding tables and source
// routes. (The simulator has its own: sim/engine/routes.hpp.) Sources and destinations are counted
// adapters.
//
// An adapter with several ports sends equal shares from each. Algebraic routings define how. With
// tables, port i sends to port i of the destination if both have equally many ports, otherwise each
// port to each port. Pairs of ports that cables do not connect are left out.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// The paths of one pair, each with the share 1/size(). A path is listed twice if two addresses lead
// over it. Empty: there is no route.
class PathList {
 public:
  std::size_t size() const { return end_.size(); }
  bool empty() const { return end_.empty(); }
  std::span<const Channel> operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : end_[i - 1];
    return {channels_.data() + begin, end_[i] - begin};
  }
  std::span<const Channel> all() const { return channels_; }  // of all paths, consecutively

  // Building: the channels of a path, then end_path().
  void push_back(Channel c) { channels_.push_back(c); }
  void append(std::span<const Channel> path) {
    channels_.insert(channels_.end(), path.begin(), path.end());
  }
  std::span<Channel> extend(std::size_t by) {  // to be written
    channels_.resize(channels_.size() + by);
    return std::span(channels_).last(by);
  }
  void end_path() { end_.push_back(static_cast<std::uint32_t>(channels_.size())); }

 private:
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> end_;
};

class PathSource {
 public:
  PathSource() = default;
  PathSource(const PathSource&) = delete;
  PathSource& operator=(const PathSource&) = delete;
  virtual ~PathSource() = default;

  virtual std::size_t num_adapters() const = 0;
  // From the source's port to the destination's switch port, in order. REQUIRES s != d.
  virtual PathList paths(Adapter s, Adapter d) const = 0;
  // Every share is a multiple of 1/units_in_one().
  virtual std::uint32_t units_in_one() const = 0;
  // For fast special cases: the algebraic routing, or the tables if every address is used and every
  // adapter has one port; otherwise nullptr.
  virtual const AlgebraicRouting* algebraic() const { return nullptr; }
  virtual const ForwardingTables* tables() const { return nullptr; }
  // Tables: addresses per port, all used with equal shares. Otherwise 0.
  virtual std::uint32_t addresses() const { return 0; }
  // Adaptive tables: the choices of each switch. They have no list of paths, so paths() must not be
  // called.
  virtual const Routing* adaptive() const { return nullptr; }
};

// Which of the 2^lmc addresses of a destination a source uses, with equal shares. Empty: all.
struct AddressChoice {
  std::function<std::vector<std::uint8_t>(Terminal s, Terminal d)> offsets;
  std::uint32_t units_in_one = 1;  // a common multiple of the numbers of addresses used
};

// "the routing has no path from H1 to H2"
PromiseError no_path(const Model& model, Adapter source, Adapter destination);

// The result owns its arguments, except the model, which must outlive it.
std::unique_ptr<PathSource> path_source(std::shared_ptr<const AlgebraicRouting> routing);
// The same on a complete tree of any numbering. REQUIRES model.complete_tree().
std::unique_ptr<PathSource> path_source(const Model& model,
                                        std::shared_ptr<const AlgebraicRouting> routing);
std::unique_ptr<PathSource> path_source(const Model& model, Routing routing,
                                        AddressChoice choice = {});

// The paths between some adapters, with the adapter numbers of a measured model
// (topology/hosts/participants.hpp). REQUIRES two models of one fabric: `measured` has some of the
// adapters of `all`; `paths` belong to `all`. The arguments must outlive the result.
std::unique_ptr<PathSource> paths_among(const Model& measured, const Model& all,
                                        const PathSource& paths);

}  // namespace fatwood
