// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Images and node tables in the byte order of other machines, against a twin
// that turns each field where the layout of the file says it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "placement/ring_access.h"
#include "ring_file_maker.h"
#include "ring_maker.h"
#include "wire/byte_order.h"

namespace clockwise {
namespace {

using detail::RingImage;

// An aligned copy of bytes.
struct Copy {
  explicit Copy(std::string_view bytes)
      : block(Block::Acquire(DefaultBlockSource(), bytes.size())) {
    std::memcpy(block.data(), bytes.data(), bytes.size());
  }
  [[nodiscard]] std::string_view text() const {
    return {static_cast<const char*>(block.data()), block.bytes()};
  }
  Block block;
};

// Turns `count` fields of `size` bytes, in a text.
void Turn(std::string& bytes, uint64_t at, uint64_t size, uint64_t count = 1) {
  for (uint64_t i = 0; i < count; ++i, at += size) {
    std::reverse(bytes.begin() + static_cast<ptrdiff_t>(at),
                 bytes.begin() + static_cast<ptrdiff_t>(at + size));
  }
}

// The image's bytes as a machine of the other byte order has them. `image` is
// in this machine's.
std::string TwinOf(const RingImage& image) {
  std::string bytes(reinterpret_cast<const char*>(&image), image.bytes);
  Turn(bytes, 0, 8, 9);   // magic to local
  Turn(bytes, 72, 4, 6);  // points to overflowed
  Turn(bytes, 100, 4);    // splus_levels, after four bytes
  Turn(bytes, 104, 8, 5 + 9 + 5);
  const uint64_t position = image.width / 8;
  const uint64_t owner = image.is_wide != 0 ? 4 : 2;
  const uint64_t entries = image.points + 1;
  if (image.layout == Layout::kLine) {
    for (uint32_t b = 0; b < image.lines; ++b) {
      const uint64_t line = image.search_at + 64 * uint64_t{b};
      Turn(bytes, line, 2, image.is_wide != 0 ? 14 : 32);
    }
    Turn(bytes, image.starts_at, 4, uint64_t{image.lines} + 1);
  } else if (image.layout == Layout::kEytzinger) {
    Turn(bytes, image.search_at, position, entries);
    Turn(bytes, image.search_owners_at, owner, entries);
  }
  Turn(bytes, image.positions_at, position, image.points);
  Turn(bytes, image.owners_at, owner, entries);
  for (uint32_t level = 0; level < image.splus_levels; ++level) {
    const uint64_t begin = image.splus_at[level];
    const uint64_t end = level + 1 < image.splus_levels
                             ? image.splus_at[level + 1]
                             : image.bytes;
    Turn(bytes, begin, position, (end - begin) / position);
  }
  return bytes;
}

std::string TwinOf(const NodeTable& table) {
  std::string bytes(reinterpret_cast<const char*>(&table), table.bytes);
  Turn(bytes, 0, 8, 3);
  Turn(bytes, 24, 4, 4);
  Turn(bytes, 46, 2);  // params_bytes
  for (uint32_t slot = 0; slot < table.slots; ++slot) {
    const uint64_t record = 64 + 24 * uint64_t{slot};
    Turn(bytes, record, 8);
    Turn(bytes, record + 8, 4, 2);
    Turn(bytes, record + 20, 2, 2);
  }
  Turn(bytes, table.by_id_at, 4, table.members);
  return bytes;
}

template <typename Part>
void ExpectTurned(const Part& part, const char* what) {
  const std::string_view here(reinterpret_cast<const char*>(&part), part.bytes);
  const std::string there = TwinOf(part);
  EXPECT_NE(here, there);
  // Out: parts while the header is this machine's; in: the header first.
  const Copy out(here);
  TurnParts(*static_cast<Part*>(out.block.data()));
  TurnHeader(*static_cast<Part*>(out.block.data()));
  EXPECT_EQ(out.text(), there) << what;
  const Copy in(there);
  TurnHeader(*static_cast<Part*>(in.block.data()));
  TurnParts(*static_cast<Part*>(in.block.data()));
  EXPECT_EQ(in.text(), here) << what;
}

TEST(RingFileOrderTest, PartsAreTurnedFieldByField) {
  std::vector<std::pair<uint64_t, std::string>> points;
  for (uint64_t i = 0; i < 400; ++i) {
    points.emplace_back(i << 33, "node-" + std::to_string(i % 3));
  }
  for (uint32_t width : {32u, 64u}) {
    for (Layout layout :
         {Layout::kSorted, Layout::kEytzinger, Layout::kSplus, Layout::kLine}) {
      const Ring ring = MakePointRing(width, layout, points);
      ExpectTurned(*ring.image(), LayoutName(layout).data());
      ExpectTurned(RingAccess::TableOf(ring), "table");
    }
  }
}

TEST(RingFileOrderTest, WideRingsAreTurnedToo) {
  const Ring ring = MakeRing(WithVnodes(1), NumberedNodes("n", 0, 65600));
  ExpectTurned(*ring.image(), "wide lines");
}

// Whatever machine wrote it.
TEST(RingFileOrderTest, FilesAreLittleEndian) {
  RingOptions options = WithVnodes(3);
  options.seed = 0x0102030405060708;
  options.layout = Layout::kSorted;
  RingBuilder builder = MakeBuilder(options, {MakeNode("a")});
  const std::string file =
      SerializeRing(builder.Build(0x1112131415161718).value()).value();
  const std::string_view image = PartOf(file, ring_file_offset::kImageAt);
  EXPECT_EQ(image.substr(16, 16),
            "\x18\x17\x16\x15\x14\x13\x12\x11\x08\x07\x06\x05\x04\x03\x02\x01");
  EXPECT_EQ(image.substr(72, 4), std::string_view("\3\0\0\0", 4));
}

}  // namespace
}  // namespace clockwise
