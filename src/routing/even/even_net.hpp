// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The traffic and the channels that `even` works with: who sends how much to whom, and the load and
// limit of each channel between switches.
//
// Sources are the switches with counted terminals, in order of their first terminal. The number of
// a terminal is its index among the counted ones. In all-to-all, a source sends one flow per host
// to each address, in whole units. A host with several ports sends equal shares from each, so the
// units depend on the kind of the destination's port (topology/flow_sources.hpp). Given demands
// name pairs instead.
//
// A slot is a (switch, port). Ports are padded to a power of two, so that the slot of an entry is a
// shift and an or. Cost: O(ports + terminals * kinds + demands).

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/engine.hpp"
#include "routing/tree/up_down_order.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

constexpr std::uint32_t kNobody = 0xffffffffU;  // no switch, source or channel

// Terminals of a switch with consecutive numbers.
struct AdapterRun {
  std::uint32_t first, count;
};

struct EvenDestination {
  Destination destination;
  std::uint32_t number;  // of its terminal
  std::uint32_t kind;    // of that port (FlowSources)
};

struct EvenSource {
  std::uint32_t at;  // the switch
  std::vector<AdapterRun> runs = {};
  std::vector<EvenDestination> destinations = {};  // on it
};

struct EvenSender {
  std::uint32_t source;  // number of the sending source
  std::uint64_t weight;
};

struct EvenChannel {
  std::uint64_t load = 0, limit = 0;
  float least = 0;                 // target load, which prices refer to
  std::uint32_t next = kNobody;    // the switch at the other end
  std::uint32_t number = kNobody;  // among the channels between switches
  float urgent = 0;                // above this load, shift contention is ignored
};

class EvenNet {
 public:
  // InputError if a demand has a terminal that is not counted.
  EvenNet(const Model& model, const UpDownOrder& up_down, const ForwardingTables& tables,
          std::span<const PairDemand> demands);

  std::size_t size() const { return switches_; }
  std::uint32_t slot(std::uint32_t s, Port port) const { return s << shift_ | index(port); }
  std::size_t num_channels() const { return num_channels_; }
  std::uint32_t num_terminals() const { return num_terminals_; }  // that count
  std::uint32_t addresses() const { return addresses_; }          // of each
  bool all_to_all() const { return senders_.empty(); }
  // Units of load per flow, in all-to-all.
  std::uint64_t units_in_one() const { return units_in_one_; }
  std::uint32_t num_kinds() const { return num_kinds_; }  // kinds of destination ports
  // All-to-all: the units that a source sends to each address of a kind.
  std::uint64_t sent(std::uint32_t source, std::uint32_t kind) const {
    return sent_[kind * sources_.size() + source];
  }

  std::span<const EvenSource> sources() const { return sources_; }
  std::uint32_t source_at(std::uint32_t s) const { return source_at_[s]; }  // or kNobody
  // The number of a terminal, or kNobody if it is not counted.
  std::uint32_t number(Terminal t) const { return number_[index(t)]; }
  // Calls visit(number of source, weight) for each source that sends to a terminal on another
  // switch.
  template <class Visit>
  void each_sender(std::uint32_t at, const EvenDestination& to, const Visit& visit) const {
    each_sender_from(0, at, to, visit);
  }
  // The same, but starting after part / 2^16 of the senders and wrapping around.
  template <class Visit>
  void each_sender_from(std::uint32_t part, std::uint32_t at, const EvenDestination& to,
                        const Visit& visit) const {
    const std::uint32_t first = all_to_all() ? 0 : first_sender_[to.number];
    const std::uint32_t end =
        all_to_all() ? static_cast<std::uint32_t>(sources_.size()) : first_sender_[to.number + 1];
    const auto middle =
        first + static_cast<std::uint32_t>(std::uint64_t{end - first} * part >> 16U);
    const auto call = [&](std::uint32_t i) {
      const EvenSender sender = all_to_all() ? EvenSender{i, sent(i, to.kind)} : senders_[i];
      if (sources_[sender.source].at != at && sender.weight != 0) {
        visit(sender.source, sender.weight);
      }
    };
    for (std::uint32_t i = middle; i < end; ++i) call(i);
    for (std::uint32_t i = first; i < middle; ++i) call(i);
  }

  // Ports that lead to switches, in the order of trunks: down, then up by column.
  std::span<const Port> cabled_ports(std::uint32_t s) const {
    return {cabled_.data() + first_cabled_[s], cabled_.data() + first_cabled_[s + 1]};
  }
  // The same as channel[slot].next. This smaller array fits the cache.
  std::uint32_t next(std::uint32_t slot) const { return next_[slot]; }
  // The capacity of a channel; 0 for a slot without one.
  std::uint64_t capacity(std::uint32_t slot) const { return capacity_[slot]; }
  std::uint64_t fastest() const { return fastest_; }  // the largest capacity

  std::vector<EvenChannel> channel;  // by slot

 private:
  void find_channels(const Fabric& fabric, const UpDownOrder& up_down);
  void find_sources(const Model& model, const ForwardingTables& tables);
  void find_sent(const Fabric& fabric, const FlowSources& flows);
  void find_senders(const Fabric& fabric, std::span<const PairDemand> demands);

