// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A value that is computed once, on first use, by the first thread that needs it.

#include <mutex>
#include <optional>

namespace fatwood {

template <class T>
class Once {
 public:
  // `make` is called at most once successfully; if it throws, the value stays unset.
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
