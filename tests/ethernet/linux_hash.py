# SPDX-License-Identifier: BSD-3-Clause
"""Which of several equal next hops the Linux kernel takes for a flow: exactly, for IPv4, fib_multipath_hash_policy=1 and
a known fib_multipath_hash_seed (6.11 and later). Written from what the kernel does; frr_test.py compares it.

The hash is SipHash-2-4 of the kernel's flow keys, with the seed as all four words of the key: protocol, ports and
addresses, of which the lower address and port come first as the processor reads them (little-endian). The choice is
hash-threshold (RFC 2992): the 31 upper bits fall into one of the ranges of the next hops, in the order of the group.
"""
import socket
import struct

MASK = (1 << 64) - 1


def _rotated(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & MASK


def siphash(key, data):
    """SipHash-2-4."""
    v = [0x736F6D6570736575 ^ key[0], 0x646F72616E646F6D ^ key[1], 0x6C7967656E657261 ^ key[0], 0x7465646279746573 ^ key[1]]

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = _rotated(v[1], 13) ^ v[0]
            v[0] = _rotated(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = _rotated(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = _rotated(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = _rotated(v[1], 17) ^ v[2]
            v[2] = _rotated(v[2], 32)

    whole = len(data) // 8 * 8
    words = [word for (word,) in struct.iter_unpack("<Q", data[:whole])]
    words.append((len(data) & 0xFF) << 56 | int.from_bytes(data[whole:], "little"))
    for word in words:
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def flow_hash(source, destination, source_port, destination_port, seed, protocol=17):
    """The 31 bits that choose."""
    addresses = sorted((socket.inet_aton(source), socket.inet_aton(destination)),
                       key=lambda address: int.from_bytes(address, "little"))
    ports = sorted((struct.pack(">H", source_port), struct.pack(">H", destination_port)),
                   key=lambda port: int.from_bytes(port, "little"))
    # struct flow_keys from `basic` on: protocol; label, two VLANs, a key; ports; ICMP; addresses; the rest.
    keys = bytes([0, 0, protocol, 0]) + bytes(24) + b"".join(ports) + bytes(4) + b"".join(addresses) + bytes(4)
    return (siphash(((seed << 32) | seed,) * 2, keys) & 0xFFFFFFFF) >> 1


def choice(hops, *flow):
    """One of the hops, which are in the order of the group, with equal weights."""
    value = flow_hash(*flow)
    for i, hop in enumerate(hops, 1):
        if value <= (2 * (i << 31) + len(hops)) // (2 * len(hops)) - 1:
            return hop
    raise AssertionError("the last range ends with the highest hash")
