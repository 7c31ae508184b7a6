// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Consecutive ids: the links of a switch, the groups of a switch.

#include <cstdint>

#include "core/ids.hpp"

namespace fatwood {

template <class Id>
struct IdRange {
  struct Iterator {
    Id at;
    Id operator*() const { return at; }
    Iterator& operator++() {
      at = static_cast<Id>(index(at) + 1);
      return *this;
    }
    friend bool operator==(Iterator, Iterator) = default;
  };
  Id first;
  Id last;  // one after the end

  Iterator begin() const { return {first}; }
  Iterator end() const { return {last}; }
  std::uint32_t size() const { return index(last) - index(first); }
  Id operator[](std::uint32_t i) const { return static_cast<Id>(index(first) + i); }
  bool has(Id id) const { return first <= id && id < last; }
};

}  // namespace fatwood
