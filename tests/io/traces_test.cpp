// SPDX-License-Identifier: BSD-3-Clause
// Readers of traces: by hand, on public samples where they lie, and files that are wrong.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "io/traces/chakra.hpp"
#include "io/traces/goal.hpp"
#include "io/traces/nccl_log.hpp"
#include "support/input_error.hpp"
#include "support/real_fabrics.hpp"

namespace fatwood {
namespace {

using test::input_error_of;

Trace goal(std::string_view text) {
  Input input(text, "job.goal");
  return read_goal(input);
}
std::string goal_error(std::string_view text) {
  return input_error_of([&] { goal(text); });
}
Program run(const Trace& trace) {
  return trace_program(trace, {.nodes = trace.ranks, .ranks = 1, .nics = 1}, {});
}

constexpr std::string_view kGoal = R"(// two ranks
num_ranks 2
rank 0 {
l1: calc 1000 cpu 0
l2: send 4096 b to 1 tag 7 cpu 0 nic 1   /* a comment
over two lines */
l2 requires l1
}
rank 1 {
a: recv 4096b from 0 tag 7
b: calc 5
b irequires a
}
)";

TEST(Goal, Reads) {
  const Trace trace = goal(kGoal);
  EXPECT_EQ(trace.ranks, 2U);
  EXPECT_EQ(trace.nics, 2U);
  ASSERT_EQ(trace.ops.size(), 4U);
  EXPECT_EQ(trace.ops[0].kind, TraceKind::kDelay);
  EXPECT_DOUBLE_EQ(trace.ops[0].size, 1e-6);
  EXPECT_EQ(trace.ops[1].kind, TraceKind::kSend);
  EXPECT_EQ(trace.ops[1].peer, 1U);
  EXPECT_EQ(trace.ops[1].tag, 7U);
  EXPECT_EQ(trace.ops[1].nic, 1U);
  EXPECT_EQ(trace.ops[1].place, 5U);
  ASSERT_EQ(trace.waits.size(), 2U);
  EXPECT_EQ(trace.waits[0].op, 1U);
  EXPECT_EQ(trace.waits[0].other, 0U);
  EXPECT_TRUE(trace.waits[1].for_start);
  const Program program = run(trace);
  EXPECT_DOUBLE_EQ(program.total_bytes(), 4096);
}

TEST(Goal, BadFilesSayWhere) {
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"", "expected num_ranks"},
           {"rank 0 {\n}\n", "job.goal:1:1: expected num_ranks"},
           {"num_ranks 0\n", "at least one rank"},
           {"num_ranks 1\nrank 1 {\n}\n", "job.goal:2:6: expected rank 0"},
           {"num_ranks 1\nrank 0 {\n", "expected } to end rank 0"},
           {"num_ranks 2\nrank 0 {\n}\n", "expected rank 1 {"},
           {"num_ranks 1\nrank 0 {\nput 4b to 0\n}\n", "job.goal:3:5: expected requires"},
           {"num_ranks 1\nrank 0 {\nsend 4 to 0\n}\n", "job.goal:3:8"},
           {"num_ranks 1\nrank 0 {\nsend 4b to 1\n}\n", "expected a rank below 1"},
           {"num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n}\n", "label a is taken"},
           {"num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}\n", "job.goal:4:12: rank 0 has no "},
           {"num_ranks 1\nrank 0 {\ncalc 1 cpu 300\n}\n", "job.goal:3"},
           {"num_ranks 1\nrank 0 {\ncalc 1 nic 3\n}\n", "expected the end of the line"},
           {"num_ranks 1\nrank 0 {\n/* open\n}\n", "expected */"}}) {
    EXPECT_NE(goal_error(text).find(what), std::string::npos) << text << goal_error(text);
  }
}

TEST(Goal, TracesThatWaitForever) {
  const auto error = [](std::string_view text) { return input_error_of([&] { run(goal(text)); }); };
  EXPECT_EQ(error("num_ranks 2\nrank 0 {\n}\nrank 1 {\nrecv 8b from 0 tag 3\n}\n"),
            "job.goal:5: rank 1 waits forever: rank 0 sends it no message with tag 3 that another "
            "receive has not taken");
  EXPECT_NE(
      error("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 3\n}\nrank 1 {\n}\n")
          .find("job.goal:3: rank 0 sends 8 bytes to rank 1, tag 3, and nobody receives them"),
      std::string::npos);
  // Each waits for what the other sends after it.
  EXPECT_NE(error("num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
                  "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n")
                .find("waits in a circle"),
            std::string::npos);
}

