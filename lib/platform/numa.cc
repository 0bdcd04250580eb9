// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/numa.h"

#include <hwloc.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

std::vector<unsigned> Indexes(hwloc_const_bitmap_t set) {
  std::vector<unsigned> indexes;
  for (int i = hwloc_bitmap_first(set); i >= 0; i = hwloc_bitmap_next(set, i)) {
    indexes.push_back(static_cast<unsigned>(i));
  }
  return indexes;
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

// The topology leaves out what this process may not use.
std::vector<NumaNode> NumaNodes() {
  std::vector<NumaNode> nodes;
  const Topology topology = LoadTopology();
  if (topology == nullptr) return nodes;
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_NUMANODE,
                                            node)) != nullptr) {
    if (node->attr->numanode.local_memory == 0) continue;
    nodes.push_back({node->os_index, Indexes(node->cpuset)});
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const NumaNode& a, const NumaNode& b) {
              return a.os_index < b.os_index;
            });
  return nodes;
}

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
