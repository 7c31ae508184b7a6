// SPDX-License-Identifier: BSD-3-Clause
// GOAL's binary form (goal.hpp has the layout).

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "io/traces/goal.hpp"

namespace fatwood {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kGoalMagic = 4223;
constexpr std::uint64_t kSpoiled = 2342;
constexpr std::size_t kNodeBytes = 39;
constexpr std::size_t kHeadBytes = 8;  // offsets count from here

class BinaryReader {
 public:
  BinaryReader(std::string bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}

  Trace run() {
    trace_.files = {name_};
    trace_.places_are_lines = false;
    const auto magic = get<std::uint64_t>(0, "the magic number");
    if (magic == kSpoiled) fail(0, "a run has spoiled this file: convert it again");
    if (magic != kGoalMagic) fail(0, "expected the magic number 4223");
    trace_.ranks = get<std::uint32_t>(kHeadBytes, "the number of ranks");
    trace_.nics = get<std::uint8_t>(kHeadBytes + 5, "the highest nic") + 1U;
    if (trace_.ranks == 0) fail(kHeadBytes, "expected at least one rank");
    for (std::uint32_t rank = 0; rank < trace_.ranks; ++rank) {
      const std::size_t at = kHeadBytes + 6 + std::size_t{rank} * 16;
      const auto start = get<std::uint64_t>(at, "a rank's start");
      const auto end = get<std::uint64_t>(at + 8, "a rank's end");
      if (end < start || end > bytes_.size() - kHeadBytes)
        fail(at, "a rank beyond the end of the file");
      read_rank(rank, kHeadBytes + start, kHeadBytes + end);
    }
    return std::move(trace_);
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    throw InputError({name_, 0, 0}, fmt::format("byte {}: {}", at, what));
  }

  template <class T>
  T get(std::size_t at, std::string_view what) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) {
      fail(bytes_.size(), fmt::format("the file ends before {}", what));
    }
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }

  void read_rank(std::uint32_t rank, std::size_t start, std::size_t end) {
    const auto nodes = get<std::uint32_t>(start, "the number of nodes");
    const auto roots = get<std::uint32_t>(start + 4, "the number of roots");
    const std::size_t first = start + 8 + std::size_t{roots} * 4;
    const std::size_t appendix = first + std::size_t{nodes} * kNodeBytes;
    if (appendix > end) fail(start, fmt::format("rank {} has more nodes than bytes", rank));
    const auto base = static_cast<std::uint32_t>(trace_.ops.size());
    room_ = (end - appendix) / 4;  // each number of the appendix belongs to one node
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const std::size_t at = first + std::size_t{i} * kNodeBytes;
      trace_.ops.push_back(node(rank, i, at));
      waits(at + 23, appendix, end, base, i, nodes, false);
      waits(at + 31, appendix, end, base, i, nodes, true);
    }
  }

  TraceOp node(std::uint32_t rank, std::uint32_t number, std::size_t at) const {
    TraceOp op;
    op.rank = rank;
    op.place = number;
    const auto kind = get<std::int8_t>(at + 4, "a kind");
    if (kind < 1 || kind > 3) fail(at + 4, "expected 1 (send), 2 (receive) or 3 (calc)");
    op.kind = kind == 1 ? TraceKind::kSend : kind == 2 ? TraceKind::kReceive : TraceKind::kDelay;
    op.peer = get<std::uint32_t>(at + 5, "a peer");
    const auto size = static_cast<double>(get<std::uint64_t>(at + 9, "a size"));
    op.size = op.kind == TraceKind::kDelay ? size * 1e-9 : size;
    op.tag = get<std::uint32_t>(at + 17, "a tag");
    op.cpu = get<std::uint8_t>(at + 21, "a cpu");
    op.nic = get<std::uint8_t>(at + 22, "a nic");
    const bool any = op.kind == TraceKind::kReceive && op.peer == kAnyRank;
    if (op.kind != TraceKind::kDelay && !any && op.peer >= trace_.ranks) {
      fail(at + 5, fmt::format("expected a rank below {}", trace_.ranks));
    }
    if (op.kind == TraceKind::kSend && op.tag == kAnyTag) fail(at + 17, "a send needs a tag");
    if (op.nic >= trace_.nics) fail(at + 22, "a nic above the highest");
    return op;
  }

  // Those that wait for node i: count and first number in the appendix stand at `at`.
  void waits(std::size_t at, std::size_t appendix, std::size_t end, std::uint32_t base,
             std::uint32_t i, std::uint32_t nodes, bool for_start) {
    const auto count = get<std::uint32_t>(at, "a count");
    const auto from = get<std::uint32_t>(at + 4, "an index");
    if (appendix + (std::size_t{from} + count) * 4 > end || count > room_) {
      fail(at, "waits beyond the end of the rank");
    }
    room_ -= count;
    for (std::size_t k = from; k < std::size_t{from} + count; ++k) {
      const auto other = get<std::uint32_t>(appendix + k * 4, "a node");
      if (other >= nodes) fail(appendix + k * 4, fmt::format("expected a node below {}", nodes));
      trace_.waits.push_back({base + other, base + i, for_start});
    }
  }

  std::string bytes_;
  std::string name_;
  Trace trace_;
  std::size_t room_ = 0;  // numbers of the rank's appendix that no node has claimed
};

}  // namespace

Trace read_goal_binary(Input& input) { return BinaryReader(input.all_bytes(), input.name()).run(); }

bool looks_like_goal_binary(std::string_view bytes) {
  if (bytes.size() < 8) return false;
  std::uint64_t magic = 0;
  std::memcpy(&magic, bytes.data(), 8);
  return magic == kGoalMagic || magic == kSpoiled;
}

}  // namespace fatwood
