// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "wire/check_table.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/align.h"
#include "clockwise/detail/ring_image.h"
#include "placement/points.h"

namespace clockwise {
namespace {

using enum RingFileFault;

const char* BytesOf(const NodeTable& table) {
  return reinterpret_cast<const char*>(&table);
}

// Whether all bytes of the table from `from` up to `to` are 0.
bool IsZero(const NodeTable& table, uint64_t from, uint64_t to) {
  const char* bytes = BytesOf(table);
  return std::all_of(bytes + from, bytes + to, [](char c) { return c == 0; });
}

uint64_t RingTextBytes(const NodeTable& table) {
  return uint64_t{table.name_bytes} + table.scheme_bytes + table.params_bytes;
}

uint64_t TextBytes(const NodeRecord& r) {
  return uint64_t{r.id_bytes} + r.region_bytes + r.zone_bytes + r.rack_bytes +
         r.address_bytes + r.params_bytes;
}

// Whether packed parameters can be walked, and are as Pack writes them.
bool ArePacked(std::string_view rest) {
  std::string_view before;
  while (!rest.empty()) {
    if (rest.size() < 3) return false;
    const auto byte = [&](size_t i) -> size_t {
      return static_cast<uint8_t>(rest[i]);
    };
    const size_t name = byte(0);
    const size_t all = 3 + name + (byte(1) | byte(2) << 8);
    if (name == 0 || rest.size() < all) return false;
    const std::string_view text = rest.substr(3, name);
    if (text <= before) return false;  // the first is not empty
    before = text;
    rest.remove_prefix(all);
  }
  return true;
}

Defect CheckOptions(const NodeTable& table) {
  if (table.scheme_bytes == 0) return {kOptions, "the scheme has no name"};
  if (table.vnodes < 1 || table.vnodes > kMaxVnodes) {
    return OutOfRange(kOptions, "vnodes", table.vnodes,
                      "1 to " + std::to_string(kMaxVnodes));
  }
  if (table.max_points > kMaxPointsLimit) {
    return OutOfRange(kOptions, "max_points", table.max_points,
                      "at most " + std::to_string(kMaxPointsLimit));
  }
  if (table.layout_asked > static_cast<uint8_t>(Layout::kLine) + 1) {
    return OutOfRange(kOptions, "layout asked for", table.layout_asked,
                      "at most 4");
  }
  if (table.ties > Ties::kLastAdded) {
    return OutOfRange(kOptions, "ties", static_cast<uint8_t>(table.ties),
                      "at most 2");
  }
  const bool is_reserved_zero =
      std::all_of(std::begin(table.reserved), std::end(table.reserved),
                  [](uint8_t b) { return b == 0; }) &&
      std::all_of(std::begin(table.reserved2), std::end(table.reserved2),
                  [](uint8_t b) { return b == 0; });
  if (is_reserved_zero) return {};
  return {kReserved, "a reserved byte of the node table is not 0"};
}

// Checks one table's nodes, part by part.
class TableChecker {
 public:
  explicit TableChecker(const NodeTable& table)
      : table_(table),
        records_(table.Records()),
        text_bytes_(table.bytes - table.text_at),
        is_native_(table.Scheme() == kNativeScheme) {}

  Defect Run() {
    if (Defect defect = CheckRing()) return defect;
    for (const NodeRecord& record : records_) {
      if (Defect defect = CheckRecord(record)) return defect;
    }
    if (members_ != table_.members || points_ > table_.max_points) {
      return CountsDefect();
    }
    if (!records_.empty() && records_.back().id_bytes == 0) {
      return {kCounts, "the last slot is a hole"};
    }
    if (Defect defect = CheckById()) return defect;
    return CheckTexts();
  }

 private:
  [[nodiscard]] Defect CheckRing() const {
    if (!ArePacked(table_.Parameters().packed())) {
      return {kOptions, "the ring's parameters are not packed as they should"};
    }
    if (is_native_ &&
        (table_.params_bytes != 0 || table_.ties != Ties::kSmallestId)) {
      return {kOptions,
              "scheme clockwise-1 has no parameters, and the smallest id wins "
              "ties"};
    }
    return {};
  }

  Defect CheckRecord(const NodeRecord& record) {
    if (record.id_bytes == 0) {
      constexpr NodeRecord kHole{};
      if (std::memcmp(&record, &kHole, sizeof kHole) == 0) return {};
      return {kReserved, "the record of a hole is not all 0"};
    }
    ++members_;
    points_ += record.points;
    if (record.address_bytes > kMaxAddressBytes) {
      return OutOfRange(kNode, "address of bytes", record.address_bytes,
                        "at most " + std::to_string(kMaxAddressBytes));
    }
    if (record.text_at > text_bytes_ ||
        TextBytes(record) > text_bytes_ - record.text_at) {
      return {kRecords, "texts of a node lie outside the node table"};
    }
    if (!ArePacked(ParamsOf(record)) ||
        (is_native_ && record.params_bytes != 0)) {
      return {kNode, "parameters of a node are not as they should"};
    }
    return CheckWeight(record);
  }

