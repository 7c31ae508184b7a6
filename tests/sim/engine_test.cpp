// SPDX-License-Identifier: BSD-3-Clause
// The engine against the per-flit oracle, delivery by delivery, on random small fabrics, with one
// to four threads.

#include "sim/engine/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/flit_engine.hpp"
#include "routing/engine.hpp"

namespace fatwood::sim {
namespace {

using oracle::SourceList;

// A workload that plays lists, as the oracle does.
class Lists : public Workload {
 public:
  explicit Lists(const std::vector<SourceList>& lists)
      : lists_(lists), at_(lists.size(), 0), free_(lists.size(), true) {}
  Time next_at(Endpoint e) const override {
    const auto& list = lists_[index(e)];
    if (at_[index(e)] == list.messages.size() || !free_[index(e)]) return kNever;
    return list.messages[at_[index(e)]].created;
  }
  MessageSpec take(Endpoint e, Time) override {
    if (lists_[index(e)].after_sent) free_[index(e)] = false;
    return lists_[index(e)].messages[at_[index(e)]++];
  }
  void sent(Endpoint e, Time) override { free_[index(e)] = true; }
  bool wants_sent() const override { return true; }
  bool is_local() const override { return true; }

 private:
  const std::vector<SourceList>& lists_;
  std::vector<std::size_t> at_;
  std::vector<char> free_;
};

struct Log : Observer {
  std::vector<Delivery> all;
  std::vector<Log> parts;
  void delivered(const Delivery& d) override { all.push_back(d); }
  Observer* of_thread(unsigned part, unsigned count) override {
    parts.resize(count);
    return &parts[part];
  }
  std::vector<Delivery> everything() const {
    std::vector<Delivery> sum = all;
    for (const Log& part : parts) sum.insert(sum.end(), part.all.begin(), part.all.end());
    return sum;
  }
};

// By tick, source, message and packet. Of packets of a message that arrive in one tick (receivers
// without limit), any may be the one that completes it: here the last of them is.
std::vector<Delivery> sorted(std::vector<Delivery> all) {
  std::sort(all.begin(), all.end(), [](const Delivery& a, const Delivery& b) {
    return std::tuple(a.delivered, a.source, a.message, a.packet) <
           std::tuple(b.delivered, b.source, b.message, b.packet);
  });
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const Delivery& next = all[i + 1];
    if (all[i].last && std::tuple(all[i].delivered, all[i].source, all[i].message) ==
                           std::tuple(next.delivered, next.source, next.message)) {
      std::swap(all[i].last, all[i + 1].last);
    }
  }
  return all;
}

Model random_model(const Fabric& fabric, Random& random) {
  Model model;
  model.packet_flits = 1 + random.below(6);
  model.input_flits = model.packet_flits * (1 + random.below(3)) + random.below(3);
  model.output_flits = model.packet_flits * (1 + random.below(3)) + random.below(3);
  model.lanes = 1 + random.below(3);
  model.queueing = random.below(2) == 0 ? Queueing::kFifo : Queueing::kByOutput;
  model.receivers = random.below(3) == 0 ? Receivers::kUnlimited : Receivers::kLink;
  model.crossbar_speedup = random.below(3);
  model.switch_latency = random.below(3);
  model.link_latency = random.below(3);
  for (unsigned lane = 0; lane < model.lanes && random.below(2) == 0; ++lane) {
    model.shares.push_back(
        {random.below(2) == 0 ? Priority::kLow : Priority::kHigh, 1 + random.below(12)});
  }
  if (model.shares.size() != model.lanes) model.shares.clear();
  model.high_limit = random.below(3) * 7;
  constexpr std::uint32_t kSpeeds[] = {1000, 2000, 3000, 1500};
  model.link_speed = 2000;
  if (random.below(2) == 0) {
    model.speeds.resize(fabric.num_channels());
    model.latencies.resize(fabric.num_channels());
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      model.speeds[c] = kSpeeds[random.below(4)];
      model.latencies[c] = random.below(4);
    }
  }
  if (random.below(2) == 0) model.terminal_speed = kSpeeds[random.below(4)];
  if (random.below(2) == 0) model.port0_speed = kSpeeds[random.below(4)];
  return model;
}

