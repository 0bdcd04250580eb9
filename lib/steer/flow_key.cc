// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The two ends of a flow, and which of them comes first.
#include <bit>
#include <cstring>

#include "base/endian.h"
#include "clockwise/steer.h"

namespace clockwise {
namespace {

// An address as the number whose order is that of its bytes.
using AddressV4 = uint32_t;
__extension__ using AddressV6 = unsigned __int128;

AddressV4 LoadAddress(const uint8_t* from, AddressV4) noexcept {
  return __builtin_bswap32(LoadLe32(from));
}
AddressV6 LoadAddress(const uint8_t* from, AddressV6) noexcept {
  const AddressV6 high = __builtin_bswap64(LoadLe64(from));
  return high << 64 | __builtin_bswap64(LoadLe64(from + 8));
}

void StoreAddress(uint8_t* to, AddressV4 v) noexcept {
  StoreLe32(to, __builtin_bswap32(v));
}
void StoreAddress(uint8_t* to, AddressV6 v) noexcept {
  StoreLe64(to, __builtin_bswap64(static_cast<uint64_t>(v >> 64)));
  StoreLe64(to + 8, __builtin_bswap64(static_cast<uint64_t>(v)));
}

// The addresses and ports of the key at `key`, which is longer than these.
template <typename Address>
struct Ends {
  static Ends Load(const uint8_t* key) noexcept {
    const uint32_t ports = LoadAddress(key + 2 * sizeof(Address), AddressV4{});
    return {LoadAddress(key, Address{}),
            LoadAddress(key + sizeof(Address), Address{}), ports};
  }
  void Store(uint8_t* key) const noexcept {
    StoreAddress(key, source);
    StoreAddress(key + sizeof(Address), destination);
    StoreAddress(key + 2 * sizeof(Address), ports);
  }

  // Exchanged by a mask: which end is smaller is as random as the flows, so a
  // branch on it would be mispredicted half the time.
  void ReverseIf(bool wanted) noexcept {
    const Address differing = (source ^ destination) & (-Address{wanted});
    source ^= differing;
    destination ^= differing;
    ports = std::rotl(ports, 16 * wanted);
  }

  [[nodiscard]] bool IsDestinationFirst() const noexcept {
    const bool is_port_first = (ports & 0xFFFF) < ports >> 16;
    return (destination < source) | ((destination == source) & is_port_first);
  }

  Address source, destination;
  uint32_t ports;  // the source's in the high half
};

template <typename Address>
void MakeSymmetric(void* keys, size_t stride, size_t count) noexcept {
  auto* key = static_cast<uint8_t*>(keys);
  for (size_t i = 0; i < count; ++i, key += stride) {
    auto ends = Ends<Address>::Load(key);
    ends.ReverseIf(ends.IsDestinationFirst());
    ends.Store(key);
  }
}

template <typename Address>
void Reverse(uint8_t* key) noexcept {
  auto ends = Ends<Address>::Load(key);
  ends.ReverseIf(true);
  ends.Store(key);
}

}  // namespace

FlowKey FlowKey::Reversed() const noexcept {
  FlowKey key = *this;
  if (size_ == kFlowKeyV4Bytes) Reverse<AddressV4>(key.bytes_.data());
  if (size_ == kFlowKeyV6Bytes) Reverse<AddressV6>(key.bytes_.data());
  return key;
}

FlowKey FlowKey::Symmetric() const noexcept {
  FlowKey key = *this;
  if (size_ == kFlowKeyV4Bytes) MakeSymmetricV4(key.bytes_.data(), size_, 1);
  if (size_ == kFlowKeyV6Bytes) MakeSymmetricV6(key.bytes_.data(), size_, 1);
  return key;
}

void MakeSymmetricV4(void* keys, size_t stride, size_t count) noexcept {
  MakeSymmetric<AddressV4>(keys, stride, count);
}

void MakeSymmetricV6(void* keys, size_t stride, size_t count) noexcept {
  MakeSymmetric<AddressV6>(keys, stride, count);
}

}  // namespace clockwise
