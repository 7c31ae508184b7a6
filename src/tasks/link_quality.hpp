// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds bad cables in what a run of ibdiagnet measured: bit errors, flaps, temperatures of modules,
// and error correction that differs at the two ends.
//
//   bit-errors    the symbol BER at a port is above a limit (bad), or near it (warning). A rate
//                 without a single counted error only says how short the measurement was.
//   raw-errors    the BER before error correction is high: errors are still corrected (warning)
//   flaps         the link went down: since the earlier run, or since counters were cleared
//   hot-module    a module is hotter than its own threshold; without one, than a limit
//   fec-differs   the ends use different error correction
//
// Which end? A port measures what it receives: the other end's transmitter, one direction of the
// cable, its own receiver. Errors at both ends are most likely the cable's. Errors at one end leave
// three suspects, unless a module is hot. If three or more bad cables end at one device, the device
// is the suspect.
//
// Cables are sorted by severity, then by what they carry: the worst cable on an idle link can wait.
// Cost: O(ports); that of a load if a cable is bad and a routing is given.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "routing/tables/path_source.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

struct QualityLimits {
  double symbol_ber = 1e-12;    // above: bad; above a hundredth of it: a warning
  double raw_ber = 1e-5;        // above: a warning
  double module_celsius = 70;   // of modules that do not say their own
  double device_celsius = 100;  // of switches and adapters
  // More than this are reported. Default: 0 since an earlier run, else 10.
  std::optional<std::uint64_t> flaps = {};
};

// The strongest first.
enum class QualitySign : std::uint8_t { kBitErrors, kFlaps, kHotModule, kFecDiffers, kRawErrors };

enum class Suspect : std::uint8_t { kCable, kEitherEnd, kModule, kDevice, kSetting };
enum class Sureness : std::uint8_t { kSure, kLikely, kUnclear };

struct QualityEvidence {
  QualitySign sign;
  Channel port;  // that measured it
  double value = 0, limit = 0;
  bool bad = false;
};

struct BadCable {
  Channel port;  // the end with the strongest evidence
  bool bad = false;
  std::vector<QualityEvidence> evidence = {};  // the strongest first
  Suspect suspect = Suspect::kCable;
  Sureness sure = Sureness::kUnclear;
  Node device = kNone<Node>;                // kDevice: the suspect
  std::optional<std::uint64_t> bytes = {};  // sent in both directions
  std::optional<double> share = {};         // of what all links carry in all-to-all
  // The load of its busier direction, relative to an average cable of a host.
  double hosts = 0;
};

struct HotDevice {
  Node node;
  double celsius;
};

struct QualityOptions {
  QualityLimits limits = {};
  const RunData* earlier = nullptr;   // with the same size and ids, or none
  const PathSource* paths = nullptr;  // plain tables, for what a cable carries; nullptr: none
  int threads = 0;
};

struct QualityResult {
  std::vector<BadCable> cables;
  std::vector<HotDevice> devices;  // hotter than the limit, the hottest first
  QualityLimits limits;
  std::size_t signals = 0, modules = 0;  // connected ports with bit error rates, temperatures
  bool flaps = false;                    // the run counts them
  bool known() const { return signals + modules > 0 || flaps; }
};

// Whether the run has bit error rates or temperatures.
bool has_quality(const RunData& run);

QualityResult judge_quality(const Model& model, const RunData& run, const QualityOptions& options);

}  // namespace fatwood