TEST(Goal, SizesOfSendAndReceiveAgree) {
  const auto error = [](std::string_view text) { return input_error_of([&] { run(goal(text)); }); };
  EXPECT_EQ(error("num_ranks 2\nrank 0 {\nsend 4000b to 1 tag 3\n}\nrank 1 {\n"
                  "recv 8000b from 0 tag 3\n}\n"),
            "job.goal:6: rank 1 receives 8000 bytes, but line 3 of rank 0 sends 4000 of tag 3; "
            "expected the same size");
  const std::string two = "num_ranks 2\nrank 0 {\nsend 1b to 1\nsend 2b to 1\n}\nrank 1 {\n";
  EXPECT_EQ(error(two + "recv 2b from -1\nrecv 1b from -1\n}\n"), "no error");
  EXPECT_NE(
      error(two + "recv 2b from -1\nrecv 3b from -1\n}\n").find("job.goal:8: rank 1 receives 3"),
      std::string::npos);
}

TEST(Goal, AnySourceAndAnyTag) {
  const Trace trace = goal(
      "num_ranks 3\nrank 0 {\nrecv 1b from -1 tag -1\nrecv 2b from 2 tag 5\n}\n"
      "rank 1 {\nsend 1b to 0 tag 9\n}\nrank 2 {\nsend 2b to 0 tag 5\n}\n");
  EXPECT_DOUBLE_EQ(run(trace).total_bytes(), 3);
}

// A binary file written here by the layout in goal.hpp, of the text above.
class BinaryGoal {
 public:
  template <class T>
  void put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  void node(std::uint32_t open, std::int8_t kind, std::uint32_t peer, std::uint64_t size,
            std::uint32_t tag, std::uint8_t nic, std::uint32_t ends, std::uint32_t first_end,
            std::uint32_t starts, std::uint32_t first_start) {
    put(open), put(kind), put(peer), put(size), put(tag), put(std::uint8_t{0}), put(nic);
    put(ends), put(first_end), put(starts), put(first_start);
  }
  std::string bytes;
};

std::string binary_goal() {
  BinaryGoal rank0;
  rank0.put(std::uint32_t{2}), rank0.put(std::uint32_t{1}), rank0.put(std::uint32_t{0});
  rank0.node(0, 3, 0, 1000, 0, 0, 1, 0, 0, 0);
  rank0.node(1, 1, 1, 4096, 7, 1, 0, 1, 0, 1);
  rank0.put(std::uint32_t{1});
  BinaryGoal rank1;
  rank1.put(std::uint32_t{2}), rank1.put(std::uint32_t{1}), rank1.put(std::uint32_t{0});
  rank1.node(0, 2, 0, 4096, 7, 0, 0, 0, 1, 0);
  rank1.node(1, 3, 0, 5, 0, 0, 0, 0, 0, 0);
  rank1.put(std::uint32_t{1});
  BinaryGoal file;
  file.put(std::uint64_t{4223});
  file.put(std::uint32_t{2}), file.put(std::uint8_t{0}), file.put(std::uint8_t{1});
  const std::uint64_t start = 6 + 2 * 16;
  file.put(start), file.put(start + rank0.bytes.size());
  file.put(start + rank0.bytes.size());
  file.put(start + rank0.bytes.size() + rank1.bytes.size());
  return file.bytes + rank0.bytes + rank1.bytes;
}

