// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "capture.h"

#include <fmt/format.h>
#include <pcap/pcap.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "failure.h"
#include "file.h"

namespace clockwise::tool {
namespace {

using Bytes = std::span<const uint8_t>;

PacketFlow ReadBehind(Bytes packet, size_t header) noexcept {
  return ParsePacket(packet.subspan(std::min(packet.size(), header)));
}

// A header of 16 bytes that ends, as Ethernet's of 14 does, with the type of
// what follows.
PacketFlow ReadCooked(Bytes packet) noexcept {
  return ParseFrame(packet.subspan(std::min<size_t>(packet.size(), 2)));
}

// A header of 20 bytes that begins with that type.
PacketFlow ReadCooked2(Bytes packet) noexcept {
  constexpr size_t kHeaderBytes = 20;
  if (packet.size() < kHeaderBytes) return {PacketKind::kTooShort, {}};
  const int type = packet[0] << 8 | packet[1];
  if (type != 0x0800 && type != 0x86DD) return {PacketKind::kNotIp, {}};
  return ReadBehind(packet, kHeaderBytes);
}

// An address family of 4 bytes, in the byte order of whoever captured. IPv6 has
// as many numbers as there are systems.
PacketFlow ReadLoopback(Bytes packet) noexcept {
  constexpr size_t kHeaderBytes = 4;
  constexpr uint8_t kIpFamilies[] = {2, 10, 23, 24, 28, 30};
  if (packet.size() < kHeaderBytes) return {PacketKind::kTooShort, {}};
  const bool is_first = packet[3] == 0;
  const uint8_t family = packet[is_first ? 0 : 3];
  const bool is_small =
      packet[1] == 0 && packet[2] == 0 && (is_first || packet[0] == 0);
  const bool is_ip =
      std::ranges::find(kIpFamilies, family) != std::ranges::end(kIpFamilies);
  if (!is_small || !is_ip) return {PacketKind::kNotIp, {}};
  return ReadBehind(packet, kHeaderBytes);
}

std::FILE* OpenStream(const std::string& path) {
  const Descriptor file = OpenKeyFile(path);
  const int copy = dup(file.fd());  // the stream closes it
  std::FILE* stream = copy < 0 ? nullptr : fdopen(copy, "rb");
  if (stream != nullptr) return stream;
  const std::string why = std::strerror(errno);
  if (copy >= 0) close(copy);
  throw Failure(Exit::kRefused, path + ": " + why);
}

}  // namespace

void Capture::Close::operator()(pcap* handle) const noexcept {
  pcap_close(handle);
}

Capture::Reader Capture::ReaderOf(int link_type) noexcept {
  switch (link_type) {
    case DLT_EN10MB:
      return ParseFrame;
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
      return ParsePacket;
    case DLT_LINUX_SLL:
      return ReadCooked;
    case DLT_LINUX_SLL2:
      return ReadCooked2;
    case DLT_NULL:
    case DLT_LOOP:
      return ReadLoopback;
    default:
      return nullptr;
  }
}

Capture::Capture(const std::string& path)
    : name_(path == "-" ? "standard input" : path) {
  std::FILE* stream = OpenStream(path);
  char why[PCAP_ERRBUF_SIZE];
  handle_.reset(pcap_fopen_offline(stream, why));
  if (!handle_) {
    std::fclose(stream);
    throw Failure(Exit::kRefused, fmt::format("{}: {}", name_, why));
  }
  const int link_type = pcap_datalink(handle_.get());
  read_ = ReaderOf(link_type);
  if (read_ == nullptr) {
    const char* known = pcap_datalink_val_to_name(link_type);
    throw Failure(Exit::kRefused,
                  fmt::format("{}: packets of link type {} ({}) are not read",
                              name_, link_type, known ? known : "unknown"));
  }
}

std::optional<PacketFlow> Capture::Next() {
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  const int got = pcap_next_ex(handle_.get(), &header, &data);
  if (got == PCAP_ERROR_BREAK) return std::nullopt;
  ++packets_;
  if (got != 1) {
    throw Failure(Exit::kRefused,
                  fmt::format("{}: packet {}: {}", name_, packets_,
                              pcap_geterr(handle_.get())));
  }
  return read_({data, header->caplen});
}

}  // namespace clockwise::tool
