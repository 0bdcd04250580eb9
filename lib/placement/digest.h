// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The digests: what two hosts compare to know that they agree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clockwise/hash.h"
#include "placement/node_table.h"

namespace clockwise {

// A parameter of a scheme, as text.
struct SchemeParameter {
  std::string_view name;
  std::string value;
};

// What of a ring the digest covers beside its nodes.
struct DigestHead {
  std::string_view name;
  std::string_view scheme;
  uint32_t width;
  uint64_t seed;
  std::string_view key_hash;
  std::span<const SchemeParameter> parameters = {};  // by name
};

// The bytes that the placement digest of clockwise-1 is the XXH3-128 of, built
// up piece by piece. Texts are u16 length and bytes, integers little-endian.
class DigestText {
 public:
  explicit DigestText(std::string_view tag);

  void Text(std::string_view text);
  void U8(uint8_t n);
  void U32(uint32_t n);
  void U64(uint64_t n);
  // Their count, then name and value of each.
  void AddParams(ParamsView params);
  [[nodiscard]] Hash128 Digest() const;

 private:
  std::string bytes_;
};

// Starts a digest of a ring that has `nodes` nodes of weight above 0; continue
// with each by AppendNode, ids ascending (in list order where a scheme depends
// on it), and where points are explicit with the node's positions
// (left-aligned, ascending) as U64.
//
// A parameter's value that is too long for a text, which ends at 65,535 bytes,
// is replaced by its XXH3-128 (seed 0) as 32 hex digits.
DigestText BeginDigest(const DigestHead& head, uint32_t nodes);
void AppendNode(DigestText& text, const NodeView& node);

}  // namespace clockwise
