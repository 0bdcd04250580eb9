// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/node_table.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "base/align.h"

namespace clockwise {
namespace {

template <typename T>
const T* At(const NodeTable* table, uint64_t offset) noexcept {
  return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(table) +
                                    offset);
}

// Appends texts to the table's text part.
class TextWriter {
 public:
  explicit TextWriter(char* text) : begin_(text), end_(text) {}
  [[nodiscard]] uint64_t at() const {
    return static_cast<uint64_t>(end_ - begin_);
  }
  void Append(std::string_view text) {
    end_ = std::copy(text.begin(), text.end(), end_);
  }

 private:
  char* begin_;
  char* end_;
};

uint64_t TextBytes(const TableHead& head, std::span<const Member> members) {
  uint64_t bytes = head.name.size() + head.scheme.size() + head.params.size();
  for (const Member& m : members) {
    bytes += m.node.id.size() + m.node.region.size() + m.node.zone.size() +
             m.node.rack.size() + m.node.address.size() +
             m.node.params.packed().size();
  }
  return bytes;
}

NodeRecord WriteRecord(const NodeView& node, TextWriter& text) {
  NodeRecord record{};
  record.text_at = text.at();
  record.thousandths = static_cast<uint32_t>(node.weight.thousandths());
  record.points = node.points;
  record.id_bytes = static_cast<uint8_t>(node.id.size());
  record.region_bytes = static_cast<uint8_t>(node.region.size());
  record.zone_bytes = static_cast<uint8_t>(node.zone.size());
  record.rack_bytes = static_cast<uint8_t>(node.rack.size());
  record.address_bytes = static_cast<uint16_t>(node.address.size());
  record.params_bytes = static_cast<uint16_t>(node.params.packed().size());
  for (std::string_view part : {node.id, node.region, node.zone, node.rack,
                                node.address, node.params.packed()}) {
    text.Append(part);
  }
  return record;
}

}  // namespace

const char* NodeTable::Text() const noexcept { return At<char>(this, text_at); }

std::span<const NodeRecord> NodeTable::Records() const noexcept {
  return {At<NodeRecord>(this, sizeof(NodeTable)), slots};
}

std::span<const NodeIndex> NodeTable::ById() const noexcept {
  return {At<NodeIndex>(this, by_id_at), members};
}

std::vector<NodeIndex> NodeTable::InOrder() const {
  std::vector<NodeIndex> slots_in_order(ById().begin(), ById().end());
  if (ties != Ties::kSmallestId) {
    const auto records = Records();
    std::sort(slots_in_order.begin(), slots_in_order.end(),
              [&](NodeIndex a, NodeIndex b) {
                return records[a].text_at < records[b].text_at;
              });
  }
  return slots_in_order;
}

std::string_view NodeTable::Name() const noexcept {
  return {Text(), name_bytes};
}

std::string_view NodeTable::Scheme() const noexcept {
  return {Text() + name_bytes, scheme_bytes};
}

ParamsView NodeTable::Parameters() const noexcept {
  return ParamsView({Text() + name_bytes + scheme_bytes, params_bytes});
}

std::string_view NodeTable::IdOf(NodeIndex slot) const noexcept {
  if (slot >= slots) return {};
  const NodeRecord& record = Records()[slot];
  return {Text() + record.text_at, record.id_bytes};
}

NodeView NodeTable::View(NodeIndex slot) const noexcept {
  NodeView view;
  view.weight = Weight::Thousandths(0);
  if (slot >= slots) return view;
  const NodeRecord& record = Records()[slot];
  const char* text = Text() + record.text_at;
  const auto take = [&text](size_t size) {
    const std::string_view part(text, size);
    text += size;
    return part;
  };
  view.id = take(record.id_bytes);
  view.region = take(record.region_bytes);
  view.zone = take(record.zone_bytes);
  view.rack = take(record.rack_bytes);
  view.address = take(record.address_bytes);
  view.params = ParamsView(take(record.params_bytes));
  view.weight = Weight::Thousandths(record.thousandths);
  view.points = record.points;
  return view;
}

NodeIndex NodeTable::Find(std::string_view id) const noexcept {
  const auto by_id = ById();
  const auto found = std::lower_bound(
      by_id.begin(), by_id.end(), id,
      [this](NodeIndex slot, std::string_view x) { return IdOf(slot) < x; });
  if (found == by_id.end() || IdOf(*found) != id) return kNoNode;
  return *found;
}

std::vector<const Member*> InOrder(std::span<const Member> members, Ties ties) {
  std::vector<const Member*> ordered;
  ordered.reserve(members.size());
  for (const Member& m : members) ordered.push_back(&m);
  if (ties != Ties::kSmallestId) {
    std::sort(ordered.begin(), ordered.end(),
              [](auto* a, auto* b) { return a->order < b->order; });
  }
  return ordered;
}

Block BuildNodeTable(const TableHead& head, std::span<const Member> members,
                     uint32_t slots, BlockSource& source) {
  const uint64_t by_id_at =
      RoundUpToLine(sizeof(NodeTable) + uint64_t{slots} * sizeof(NodeRecord));
  const uint64_t text_at =
      RoundUpToLine(by_id_at + members.size() * sizeof(NodeIndex));
  const uint64_t bytes = RoundUpToLine(text_at + TextBytes(head, members));
  Block block = Block::Acquire(source, bytes);
  if (block.data() == nullptr) return block;

  auto* base = static_cast<std::byte*>(block.data());
  std::memset(base, 0, bytes);
  auto* table = new (base) NodeTable{};
  table->bytes = bytes;
  table->by_id_at = by_id_at;
  table->text_at = text_at;
  table->slots = slots;
  table->members = static_cast<uint32_t>(members.size());
  table->vnodes = head.vnodes;
  table->max_points = head.max_points;
  table->layout_asked = head.layout_asked;
  table->ties = head.ties;
  table->name_bytes = static_cast<uint8_t>(head.name.size());
  table->scheme_bytes = static_cast<uint8_t>(head.scheme.size());
  table->params_bytes = static_cast<uint16_t>(head.params.size());

  auto* by_id = reinterpret_cast<NodeIndex*>(base + by_id_at);
  auto* records = reinterpret_cast<NodeRecord*>(base + sizeof(NodeTable));
  TextWriter text(reinterpret_cast<char*>(base + text_at));
  text.Append(head.name);
  text.Append(head.scheme);
  text.Append(head.params);
  for (size_t i = 0; i < members.size(); ++i) by_id[i] = members[i].slot;
  for (const Member* m : InOrder(members, head.ties)) {
    records[m->slot] = WriteRecord(m->node, text);
  }
  return block;
}

}  // namespace clockwise
