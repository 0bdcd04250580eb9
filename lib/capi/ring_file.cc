// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/ring_file.h"

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/options.h"
#include "clockwise/clockwise_ring_file_c.h"

namespace clockwise::capi {
namespace {

// What the options say, with the numbers of the two enums held against theirs.
Result<RingLoadOptions> LoadOptionsOf(const cw_ring_load_options* given) {
  const auto known = ThisVersion(given, cw_ring_load_options_init,
                                 "cw_ring_load_options_init");
  if (!known.ok()) return known.status();
  const cw_ring_load_options& options = known.value();
  if (options.mode < 0 || options.mode > CW_LOAD_COPY) {
    return NamesNothing("mode", options.mode);
  }
  if (options.check < 0 || options.check > CW_CHECK_TRUSTED_WRITER_ONLY) {
    return NamesNothing("check", options.check);
  }
  if (options.layout < CW_LAYOUT_AUTO || options.layout > CW_LAYOUT_LINE) {
    return NamesNothing("layout", options.layout);
  }
  if (options.reserved != 0) return NamesNothing("reserved", options.reserved);
  RingLoadOptions load;
  load.mode = static_cast<LoadMode>(options.mode);
  load.check = static_cast<RingFileCheck>(options.check);
  if (options.layout != CW_LAYOUT_AUTO) {
    load.layout = static_cast<Layout>(options.layout);
  }
  return load;
}

static_assert(static_cast<int>(RingFileCheck::kTrustedWriterOnly) ==
                      CW_CHECK_TRUSTED_WRITER_ONLY &&
                  static_cast<int>(RingFileCheck::kDerive) == CW_CHECK_DERIVE &&
                  static_cast<int>(LoadMode::kCopy) == CW_LOAD_COPY,
              "the enums of C have the values of those of C++");

}  // namespace
}  // namespace clockwise::capi

using clockwise::Status;
using clockwise::capi::Give;
using clockwise::capi::Guarded;
using clockwise::capi::IsNull;
using clockwise::capi::LoadOptionsOf;
using clockwise::capi::View;

void cw_ring_load_options_init(cw_ring_load_options* options,
                               size_t struct_size) {
  cw_ring_load_options filled{};
  filled.struct_size = struct_size;
  filled.layout = CW_LAYOUT_AUTO;
  clockwise::capi::FillIn(options, filled, struct_size);
}

cw_status cw_ring_load(const char* path, const cw_ring_load_options* options,
                       cw_ring** ring, unsigned* fault, cw_error* error) {
  if (fault != nullptr) *fault = 0;
  return Guarded(ring, error, [&]() -> Status {
    if (path == nullptr) return IsNull("path");
    const auto load = LoadOptionsOf(options);
    if (!load.ok()) return load.status();
    clockwise::RingFileFault found;
    auto loaded = clockwise::LoadRing(path, load.value(), &found);
    if (fault != nullptr) *fault = static_cast<unsigned>(found);
    return Give(std::move(loaded), ring);
  });
}

const char* cw_ring_file_fault_name(unsigned fault) {
  if (fault >= clockwise::kRingFileFaultCount) return "unknown";
  // A literal, ended by NUL.
  return clockwise::RingFileFaultName(
             static_cast<clockwise::RingFileFault>(fault))
      .data();
}

cw_status cw_ring_save(const cw_ring* ring, const char* path, cw_error* error) {
  return Guarded(error, [&]() -> Status {
    if (ring == nullptr) return IsNull("ring");
    if (path == nullptr) return IsNull("path");
    return clockwise::SaveRing(View(ring).ring(), path);
  });
}
