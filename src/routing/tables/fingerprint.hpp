// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A number that identifies a fabric or a set of tables in files about them. It does not depend on
// the numbering of nodes, on LIDs, names or port GUIDs. So a fabric and the file it was written to
// have the same number. It does not protect against malice. The formula is also in
// man/fatwood-check.1.scd; check/ has its own implementation:
//
//   mix(x)     = splitmix64's last steps: x ^= x >> 30; x *= 0xbf58476d1ce4e5b9;
//                x ^= x >> 27; x *= 0x94d049bb133111eb; x ^= x >> 31
//   f(a,b,..)  = g(..g(g(0,a),b)..) with g(s, x) = mix(s + 0x9e3779b97f4a7c15 ^ x)
//
//   fabric     the sum modulo 2^64 over nodes of f(GUID, 1 for a switch else 0), and over the
//              directions of cables of f(GUID, port, GUID there, port there)
//   tables     the sum over addresses (node GUID n, port p, 0 for a switch; address number k) and
//              switches with an entry e and lane v for it of mix(f(n,p,k) ^ (mix(GUID) + 256 e +
//              v))
//   sets       the sum over addresses and switches whose entry can take several ports a, b, ..,
//              ascending, of mix(f(n,p,k) ^ (mix(GUID) + f(a,b,..)))
//   lane map   the sum over (switch, port in, port out) of f(GUID, in, out, lane of level 0, 1, ..)

#include <cstdint>

#include "routing/tables/lane_map.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
// One more word of a sequence: g in the formulas above.
constexpr std::uint64_t hashed(std::uint64_t state, std::uint64_t word) {
  return mix((state + 0x9e3779b97f4a7c15ULL) ^ word);
}

std::uint64_t fingerprint(const Fabric& fabric);
// Every entry, or every source route with its switches and channels.
std::uint64_t fingerprint(const Fabric& fabric, const Routing& routing);
// Entries with several ports; 0 if there are none.
std::uint64_t fingerprint_of_sets(const Fabric& fabric, const Routing& routing);
// The SL-to-VL tables.
std::uint64_t fingerprint(const Fabric& fabric, const LaneMap& map);

}  // namespace fatwood
