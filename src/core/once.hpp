// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A value that is made when it is first asked for, once, by whichever thread comes first.

#include <mutex>
#include <optional>

namespace fatwood {

template <class T>
class Once {
 public:
  // `make` is called at most once; a call that throws leaves the value unmade.
  template <class Make>
  const T& get(Make&& make) const {
    std::call_once(flag_, [&] { value_.emplace(make()); });
    return *value_;
  }

 private:
  mutable std::once_flag flag_;
  mutable std::optional<T> value_;
};

}  // namespace fatwood
