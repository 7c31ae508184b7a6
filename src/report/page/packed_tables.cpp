// SPDX-License-Identifier: BSD-3-Clause
#include "report/page/packed_tables.hpp"

#include <algorithm>
#include <vector>

#include "report/page/packed.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kSamples = 48;         // entries of two rows that are compared
constexpr std::size_t kTableSamples = 4096;  // of two routings

// [switch][destination], as the switches hold them.
std::vector<std::uint8_t> by_switch(const ForwardingTables& tables) {
  std::vector<std::uint8_t> bytes(tables.num_destinations() * tables.num_switches());
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const auto row = tables.row(destination);
    for (std::size_t s = 0; s < row.size(); ++s) {
      bytes[s * tables.num_destinations() + index(destination)] = static_cast<std::uint8_t>(row[s]);
    }
  }
  return bytes;
}

// The earlier tables that share most entries with these, if more than half.
std::size_t most_similar(const ForwardingTables& tables,
                         std::span<const ForwardingTables* const> earlier) {
  const auto mine = bytes_of(tables.entries());
  std::size_t best = PackedTables::kNoBase;
  std::size_t most = kTableSamples / 2;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    if (earlier[i] == nullptr || earlier[i]->num_destinations() != tables.num_destinations())
      continue;
    const auto other = bytes_of(earlier[i]->entries());
    std::size_t same = 0;
    for (std::size_t k = 0; k < kTableSamples; ++k) {
      const std::size_t at = k * (mine.size() - 1) / (kTableSamples - 1);
      if (mine[at] == other[at]) ++same;
    }
    if (same > most) {
      most = same;
      best = i;
    }
  }
  return best;
}

// Rows of bytes, and a few of each side by side.
class Rows {
 public:
  Rows(std::vector<std::uint8_t> bytes, std::size_t rows)
      : bytes_(std::move(bytes)), rows_(rows), columns_(bytes_.size() / rows) {
    const std::size_t samples = std::min(kSamples, columns_);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < samples; ++k) {
        samples_.push_back(row(r)[k * columns_ / samples]);
      }
    }
  }
  std::size_t size() const { return rows_; }
  std::span<const std::uint8_t> row(std::size_t r) const {
    return std::span(bytes_).subspan(r * columns_, columns_);
  }
  std::span<const std::uint8_t> sample(std::size_t r) const {
    const std::size_t each = samples_.size() / rows_;
    return std::span(samples_).subspan(r * each, each);
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t rows_, columns_;
  std::vector<std::uint8_t> samples_;
};

std::size_t alike(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  std::size_t same = 0;
  for (std::size_t k = 0; k < a.size(); ++k) same += a[k] == b[k] ? 1U : 0U;
  return same;
}

PackedTables pack_by_switch(const ForwardingTables& tables, const ForwardingTables* base) {
  const Rows rows(by_switch(tables), tables.num_switches());
  const Rows other(base == nullptr ? std::vector<std::uint8_t>() : by_switch(*base), rows.size());
  std::vector<std::uint8_t> bytes;
  bytes.reserve(tables.num_destinations() * rows.size());
  std::vector<std::uint32_t> like;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    // A row that has less in common with any other stands for itself.
    std::size_t most = rows.sample(r).size() / 4;
    std::size_t best = 0;
    const auto consider = [&](std::size_t number, std::span<const std::uint8_t> sample) {
      const std::size_t same = alike(rows.sample(r), sample);
      if (same <= most) return;
      most = same;
      best = number;
    };
    if (base != nullptr) consider(1 + rows.size(), other.sample(r));
    for (std::size_t j = r; j-- > 0;) consider(1 + j, rows.sample(j));
    like.push_back(static_cast<std::uint32_t>(best));
    const auto row = rows.row(r);
    const auto from = best == 0 ? row : best == 1 + rows.size() ? other.row(r) : rows.row(best - 1);
    for (std::size_t k = 0; k < row.size(); ++k) {
      bytes.push_back(best == 0 ? row[k] : static_cast<std::uint8_t>(row[k] ^ from[k]));
    }
  }
  return {.bytes = packed(bytes), .by = "switch", .like = packed(like)};
}

}  // namespace

PackedTables pack_tables(const ForwardingTables& tables,
                         std::span<const ForwardingTables* const> earlier) {
  const auto entries = bytes_of(tables.entries());
  if (entries.empty()) return {.bytes = packed(entries), .by = "target", .like = ""};
  const std::size_t base = most_similar(tables, earlier);
  PackedTables by_rows =
      pack_by_switch(tables, base == PackedTables::kNoBase ? nullptr : earlier[base]);
  by_rows.base = base;
  // Shorter by at least one group of four digits, or not worth it: it ends early then.
  if (auto plain = packed_within(entries, by_rows.bytes.size() - 4)) {
    return {.bytes = std::move(*plain), .by = "target", .like = ""};
  }
  return by_rows;
}

}  // namespace fatwood
