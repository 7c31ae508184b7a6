// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An array indexed by ids: data about nodes, channels or terminals that is stored outside the
// fabric.

#include <cassert>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace fatwood {

template <class Id, class T>
class Table {
 public:
  Table() = default;
  explicit Table(std::size_t size, const T& value = T{}) : values_(size, value) {}
  explicit Table(std::vector<T> values) : values_(std::move(values)) {}

  decltype(auto) operator[](Id id) {
    assert(index(id) < values_.size());
    return values_[index(id)];
  }
  decltype(auto) operator[](Id id) const {
    assert(index(id) < values_.size());
    return values_[index(id)];
  }

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  void push_back(T value) { values_.push_back(std::move(value)); }
  void resize(std::size_t size, const T& value = T{}) { values_.resize(size, value); }
  void reserve(std::size_t size) { values_.reserve(size); }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }

  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  friend bool operator==(const Table&, const Table&) = default;

 private:
  std::vector<T> values_;
};

}  // namespace fatwood
