// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which of several equal next hops the Linux kernel takes for a flow of UDP over IPv4: exactly,
// with fib_multipath_hash_policy=1 and a given fib_multipath_hash_seed (6.11 and later).
//
// Method: SipHash-2-4 of the kernel's flow keys, with the seed in all four words of the key:
// protocol, ports and addresses; the lower address and the lower port, as the processor reads them
// (little-endian), come first, so that both directions hash alike. The 31 upper bits choose by
// hash-threshold (RFC 2992).
// Check: tests/ethernet compares it with `ip route get` of a kernel, and with a second
// implementation.

#include <cstdint>

namespace fatwood {

struct UdpFlow {
  std::uint32_t source = 0, destination = 0;               // addresses, 10.0.0.1 as 0x0a000001
  std::uint16_t source_port = 0, destination_port = 4791;  // RoCEv2
};

// The 31 bits that choose.
std::uint32_t linux_flow_hash(const UdpFlow& flow, std::uint32_t seed);
// The number of the next hop, of `hops` with equal weights, in the order of the kernel's group.
std::uint32_t linux_choice(std::uint32_t hash, std::uint32_t hops);

}  // namespace fatwood
