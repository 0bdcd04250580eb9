// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Blocks that are pages of a file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clockwise/block_source.h"
#include "platform/file_calls.h"

namespace clockwise {

// Maps `bytes` bytes of an open file from `at` on, read-only but for the first
// `writable`, with the rest of the pages that those lie in; what is written
// there stays with the process. The block outlives the descriptor. One without
// data, and errno, where they cannot be mapped.
Block MapBlock(FileCalls& calls, int fd, uint64_t at, size_t bytes,
               size_t writable) noexcept;

// Whether the block was made so.
bool IsMapped(const Block& block) noexcept;

// Asks for all of a mapped block to be read ahead.
void ReadAhead(FileCalls& calls, const Block& block) noexcept;

}  // namespace clockwise
