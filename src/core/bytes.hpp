// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Serialises values for another process of the same program. Never used for files.
//
// Plain values are copied bytewise; a vector or an optional is its size and its elements. A struct
// with such members has one function that lists them, for reading and writing:
//   void fields(auto& bytes, Some<Point> auto& point) { bytes(point.load, point.series); }

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fatwood {

// T, const for writing, otherwise for reading.
template <class Given, class T>
concept Some = std::same_as<std::remove_const_t<Given>, T>;

class BytesOut {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      fields(*this, value);
    }
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(std::uint64_t{value ? 1U : 0U});
    if (value) put(*value);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }

  std::string bytes_;
};

// Throws std::length_error if the bytes end too early.
class BytesIn {
 public:
  // The bytes must outlive this.
  explicit BytesIn(std::string_view bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view next(std::size_t size) {
    if (size > bytes_.size()) throw std::length_error("bytes of another process end too soon");
    const std::string_view found = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return found;
  }
  std::size_t size() {
    std::uint64_t number = 0;
    get(number);
    return number;
  }
  template <class T>
  void get(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      std::memcpy(&value, next(sizeof(value)).data(), sizeof(value));
    } else {
      fields(*this, value);
    }
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.clear();
    for (std::size_t left = size(); left > 0; --left) get(values.emplace_back());
  }
  template <class T>
  void get(std::optional<T>& value) {
    value.reset();
    if (size() != 0) get(value.emplace());
  }
  void get(std::string& text) { text = next(size()); }

  std::string_view bytes_;
};

template <class T>
std::string to_bytes(const T& value) {
  BytesOut out;
  out(value);
  return out.take();
}
template <class T>
T from_bytes(std::string_view bytes) {
  T value{};
  BytesIn in(bytes);
  in(value);
  return value;
}

}  // namespace fatwood
