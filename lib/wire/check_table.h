// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Whether bytes that came from outside are the node table of a ring.
#pragma once

#include <cstdint>

#include "placement/node_table.h"
#include "wire/defect.h"

namespace clockwise {

// Checks what of a table of `bytes` bytes stands in its header: with no defect,
// records, ids and the ring's own texts lie within them. Reads the header
// alone. `header` is in this machine's byte order. O(1).
Defect CheckTableHeader(const NodeTable& header, uint64_t bytes);

// Checks the nodes of a table whose header was: then every function of the
// table may be called, and its bytes are those that BuildNodeTable writes for
// such nodes. O(bytes). May throw std::bad_alloc.
Defect CheckTable(const NodeTable& table);

}  // namespace clockwise
