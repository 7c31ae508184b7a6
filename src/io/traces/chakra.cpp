// SPDX-License-Identifier: BSD-3-Clause
#include "io/traces/chakra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "io/traces/chakra_rank.hpp"

namespace fatwood {
namespace {

enum Type : std::uint64_t { kComputation = 4, kSend = 5, kReceive = 6, kCollectiveCall = 7 };

std::optional<CollectiveKind> collective_kind(std::uint64_t type) {
  using enum CollectiveKind;
  constexpr std::optional<CollectiveKind> kKinds[] = {
      kAllReduce, kReduce,        kAllGather,     {},      {}, kBroadcast,
      kAllToAll,  kReduceScatter, kReduceScatter, kBarrier};
  return type < std::size(kKinds) ? kKinds[type] : std::nullopt;
}

// "dir/name.3.et.gz" is "dir/name.", 3 and ".et.gz".
struct RankFile {
  std::string before;
  std::uint32_t rank = 0;
  std::string after;
};

std::optional<RankFile> rank_file(std::string_view path) {
  std::string_view base = path;
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (base.ends_with(packed)) base.remove_suffix(packed.size());
  }
  std::size_t end = base.size();
  if (base.ends_with(".et")) {
    end -= 3;
  } else if (base.ends_with(".json")) {
    end -= 5;
  } else {
    return std::nullopt;
  }
  const std::size_t dot = base.rfind('.', end - 1);
  if (dot == std::string_view::npos || dot + 1 == end || end - dot > 8) return std::nullopt;
  RankFile found{std::string(path.substr(0, dot + 1)), 0, std::string(path.substr(end))};
  const auto [stop, error] = std::from_chars(path.data() + dot + 1, path.data() + end, found.rank);
  if (error != std::errc{} || stop != path.data() + end) return std::nullopt;
  return found;
}

}  // namespace

std::uint32_t ChakraRank::collective(const ChakraNode& node, const Location& where) {
  const auto kind = collective_kind(node.collective.value_or(0));
  if (!kind) {
    throw InputError(where, fmt::format("node {}: collectives of comm_type {} can't be run",
                                        node.id, *node.collective));
  }
  TraceCollective made{*kind, static_cast<double>(*node.size), node.group};
  if (trace_.collectives.empty() || trace_.collectives.back() != made) {
    trace_.collectives.push_back(std::move(made));
  }
  return static_cast<std::uint32_t>(trace_.collectives.size() - 1);
}

TraceOp ChakraRank::operation(const ChakraNode& node, const Location& where) {
  TraceOp op;
  op.rank = rank_;
  op.place = node.id;
  op.kind = TraceKind::kDelay;
  op.cpu = node.on_cpu ? 0 : 1;
  op.size = node.micros * 1e-6;
  if (!std::isfinite(op.size) || op.size < 0) {
    throw InputError(where, fmt::format("node {}: expected a duration of 0 or more", node.id));
  }
  const bool talks = node.type == kSend || node.type == kReceive;
  if (talks) {
    const auto peer = node.type == kSend ? node.destination : node.source;
    if (!peer || *peer < 0 || *peer >= kMostRanks) {
      throw InputError(where, fmt::format("node {}: expected a rank in {}", node.id,
                                          node.type == kSend ? "comm_dst" : "comm_src"));
    }
    if (!node.size) throw InputError(where, fmt::format("node {}: expected comm_size", node.id));
    op.kind = node.type == kSend ? TraceKind::kSend : TraceKind::kReceive;
    op.peer = static_cast<std::uint32_t>(*peer);
    op.tag = static_cast<std::uint32_t>(node.tag) & 0x7fffffffU;
    op.size = static_cast<double>(*node.size);
  } else if (node.type == kCollectiveCall && !node.on_cpu) {
    if (node.size) {
      op.kind = TraceKind::kCollective;
      op.collective = collective(node, where);
    } else {
      ++left_out_["collectives without comm_size, taken as delays"];
    }
  } else if (node.type < 2 || node.type > kCollectiveCall) {
    ++left_out_["nodes that neither compute nor send"];
    op.size = 0;
  }
  return op;
}

void ChakraRank::add(const ChakraNode& node, const Location& where) {
  const auto number = static_cast<std::uint32_t>(trace_.ops.size());
  if (!by_id_.try_emplace(node.id, number).second) {
    throw InputError(where, fmt::format("node {} comes twice", node.id));
  }
  trace_.ops.push_back(operation(node, where));
  if (!node.data_deps.empty()) waits_.emplace_back(number, node.data_deps);
}

void ChakraRank::finish() {
  for (const auto& [op, deps] : waits_) {
    for (const std::uint64_t id : deps) {
      const auto at = by_id_.find(id);
      if (at == by_id_.end()) {
        ++left_out_["waits for nodes that are not in the file"];
      } else {
        trace_.waits.push_back({op, at->second});
      }
    }
  }
  for (const auto& [what, times] : left_out_) {
    trace_.notes.push_back(fmt::format("rank {}: {} {}", rank_, times, what));
  }
}

void read_chakra_rank(Input& input, std::uint32_t rank, Trace& trace) {
  ChakraRank reader(trace, rank);
  const std::string_view head = input.peek();
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && head[first] == '{') {
    read_chakra_json(input, reader);
  } else {
    read_chakra_protobuf(input, reader);
  }
  reader.finish();
}

bool chakra_name(std::string_view path) { return rank_file(path).has_value(); }

Trace read_chakra(const std::string& path) {
  const auto given = rank_file(path);
  if (!given) {
    throw InputError({path, 0, 0}, "expected a name that ends in .RANK.et or .RANK.json");
  }
  Trace trace;
  trace.places_are_lines = false;
  const auto name = [&](std::uint32_t rank) {
    return given->before + std::to_string(rank) + given->after;
  };
  while (std::filesystem::exists(name(trace.ranks))) trace.files.push_back(name(trace.ranks++));
  if (given->rank >= trace.ranks) {
    throw InputError({path, 0, 0},
                     fmt::format("rank {} is absent: expected {}", trace.ranks, name(trace.ranks)));
  }
  for (std::uint32_t rank = 0; rank < trace.ranks; ++rank) {
    Input input(trace.files[rank]);
    read_chakra_rank(input, rank, trace);
  }
  for (const TraceOp& op : trace.ops) {
    const bool talks = op.kind == TraceKind::kSend || op.kind == TraceKind::kReceive;
    if (talks && op.peer >= trace.ranks) {
      trace.fail(op, fmt::format("rank {} of {}", op.peer, trace.ranks));
    }
  }
  return trace;
}

}  // namespace fatwood
