// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/transition.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace fatwood {

Transition transition(const Model& model, const Routing& old, const Routing& now, int threads) {
  if (old.tables.lmc() != now.tables.lmc()) {
    throw InputError(fmt::format("expected new tables of LMC {}, as the old ones have, found {}",
                                 old.tables.lmc(), now.tables.lmc()));
  }
  return find_transition(model, old.tables, now.tables, threads, {&old.lanes, &now.lanes});
}

}  // namespace fatwood
