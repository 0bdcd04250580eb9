// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "fuzz_seal.h"

#include <algorithm>
#include <cstring>

#include "../ring_file_maker.h"
#include "placement/ring_digest.h"
#include "wire/byte_order.h"
#include "wire/check_image.h"
#include "wire/check_table.h"

namespace clockwise {
namespace {

using detail::RingImage;

// An aligned copy of a part.
Block Aligned(std::string_view part) {
  Block block =
      Block::Acquire(DefaultBlockSource(), std::max<size_t>(part.size(), 64));
  std::memcpy(block.data(), part.data(), part.size());
  return block;
}

bool AreSound(const Block& image, const Block& table) {
  const auto& header = *static_cast<const RingImage*>(image.data());
  const auto& nodes = *static_cast<const NodeTable*>(table.data());
  return !CheckImageHeader(header, image.bytes()) &&
         !CheckTableHeader(nodes, table.bytes()) &&
         header.slots == nodes.slots && !CheckTable(nodes) &&
         !CheckImage(header, nodes);
}

}  // namespace

void SeedMutator::ChangeOne(std::string& file) {
  constexpr uint64_t kValues[] = {
      0, 1, 2, 3, 4, 7, 8, 16, 63, 64, 127, 128, 255, 256, 65535, ~uint64_t{0}};
  const size_t bytes = size_t{1} << Below(4);
  const size_t at = Below(file.size() / bytes) * bytes;
  uint64_t value = 0;
  std::memcpy(&value, file.data() + at, bytes);
  switch (Below(6)) {
    case 0:
      value = kValues[Below(std::size(kValues))];
      break;
    case 1:
      value += Below(2) == 0 ? 1 : ~uint64_t{0};
      break;
    case 2:
      value ^= uint64_t{1} << Below(8 * bytes);
      break;
    case 3:
      value = random_() * uint64_t{random_()};
      break;
    case 4:  // another field's value
      std::memcpy(&value, file.data() + Below(file.size() / bytes) * bytes,
                  bytes);
      break;
    default: {  // two fields swapped
      const size_t other = Below(file.size() / bytes) * bytes;
      std::memcpy(&value, file.data() + other, bytes);
      std::memcpy(file.data() + other, file.data() + at, bytes);
    }
  }
  std::memcpy(file.data() + at, &value, bytes);
}

void SeedMutator::ChangeFields(std::string& file) {
  for (size_t n = 1 + Below(3); n > 0; --n) ChangeOne(file);
}

void FixDigest(std::string& file) {
  using namespace ring_file_offset;
  const std::string_view image_part = PartOf(file, kImageAt);
  const std::string_view table_part = PartOf(file, kTableAt);
  if (kTurns || image_part.size() < sizeof(RingImage) ||
      table_part.size() < sizeof(NodeTable)) {
    return;
  }
  const Block image = Aligned(image_part);
  const Block table = Aligned(table_part);
  if (!AreSound(image, table)) return;
  const auto& ring = *static_cast<const RingImage*>(image.data());
  if (ring.key_hash > KeyHash::kMurmur3_32) return;
  const Hash128 digest =
      RingDigest(ring, *static_cast<const NodeTable*>(table.data()),
                 KeyHashName(ring.key_hash));
  char* in_image = file.data() + WordAt(file, kImageAt);
  for (char* to : {file.data() + kDigest, in_image + kImageDigest,
                   in_image + kImageDigest + 16}) {
    StoreLe64(to, digest.high);
    StoreLe64(to + 8, digest.low);
  }
  StoreLe64(file.data() + kEpoch, ring.epoch);
  StoreLe64(file.data() + kSeedFingerprint,
            Xxh3_64(image_part.substr(kImageSeed, 8)));
  Reseal(file);
}

}  // namespace clockwise
