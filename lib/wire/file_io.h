// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// LoadRing and SaveRing over calls to the system that tests replace.
#pragma once

#include <string>

#include "clockwise/ring.h"
#include "clockwise/ring_file.h"
#include "platform/file_calls.h"

namespace clockwise {

Result<Ring> LoadRingBy(FileCalls& calls, const std::string& path,
                        const RingLoadOptions& options, RingFileFault* fault);

Status SaveRingBy(FileCalls& calls, const Ring& ring, const std::string& path);

}  // namespace clockwise
