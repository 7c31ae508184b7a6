// SPDX-License-Identifier: BSD-3-Clause
#include "report/page/packed.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "io/fabric/spec.hpp"
#include "report/page/packed_tables.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"

namespace fatwood {
namespace {

// Base64 the obvious way: six bits at a time.
std::vector<std::uint8_t> unpacked(const std::string& text, std::size_t size) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> deflated;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6 | static_cast<unsigned>(digits.find(c))) & 0xffffffU;
    held += 6;
    if (held >= 8) {
      held -= 8;
      deflated.push_back(static_cast<std::uint8_t>(bits >> held & 255U));
    }
  }
  std::vector<std::uint8_t> bytes(size + 1);
  uLongf got = bytes.size();
  EXPECT_EQ(uncompress(bytes.data(), &got, deflated.data(), static_cast<uLong>(deflated.size())),
            Z_OK);
  bytes.resize(got);
  return bytes;
}

TEST(Packed, BytesComeBackAtEveryLength) {
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < 300; ++i) {
    const std::string text = packed(bytes);
    EXPECT_EQ(text.size() % 4, 0U);
    EXPECT_EQ(unpacked(text, bytes.size()), bytes);
    bytes.push_back(static_cast<std::uint8_t>(i * i * 37 + i));
  }
}

// As web/src/data.js reads them.
std::vector<std::uint32_t> numbers_in(const std::string& text, std::size_t size) {
  const std::vector<std::uint8_t> bytes = unpacked(text, 4 * size);
  std::vector<std::uint32_t> numbers;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    std::uint32_t zigzag = 0;
    for (std::size_t k = 0; k < 4; ++k) zigzag += std::uint32_t{bytes[k * size + i]} << (8 * k);
    value += zigzag % 2 == 0 ? zigzag / 2 : ~(zigzag / 2);
    numbers.push_back(value);
  }
  return numbers;
}

TEST(Packed, NumbersComeBack) {
  const std::vector<std::uint32_t> numbers{1, 0, 0x01020304U, 0xffffffffU, 0, 0x80000000U, 7, 6};
  EXPECT_EQ(numbers_in(packed(numbers), numbers.size()), numbers);
  EXPECT_EQ(unpacked(packed(std::vector<std::uint32_t>{5, 4, 6}), 12),
            (std::vector<std::uint8_t>{10, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  const std::vector<std::uint64_t> longer{0x0102030405060708U, ~std::uint64_t{0}};
  EXPECT_EQ(
      unpacked(packed(longer), 16),
      (std::vector<std::uint8_t>{8, 7, 6, 5, 4, 3, 2, 1, 255, 255, 255, 255, 255, 255, 255, 255}));
}

// [switch][destination]
std::vector<std::uint8_t> rows_of(const PackedTables& packed_tables, const ForwardingTables& tables,
                                  const ForwardingTables* base) {
  const std::size_t destinations = tables.num_destinations();
  const std::size_t switches = tables.num_switches();
  std::vector<std::uint8_t> rows = unpacked(packed_tables.bytes, destinations * switches);
  const std::vector<std::uint32_t> like = numbers_in(packed_tables.like, switches);
  for (std::size_t s = 0; s < switches; ++s) {
    for (std::size_t t = 0; t < destinations; ++t) {
      std::uint8_t& entry = rows[s * destinations + t];
      if (like[s] == 1 + switches) {
        entry ^= static_cast<std::uint8_t>(index(base->row(static_cast<Destination>(t))[s]));
      } else if (like[s] > 0) {
        EXPECT_LE(like[s], s);
        entry ^= rows[(like[s] - 1) * destinations + t];
      }
    }
  }
  return rows;
}

TEST(PackedTables, ComeBackAndTakeLessRoom) {
  const Model model(test::damaged_tree(make_fabric("pgft(3;6,6,4;1,3,3;1,1,2)"), 7, 0.04).fabric);
  std::vector<Routing> routings;
  for (const char* name : {"minhop", "sftree", "even"}) {
    routings.push_back(route(find_engine(name), model, {}));
  }
  std::vector<const ForwardingTables*> earlier;
  std::size_t bases = 0;
  for (const Routing& routing : routings) {
    const ForwardingTables& tables = routing.tables;
    const PackedTables found = pack_tables(tables, earlier);
    ASSERT_EQ(found.by, "switch") << routing.engine;
    const ForwardingTables* base =
        found.base == PackedTables::kNoBase ? nullptr : earlier[found.base];
    if (base != nullptr) ++bases;
    const std::vector<std::uint8_t> rows = rows_of(found, tables, base);
    for (const Destination t : ids<Destination>(tables.num_destinations())) {
      for (std::size_t s = 0; s < tables.num_switches(); ++s) {
        ASSERT_EQ(rows[s * tables.num_destinations() + index(t)],
                  static_cast<std::uint8_t>(index(tables.row(t)[s])));
      }
    }
    EXPECT_LT(found.bytes.size(), packed(bytes_of(tables.entries())).size());
    earlier.push_back(&tables);
  }
  EXPECT_GE(bases, 1U);  // even's are much like sftree's
}

}  // namespace
}  // namespace fatwood
