// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What peers hash of a request: the key to ask their placements for. In the
// library clockwise-compat.
//
// These functions return views of their arguments, allocate nothing, cannot
// fail, and may be called by any thread. Where a peer goes round robin because
// there is nothing to hash, the key is empty.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "clockwise/detail/api.h"

namespace clockwise {

// HAProxy 2.6 and 3.x: `balance uri`, with its options. 0: not given.
struct HaproxyUri {
  bool is_whole = false;      // `whole`: what follows '?' too
  bool is_path_only = false;  // `path-only`: without scheme and authority
  uint32_t length = 0;        // `len`: of so many bytes at most
  uint32_t depth = 0;         // `depth`: up to the slash after so many
};
// Returns the part of a request's target (as sent: "/a?b", "http://h/a") that
// is hashed. Every slash counts for the depth, those of "http://" too; `len`
// cuts first.
[[nodiscard]] CW_API std::string_view HaproxyUriKey(
    std::string_view target, const HaproxyUri& options = {}) noexcept;

// `balance url_param NAME`: the value as it stands behind '?' or '&' and
// "NAME=", up to the next '&', not decoded.
[[nodiscard]] CW_API std::string_view HaproxyUrlParam(
    std::string_view target, std::string_view name) noexcept;

// `balance hdr(x)`: the first of the header's values, which have commas between
// them, without blanks around it. (`hash req.fhdr(x)` takes the whole value.)
[[nodiscard]] CW_API std::string_view HaproxyHeader(
    std::string_view value) noexcept;

// The same with `use_domain_only`: what stands before the last dot of the
// value, back to the dot before that. The value where it has no dot.
[[nodiscard]] CW_API std::string_view HaproxyDomain(
    std::string_view value) noexcept;

// `balance hash` of a number: 8 bytes, big-endian.
[[nodiscard]] CW_API std::array<char, 8> HaproxyNumber(
    uint64_t number) noexcept;

// libmemcached with HASH_WITH_PREFIX_KEY: the namespace and the key, which is
// copied as a C string: of equal length, but NUL from its first NUL on. Where
// that is more than 250 bytes, libmemcached takes hash 0: ask Owner(0), with
// one server Owner of any key. Returns a new text; may throw std::bad_alloc.
[[nodiscard]] CW_API std::string LibmemcachedKey(std::string_view name_space,
                                                 std::string_view key);
inline constexpr size_t kLibmemcachedMaxKey = 250;

}  // namespace clockwise
