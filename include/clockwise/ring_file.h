// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings in files: built once, loaded by every process of a host without hashing
// a point.
//
//   | header | image | node table |   each part 64-byte aligned
//
// All integers are little-endian. The header has, in this order:
//
//   8 bytes  89 43 57 52 0D 0A 1A 0A: kRingFileMark
//   u32      byte order: 0x0A0B0C0D
//   u32      version: 1
//   u32      bytes of the header
//   u32      CRC-32C of the header, this field taken as 0
//   u64      bytes of the file
//   u64 * 4  offset and bytes of the image, offset and bytes of the node table
//   u64 * 2  XXH3-64 of the image's bytes, of the node table's
//   u64 * 2  digest of the ring, high and low
//   u64      epoch
//   u64      fingerprint of the seed: XXH3-64 of the seed as 8 bytes
//   u8, u8   bytes of the scheme's name and of the key hash's; 14 bytes of 0
//   the two names, and zeroes up to a multiple of 64
//
// Image and node table are the bytes that a ring has in memory, so a process
// that maps the file shares them with all others that do. A key hash that is
// not built in is there by its name: its number in the image is 255. Rings of
// equal bytes have equal files.
//
// Checksums are against accidents. Nothing in a file is believed for their
// sake: see RingFileCheck.
//
// A file that is mapped must only ever be replaced by renaming another over it,
// as SaveRing does. A process that truncates it kills those that read on
// (SIGBUS), and one that writes into it changes their answers; where neither
// can be ruled out, as on shared file systems, load by copying.
//
// These functions throw nothing, and any thread may call them: a heap without
// memory is kOutOfMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "clockwise/block_source.h"
#include "clockwise/detail/api.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// How every ring file begins, and no text does. As in PNG: a file that was sent
// as text, or as 7 bits, shows it here.
inline constexpr std::string_view kRingFileMark(
    "\x89"
    "CWR\r\n\x1A\n",
    8);

// Why a file was refused with kBadRingFile. Values are stable.
enum class RingFileFault : uint8_t {
  kNone = 0,            // it was not, or not for what it holds
  kNotRingFile = 1,     // does not begin as a ring file does
  kTruncated = 2,       // ends before its header says it does
  kTrailingBytes = 3,   // goes on after its header says it ends
  kByteOrder = 4,       // the mark of the byte order is not little-endian's
  kVersion = 5,         // of a version that this library does not read
  kHeaderSize = 6,      // the header's size is not that of its names
  kHeaderChecksum = 7,  // CRC-32C of the header
  kReserved = 8,        // a byte that no field needs is not 0
  kParts = 9,           // offsets and sizes of the two parts
  kImageChecksum = 10,  // XXH3-64 of the image
  kTableChecksum = 11,  // XXH3-64 of the node table
  kKeyHash = 12,        // no key hash of that name here, or not its number
  kDisagreement = 13,   // the header and the parts tell different things
  kOptions = 14,        // width, layout, vnodes, ties, …: out of range
  kTooManyNodes = 15,   // more than 2^20 slots
  kTooManyPoints = 16,  // more than the ring's own limit, or than 2^27
  kSections = 17,       // parts of the image are not where its counts put them
  kRecords = 18,        // parts of the node table are not where they belong
  kNode = 19,           // a node's texts or parameters are out of range
  kWeight = 20,         // a weight above 1,000,000, or points for weight 0
  kNodeOrder = 21,      // nodes are not listed by id, or one is twice
  kPointOrder = 22,     // positions do not ascend, or ties are in no order
  kOwner = 23,          // a point belongs to a slot without a node
  kCounts = 24,         // points, nodes or collisions are miscounted
  kSearch = 25,         // the search part is not what the points make
  kDigest = 26,         // the digest is not that of the ring
  kBaseDigest = 27,     // a local ring without epoch, or a base that is none
  kDerivedPoints = 28,  // kDerive: the ids and weights give other points
};
inline constexpr size_t kRingFileFaultCount = 29;

// Returns a lower-case name of the fault, such as "point_order".
CW_API std::string_view RingFileFaultName(RingFileFault fault) noexcept;

// How much of a file is checked before it is a ring.
enum class RingFileCheck : uint8_t {
  // Everything but where points of clockwise-1 come from: checksums, bounds,
  // order, counts, texts, and that search part and digest are what a builder
  // makes of the points and nodes. Such a ring answers exactly as one rebuilt
  // from its points, whatever the file's bytes. O(bytes).
  kFull = 0,
  // That, and a ring built anew from ids and weights has the same points. Costs
  // a build. For files from hosts that are not trusted to place rightly: the
  // digest of clockwise-1 is of nodes, not of points.
  kDerive = 1,
  // The header and its checksum, all sizes, and that the image has the header's
  // digest; nothing else is read. ONLY for a file that this host's own writer
  // sealed and nobody else can write: any other may crash the process or answer
  // wrongly. O(1).
  kTrustedWriterOnly = 2,
};

// Where the bytes of a loaded ring are.
enum class LoadMode : uint8_t {
  // In the file's pages, which all processes share. They are mapped privately:
  // nothing that the process does can change the file. A big-endian host
  // copies.
  kMap = 0,
  kCopy = 1,  // in blocks of this process
};

struct RingLoadOptions {
  LoadMode mode = LoadMode::kMap;
  RingFileCheck check = RingFileCheck::kFull;
  // Where the file has another layout, a copy in this one is made: no answer
  // changes. None: the file's.
  std::optional<Layout> layout;
  // Of what is copied: DefaultBlockSource() if null.
  BlockSource* source = nullptr;
};

// Loads a ring: its epoch, and `local`, are the file's. kIo, by name and with
// the reason, where the file cannot be opened, read or mapped, or is no regular
// one; kBadRingFile, with the name of the fault, for what it holds;
// kOutOfMemory. `fault`, unless null, tells the fault, kNone for any other
// outcome. Reserves no memory by what a file claims, only by how large it is.
CW_API Result<Ring> LoadRing(const std::string& path,
                             const RingLoadOptions& options = {},
                             RingFileFault* fault = nullptr);

// The same of a file's bytes, of any alignment, which are copied. `name` is for
// messages; `mode` is not read.
CW_API Result<Ring> ParseRing(std::span<const std::byte> bytes,
                              const RingLoadOptions& options = {},
                              RingFileFault* fault = nullptr,
                              std::string_view name = "ring file");

// Returns the bytes of the ring's file. kInvalidOptions where this process has
// no name for the key hash; kOutOfMemory.
CW_API Result<std::string> SerializeRing(const Ring& ring);

// Writes the ring's file: into a temporary file beside it, which is synced and
// renamed over `path`, before the folder is synced. Whatever fails, and
// wherever the process or the machine ends, `path` is the old file or the new
// one, whole. Temporaries that earlier writers of this path left behind are
// removed; one writer at a time. New files may be read by all (0644, less the
// umask). kIo, by name and with the reason; then `path` is as it was, unless
// only the folder could not be synced, which the message says: then it is the
// new file, and whether it lasts a power cut is not known. As SerializeRing
// otherwise.
CW_API Status SaveRing(const Ring& ring, const std::string& path);

}  // namespace clockwise
