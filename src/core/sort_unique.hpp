// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A list as a set: sorted, each value once.

#include <algorithm>
#include <vector>

namespace fatwood {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
}

}  // namespace fatwood
