// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "wire/seal.h"

#include <cstring>
#include <new>
#include <string>

#include "base/out_of_memory.h"
#include "clockwise/ring_file.h"
#include "placement/ring_access.h"
#include "wire/byte_order.h"
#include "wire/check_image.h"
#include "wire/header.h"

namespace clockwise {
namespace {

using detail::RingImage;

// Copies a part into its place in the file and returns it there.
template <typename Part>
Part& Put(const Part& part, uint64_t bytes, std::byte* place) {
  std::memcpy(place, &part, bytes);
  return *reinterpret_cast<Part*>(place);
}

template <typename Part>
void TurnAll(Part& part) {
  if constexpr (kTurns) {
    TurnParts(part);
    TurnHeader(part);
  }
}

uint64_t HashOf(const std::byte* part, uint64_t bytes) {
  return Xxh3_64({reinterpret_cast<const char*>(part), bytes});
}

RingFileHeader HeaderOf(const Ring& ring) {
  RingFileHeader header;
  header.image_bytes = ring.image()->bytes;
  header.table_bytes = RingAccess::TableOf(ring).bytes;
  header.digest[0] = ring.digest().high;
  header.digest[1] = ring.digest().low;
  header.epoch = ring.epoch();
  header.seed_fingerprint = SeedFingerprint(ring.seed());
  header.scheme = ring.scheme();
  header.key_hash = KeyHashName(ring.key_hash());
  header.Place();
  return header;
}

}  // namespace

Result<Block> SealRing(const Ring& ring) {
  RingFileHeader header = HeaderOf(ring);
  if (header.key_hash == "unknown") {
    return Status(Code::kInvalidOptions,
                  "key hash " +
                      std::to_string(static_cast<int>(ring.key_hash())) +
                      " was not registered by any library: a file names it");
  }
  Block file = Block::Acquire(DefaultBlockSource(), header.file_bytes);
  if (file.data() == nullptr) return OutOfMemory();
  auto* bytes = static_cast<std::byte*>(file.data());
  RingImage& image =
      Put(*ring.image(), header.image_bytes, bytes + header.image_at);
  if (image.key_hash > KeyHash::kMurmur3_32) image.key_hash = kKeyHashByName;
  TurnAll(image);
  TurnAll(Put(RingAccess::TableOf(ring), header.table_bytes,
              bytes + header.table_at));
  header.image_hash = HashOf(bytes + header.image_at, header.image_bytes);
  header.table_hash = HashOf(bytes + header.table_at, header.table_bytes);
  const std::string text = EncodeHeader(header);
  std::memcpy(bytes, text.data(), text.size());
  return file;
}

Result<std::string> SerializeRing(const Ring& ring) try {
  const auto file = SealRing(ring);
  if (!file.ok()) return file.status();
  return std::string(static_cast<const char*>(file.value().data()),
                     file.value().bytes());
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
