// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// From the bytes of a packet to the key of its flow.
//
// Every read is preceded by a check that the bytes are there; what is read is
// never trusted.
#include <algorithm>
#include <optional>

#include "clockwise/steer.h"

namespace clockwise {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr PacketFlow kNotIp = {PacketKind::kNotIp, {}};
constexpr PacketFlow kTooShort = {PacketKind::kTooShort, {}};

enum EtherType : uint16_t {
  kIpv4Type = 0x0800,
  kIpv6Type = 0x86DD,
  kVlanType = 0x8100,         // 802.1Q
  kServiceVlanType = 0x88A8,  // 802.1ad
};

enum Protocol : uint8_t {
  kHopByHop = 0,
  kIcmp = 1,
  kTcp = 6,
  kUdp = 17,
  kDccp = 33,
  kRouting = 43,
  kFragment = 44,
  kAuthentication = 51,
  kIcmpV6 = 58,
  kDestinationOptions = 60,
  kSctp = 132,
  kUdpLite = 136,
};

uint16_t Load16(const uint8_t* from) noexcept {
  return static_cast<uint16_t>(from[0] << 8 | from[1]);
}

bool HasPorts(uint8_t protocol) noexcept {
  return protocol == kTcp || protocol == kUdp || protocol == kSctp ||
         protocol == kDccp || protocol == kUdpLite;
}

bool IsExtension(uint8_t protocol) noexcept {
  return protocol == kHopByHop || protocol == kRouting ||
         protocol == kFragment || protocol == kAuthentication ||
         protocol == kDestinationOptions;
}

// Of the ICMP of an IP version, with addresses of so many bytes.
template <size_t kAddressBytes>
bool IsIcmp(uint8_t protocol) noexcept {
  return protocol == (kAddressBytes == 4 ? kIcmp : kIcmpV6);
}
template <size_t kAddressBytes>
bool IsIcmpError(uint8_t type) noexcept {
  if (kAddressBytes == 16) return type >= 1 && type <= 4;
  return (type >= 3 && type <= 5) || type == 11 || type == 12;
}

// What follows an IP header.
struct Payload {
  uint8_t protocol;
  bool is_fragment;
  Bytes bytes;
};

enum class Depth { kOuter, kQuoted };

PacketFlow Parse(Bytes packet, Depth depth) noexcept;

// `addresses` is where the IP header has both.
template <size_t kAddressBytes>
PacketFlow FlowOf(const uint8_t* addresses, const Payload& payload,
                  Depth depth) noexcept {
  FlowTuple<kAddressBytes> tuple;
  std::copy_n(addresses, kAddressBytes, tuple.source.begin());
  std::copy_n(addresses + kAddressBytes, kAddressBytes,
              tuple.destination.begin());
  tuple.protocol = payload.protocol;
  if (payload.is_fragment) return {PacketKind::kFlow, FlowKey(tuple)};

  const Bytes bytes = payload.bytes;
  if (HasPorts(payload.protocol)) {
    if (bytes.size() < 4) return kTooShort;
    tuple.source_port = Load16(&bytes[0]);
    tuple.destination_port = Load16(&bytes[2]);
  } else if (IsIcmp<kAddressBytes>(payload.protocol) &&
             depth == Depth::kOuter) {
    if (bytes.empty()) return kTooShort;
    if (IsIcmpError<kAddressBytes>(bytes[0])) {
      if (bytes.size() < 8) return kTooShort;
      const PacketFlow quoted = Parse(bytes.subspan(8), Depth::kQuoted);
      return {quoted.kind, quoted.key.Reversed()};
    }
  }
  return {PacketKind::kFlow, FlowKey(tuple)};
}

// Cuts off what lies behind an IP packet, such as the padding of Ethernet. A
// length of 0 is that of packets which were captured before a network card cut
// them into segments, and of jumbograms.
Bytes Within(Bytes packet, size_t length, size_t unknown) noexcept {
  return length == unknown ? packet
                           : packet.first(std::min(packet.size(), length));
}

PacketFlow ParseV4(Bytes packet, Depth depth) noexcept {
  constexpr size_t kLeastBytes = 20;
  if (packet.size() < kLeastBytes) return kTooShort;
  const size_t header = (packet[0] & 15u) * 4;
  const size_t length = Load16(&packet[2]);
  if (header < kLeastBytes || (length != 0 && length < header)) return kNotIp;
  // "More fragments", or an offset.
  const bool is_fragment = (Load16(&packet[6]) & 0x3FFF) != 0;
  const uint8_t protocol = packet[9];
  const uint8_t* addresses = &packet[12];
  packet = Within(packet, length, 0);
  packet = packet.subspan(std::min(packet.size(), header));
  return FlowOf<4>(addresses, {protocol, is_fragment, packet}, depth);
}

size_t ExtensionBytes(uint8_t protocol, uint8_t length) noexcept {
  if (protocol == kFragment) return 8;
  if (protocol == kAuthentication) return (length + size_t{2}) * 4;
  return (length + size_t{1}) * 8;
}

// Walks the extension headers that begin with one of type `protocol`. Nothing
// where the bytes end within one.
std::optional<Payload> SkipExtensions(uint8_t protocol, Bytes bytes) noexcept {
  for (int i = 0; i < kMaxExtensionHeaders && IsExtension(protocol); ++i) {
    constexpr size_t kLeastBytes = 8;
    if (bytes.size() < kLeastBytes) return std::nullopt;
    const uint8_t next = bytes[0];
    // An offset, or "more fragments": not so in a packet that is whole.
    if (protocol == kFragment && (Load16(&bytes[2]) & 0xFFF9) != 0) {
      return Payload{next, true, {}};
    }
    const size_t size = ExtensionBytes(protocol, bytes[1]);
    if (bytes.size() < size) return std::nullopt;
    protocol = next;
    bytes = bytes.subspan(size);
  }
  return Payload{protocol, false, bytes};
}

PacketFlow ParseV6(Bytes packet, Depth depth) noexcept {
  constexpr size_t kHeaderBytes = 40;
  if (packet.size() < kHeaderBytes) return kTooShort;
  const uint8_t* addresses = &packet[8];
  const size_t length = Load16(&packet[4]);
  const uint8_t protocol = packet[6];
  packet = Within(packet, kHeaderBytes + length, kHeaderBytes);
  const auto payload = SkipExtensions(protocol, packet.subspan(kHeaderBytes));
  return payload ? FlowOf<16>(addresses, *payload, depth) : kTooShort;
}

// A quoted packet that is an ICMP error itself is taken for what it is: errors
// about errors are not sent, so this need not go deeper.
PacketFlow Parse(Bytes packet, Depth depth) noexcept {
  if (packet.empty()) return kTooShort;
  const int version = packet[0] >> 4;
  if (version == 4) return ParseV4(packet, depth);
  if (version == 6) return ParseV6(packet, depth);
  return kNotIp;
}

}  // namespace

PacketFlow ParsePacket(Bytes packet) noexcept {
  return Parse(packet, Depth::kOuter);
}

PacketFlow ParseFrame(Bytes frame) noexcept {
  size_t type_at = 12;
  for (; frame.size() >= type_at + 2; type_at += 4) {
    const uint16_t type = Load16(&frame[type_at]);
    if (type == kIpv4Type || type == kIpv6Type) {
      return ParsePacket(frame.subspan(type_at + 2));
    }
    if (type != kVlanType && type != kServiceVlanType) return kNotIp;
  }
  return kTooShort;
}

}  // namespace clockwise
