// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ids are distinct integer types, so that a channel cannot be mistaken for a node.
// `index` converts an id to its number; `ids<Id>(n)` iterates over all ids.

#include <cstddef>
#include <cstdint>
#include <ranges>

namespace fatwood {

enum class Node : std::uint32_t {};         // adapters first, then switches
enum class Switch : std::uint32_t {};       // number among the switches
enum class Terminal : std::uint32_t {};     // a connected adapter port
enum class Adapter : std::uint32_t {};      // one sender and receiver: a counted adapter
enum class Channel : std::uint32_t {};      // one direction of a cable, named by the port it leaves
enum class Destination : std::uint32_t {};  // a routed address: terminals * 2^lmc, then switches

enum class Lid : std::uint32_t {};  // a subnet address
enum class Port : std::uint8_t {};  // the number printed on the box; a byte of a table

inline constexpr Lid kNoLid{0};
inline constexpr Port kOwnPort{0};  // of a switch: its endpoint for management

// The LIDs of an end port are consecutive: this is the one at an offset from the first.
constexpr Lid operator+(Lid base, std::uint32_t offset) {
  return static_cast<Lid>(static_cast<std::uint32_t>(base) + offset);
}

template <class Id>
constexpr Id kNone = static_cast<Id>(0xffffffffU);

template <class Id>
constexpr std::uint32_t index(Id id) {
  return static_cast<std::uint32_t>(id);
}

template <class Id>
constexpr auto ids(std::size_t count) {
  return std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>(count)) |
         std::views::transform([](std::uint32_t i) { return static_cast<Id>(i); });
}

// Consecutive ids: the links of a switch, the trunks of a switch.
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