  std::size_t switches_;
  std::uint32_t shift_ = 0;
  std::size_t num_channels_ = 0;
  std::uint32_t num_terminals_ = 0;
  std::uint32_t addresses_;
  std::vector<std::uint32_t> capacity_, next_;  // by slot
  std::uint64_t fastest_ = 0;
  std::vector<std::uint32_t> first_cabled_;  // by switch, and the end
  std::vector<Port> cabled_;
  std::vector<EvenSource> sources_;
  std::uint64_t units_in_one_ = 1;
  std::uint32_t num_kinds_ = 0;
  std::vector<std::uint64_t> sent_;          // by kind, then source
  std::vector<std::uint32_t> source_at_;     // by switch
  std::vector<std::uint32_t> number_;        // by terminal; kNobody if it is not counted
  std::vector<std::uint32_t> first_sender_;  // by number of terminal, and the end
  std::vector<EvenSender> senders_;
};

// Visits switches in the order in which traffic to a destination passes them: first traffic that
// goes up, from the lowest switch upwards; then traffic that goes down, from the highest switch
// downwards. So everything that comes to a switch has arrived before the switch is visited.
class SwitchSweep {
 public:
  // `descending`: switches in the order by which the routes are legal, highest first.
  explicit SwitchSweep(std::span<const std::uint32_t> descending);

  // Adds a switch that has traffic.
  void add(std::uint32_t s) { bits_[place_[s] / kWord] |= std::uint64_t{1} << place_[s] % kWord; }
  bool goes_up(std::uint32_t from, std::uint32_t to) const { return place_[to] > place_[from]; }
  // Calls go_up(s) for the added switches, upwards, then go_down(s) for all of them, downwards.
  // Both may add more switches. Afterwards no switch is added.
  template <class Up, class Down>
  void run(const Up& go_up, const Down& go_down) {
    for (std::size_t w = 0; w < bits_.size(); ++w) {
      std::uint64_t after = ~std::uint64_t{0};  // bits not looked at yet
      for (std::uint64_t left = bits_[w]; left != 0; left = bits_[w] & after) {
        const auto bit = static_cast<unsigned>(std::countr_zero(left));
        after = bit == kWord - 1 ? 0 : ~std::uint64_t{0} << (bit + 1);
        go_up(at(w * kWord + bit));
      }
    }
    for (std::size_t w = bits_.size(); w-- > 0;) {
      std::uint64_t after = ~std::uint64_t{0};
      for (std::uint64_t left = bits_[w]; left != 0; left = bits_[w] & after) {
        const auto bit = static_cast<unsigned>(std::bit_width(left)) - 1;
        after = (std::uint64_t{1} << bit) - 1;
        go_down(at(w * kWord + bit));
      }
      bits_[w] = 0;
    }
  }

 private:
  static constexpr std::size_t kWord = 64;
  std::uint32_t at(std::size_t place) const { return descending_[descending_.size() - 1 - place]; }

  std::span<const std::uint32_t> descending_;
  std::vector<std::uint32_t> place_;  // counted from the lowest switch
  std::vector<std::uint64_t> bits_;   // by place: added
};

// The flows of one row: how many arrive at each switch on their path to the destination.
class RowTraffic {
 public:
  // `descending`: switches in the order by which the routes are legal, highest first.
  RowTraffic(const EvenNet& net, std::span<const std::uint32_t> descending)
      : net_(net), sweep_(descending), arrived_(net.size()) {}

  // Follows the row of a destination on switch `at`. Calls visit(slot, flows) once or twice for
  // each channel with flows.
  template <class Visit>
  void follow(const Port* row, std::uint32_t at, const EvenDestination& to, const Visit& visit) {
    for (const std::uint32_t s : touched_) arrived_[s] = 0;
    touched_.clear();
    net_.each_sender(at, to, [&](std::uint32_t source, std::uint64_t weight) {
      const std::uint32_t s = net_.sources()[source].at;
      const std::uint32_t slot = net_.slot(s, row[s]);
      visit(slot, weight);
      arrive(net_.next(slot), weight);
    });
    const auto pass = [&](std::uint32_t s, bool goes_up) {
      if (s == at) return;
      const std::uint32_t slot = net_.slot(s, row[s]);
      const std::uint32_t next = net_.next(slot);
      if (sweep_.goes_up(s, next) != goes_up) return;
      touched_.push_back(s);
      visit(slot, arrived_[s]);
      arrive(next, arrived_[s]);
    };
    sweep_.run([&](std::uint32_t s) { pass(s, true); }, [&](std::uint32_t s) { pass(s, false); });
    touched_.push_back(at);
  }

  // Flows from other switches that arrive at s.
  std::uint64_t arrived(std::uint32_t s) const { return arrived_[s]; }
  // All switches where flows arrive or arrived; after follow() in the order in which flows pass
  // them, the destination's switch last.
  std::span<const std::uint32_t> touched() const { return touched_; }
  void add(std::uint32_t s, std::uint64_t flows) {
    if (arrived_[s] == 0) touched_.push_back(s);
    arrived_[s] += flows;
  }
  void take(std::uint32_t s, std::uint64_t flows) { arrived_[s] -= flows; }

 private:
  void arrive(std::uint32_t s, std::uint64_t flows) {
    sweep_.add(s);
    arrived_[s] += flows;
  }

  const EvenNet& net_;
  SwitchSweep sweep_;
  std::vector<std::uint64_t> arrived_;
  std::vector<std::uint32_t> touched_;
};

// Computes the load of every channel.
void count_loads(EvenNet& net, std::span<const std::uint32_t> descending,
                 const ForwardingTables& tables);

}  // namespace fatwood
