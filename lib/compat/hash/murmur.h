// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The 64-bit MurmurHashes (Appleby): MurmurHash64A, of the second generation,
// and the first 64 bits of MurmurHash3 x64_128.
#pragma once

#include <cstdint>
#include <string_view>

namespace clockwise::compat_internal {

// The seeds that peers have.
inline constexpr uint64_t kMurmurSeedStd = 0xC70F6907;  // libstdc++, Envoy
inline constexpr uint64_t kMurmurSeedMcrouter = 4193360111;
inline constexpr uint64_t kMurmurSeedRendezvous = 2718281828;  // mcrouter's

uint64_t Murmur2_64(std::string_view key, uint64_t seed) noexcept;
uint64_t Murmur3_128(std::string_view key, uint64_t seed) noexcept;

// Murmur3_128 of the 16 bytes that `a` and `b` are, little-endian: what Katran
// makes of a backend's hash.
uint64_t Murmur3Pair(uint64_t a, uint64_t b, uint64_t seed) noexcept;

// Cassandra's token: Murmur3_128 whose last length % 16 bytes are signed; the
// least number stands for no token and becomes the greatest. The empty key has
// token 0, as in its drivers; the server itself says -2^63.
int64_t CassandraToken(std::string_view key) noexcept;

}  // namespace clockwise::compat_internal
