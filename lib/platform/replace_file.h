// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Files that are the old one or the new one, whenever the machine stops.
#pragma once

#include <string>
#include <string_view>

#include "clockwise/status.h"
#include "platform/file_calls.h"

namespace clockwise {

// Makes `bytes` what is in the file `path`: written beside it as
// PATH.tmp-TIME-COUNT, synced, renamed, and the folder synced. What earlier
// writers that were killed left beside it is removed. kIo, by name and with the
// reason: then the file is as it was, or, where the message says so, the new
// one whose folder could not be synced. May throw std::bad_alloc, before the
// file is touched.
Status ReplaceFile(FileCalls& calls, const std::string& path,
                   std::string_view bytes);

}  // namespace clockwise
