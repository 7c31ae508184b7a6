// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/changed_load.hpp"

namespace fatwood {

AllToAllLoad ChangedLoad::most_loaded(std::int64_t peers) const {
  Channel best = kNone<Channel>;
  const auto look = [&](Channel c) {
    if (best == kNone<Channel> || most_.before(c, flow_on(c), best, flow_on(best))) best = c;
  };
  for (const Channel c : touched_) look(c);
  const auto rest =
      std::ranges::find_if(order_, [&](Channel c) { return !change_.touched(index(c)); });
  if (rest != order_.end()) look(*rest);
  if (best == kNone<Channel> || flow_on(best) == 0) return {};
  return most_.result(best, flow_on(best), peers);
}

}  // namespace fatwood
