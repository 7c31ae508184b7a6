// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a table entry leads: for each switch and each of the 256 possible values of an entry, the
// switch and port at the other end of the cable, or the reason why there is none.
//
// Any byte can be looked up: code that reads tables need not check ports, as it must with Fabric.
// Size: 4 bytes per entry, 1 kB per switch; only existing ports need the cache.

#include <cstdint>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

// Why an entry does not lead to another switch.
enum class HopEnd : std::uint8_t {
  kNoEntry,     // 255
  kNoSuchPort,  // above the number of ports
  kNoCable,     // a port without a cable
  kAdapter,     // a port to an adapter
  kItself,      // port 0: the switch itself
};

class Hop {
 public:
  static Hop to(Switch next, Port arrival) { return Hop((index(next) << 8) | index(arrival)); }
  static Hop ends(HopEnd why) { return Hop(kEnds | static_cast<std::uint32_t>(why)); }

  bool to_switch() const { return code_ < kEnds; }
  std::uint32_t next() const { return code_ >> 8; }  // number of the switch. REQUIRES to_switch()
  Port arrival() const { return static_cast<Port>(code_); }  // its port. REQUIRES to_switch()
  HopEnd end() const { return static_cast<HopEnd>(code_ & 0xffU); }  // REQUIRES !to_switch()

  Hop() = default;
  friend bool operator==(Hop, Hop) = default;

 private:
  explicit Hop(std::uint32_t code) : code_(code) {}
  static constexpr std::uint32_t kEnds = 0xffffff00U;
  std::uint32_t code_ = kEnds;
};

class HopMap {
 public:
  explicit HopMap(const Fabric& fabric);

  Hop at(std::uint32_t switch_number, Port entry) const {
    return hops_[(std::size_t{switch_number} << 8) | index(entry)];
  }
  Hop at(Switch s, Port entry) const { return at(index(s), entry); }

 private:
  std::vector<Hop> hops_;
};

}  // namespace fatwood
