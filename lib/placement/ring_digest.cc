// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/ring_digest.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "placement/digest.h"
#include "search/sections.h"

namespace clockwise {
namespace {

// The positions of each slot, ascending, one slot after the other.
class PositionsBySlot {
 public:
  PositionsBySlot(const RingImage& image, const NodeTable& table)
      : ends_(table.slots), positions_(image.points) {
    uint32_t end = 0;
    for (uint32_t slot = 0; slot < table.slots; ++slot) {
      ends_[slot] = end;
      end += table.Records()[slot].points;
    }
    ForForm(image, [&](auto form) { Scatter<decltype(form)>(image); });
  }

  // `points` is the record's.
  [[nodiscard]] std::span<const uint64_t> Of(NodeIndex slot,
                                             uint32_t points) const {
    return std::span(positions_).subspan(ends_[slot] - points, points);
  }

 private:
  template <typename Form>
  void Scatter(const RingImage& image) {
    const auto* positions =
        image.At<typename Form::Position>(image.positions_at);
    const auto* owners = image.At<typename Form::Owner>(image.owners_at);
    for (uint32_t i = 0; i < image.points; ++i) {
      positions_[ends_[owners[i]]++] = detail::ToLeftAligned(positions[i]);
    }
  }

  std::vector<uint32_t> ends_;  // where a slot's next position goes
  std::vector<uint64_t> positions_;
};

std::vector<SchemeParameter> ParametersOf(const NodeTable& table) {
  std::vector<SchemeParameter> parameters;
  table.Parameters().ForEach(
      [&](std::string_view name, std::string_view value) {
        parameters.push_back({name, std::string(value)});
      });
  return parameters;
}

}  // namespace

Hash128 RingDigest(const detail::RingImage& image, const NodeTable& table,
                   std::string_view key_hash) {
  uint32_t nodes = 0;
  for (const NodeRecord& record : table.Records()) {
    nodes += record.thousandths != 0;
  }
  const std::vector<SchemeParameter> parameters = ParametersOf(table);
  DigestText text = BeginDigest({table.Name(), table.Scheme(), image.width,
                                 image.seed, key_hash, parameters},
                                nodes);
  const bool is_native = table.Scheme() == kNativeScheme;
  std::optional<PositionsBySlot> positions;
  if (!is_native) positions.emplace(image, table);
  for (NodeIndex slot : table.InOrder()) {
    const NodeView node = table.View(slot);
    if (node.weight.thousandths() == 0) continue;
    AppendNode(text, node);
    if (is_native) continue;
    for (uint64_t p : positions->Of(slot, node.points)) text.U64(p);
  }
  return text.Digest();
}

}  // namespace clockwise