TEST(GoalBinary, SaysWhatTheTextSays) {
  EXPECT_TRUE(looks_like_goal_binary(binary_goal()));
  Input input(binary_goal(), "job.bin");
  const Trace binary = read_goal_binary(input);
  const Trace text = goal(kGoal);
  ASSERT_EQ(binary.ops.size(), text.ops.size());
  for (std::size_t i = 0; i < text.ops.size(); ++i) {
    EXPECT_EQ(binary.ops[i].kind, text.ops[i].kind);
    EXPECT_EQ(binary.ops[i].size, text.ops[i].size);
    EXPECT_EQ(binary.ops[i].rank, text.ops[i].rank);
    if (text.ops[i].kind == TraceKind::kDelay) continue;
    EXPECT_EQ(binary.ops[i].peer, text.ops[i].peer);
    EXPECT_EQ(binary.ops[i].tag, text.ops[i].tag);
    EXPECT_EQ(binary.ops[i].nic, text.ops[i].nic);
  }
  ASSERT_EQ(binary.waits.size(), text.waits.size());
  for (std::size_t i = 0; i < text.waits.size(); ++i) {
    EXPECT_EQ(binary.waits[i].op, text.waits[i].op);
    EXPECT_EQ(binary.waits[i].other, text.waits[i].other);
    EXPECT_EQ(binary.waits[i].for_start, text.waits[i].for_start);
  }
}

TEST(GoalBinary, CutAndSpoiledFiles) {
  const std::string whole = binary_goal();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(input_error_of([&] {
                Input input(whole.substr(0, length), "job.bin");
                read_goal_binary(input);
              }),
              "no error")
        << length;
  }
  std::string spoiled = whole;
  spoiled[0] = static_cast<char>(2342 & 0xff);
  spoiled[1] = static_cast<char>(2342 >> 8);
  EXPECT_NE(input_error_of([&] {
              Input input(spoiled, "job.bin");
              read_goal_binary(input);
            }).find("a run has spoiled"),
            std::string::npos);
}

// The public samples, where they lie next to the checkout.
std::string sample(const std::string& name) { return test::lifelike("../samples/" + name); }

TEST(Goal, PublicSamples) {
  if (!test::is_here("../samples/goal")) return;
  for (const auto& [name, ranks, messages] :
       std::vector<std::tuple<std::string, unsigned, unsigned>>{{"binary_tree_16", 16, 15},
                                                                {"binary_tree_32", 32, 31},
                                                                {"dissemination_16", 16, 64},
                                                                {"dissemination_32", 32, 160},
                                                                {"schedule", 8, 7}}) {
    Input input(sample("goal/" + name + ".goal"));
    EXPECT_TRUE(looks_like_goal(input.peek()));
    const Trace trace = read_goal(input);
    EXPECT_EQ(trace.ranks, ranks) << name;
    const Program program = run(trace);
    unsigned sent = 0;
    for (Op op = 0; op < program.size(); ++op) {
      if (!program.edges(op).empty()) ++sent;
    }
    EXPECT_EQ(sent, messages) << name;
  }
}

TEST(Chakra, PublicSamples) {
  const std::string ring = sample("chakra/astra-sim/custom_ring_allreduce_8npus_1MB.0.et");
  if (!test::is_here("../samples/chakra")) return;
  const Trace trace = read_chakra(ring);
  EXPECT_EQ(trace.ranks, 8U);
  const Program program = run(trace);
  // Each rank sends 2 * 7 blocks of an eighth.
  EXPECT_DOUBLE_EQ(program.total_bytes(), 8 * 14 * 131072.0);
  const Trace reduce = read_chakra(sample("chakra/astra-sim/all_reduce_4npus_1MB.2.et"));
  EXPECT_EQ(reduce.ranks, 4U);
  ASSERT_EQ(reduce.ops.size(), 4U);
  EXPECT_EQ(reduce.ops[0].kind, TraceKind::kCollective);
  EXPECT_DOUBLE_EQ(run(reduce).total_bytes(), 4 * 2.0 * 3 / 4 * 1048576);
  Trace torch;
  torch.ranks = 1;
  torch.files = {"chakra.0.et.gz"};
  torch.places_are_lines = false;
  Input packed(sample("chakra/chakra.0.et.gz"));
  read_chakra_rank(packed, 0, torch);
  EXPECT_EQ(torch.ops.size(), 3664U);
  EXPECT_EQ(std::count_if(torch.ops.begin(), torch.ops.end(),
                          [](const TraceOp& op) { return op.kind == TraceKind::kCollective; }),
            7);
  Trace json;
  json.ranks = 1;
  Input text(sample("chakra/small_chakra.0.json"));
  read_chakra_rank(text, 0, json);
  EXPECT_EQ(json.ops.size(), 7U);
  EXPECT_FALSE(json.notes.empty());  // collectives without a size
}

