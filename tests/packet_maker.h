// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Packets for tests, made from the inside out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/steer.h"

namespace clockwise {

using Bytes = std::vector<uint8_t>;

inline Bytes Join(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline Bytes Bits16(size_t n) {
  return {static_cast<uint8_t>(n >> 8), static_cast<uint8_t>(n)};
}

inline std::string ToHexText(std::string_view bytes) {
  std::string text;
  for (char c : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[static_cast<uint8_t>(c) >> 4];
    text += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

// The ends of every packet here, and its keys as hex.
inline const Bytes kSourceV4 = {10, 0, 0, 1};
inline const Bytes kDestinationV4 = {192, 168, 1, 2};
inline const Bytes kSourceV6 = {0xFC, 0, 0, 0, 0, 0, 0, 0,
                                0,    0, 0, 0, 0, 0, 0, 1};
inline const Bytes kDestinationV6 = {0x20, 1, 0xD, 0xB8, 0, 0, 0, 0,
                                     0,    0, 0,   0,    0, 0, 0, 2};

inline std::string Key(const Bytes& source, const Bytes& destination,
                       uint16_t source_port, uint16_t destination_port,
                       uint8_t protocol) {
  const Bytes key = Join({source,
                          destination,
                          Bits16(source_port),
                          Bits16(destination_port),
                          {protocol}});
  return ToHexText({reinterpret_cast<const char*>(key.data()), key.size()});
}
inline std::string KeyV4(uint16_t source_port, uint16_t destination_port,
                         uint8_t protocol) {
  return Key(kSourceV4, kDestinationV4, source_port, destination_port,
             protocol);
}
inline std::string KeyV6(uint16_t source_port, uint16_t destination_port,
                         uint8_t protocol) {
  return Key(kSourceV6, kDestinationV6, source_port, destination_port,
             protocol);
}

// An IPv4 packet. `fragment` is the field of flags and offset, `options` a
// multiple of 4 bytes.
inline Bytes PacketV4(uint8_t protocol, const Bytes& payload,
                      size_t fragment = 0, const Bytes& options = {}) {
  const size_t header = 20 + options.size();
  return Join({{static_cast<uint8_t>(0x40 | header / 4), 0},
               Bits16(header + payload.size()),
               {0, 1},
               Bits16(fragment),
               {64, protocol, 0, 0},
               kSourceV4,
               kDestinationV4,
               options,
               payload});
}

inline Bytes PacketV6(uint8_t next, const Bytes& payload) {
  return Join({{0x60, 0, 0, 0},
               Bits16(payload.size()),
               {next, 64},
               kSourceV6,
               kDestinationV6,
               payload});
}

// The first 8 bytes of a header with ports.
inline Bytes Ports(uint16_t source, uint16_t destination) {
  return Join({Bits16(source), Bits16(destination), {0, 8, 0, 0}});
}

// An IPv6 extension header of 8 * `eights` bytes.
inline Bytes Extension(uint8_t next, size_t eights = 1) {
  Bytes header(8 * eights);
  header[0] = next;
  header[1] = static_cast<uint8_t>(eights - 1);
  return header;
}
// An authentication header of 24 bytes.
inline Bytes Authentication(uint8_t next) {
  return Join({{next, 4}, Bytes(22)});
}
inline Bytes FragmentHeader(uint8_t next, size_t offset_and_more) {
  return Join({{next, 0}, Bits16(offset_and_more), {0, 0, 0, 1}});
}

inline Bytes Icmp(uint8_t type, const Bytes& quoted = {}) {
  return Join({{type, 0, 0, 0, 0, 0, 0, 0}, quoted});
}

// An Ethernet frame; `tags` are whole VLAN tags.
inline Bytes Frame(const Bytes& tags, size_t type, const Bytes& packet) {
  return Join({Bytes(12, 0xEE), tags, Bits16(type), packet});
}

inline constexpr uint8_t kTcp = 6, kUdp = 17;

// One packet of each shape that is read: IPv4 and IPv6, whole.
inline std::vector<Bytes> PacketShapes() {
  const Bytes ports = Ports(1234, 443);
  const Bytes v4 = PacketV4(kTcp, ports);
  const Bytes v6 =
      PacketV6(0, Join({Extension(43), Extension(60, 3), Extension(51, 2),
                        Authentication(44), FragmentHeader(kUdp, 0), ports}));
  return {v4,
          PacketV4(kUdp, ports, 0, Bytes(40)),
          PacketV4(kTcp, ports, 0x2000),
          PacketV4(kTcp, ports, 5),
          PacketV4(1, Icmp(8)),
          PacketV4(1, Icmp(11, v4)),
          PacketV4(47, Bytes(16)),
          v6,
          PacketV6(kTcp, ports),
          PacketV6(60, Join({Extension(44), FragmentHeader(kTcp, 1), ports})),
          PacketV6(58, Icmp(128)),
          PacketV6(58, Icmp(1, v6)),
          PacketV6(50, Bytes(16))};
}

}  // namespace clockwise