std::vector<SourceList> random_lists(const Network& net, Random& random, bool switches,
                                     unsigned levels) {
  std::vector<SourceList> lists(net.endpoints());
  const auto terminals = static_cast<std::uint32_t>(net.terminals);
  const bool congested = random.below(3) == 0;
  const std::uint32_t spread = congested ? 2 : 20 + random.below(400);
  for (std::uint32_t e = 0; e < net.endpoints(); ++e) {
    const bool terminal = e < terminals;
    if (!terminal && !switches) break;
    const std::uint32_t first = terminal ? 0 : terminals;
    const std::uint32_t count = terminal ? terminals : static_cast<std::uint32_t>(net.switches);
    lists[e].after_sent = random.below(2) == 0;
    Time at = 0;
    for (std::uint32_t i = congested ? 40 : random.below(12); i > 0 && count > 1; --i) {
      at += random.below(spread);
      const std::uint32_t dest = first + (e - first + 1 + random.below(count - 1)) % count;
      lists[e].messages.push_back({at, static_cast<Endpoint>(dest), 1 + random.below(20),
                                   static_cast<std::uint8_t>(random.below(levels))});
    }
  }
  return lists;
}

struct Seen {
  std::size_t deliveries = 0, deadlocks = 0, discarded = 0;
  unsigned runs = 0, shared = 0;  // shared: by several threads
};

void compare(const Network& net, const Model& model, const Routes& routes, PathChoice choice,
             const std::vector<SourceList>& lists, const std::string& what, Seen& seen) {
  constexpr Time kUntil = 60000;
  Lists workload(lists);
  Log log;
  const unsigned parts = 1 + seen.runs % 3;
  Engine engine(net, model, routes, choice, 1, workload, log, 1 + seen.runs++ % 4, parts);
  seen.shared += engine.threads() > 1 ? 1U : 0U;
  for (Time t = 500; t <= kUntil; t += 500) {
    engine.run(t);
    ASSERT_EQ(engine.imbalance(), "") << what;
  }
  const auto ours = sorted(log.everything());
  const auto theirs = sorted(oracle::run_flits(net, model, routes, choice, lists, kUntil));
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_EQ(ours[i], theirs[i]) << what << ": delivery " << i << " of packet " << ours[i].packet
                                  << " of message " << ours[i].message << " of "
                                  << index(ours[i].source) << " at " << ours[i].delivered
                                  << ", oracle: packet " << theirs[i].packet << " of message "
                                  << theirs[i].message << " of " << index(theirs[i].source)
                                  << " at " << theirs[i].delivered;
  }
  // Everything arrives or is discarded, or packets wait in a cycle.
  std::size_t packets = 0;
  for (const SourceList& list : lists) {
    for (const MessageSpec& m : list.messages) {
      packets += (m.flits + model.packet_flits - 1) / model.packet_flits;
    }
  }
  const std::size_t ended = ours.size() + engine.counters().packets_discarded;
  EXPECT_EQ(ended < packets, engine.deadlock().has_value()) << what;
  seen.discarded += engine.counters().packets_discarded;
  seen.deliveries += ours.size();
  seen.deadlocks += engine.deadlock().has_value() ? 1U : 0U;
}

