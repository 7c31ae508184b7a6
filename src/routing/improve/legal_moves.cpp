// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/legal_moves.hpp"

namespace fatwood {

bool LegalMoves::may_move(Destination destination, std::uint32_t s) const {
  const RowKind kind = in_use_.kind(destination);
  if (kind == RowKind::kUnsettled || Switch{s} == in_use_.home(destination)) return false;
  const auto row = in_use_.tables().row(destination);
  const Hop now = map_.at(s, row[s]);
  if (!now.to_switch() || level_[now.next()] == level_[s]) return false;
  if (kind == RowKind::kPlain) return true;
  if (in_use_.is_fallback(destination, s)) return false;
  for (const Switch to : graph_.neighbours(Switch{s})) {
    const std::uint32_t n = index(to);
    if (leads_to(row, n, s) && in_use_.is_fallback(destination, n)) return false;
  }
  return true;
}

bool LegalMoves::is_legal(Destination destination, std::span<const Port> row, std::uint32_t n,
                          bool up) const {
  if (Switch{n} == in_use_.home(destination)) return true;
  if (row[n] == kNoRoute || in_use_.is_fallback(destination, n)) return false;
  const Hop hop = map_.at(n, row[n]);
  return hop.to_switch() && (up || level_[hop.next()] < level_[n]);
}

}  // namespace fatwood
