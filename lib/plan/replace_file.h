// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Files that are the old one or the new one, whenever the machine stops.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "clockwise/status.h"

namespace clockwise {

// What has been done of a replacement, in this order.
enum class ReplaceStep : uint8_t { kOpened, kWritten, kSynced, kRenamed };

// Makes `text` what is in the file `path`: written to PATH.tmp, of which what
// was there is lost, synced, renamed, and the folder synced. kIo, by name: then
// the file is as it was, or if only the folder could not be synced the new one.
// `after_step`, if not null, is called after each step, for tests. May throw
// std::bad_alloc, before the first step.
Status ReplaceFile(const std::string& path, std::string_view text,
                   void (*after_step)(ReplaceStep) = nullptr);

}  // namespace clockwise
