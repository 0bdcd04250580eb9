// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// From packets to keys of flows.
#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <random>

#include "guarded_bytes.h"
#include "packet_maker.h"

namespace clockwise {

void PrintTo(PacketKind kind, std::ostream* out) {
  *out << static_cast<int>(kind);
}

namespace {

const Bytes kPorts = Ports(1234, 443);

// The key as hex, or why there is none.
std::string Text(const PacketFlow& flow) {
  if (flow.kind == PacketKind::kFlow) return ToHexText(flow.key.bytes());
  EXPECT_EQ(flow.key, FlowKey());
  return flow.kind == PacketKind::kNotIp ? "not IP" : "too short";
}
std::string Flow(const Bytes& packet) { return Text(ParsePacket(packet)); }

TEST(PacketTest, PortsAreThoseOfProtocolsThatHaveThem) {
  for (uint8_t protocol : Bytes{6, 17, 33, 132, 136}) {
    EXPECT_EQ(Flow(PacketV4(protocol, kPorts)), KeyV4(1234, 443, protocol));
    EXPECT_EQ(Flow(PacketV6(protocol, kPorts)), KeyV6(1234, 443, protocol));
  }
  for (uint8_t protocol : Bytes{2, 4, 41, 47, 50, 59, 89, 255}) {
    EXPECT_EQ(Flow(PacketV4(protocol, kPorts)), KeyV4(0, 0, protocol));
    EXPECT_EQ(Flow(PacketV6(protocol, kPorts)), KeyV6(0, 0, protocol));
  }
}

TEST(PacketTest, OptionsOfIpv4AreSkipped) {
  EXPECT_EQ(Flow(PacketV4(kTcp, kPorts, 0, Bytes(40, 0xFF))),
            KeyV4(1234, 443, kTcp));
}

TEST(PacketTest, FragmentsHavePorts0) {
  constexpr size_t kDoNotFragment = 0x4000;
  EXPECT_EQ(Flow(PacketV4(kUdp, kPorts, kDoNotFragment)),
            KeyV4(1234, 443, kUdp));
  for (size_t fragment : {0x2000u, 0x2001u, 0x0001u, 0x1FFFu}) {
    EXPECT_EQ(Flow(PacketV4(kUdp, kPorts, fragment)), KeyV4(0, 0, kUdp));
  }
  for (size_t fragment : {0x0001u, 0x0009u, 0x0008u, 0xFFF8u}) {
    const Bytes payload = Join({FragmentHeader(kUdp, fragment), kPorts});
    EXPECT_EQ(Flow(PacketV6(44, payload)), KeyV6(0, 0, kUdp));
  }
  // An error, but in pieces: no piece but the first could tell.
  EXPECT_EQ(Flow(PacketV4(1, Icmp(3, PacketV4(kTcp, kPorts)), 0x2000)),
            KeyV4(0, 0, 1));
}

TEST(PacketTest, AFragmentHeaderOfAWholePacketIsSkipped) {
  constexpr size_t kReservedBits = 6;
  const Bytes payload = Join({FragmentHeader(kUdp, kReservedBits), kPorts});
  EXPECT_EQ(Flow(PacketV6(44, payload)), KeyV6(1234, 443, kUdp));
}

TEST(PacketTest, FragmentsOfIpv6AgreeWhateverFollows) {
  const Bytes first = Join({FragmentHeader(60, 1), Extension(kUdp), kPorts});
  const Bytes last = Join({FragmentHeader(60, 0x10), Bytes(8, 0xAA)});
  EXPECT_EQ(Flow(PacketV6(44, first)), KeyV6(0, 0, 60));
  EXPECT_EQ(Flow(PacketV6(44, last)), KeyV6(0, 0, 60));
}

TEST(PacketTest, ExtensionHeadersAreWalked) {
  EXPECT_EQ(
      Flow(PacketV6(0, Join({Extension(43, 2), Extension(60), Extension(51, 4),
                             Authentication(kTcp), kPorts}))),
      KeyV6(1234, 443, kTcp));
}

TEST(PacketTest, TheNinthExtensionHeaderCountsAsTheProtocol) {
  Bytes headers;
  for (int i = 0; i < 7; ++i) headers = Join({headers, Extension(60)});
  EXPECT_EQ(Flow(PacketV6(60, Join({headers, Extension(kTcp), kPorts}))),
            KeyV6(1234, 443, kTcp));
  headers = Join({headers, Extension(60)});
  EXPECT_EQ(Flow(PacketV6(60, Join({headers, Extension(kTcp), kPorts}))),
            KeyV6(0, 0, 60));
}

TEST(PacketTest, IcmpErrorsGoWhereTheAnswersGo) {
  const Bytes sent = PacketV4(kTcp, kPorts);
  const Bytes sent_v6 = PacketV6(0, Join({Extension(kTcp), kPorts}));
  const std::string answers = Key(kDestinationV4, kSourceV4, 443, 1234, kTcp);
  const std::string answers_v6 =
      Key(kDestinationV6, kSourceV6, 443, 1234, kTcp);
  for (int type = 0; type < 256; ++type) {
    const Bytes icmp = Icmp(static_cast<uint8_t>(type), sent);
    const bool is_error =
        type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
    EXPECT_EQ(Flow(PacketV4(1, icmp)), is_error ? answers : KeyV4(0, 0, 1));
    const Bytes icmp_v6 = Icmp(static_cast<uint8_t>(type), sent_v6);
    EXPECT_EQ(Flow(PacketV6(58, icmp_v6)),
              type >= 1 && type <= 4 ? answers_v6 : KeyV6(0, 0, 58));
    // The ICMP of the other version has no meaning.
    EXPECT_EQ(Flow(PacketV4(58, icmp_v6)), KeyV4(0, 0, 58));
    EXPECT_EQ(Flow(PacketV6(1, icmp)), KeyV6(0, 0, 1));
  }
}

TEST(PacketTest, WhatAnErrorQuotesIsReadAsItIs) {
  const std::string back_v4 = Key(kDestinationV4, kSourceV4, 0, 0, 1);
  // An echo request, a fragment, an error.
  EXPECT_EQ(Flow(PacketV4(1, Icmp(11, PacketV4(1, Icmp(8))))), back_v4);
  EXPECT_EQ(Flow(PacketV4(1, Icmp(11, PacketV4(kUdp, kPorts, 0x2000)))),
            Key(kDestinationV4, kSourceV4, 0, 0, kUdp));
  const Bytes error = PacketV4(1, Icmp(3, PacketV4(kTcp, kPorts)));
  EXPECT_EQ(Flow(PacketV4(1, Icmp(3, error))), back_v4);
  // The first 8 bytes behind its header are enough.
  Bytes cut = PacketV4(kTcp, Join({kPorts, Bytes(100)}));
  cut.resize(28);
  EXPECT_EQ(Flow(PacketV4(1, Icmp(3, cut))),
            Key(kDestinationV4, kSourceV4, 443, 1234, kTcp));
  cut.resize(23);
  EXPECT_EQ(Flow(PacketV4(1, Icmp(3, cut))), "too short");
  EXPECT_EQ(Flow(PacketV4(1, Icmp(3, {0x10, 0}))), "not IP");
}

TEST(PacketTest, WhatIsNotIpIsToldApart) {
  EXPECT_EQ(Flow({}), "too short");
  for (int version : {0, 1, 3, 5, 7, 15}) {
    Bytes packet = PacketV4(kTcp, kPorts);
    packet[0] = static_cast<uint8_t>(version << 4 | 5);
    EXPECT_EQ(Flow(packet), "not IP");
  }
  Bytes short_header = PacketV4(kTcp, kPorts);
  short_header[0] = 0x44;
  EXPECT_EQ(Flow(short_header), "not IP");
  Bytes short_length = PacketV4(kTcp, kPorts);
  short_length[3] = 19;
  EXPECT_EQ(Flow(short_length), "not IP");
}

TEST(PacketTest, PaddingIsNotRead) {
  EXPECT_EQ(Flow(Join({PacketV4(kUdp, Bytes(3)), kPorts})), "too short");
  EXPECT_EQ(Flow(Join({PacketV6(kUdp, Bytes(3)), kPorts})), "too short");
  EXPECT_EQ(Flow(Join({PacketV4(1, {}), Icmp(3)})), "too short");
}

TEST(PacketTest, ALengthOf0IsUnknown) {
  Bytes v4 = PacketV4(kTcp, kPorts);
  v4[2] = v4[3] = 0;
  EXPECT_EQ(Flow(v4), KeyV4(1234, 443, kTcp));
  Bytes v6 = PacketV6(kTcp, kPorts);
  v6[4] = v6[5] = 0;
  EXPECT_EQ(Flow(v6), KeyV6(1234, 443, kTcp));
}

TEST(FrameTest, TagsAreSkipped) {
  const Bytes v4 = PacketV4(kTcp, kPorts), v6 = PacketV6(kUdp, kPorts);
  const Bytes tag = {0x81, 0x00, 0x20, 0x07}, outer = {0x88, 0xA8, 0, 9};
  for (const Bytes& tags :
       {Bytes(), tag, Join({outer, tag}), Join({outer, outer, tag, tag})}) {
    EXPECT_EQ(Text(ParseFrame(Frame(tags, 0x0800, v4))),
              KeyV4(1234, 443, kTcp));
    EXPECT_EQ(Text(ParseFrame(Frame(tags, 0x86DD, v6))),
              KeyV6(1234, 443, kUdp));
    EXPECT_EQ(Text(ParseFrame(Frame(tags, 0x0806, v4))), "not IP");
    EXPECT_EQ(Text(ParseFrame(Frame(tags, 46, v4))), "not IP");
  }
}

// Bytes that end where memory ends.
class AtTheEnd {
 public:
  std::span<const uint8_t> Put(std::span<const uint8_t> bytes) {
    uint8_t* to = memory_.end() - bytes.size();
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
  }

