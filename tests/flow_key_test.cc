// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys of flows: their bytes, and the one key of both directions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "guarded_bytes.h"
#include "packet_maker.h"

namespace clockwise {
namespace {

std::string Hex(const FlowKey& key) { return ToHexText(key.bytes()); }

FlowKey KeyOfV4(std::array<uint8_t, 4> source,
                std::array<uint8_t, 4> destination, uint16_t source_port,
                uint16_t destination_port) {
  return FlowKey(FlowTupleV4{.source = source,
                             .destination = destination,
                             .source_port = source_port,
                             .destination_port = destination_port,
                             .protocol = kTcp});
}

// Bytes of few values, so that ends are equal up to any of their bytes.
template <size_t kAddressBytes>
FlowTuple<kAddressBytes> RandomTuple(std::mt19937& random) {
  const auto byte = [&] { return static_cast<uint8_t>(random() % 3 * 0x7F); };
  FlowTuple<kAddressBytes> tuple;
  std::generate(tuple.source.begin(), tuple.source.end(), byte);
  tuple.destination = tuple.source;
  for (size_t i = random() % (kAddressBytes + 1); i < kAddressBytes; ++i) {
    tuple.destination[i] = byte();
  }
  tuple.source_port = static_cast<uint16_t>(byte() << 8 | byte());
  tuple.destination_port = static_cast<uint16_t>(byte() << 8 | byte());
  tuple.protocol = byte();
  return tuple;
}

template <size_t kAddressBytes>
FlowTuple<kAddressBytes> Reversed(const FlowTuple<kAddressBytes>& t) {
  return {t.destination, t.source, t.destination_port, t.source_port,
          t.protocol};
}

// The rule, word for word.
template <size_t kAddressBytes>
FlowKey SmallerEndFirst(const FlowTuple<kAddressBytes>& t) {
  const auto source = std::pair(t.source, t.source_port);
  const auto destination = std::pair(t.destination, t.destination_port);
  return FlowKey(destination < source ? Reversed(t) : t);
}

TEST(FlowKeyTest, BytesAreInNetworkOrderWithoutPadding) {
  EXPECT_EQ(Hex(KeyOfV4({10, 0, 0, 1}, {192, 168, 1, 2}, 0x1234, 443)),
            "0a000001c0a80102123401bb06");
  FlowTupleV6 tuple;
  for (uint8_t i = 0; i < 16; ++i) {
    tuple.source[i] = i;
    tuple.destination[i] = static_cast<uint8_t>(0xF0 + i);
  }
  tuple.source_port = 53;
  tuple.destination_port = 0xFFFE;
  tuple.protocol = kUdp;
  EXPECT_EQ(Hex(FlowKey(tuple)),
            "000102030405060708090a0b0c0d0e0f"
            "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff0035fffe11");
}

TEST(FlowKeyTest, NoFlowHasNoBytes) {
  EXPECT_EQ(FlowKey().bytes().size(), 0u);
  EXPECT_EQ(FlowKey().Symmetric(), FlowKey());
  EXPECT_EQ(FlowKey().Reversed(), FlowKey());
}

TEST(FlowKeyTest, TheSmallerAddressComesFirstThenTheSmallerPort) {
  const auto low = KeyOfV4({9, 255, 0, 0}, {128, 0, 0, 0}, 9, 1);
  EXPECT_EQ(low.Symmetric(), low);
  EXPECT_EQ(KeyOfV4({128, 0, 0, 0}, {9, 255, 0, 0}, 1, 9).Symmetric(), low);
  const auto port = KeyOfV4({9, 9, 9, 9}, {9, 9, 9, 9}, 0x00FF, 0x0100);
  EXPECT_EQ(port.Symmetric(), port);
  EXPECT_EQ(KeyOfV4({9, 9, 9, 9}, {9, 9, 9, 9}, 0x0100, 0x00FF).Symmetric(),
            port);
}

template <size_t kAddressBytes>
void ExpectDirectionsMeet() {
  std::mt19937 random(kAddressBytes);
  for (int i = 0; i < 100'000; ++i) {
    const auto tuple = RandomTuple<kAddressBytes>(random);
    const FlowKey key(tuple);
    const FlowKey back(Reversed(tuple));
    ASSERT_EQ(key.Reversed(), back) << Hex(key);
    ASSERT_EQ(key.Symmetric(), SmallerEndFirst(tuple)) << Hex(key);
    ASSERT_EQ(back.Symmetric(), key.Symmetric()) << Hex(key);
  }
}

TEST(FlowKeyTest, BothDirectionsMeetV4) { ExpectDirectionsMeet<4>(); }
TEST(FlowKeyTest, BothDirectionsMeetV6) { ExpectDirectionsMeet<16>(); }

// Keys that end where memory ends, with gaps before each but the first.
template <size_t kAddressBytes>
void ExpectArraysMadeSymmetric(size_t gap) {
  constexpr size_t kKeys = 1000, kSize = 2 * kAddressBytes + 5;
  const size_t stride = kSize + gap, size = (kKeys - 1) * stride + kSize;
  const GuardedBytes memory(size);
  uint8_t* keys = memory.end() - size;
  Bytes expected(keys, memory.end());
  std::mt19937 random(7);
  for (size_t i = 0; i < kKeys; ++i) {
    const auto tuple = RandomTuple<kAddressBytes>(random);
    const FlowKey key(tuple), symmetric = SmallerEndFirst(tuple);
    std::memcpy(keys + i * stride, key.bytes().data(), kSize);
    std::memcpy(&expected[i * stride], symmetric.bytes().data(), kSize);
  }
  const auto make = kAddressBytes == 4 ? MakeSymmetricV4 : MakeSymmetricV6;
  make(keys, stride, kKeys);
  EXPECT_EQ(Bytes(keys, memory.end()), expected) << gap;
  make(memory.end(), stride, 0);
}

TEST(FlowKeyTest, ArraysAreMadeSymmetricInPlace) {
  for (size_t gap : {0u, 1u, 3u, 51u}) {
    ExpectArraysMadeSymmetric<4>(gap);
    ExpectArraysMadeSymmetric<16>(gap);
  }
}

}  // namespace
}  // namespace clockwise