TEST(Engine, TablesAgreeWithTheFlitOracle) {
  const char* specs[] = {"ring(9)", "kary(2,2)",  "xgft(2;3,2;1,2)",    "pgft(2;2,3;1,2;1,2)",
                         "ring(5)", "torus(3,3)", "random(6,9,seed=3)", "ft(4,2)"};
  Seen seen;
  for (std::uint32_t sample = 0; sample < 150; ++sample) {
    Random random(77, sample);
    const std::string spec = specs[sample % std::size(specs)];
    const Fabric fabric = make_fabric(spec);
    // One sample in four has two addresses per terminal, taken in turns.
    Routing routing =
        find_engine("minhop").route(fatwood::Model(fabric), {.lmc = sample % 4 == 3 ? 1U : 0U});
    const Model model = random_model(fabric, random);
    if (model.lanes > 1) {  // any lanes do: the engine must follow them
      routing.lanes.count = model.lanes;
      routing.lanes.switches = fabric.num_switches();
      routing.lanes.row_of.resize(routing.tables.num_destinations());
      for (std::uint32_t i = 0; i < routing.lanes.row_of.size(); ++i) routing.lanes.row_of[i] = i;
      routing.lanes.lane.resize(routing.lanes.row_of.size() * fabric.num_switches());
      for (auto& lane : routing.lanes.lane) {
        lane = static_cast<std::uint8_t>(random.below(model.lanes));
      }
    }
    const Network net = make_network(fabric, model);
    const Routes routes = Routes::by_tables(net, routing);
    const auto lists = random_lists(net, random, sample % 2 == 0, 2);
    compare(net, model, routes, PathChoice::kRoundRobinPerPacket, lists,
            spec + " sample " + std::to_string(sample), seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.deliveries, 10000U);
  EXPECT_GT(seen.shared, 100U);
  EXPECT_GT(seen.deadlocks, 0U);  // minhop on rings: the oracle agrees that nothing moves
}

// Each switch is written at a time of its own, some twice: with holes first, then whole.
TEST(Engine, TablesThatChangeUnderWayAgreeWithTheFlitOracle) {
  const char* specs[] = {"kary(2,2)", "xgft(2;3,2;1,2)", "ring(5)", "random(6,9,seed=3)"};
  Seen seen;
  for (std::uint32_t sample = 0; sample < 40; ++sample) {
    Random random(79, sample);
    const std::string spec = specs[sample % std::size(specs)];
    const Fabric fabric = make_fabric(spec);
    const Routing old = find_engine("minhop").route(fatwood::Model(fabric), {});
    const ForwardingTables now = find_engine("dnup").route(fatwood::Model(fabric), {}).tables;
    ForwardingTables holes = now;
    for (const Destination destination : ids<Destination>(holes.num_destinations())) {
      for (Port& entry : holes.row(destination)) {
        if (random.below(8) == 0) entry = kNoRoute;
      }
    }
    std::vector<TableChange> changes;
    for (std::uint32_t s = 0; s < fabric.num_switches(); ++s) {
      const Time at = random.below(2000);
      if (random.below(2) == 0) changes.push_back({at / 2, s, 1});
      changes.push_back({at, s, 2});
    }
    Model model = random_model(fabric, random);
    model.lanes = 1;
    model.shares.clear();
    const Network net = make_network(fabric, model);
    Routes routes = Routes::by_tables(net, old);
    routes.change_tables({holes, now}, changes);
    const auto lists = random_lists(net, random, true, 1);
    compare(net, model, routes, PathChoice::kRoundRobinPerPacket, lists,
            spec + " sample " + std::to_string(sample), seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.deliveries, 3000U);
  EXPECT_GT(seen.discarded, 20U);
}

TEST(Engine, ClosedFormPathsAgreeWithTheFlitOracle) {
  const char* specs[] = {"kary(2,3)", "xgft(2;3,4;1,2)", "pgft(2;2,3;1,2;1,2)", "ft(4,3)"};
  Seen seen;
  for (std::uint32_t sample = 0; sample < 60; ++sample) {
    Random random(78, sample);
    const std::string spec = specs[sample % std::size(specs)];
    const Fabric fabric = make_fabric(spec);
    const char* names[] = {"dmodk", "umulti", "disjoint:2", "random:3"};
    const auto made = make_algebraic(names[random.below(4)], *fabric.tree(), 5);
    const Model model = random_model(fabric, random);
    const Network net = make_network(fabric, model);
    const Routes routes = Routes::by_paths(net, *made.routing);
    const auto lists = random_lists(net, random, false, 3);
    const PathChoice choice =
        sample % 2 == 0 ? PathChoice::kRoundRobinPerPacket : PathChoice::kInOrderPerPacket;
    compare(net, model, routes, choice, lists, spec + " sample " + std::to_string(sample), seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.deliveries, 10000U);
}

}  // namespace
}  // namespace fatwood::sim
