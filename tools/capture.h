// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Packets from capture files, through libpcap.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "clockwise/steer.h"

struct pcap;

namespace clockwise::tool {

// A capture file (pcap or pcapng) that is read from its beginning to its end.
// Its packets begin with an Ethernet header, with that of Linux "cooked"
// captures, with that of BSD loopback, or with IP.
class Capture {
 public:
  // Throws Failure, by name, for a file that is none or of other packets. "-"
  // is standard input.
  explicit Capture(const std::string& path);

  // Returns the flow of the next packet; nothing at the end. Throws Failure,
  // with the number of the packet, where the file is broken.
  std::optional<PacketFlow> Next();

 private:
  struct Close {
    void operator()(pcap* handle) const noexcept;
  };
  using Reader = PacketFlow (*)(std::span<const uint8_t>) noexcept;

  static Reader ReaderOf(int link_type) noexcept;

  std::string name_;
  std::unique_ptr<pcap, Close> handle_;
  Reader read_ = nullptr;
  uint64_t packets_ = 0;
};

}  // namespace clockwise::tool
