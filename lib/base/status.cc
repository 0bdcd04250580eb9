// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/status.h"

namespace clockwise {

std::string_view CodeName(Code code) noexcept {
  switch (code) {
    case Code::kOk:
      return "ok";
    case Code::kInvalidOptions:
      return "invalid_options";
    case Code::kBadNodeId:
      return "bad_node_id";
    case Code::kBadNode:
      return "bad_node";
    case Code::kBadWeight:
      return "bad_weight";
    case Code::kDuplicateNode:
      return "duplicate_node";
    case Code::kUnknownNode:
      return "unknown_node";
    case Code::kBadPosition:
      return "bad_position";
    case Code::kTooManyNodes:
      return "too_many_nodes";
    case Code::kTooManyPoints:
      return "too_many_points";
    case Code::kOutOfMemory:
      return "out_of_memory";
    case Code::kForked:
      return "forked";
    case Code::kWouldDeadlock:
      return "would_deadlock";
    case Code::kStaleEpoch:
      return "stale_epoch";
    case Code::kEpochConflict:
      return "epoch_conflict";
    case Code::kEpochExhausted:
      return "epoch_exhausted";
    case Code::kRemapRefused:
      return "remap_refused";
    case Code::kGraceTimeout:
      return "grace_timeout";
    case Code::kNoThread:
      return "no_thread";
    case Code::kBadMembers:
      return "bad_members";
    case Code::kIo:
      return "io";
    case Code::kInvalidArgument:
      return "invalid_argument";
    case Code::kSuspiciousChange:
      return "suspicious_change";
    case Code::kBadRingFile:
      return "bad_ring_file";
  }
  return "unknown";
}

}  // namespace clockwise