 private:
  GuardedBytes memory_{4096};
};

TEST(PacketTest, CutAnywhereItGivesTheSameKeyOrNone) {
  AtTheEnd end;
  for (const Bytes& packet : PacketShapes()) {
    const std::string whole = Flow(packet);
    EXPECT_NE(whole, "too short");
    bool was_known = false;
    for (size_t size = 0; size <= packet.size(); ++size) {
      const auto cut = end.Put(std::span(packet).first(size));
      const std::string flow = Text(ParsePacket(cut));
      EXPECT_EQ(flow, was_known || flow == whole ? whole : "too short");
      was_known |= flow == whole;
    }
  }
}

TEST(FrameTest, CutAnywhereItGivesTheSameKeyOrNone) {
  AtTheEnd end;
  const Bytes packet = PacketV4(kTcp, kPorts);
  const Bytes frame = Frame({0x81, 0, 0, 1}, 0x0800, packet);
  for (size_t size = 0; size <= frame.size(); ++size) {
    const bool is_enough = size >= 18 + 20 + 4;
    EXPECT_EQ(Text(ParseFrame(end.Put(std::span(frame).first(size)))),
              is_enough ? KeyV4(1234, 443, kTcp) : "too short");
  }
}

// Packets with some bytes changed and then cut, and bytes without form.
Bytes Fuzz(const std::vector<Bytes>& shapes, std::mt19937& random) {
  const auto byte = [&] { return static_cast<uint8_t>(random()); };
  if (random() % 8 == 0) {
    Bytes bytes(random() % 128);
    std::generate(bytes.begin(), bytes.end(), byte);
    return bytes;
  }
  Bytes bytes = shapes[random() % shapes.size()];
  for (size_t i = random() % 4; i > 0; --i) {
    bytes[random() % bytes.size()] = byte();
  }
  if (random() % 2 == 0) bytes.resize(random() % (bytes.size() + 1));
  return bytes;
}

TEST(PacketTest, NoBytesAreReadPastTheEnd) {
  AtTheEnd end;
  std::mt19937 random(1);
  const std::vector<Bytes> shapes = PacketShapes();
  size_t flows = 0;
  for (int i = 0; i < 300'000; ++i) {
    const Bytes bytes = Fuzz(shapes, random);
    for (auto parse : {ParsePacket, ParseFrame}) {
      const PacketFlow flow = parse(end.Put(bytes));
      const bool is_flow = flow.kind == PacketKind::kFlow;
      ASSERT_EQ(is_flow, !flow.key.bytes().empty());
      flows += is_flow;
    }
  }
  EXPECT_GT(flows, 100'000u);
}

}  // namespace
}  // namespace clockwise
