// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Progress of long computations. Algorithms may call it at any time, from one thread at a time;
// only the command line decides whether and how often something is shown.

#include <functional>
#include <string_view>

namespace fatwood {

// Fraction done in [0, 1], and a short text ("1.9% wide after 4000 samples"). Empty: silent.
using Progress = std::function<void(double fraction, std::string_view text)>;

inline void report(const Progress& progress, double fraction, std::string_view text) {
  if (progress) progress(fraction, text);
}

}  // namespace fatwood
