// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "wire/ring_parts.h"

#include <cstring>
#include <utility>

#include "placement/build.h"
#include "placement/ring_access.h"
#include "placement/ring_digest.h"
#include "wire/byte_order.h"
#include "wire/check_image.h"
#include "wire/check_table.h"

namespace clockwise {
namespace {

using detail::RingImage;
using enum RingFileFault;

RingImage& ImageIn(const Block& block) {
  return *static_cast<RingImage*>(block.data());
}
NodeTable& TableIn(const Block& block) {
  return *static_cast<NodeTable*>(block.data());
}

uint64_t HashOf(const Block& block) {
  return Xxh3_64({static_cast<const char*>(block.data()), block.bytes()});
}

Defect CheckSums(const RingFileHeader& header, const RingParts& parts) {
  if (HashOf(parts.image) != header.image_hash) {
    return {kImageChecksum, "the image's XXH3-64 differs"};
  }
  if (HashOf(parts.table) != header.table_hash) {
    return {kTableChecksum, "the node table's XXH3-64 differs"};
  }
  return {};
}

// Brings both parts into this machine's byte order, as far as their headers are
// right: after that every part of them lies within its block.
Defect CheckHeaders(const RingParts& parts) {
  RingImage& image = ImageIn(parts.image);
  NodeTable& table = TableIn(parts.table);
  if constexpr (kTurns) {
    TurnHeader(image);
    TurnHeader(table);
  }
  if (Defect d = CheckImageHeader(image, parts.image.bytes())) return d;
  if (Defect d = CheckTableHeader(table, parts.table.bytes())) return d;
  if constexpr (kTurns) {
    TurnParts(image);
    TurnParts(table);
  }
  return {};
}

Defect Disagrees(const char* what) {
  return {kDisagreement,
          std::string("header, image and node table differ in ") + what};
}

// What is said twice is said alike.
Defect CheckAgreement(const RingFileHeader& header, const RingImage& image,
                      const NodeTable& table) {
  if (image.digest[0] != header.digest[0] ||
      image.digest[1] != header.digest[1]) {
    return Disagrees("the digest");
  }
  if (image.epoch != header.epoch) return Disagrees("the epoch");
  if (SeedFingerprint(image.seed) != header.seed_fingerprint) {
    return Disagrees("the seed");
  }
  if (table.Scheme() != header.scheme) return Disagrees("the scheme");
  if (image.slots != table.slots) return Disagrees("the number of slots");
  return {};
}

// Resolves the key hash: what the image calls by name gets its number here.
Defect ResolveKeyHash(std::string_view name, RingImage& image) {
  const auto number = ParseKeyHash(name);
  if (!number) {
    return {kKeyHash,
            "no library here has key hash '" + std::string(name) + "'"};
  }
  const bool is_built_in = *number <= KeyHash::kMurmur3_32;
  if (image.key_hash != (is_built_in ? *number : kKeyHashByName)) {
    return {kKeyHash, "'" + std::string(name) + "' has another number"};
  }
  // Not where it is there already: that would cost a private page.
  if (!is_built_in) image.key_hash = *number;
  return {};
}

Defect CheckDigests(const RingImage& image, const NodeTable& table) {
  const Hash128 digest = RingDigest(image, table, KeyHashName(image.key_hash));
  if (digest.high != image.digest[0] || digest.low != image.digest[1]) {
    return {kDigest, "the digest is not that of the ring"};
  }
  const bool is_own_base = image.base_digest[0] == image.digest[0] &&
                           image.base_digest[1] == image.digest[1];
  if (image.local == 0 ? is_own_base : image.epoch != 0) return {};
  return {kBaseDigest, image.local == 0
                           ? "a ring that is not local has another base"
                           : "a local ring has no epoch"};
}

Defect CheckContents(const RingFileHeader& header, const RingParts& parts,
                     const RingLoadOptions& options) {
  const bool is_trusted = options.check == RingFileCheck::kTrustedWriterOnly;
  if (!is_trusted) {
    if (Defect d = CheckSums(header, parts)) return d;
  }
  if (Defect d = CheckHeaders(parts)) return d;
  RingImage& image = ImageIn(parts.image);
  const NodeTable& table = TableIn(parts.table);
  if (Defect d = CheckAgreement(header, image, table)) return d;
  if (!is_trusted) {
    if (Defect d = CheckTable(table)) return d;
    if (Defect d = CheckImage(image, table)) return d;
  }
  if (Defect d = ResolveKeyHash(header.key_hash, image)) return d;
  return is_trusted ? Defect() : CheckDigests(image, table);
}

// A build of the ring's own nodes, in its slots.
Result<Ring> Rebuild(const Ring& ring, const RingOptions& options,
                     BuildPath path, BlockSource* source) {
  BuildRequest request;
  request.epoch = ring.epoch();
  request.source = source;
  request.local = ring.local();
  request.base_digest = ring.base_digest();
  request.is_own_rebuild = true;
  request.path = path;
  return BuildRing(options, &ring, {}, request);
}

Result<Ring> Derived(Ring ring, BlockSource* source, RingFileFault& fault) {
  const auto anew = Rebuild(ring, OptionsOf(ring), BuildPath::kFull, source);
  if (!anew.ok()) return anew.status();
  const RingImage& image = *ring.image();
  const RingImage& other = *anew.value().image();
  if (other.bytes == image.bytes &&
      std::memcmp(&other, &image, image.bytes) == 0) {
    return ring;
  }
  fault = kDerivedPoints;
  return Status(Code::kBadRingFile,
                "derived_points: its ids and weights give other points");
}

Result<Ring> Finish(Ring ring, const RingLoadOptions& options,
                    RingFileFault& fault) {
  if (options.check == RingFileCheck::kDerive) {
    auto derived = Derived(std::move(ring), options.source, fault);
    if (!derived.ok()) return derived;
    ring = std::move(derived).value();
  }
  if (!options.layout || ring.layout() == *options.layout) return ring;
  RingOptions other = OptionsOf(ring);
  other.layout = options.layout;
  return Rebuild(ring, other, BuildPath::kMerge, options.source);
}

}  // namespace

Result<Ring> AdmitRing(const RingFileHeader& header, RingParts parts,
                       const RingLoadOptions& options, std::string_view name,
                       RingFileFault& fault) {
  const Defect defect = CheckContents(header, parts, options);
  fault = defect.fault;
  if (defect) return ToStatus(defect, name);
  auto ring =
      Finish(RingAccess::Make(std::move(parts.image), std::move(parts.table)),
             options, fault);
  if (ring.ok()) return ring;
  return Status(ring.status().code(),
                std::string(name) + ": " + ring.status().message());
}

}  // namespace clockwise
