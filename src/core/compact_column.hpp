// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Columns of large lists in which all values are often equal: while they are, only one is stored.

#include <cstddef>
#include <vector>

namespace fatwood {

// A list of values. While all are equal, only one is stored.
template <class T>
class CompactColumn {
 public:
  void push_back(T value) {
    if (size_ == 0) first_ = value;
    if (all_.empty() && value != first_) all_.assign(size_, first_);
    if (!all_.empty() || value != first_) all_.push_back(value);
    ++size_;
  }
  T operator[](std::size_t i) const { return all_.empty() ? first_ : all_[i]; }
  std::size_t size() const { return size_; }
  bool same() const { return all_.empty(); }

 private:
  T first_{};
  std::size_t size_ = 0;
  std::vector<T> all_;  // empty while all are the same
};

// The start of each item's entries in a common list. While every item has as many entries as the
// first, only that number is stored.
class CompactOffsets {
 public:
  void push_back(std::size_t entries) {
    if (items_ == 0) each_ = entries;
    if (first_.empty() && entries != each_) {
      first_.reserve(reserved_ + 1);
      for (std::size_t i = 0; i <= items_; ++i) first_.push_back(i * each_);
    }
    ++items_;
    if (!first_.empty()) first_.push_back(first_.back() + entries);
  }
  // The start of item i; the end of the list if i is the number of items.
  std::size_t first(std::size_t i) const { return first_.empty() ? i * each_ : first_[i]; }
  std::size_t size() const { return items_; }
  // For so many items, if they differ in entries.
  void reserve(std::size_t items) { reserved_ = items; }

 private:
  std::size_t items_ = 0;
  std::size_t each_ = 0;
  std::size_t reserved_ = 0;
  std::vector<std::size_t> first_;  // empty while all items have each_ entries
};

}  // namespace fatwood
