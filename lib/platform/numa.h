// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// NUMA nodes, and memory on a chosen one. The only place that knows hwloc;
// without it (build option `numa`) there are no NUMA nodes to choose.
#pragma once

#include <cstddef>
#include <memory>

#include "clockwise/status.h"
#include "clockwise/topology.h"

namespace clockwise {

// Puts mappings on one NUMA node.
class NumaBinding {
 public:
  virtual ~NumaBinding() = default;
  // Touches the pages of [data, data + bytes), moves those that lie elsewhere,
  // and returns whether all lie on the node now. What they held is lost.
  virtual bool Bind(void* data, size_t bytes) const noexcept = 0;
};

// `os_index` numbers nodes as the kernel does. Refuses a node that is not
// there, has no memory, or may not be used by this process.
Result<std::unique_ptr<NumaBinding>> BindToNumaNode(unsigned os_index);

}  // namespace clockwise
