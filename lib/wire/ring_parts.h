// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a ring file holds becomes a ring, or is refused.
#pragma once

#include "clockwise/block_source.h"
#include "clockwise/ring.h"
#include "clockwise/ring_file.h"
#include "wire/defect.h"
#include "wire/header.h"

namespace clockwise {

// The two parts of a file, in blocks of the sizes that its header says, with
// the bytes that it has.
struct RingParts {
  Block image;
  Block table;
};

// Returns the ring of `parts`, checked as `options` say, or why there is none,
// with `name` before the message; sets `fault`, to kNone unless the file has
// one. Writes to the image's header and, where bytes are turned, to all of both
// parts. May throw std::bad_alloc.
Result<Ring> AdmitRing(const RingFileHeader& header, RingParts parts,
                       const RingLoadOptions& options, std::string_view name,
                       RingFileFault& fault);

}  // namespace clockwise
