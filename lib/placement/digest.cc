// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/digest.h"

#include "base/endian.h"
#include "clockwise/ring.h"

namespace clockwise {
namespace {

constexpr size_t kMaxText = 65535;

}  // namespace

DigestText::DigestText(std::string_view tag) {
  bytes_.reserve(4096);
  bytes_.append(tag);
  bytes_.push_back('\0');
}

void DigestText::Text(std::string_view text) {
  const auto size = static_cast<uint16_t>(text.size());
  U8(static_cast<uint8_t>(size & 0xFF));
  U8(static_cast<uint8_t>(size >> 8));
  bytes_.append(text);
}

void DigestText::U8(uint8_t n) { bytes_.push_back(static_cast<char>(n)); }

void DigestText::U32(uint32_t n) {
  char bytes[sizeof n];
  StoreLe32(bytes, n);
  bytes_.append(bytes, sizeof n);
}

void DigestText::U64(uint64_t n) {
  char bytes[sizeof n];
  StoreLe64(bytes, n);
  bytes_.append(bytes, sizeof n);
}

void DigestText::AddParams(ParamsView params) {
  uint32_t count = 0;
  params.ForEach([&](std::string_view, std::string_view) { ++count; });
  U32(count);
  params.ForEach([&](std::string_view name, std::string_view value) {
    Text(name);
    Text(value);
  });
}

Hash128 DigestText::Digest() const { return Xxh3_128(bytes_, 0); }

DigestText BeginDigest(const DigestHead& head, uint32_t nodes) {
  DigestText text("clockwise-digest-1");
  text.Text(head.name);
  text.Text(head.scheme);
  text.U8(static_cast<uint8_t>(head.width));
  text.U64(head.seed);
  text.Text(head.key_hash);
  text.U32(static_cast<uint32_t>(head.parameters.size()));
  for (const SchemeParameter& parameter : head.parameters) {
    const std::string& value = parameter.value;
    text.Text(parameter.name);
    text.Text(value.size() <= kMaxText ? value : ToHex(Xxh3_128(value, 0)));
  }
  text.U32(nodes);
  return text;
}

void AppendNode(DigestText& text, const NodeView& node) {
  text.Text(node.id);
  text.U32(static_cast<uint32_t>(node.weight.thousandths()));
  text.U32(node.points);
  text.Text(node.region);
  text.Text(node.zone);
  text.Text(node.rack);
  text.AddParams(node.params);
}

}  // namespace clockwise