TEST(Chakra, WaitsForNodesOfTheFileOnly) {
  Trace trace;
  trace.ranks = 1;
  Input input(R"({"workload_graph": [{"Id": 1, "NodeType": 4, "data_deps": [], "runtime": 3},
    {"Id": 2, "NodeType": 4, "data_deps": [1, 8, 9], "runtime": 4}]})",
              "x.0.json");
  read_chakra_rank(input, 0, trace);
  ASSERT_EQ(trace.waits.size(), 1U);
  EXPECT_EQ(trace.waits[0].op, 1U);
  EXPECT_EQ(trace.waits[0].other, 0U);
  ASSERT_EQ(trace.notes.size(), 1U);
  EXPECT_EQ(trace.notes[0], "rank 0: 2 waits for nodes that are not in the file");
}

TEST(Chakra, BadFiles) {
  const auto error = [](std::string_view bytes) {
    return input_error_of([&] {
      Trace trace;
      trace.ranks = 1;
      Input input(bytes, "x.0.et");
      read_chakra_rank(input, 0, trace);
    });
  };
  EXPECT_NE(error("").find("empty"), std::string::npos);
  EXPECT_NE(error(std::string_view("\x05\x0a", 2)).find("ends inside"), std::string::npos);
  EXPECT_NE(error(std::string_view("\x00\x02\x18\x05", 4)).find("comm_dst"), std::string::npos);
  EXPECT_NE(error("{\"workload_graph\": 3}").find("workload_graph"), std::string::npos);
  EXPECT_NE(error("{\"workload_graph\": [").find("expected JSON"), std::string::npos);
  EXPECT_NE(error("{\"workload_graph\": [{\"Id\": 1}, {\"Id\": 1}]}").find("comes twice"),
            std::string::npos);
  EXPECT_NE(input_error_of([] { read_chakra("nothing.et"); }).find(".RANK.et"), std::string::npos);
  EXPECT_NE(input_error_of([] { read_chakra("nothing.3.et"); }).find("rank 0 is absent"),
            std::string::npos);
}

TEST(Trace, CollectivesThatNotAllCall) {
  Trace trace;
  trace.ranks = 2;
  trace.files = {"a.0.et", "a.1.et"};
  trace.places_are_lines = false;
  trace.collectives = {{CollectiveKind::kAllReduce, 100, ""},
                       {CollectiveKind::kAllGather, 100, ""}};
  TraceOp call;
  call.kind = TraceKind::kCollective;
  call.place = 4;
  trace.ops = {call};
  EXPECT_NE(
      input_error_of([&] { run(trace); }).find("a.0.et: rank 0, node 4: a collective of all 2"),
      std::string::npos);
  call.rank = 1;
  call.collective = 1;
  trace.ops.push_back(call);
  EXPECT_NE(input_error_of([&] { run(trace); }).find("rank 1 calls another collective"),
            std::string::npos);
}

constexpr std::string_view kLog =
    R"(0: n1:100:200 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_3:1/IB [RO]; OOB eth0:1.2.3.4<0>
n2:101:200 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_3:1/IB [RO]; OOB eth0:1.2.3.5<0>
n1:100:200 [0] NCCL INFO comm 0x55 rank 0 nRanks 4 nNodes 2 localRanks 2 localRank 0 MNNVL 0
n1:100:200 [0] NCCL INFO Channel 00/02 :    0   1   2   3
n1:100:200 [0] NCCL INFO Channel 01/02 :    0   1   2   3
n1:100:200 [0] NCCL INFO Trees [0] 1/2/-1->0->-1 [1] 1/-1/-1->0->2
n1:100:201 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/0(0)/GDRDMA
n2:101:200 [0] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [receive] via NET/IB/0/GDRDMA
n1:100:201 [1] NCCL INFO Channel 01/0 : 1[1] -> 2[0] [send] via NET/IB/1/GDRDMA
n2:101:200 [0] NCCL INFO Channel 01/0 : 1[1] -> 2[0] [receive] via NET/IB/1/GDRDMA
n2:101:201 [1] NCCL INFO Channel 00/0 : 3[1] -> 0[0] [send] via NET/IB/0/GDRDMA
n1:100:200 [0] NCCL INFO Channel 00/0 : 3[1] -> 0[0] [receive] via NET/IB/0/GDRDMA
n1:100:200 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[0] [send] via NET/IB/0/GDRDMA
n1:100:200 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM
)";