  [[nodiscard]] Defect CheckWeight(const NodeRecord& record) const {
    if (record.thousandths > Weight::kMaxThousandths) {
      return OutOfRange(kWeight, "weight in thousandths", record.thousandths,
                        "at most " + std::to_string(Weight::kMaxThousandths));
    }
    if (record.thousandths == 0 && record.points != 0) {
      return OutOfRange(kWeight, "points of a node of weight 0:", record.points,
                        "none");
    }
    const uint64_t derived =
        PointCount(Weight::Thousandths(record.thousandths), table_.vnodes);
    if (!is_native_ || derived == record.points) return {};
    return OutOfRange(kCounts, "points of a node:", record.points,
                      "its weight makes " + std::to_string(derived));
  }

  [[nodiscard]] Defect CountsDefect() const {
    if (members_ != table_.members) {
      return OutOfRange(kCounts, "members", table_.members,
                        std::to_string(members_) + " slots have a node");
    }
    return OutOfRange(
        kTooManyPoints, "points", points_,
        "at most " + std::to_string(table_.max_points) + " (max_points)");
  }

  // Each id once: ids ascend, so slots differ, and there are as many as nodes.
  [[nodiscard]] Defect CheckById() const {
    std::string_view before;
    for (NodeIndex slot : table_.ById()) {
      if (slot >= table_.slots || records_[slot].id_bytes == 0) {
        return OutOfRange(kNodeOrder, "slot", slot,
                          "it is listed by id but has no node");
      }
      const std::string_view id = table_.IdOf(slot);
      if (id <= before) {
        return OutOfRange(kNodeOrder, "slot", slot,
                          "its id does not follow the one before");
      }
      before = id;
    }
    return {};
  }

  // Texts follow one another without gaps, in the scheme's order of nodes, and
  // nothing but zeroes fills up the parts.
  [[nodiscard]] Defect CheckTexts() const {
    uint64_t at = RingTextBytes(table_);
    for (NodeIndex slot : table_.InOrder()) {
      if (records_[slot].text_at != at) {
        return OutOfRange(kRecords, "text of a node at", records_[slot].text_at,
                          "it belongs at " + std::to_string(at));
      }
      at += TextBytes(records_[slot]);
    }
    const uint64_t records_end =
        sizeof(NodeTable) + uint64_t{table_.slots} * sizeof(NodeRecord);
    const uint64_t by_id_end =
        table_.by_id_at + uint64_t{table_.members} * sizeof(NodeIndex);
    if (RoundUpToLine(at) != text_bytes_) {
      return OutOfRange(kRecords, "texts of bytes", at,
                        std::to_string(text_bytes_) + " are there for them");
    }
    if (IsZero(table_, records_end, table_.by_id_at) &&
        IsZero(table_, by_id_end, table_.text_at) &&
        IsZero(table_, table_.text_at + at, table_.bytes)) {
      return {};
    }
    return {kReserved, "what fills up the node table's parts is not 0"};
  }

  // Of a record whose texts lie within the table.
  [[nodiscard]] std::string_view ParamsOf(const NodeRecord& record) const {
    const uint64_t at = table_.text_at + record.text_at + TextBytes(record) -
                        record.params_bytes;
    return {BytesOf(table_) + at, record.params_bytes};
  }

  const NodeTable& table_;
  const std::span<const NodeRecord> records_;
  const uint64_t text_bytes_;
  const bool is_native_;
  uint64_t members_ = 0;
  uint64_t points_ = 0;
};

}  // namespace

Defect CheckTableHeader(const NodeTable& header, uint64_t bytes) {
  if (header.slots > kMaxNodes) {
    return OutOfRange(kTooManyNodes, "slots", header.slots,
                      "at most " + std::to_string(kMaxNodes));
  }
  if (header.members > header.slots) {
    return OutOfRange(kCounts, "members", header.members,
                      std::to_string(header.slots) + " slots");
  }
  const uint64_t by_id_at =
      RoundUpToLine(sizeof(NodeTable) + header.slots * sizeof(NodeRecord));
  const uint64_t text_at =
      RoundUpToLine(by_id_at + header.members * sizeof(NodeIndex));
  if (header.bytes != bytes || header.by_id_at != by_id_at ||
      header.text_at != text_at || text_at > bytes ||
      RingTextBytes(header) > bytes - text_at) {
    return {kRecords,
            "parts of the node table are not where its counts put them"};
  }
  return CheckOptions(header);
}

Defect CheckTable(const NodeTable& table) { return TableChecker(table).Run(); }

}  // namespace clockwise
