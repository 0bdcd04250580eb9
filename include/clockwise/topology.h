// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The NUMA nodes of this machine.
#pragma once

#include <vector>

#include "clockwise/detail/api.h"

namespace clockwise {

struct NumaNode {
  unsigned os_index;           // as the kernel numbers nodes
  std::vector<unsigned> cpus;  // near it, numbered likewise; may be none
};

// Memory that is as far from every CPU is near all: a CPU may be near several.
//
// Returns the nodes that have memory and that this process may use, by
// os_index; none where the system does not tell, or the library was built
// without NUMA support. Takes milliseconds: it looks at the machine anew.
CW_API std::vector<NumaNode> NumaNodes();

}  // namespace clockwise
