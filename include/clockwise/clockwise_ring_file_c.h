// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface to ring files (ring_file.h): rings built once and loaded by
// every process of a host. Statuses, errors, handles and threads are as
// clockwise_c.h says.
#pragma once

#include "clockwise/clockwise_c.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

// How a ring file is loaded (ring_file.h). Later versions add fields at the
// end: fill it with cw_ring_load_options_init, then change what differs.
typedef struct cw_ring_load_options {
  size_t struct_size;
  int32_t mode;    // a cw_load_mode; CW_LOAD_MAP
  int32_t check;   // a cw_ring_file_check; CW_CHECK_FULL
  int32_t layout;  // a cw_layout; CW_LAYOUT_AUTO: the file's. A copy in another
                   // one answers alike
  int32_t reserved;  // 0
} cw_ring_load_options;

typedef enum cw_load_mode {
  CW_LOAD_MAP = 0,  // in pages that processes share; replace such a file by
                    // renaming only, as cw_ring_save does
  CW_LOAD_COPY = 1  // in memory of the process
} cw_load_mode;

typedef enum cw_ring_file_check {
  CW_CHECK_FULL = 0,    // all but where points of clockwise-1 come from
  CW_CHECK_DERIVE = 1,  // that too: costs a build
  // The header, sizes and the digest: ONLY for files that this host's own
  // writer sealed. Others may crash the process.
  CW_CHECK_TRUSTED_WRITER_ONLY = 2
} cw_ring_file_check;

// Fills in the defaults. `struct_size` is sizeof *options.
void cw_ring_load_options_init(cw_ring_load_options* options,
                               size_t struct_size);

// Loads the ring of a ring file; `path` ends with NUL, NULL options are the
// defaults. CW_IO if it cannot be read or mapped; CW_BAD_RING_FILE for what it
// holds, with a cw_ring_file_fault_name in the message. `fault`, unless NULL,
// gets the number of that fault (RingFileFault of ring_file.h); 0 for any other
// outcome.
cw_status cw_ring_load(const char* path, const cw_ring_load_options* options,
                       cw_ring** ring, unsigned* fault, cw_error* error);

// Returns a lower-case name, such as "point_order"; "unknown" for a number that
// is no fault. It is never freed.
const char* cw_ring_file_fault_name(unsigned fault);

// Writes the ring's file, whole or not at all, over what is at `path`, which
// ends with NUL. CW_IO; CW_INVALID_OPTIONS for a key hash without a name.
cw_status cw_ring_save(const cw_ring* ring, const char* path, cw_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop
