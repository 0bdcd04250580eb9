// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/numa.h"

#include <hwloc.h>

#include <string>
#include <utility>

namespace clockwise {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t t) const { hwloc_topology_destroy(t); }
};
using Topology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

Topology LoadTopology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Topology topology(raw);
  return hwloc_topology_load(raw) == 0 ? std::move(topology) : nullptr;
}

class HwlocBinding final : public NumaBinding {
 public:
  HwlocBinding(Topology topology, hwloc_obj_t node)
      : topology_(std::move(topology)), node_(node) {}

  bool Bind(void* data, size_t bytes) const noexcept override {
    return hwloc_set_area_membind(
               topology_.get(), data, bytes, node_->nodeset, HWLOC_MEMBIND_BIND,
               HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET) == 0;
  }

 private:
  Topology topology_;
  hwloc_obj_t node_;  // inside topology_
};

}  // namespace

Result<std::unique_ptr<NumaBinding>> BindToNumaNode(unsigned os_index) {
  const std::string name = "NUMA node " + std::to_string(os_index);
  Topology topology = LoadTopology();
  if (topology == nullptr) {
    return Status(Code::kInvalidOptions, name + ": no topology to be had");
  }
  hwloc_obj_t node =
      hwloc_get_numanode_obj_by_os_index(topology.get(), os_index);
  if (node == nullptr) {
    return Status(Code::kInvalidOptions,
                  name + ": not there, or not allowed to this process");
  }
  if (node->attr->numanode.local_memory == 0) {
    return Status(Code::kInvalidOptions, name + ": it has no memory");
  }
  return std::unique_ptr<NumaBinding>(
      std::make_unique<HwlocBinding>(std::move(topology), node));
}

}  // namespace clockwise
