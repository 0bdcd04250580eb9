// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Flows to cores or queues: keys of flows, packets to keys, and rings of cores.
//
//   const Ring ring = BuildSteering({.cores = 16}).value();
//   const PacketFlow flow = ParseFrame(frame);
//   if (flow.kind == PacketKind::kFlow) {
//     queue = ring.Owner(flow.key.Symmetric().bytes());
//   }
//
// Keys of one IP version that lie in an array are answered in batches, which
// cost a fraction of that: Ring::Owners(FixedKeys), with size 13 or 37.
//
// Someone who chooses addresses and ports can choose the core: no hash here
// resists that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

inline constexpr size_t kFlowKeyV4Bytes = 13;
inline constexpr size_t kFlowKeyV6Bytes = 37;

// What tells a flow of IPv4 (4) or IPv6 (16 bytes an address) from the others.
template <size_t kAddressBytes>
struct FlowTuple {
  std::array<uint8_t, kAddressBytes> source{};  // in network order
  std::array<uint8_t, kAddressBytes> destination{};
  uint16_t source_port = 0;  // in host order
  uint16_t destination_port = 0;
  uint8_t protocol = 0;  // 6 is TCP
};
using FlowTupleV4 = FlowTuple<4>;
using FlowTupleV6 = FlowTuple<16>;

// The bytes that are hashed for a flow, in network order without padding:
//
//   | source address | destination address | ports: source, dest. | protocol |
//     4 or 16          4 or 16               2 + 2                  1
//
// A value without heap memory. Every function may be called by any thread.
class FlowKey {
 public:
  // No flow: 0 bytes.
  FlowKey() = default;

  template <size_t kAddressBytes>
  requires(kAddressBytes == 4 || kAddressBytes == 16) explicit FlowKey(
      const FlowTuple<kAddressBytes>& tuple) noexcept
      : size_(2 * kAddressBytes + 5) {
    uint8_t* to = bytes_.data();
    for (uint8_t byte : tuple.source) *to++ = byte;
    for (uint8_t byte : tuple.destination) *to++ = byte;
    for (uint16_t port : {tuple.source_port, tuple.destination_port}) {
      *to++ = static_cast<uint8_t>(port >> 8);
      *to++ = static_cast<uint8_t>(port);
    }
    *to = tuple.protocol;
  }

  // 13 or 37 bytes, or none; valid while the key lives.
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {reinterpret_cast<const char*>(bytes_.data()), size_};
  }

  // The key of the other direction: addresses and ports change places.
  [[nodiscard]] CW_API FlowKey Reversed() const noexcept;
  // The one key of both directions: the end with the smaller (address, port)
  // comes first, compared as bytes.
  [[nodiscard]] CW_API FlowKey Symmetric() const noexcept;

  friend bool operator==(const FlowKey&, const FlowKey&) = default;

 private:
  std::array<uint8_t, kFlowKeyV6Bytes> bytes_{};  // 0 from size_ on
  uint8_t size_ = 0;
};

// FlowKey::Symmetric in place, for `count` keys of 13 (V4) or 37 bytes (V6),
// the first at `keys`, each `stride` bytes after the one before. `stride` is at
// least the size of a key. Touches no byte between keys.
CW_API void MakeSymmetricV4(void* keys, size_t stride, size_t count) noexcept;
CW_API void MakeSymmetricV6(void* keys, size_t stride, size_t count) noexcept;

enum class PacketKind : uint8_t {
  kFlow = 0,      // IP, with a key
  kNotIp = 1,     // neither IPv4 nor IPv6, or a header that contradicts itself
  kTooShort = 2,  // the bytes end before the key is known
};

struct PacketFlow {
  PacketKind kind = PacketKind::kNotIp;
  FlowKey key;  // empty unless kFlow
};

// Extension headers of IPv6 that are walked: hop-by-hop and destination
// options, routing, fragment, authentication. One more counts as the protocol.
inline constexpr int kMaxExtensionHeaders = 8;

// Reads the flow of an IPv4 or IPv6 packet that begins at its IP header and may
// be cut anywhere. Nothing past the end of the bytes, nor past the length that
// the IP header says (0: unknown), is read.
//
// - Ports are those of TCP, UDP, UDP-Lite, DCCP and SCTP; 0 with others.
// - A fragment has ports 0, the first one too, since the others do not say
//   them: all of a packet go to one core, not always that of its flow.
// - An ICMP error (ICMP types 3, 4, 5, 11, 12; ICMPv6 types 1 to 4) has the
//   tuple of the packet that it quotes, reversed: it goes where the answers to
//   that packet go. Answers kTooShort or kNotIp where that packet does.
CW_API PacketFlow ParsePacket(std::span<const uint8_t> packet) noexcept;

// The same from an Ethernet header on, with any number of 802.1Q and 802.1ad
// tags.
CW_API PacketFlow ParseFrame(std::span<const uint8_t> frame) noexcept;

inline constexpr uint32_t kMaxCores = 65536;

// How a ring of cores or queues is built. All of it is part of the placement:
// the same options steer a flow to the same core on every host.
struct SteerOptions {
  uint32_t cores = 1;      // 1 to 65,536; numbered from 0
  uint32_t vnodes = 2048;  // points of weight 1, as in RingOptions
  uint32_t width = 64;
  uint64_t seed = 0;
  KeyHash key_hash = KeyHash::kXxh3;
  std::vector<Weight> weights{};  // one for each core; none: all 1
};

// Returns the id of a core in its ring: "core-00007".
CW_API std::string CoreId(uint32_t core);

// Builds an ordinary ring whose slots are the numbers of the cores, so that
// Owner() answers a core. Refuses options out of range with kInvalidOptions, or
// as RingBuilder does; kBadWeight where no core has a weight above 0, for a
// ring of cores always has an answer.
CW_API Result<Ring> BuildSteering(const SteerOptions& options,
                                  uint64_t epoch = 0,
                                  BlockSource* source = nullptr);

// Builds the ring that `ring` becomes when a core's weight changes: flows leave
// the core where it falls and come to it where it rises; no other flow moves,
// and no slot. kUnknownNode if `ring` has no such core, kBadWeight if it would
// be left without points. Other changes: RingBuilder::From, with CoreId.
CW_API Result<Ring> SetCoreWeight(const Ring& ring, uint32_t core,
                                  Weight weight, uint64_t epoch = 0,
                                  BlockSource* source = nullptr);

// The same with weight 0: the core's flows spread over the others.
CW_API Result<Ring> DrainCore(const Ring& ring, uint32_t core,
                              uint64_t epoch = 0,
                              BlockSource* source = nullptr);

}  // namespace clockwise
