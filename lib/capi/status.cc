// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/status.h"

#include <algorithm>
#include <string_view>

#include "capi/guard.h"

namespace clockwise::capi {
namespace {

// The C name of a code. Without a default, so that the compiler tells of a code
// that the C header lacks.
constexpr int NamedInC(Code code) {
  switch (code) {
    case Code::kOk:
      return CW_OK;
    case Code::kInvalidOptions:
      return CW_INVALID_OPTIONS;
    case Code::kBadNodeId:
      return CW_BAD_NODE_ID;
    case Code::kBadNode:
      return CW_BAD_NODE;
    case Code::kBadWeight:
      return CW_BAD_WEIGHT;
    case Code::kDuplicateNode:
      return CW_DUPLICATE_NODE;
    case Code::kUnknownNode:
      return CW_UNKNOWN_NODE;
    case Code::kBadPosition:
      return CW_BAD_POSITION;
    case Code::kTooManyNodes:
      return CW_TOO_MANY_NODES;
    case Code::kTooManyPoints:
      return CW_TOO_MANY_POINTS;
    case Code::kOutOfMemory:
      return CW_OUT_OF_MEMORY;
    case Code::kForked:
      return CW_FORKED;
    case Code::kWouldDeadlock:
      return CW_WOULD_DEADLOCK;
    case Code::kStaleEpoch:
      return CW_STALE_EPOCH;
    case Code::kEpochConflict:
      return CW_EPOCH_CONFLICT;
    case Code::kEpochExhausted:
      return CW_EPOCH_EXHAUSTED;
    case Code::kRemapRefused:
      return CW_REMAP_REFUSED;
    case Code::kGraceTimeout:
      return CW_GRACE_TIMEOUT;
    case Code::kNoThread:
      return CW_NO_THREAD;
    case Code::kBadMembers:
      return CW_BAD_MEMBERS;
    case Code::kIo:
      return CW_IO;
    case Code::kInvalidArgument:
      return CW_INVALID_ARGUMENT;
    case Code::kSuspiciousChange:
      return CW_SUSPICIOUS_CHANGE;
    case Code::kBadRingFile:
      return CW_BAD_RING_FILE;
  }
  return static_cast<int>(code);  // a number that is no code
}

constexpr bool ValuesAgree() {
  for (int i = 0; i < 256; ++i) {
    if (NamedInC(static_cast<Code>(i)) != i) return false;
  }
  return true;
}
static_assert(ValuesAgree(), "each status has the value of its code");

constexpr bool ContinuesCharacter(char c) { return (c & 0xC0) == 0x80; }

// How much of `text` to keep where `limit` bytes fit: whole characters of
// UTF-8, as far as it is that.
size_t CutAt(std::string_view text, size_t limit) {
  size_t end = limit;
  while (limit - end < 3 && ContinuesCharacter(text[end])) --end;
  return end;
}

void SetMessage(std::string_view text, cw_error& error) {
  constexpr std::string_view kMark = "...";
  constexpr size_t kMost = sizeof(error.message) - 1;
  const bool is_cut = text.size() > kMost;
  if (is_cut) text = text.substr(0, CutAt(text, kMost - kMark.size()));
  char* end =
      std::replace_copy(text.begin(), text.end(), error.message, '\0', '?');
  if (is_cut) end = std::copy(kMark.begin(), kMark.end(), end);
  *end = '\0';
}

}  // namespace

cw_status Report(const Status& status, cw_error* error) noexcept {
  const auto code = static_cast<cw_status>(status.code());
  if (error != nullptr) {
    error->status = code;
    SetMessage(status.message(), *error);
  }
  return code;
}

}  // namespace clockwise::capi

// Takes any number: as a value of its enum a wrong one would be undefined here.
const char* cw_status_name(unsigned status) {
  if (status > CW_BAD_RING_FILE) return "unknown";
  // A literal, ended by NUL.
  return clockwise::CodeName(static_cast<clockwise::Code>(status)).data();
}
