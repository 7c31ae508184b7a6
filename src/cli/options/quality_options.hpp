// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The limits of link quality (tasks/link_quality.hpp) as options.

#include "cli/command_line.hpp"
#include "tasks/link_quality.hpp"

namespace fatwood::cli {

inline void add_quality_limits(Verb& verb, QualityLimits& limits) {
  verb.add_option("--symbol-ber", limits.symbol_ber, "symbol BER above which a cable is bad")
      ->range(1e-300, 1.0);
  verb.add_option("--raw-ber", limits.raw_ber, "BER before correction above which to warn")
      ->range(1e-300, 1.0);
  verb.add_option("--flaps", limits.flaps,
                  "how often a link may go down (default: 0 since EARLIER, else 10)");
  verb.add_option("--module-limit", limits.module_celsius,
                  "degrees Celsius for modules that do not say their own limit")
      ->range(0.0, 200.0);
  verb.add_option("--device-limit", limits.device_celsius,
                  "degrees Celsius for switches and adapters")
      ->range(0.0, 200.0);
}

}  // namespace fatwood::cli
