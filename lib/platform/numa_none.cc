// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Stands in for numa.cc where the library is built without hwloc.
#include <string>
#include <vector>

#include "platform/numa.h"

namespace clockwise {

std::vector<NumaNode> NumaNodes() { return {}; }

Result<std::unique_ptr<NumaBinding>> BindToNumaNode(unsigned os_index) {
  return Status(Code::kInvalidOptions,
                "NUMA node " + std::to_string(os_index) +
                    ": clockwise was built without NUMA support");
}

}  // namespace clockwise