TEST(NcclLog, PairsSendsAndReceives) {
  Input input(kLog, "nccl.log");
  EXPECT_TRUE(looks_like_nccl_log(kLog));
  const NcclLog log = read_nccl_log(input);
  EXPECT_EQ(log.ranks, 4U);
  EXPECT_EQ(log.channels, 2U);
  ASSERT_EQ(log.host_of.size(), 4U);
  EXPECT_EQ(log.host_of[1], "n1");
  EXPECT_EQ(log.host_of[3], "n2");
  EXPECT_EQ(log.devices.at("n2")[1], "mlx5_3:1");
  ASSERT_EQ(log.edges.size(), 4U);
  EXPECT_EQ(log.edges[0].from, 0U);  // the tree's
  EXPECT_EQ(log.edges[0].part, NcclEdge::Part::kTree);
  EXPECT_EQ(log.edges[0].into, NcclEdge::kUnknown);
  EXPECT_EQ(log.edges[1].part, NcclEdge::Part::kRing);
  EXPECT_EQ(log.edges[3].channel, 1U);
  EXPECT_EQ(log.edges[3].out, 1U);
  EXPECT_EQ(log.edges[3].into, 1U);
  ASSERT_EQ(log.notes.size(), 1U);  // one end of the tree's edge is missing
}

TEST(NcclLog, WhatIsCutOffIsTold) {
  std::string text =
      "n1:1:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 40 nNodes 5\n"
      "n1:1:1 [0] NCCL INFO Channel 00/02 :    0   1   2   3\n"
      "n1:1:1 [7] NCCL INFO Channel 00/0 : 7[7] -> 8[0] [send] via NET/AWS "
      "Libfabric/3/GDRDMA\n"
      "n1:1:1 [7] NCCL INFO Ring 00 : 6 -> 7 -> 8\n";
  Input input(text, "nccl.log");
  const NcclLog log = read_nccl_log(input);
  ASSERT_EQ(log.edges.size(), 1U);
  EXPECT_EQ(log.edges[0].out, 3U);
  EXPECT_EQ(log.edges[0].part, NcclEdge::Part::kRing);
  std::string notes;
  for (const std::string& note : log.notes) notes += note + "\n";
  EXPECT_NE(notes.find("shows 4 of 40 ranks"), std::string::npos) << notes;
  EXPECT_NE(notes.find("38 ranks without a line"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 connections with the adapter of one end"), std::string::npos) << notes;
}

// The first communicator is the job's; ranks of later ones are counted otherwise.
TEST(NcclLog, TwoCommunicators) {
  Input input(
      "n1:1:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 4 nNodes 2\n"
      "n2:1:1 [0] NCCL INFO comm 0x2 rank 1 nRanks 2 nNodes 2\n"
      "n2:1:1 [0] NCCL INFO comm 0x1 rank 2 nRanks 4 nNodes 2\n"
      "n1:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[0] [send] via NET/IB/1\n",
      "nccl.log");
  const NcclLog log = read_nccl_log(input);
  EXPECT_EQ(log.ranks, 4U);
  EXPECT_EQ(log.host_of, (std::vector<std::string>{"n1", "", "n2", ""}));
  ASSERT_EQ(log.edges.size(), 1U);
  EXPECT_EQ(log.edges[0].out, 1U);
}

TEST(NcclLog, BadLogs) {
  const auto error = [](std::string_view text) {
    return input_error_of([&] {
      Input input(text, "nccl.log");
      read_nccl_log(input);
    });
  };
  EXPECT_NE(error("hello\n").find("NCCL_DEBUG=INFO"), std::string::npos);
  EXPECT_NE(error("a:1:1 [0] NCCL INFO Channel 00 : 0[1] -> 1[2] [send] via NET/IB/0\n"
                  "b:1:1 [0] NCCL INFO Channel 01 : 0[1] -> 1[2] [send] via NET/IB/0\n")
                .find("nccl.log:2: rank 0 is on a and on b"),
            std::string::npos);
}

}  // namespace
}  // namespace fatwood
