// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/numa.h"

#include <hwloc.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace clockwise {
namespace {

constexpr size_t kPage = 4096;  // at most that of the kernel

struct DestroyTopology {
  void operator()(hwloc_topology_t t) const { hwloc_topology_destroy(t); }
};
using Topology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t b) const { hwloc_bitmap_free(b); }
};
using Bitmap =
    std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, FreeBitmap>;

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

void Touch(void* data, size_t bytes) noexcept {
  auto* pages = static_cast<volatile char*>(data);
  for (size_t at = 0; at < bytes; at += kPage) pages[at] = 0;
}

class HwlocBinding final : public NumaBinding {
 public:
  HwlocBinding(Topology topology, hwloc_obj_t node)
      : topology_(std::move(topology)), node_(node) {}

  // Were the pages bound and then touched, a full node would have the kernel
  // kill a process, though others have memory. So the node is only preferred,
  // and pages that came from elsewhere are moved, which can fail.
  bool Bind(void* data, size_t bytes) const noexcept override {
    if (!SetPolicy(data, bytes, 0)) return false;
    Touch(data, bytes);
    return AreHere(data, bytes) ||
           SetPolicy(data, bytes, HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_MIGRATE);
  }

 private:
  bool SetPolicy(void* data, size_t bytes, int flags) const noexcept {
    return hwloc_set_area_membind(topology_.get(), data, bytes, node_->nodeset,
                                  HWLOC_MEMBIND_BIND,
                                  flags | HWLOC_MEMBIND_BYNODESET) == 0;
  }

  // False also if the kernel does not tell.
  bool AreHere(void* data, size_t bytes) const noexcept {
    const Bitmap nodes(hwloc_bitmap_alloc());
    return nodes != nullptr &&
           hwloc_get_area_memlocation(topology_.get(), data, bytes, nodes.get(),
                                      HWLOC_MEMBIND_BYNODESET) == 0 &&
           hwloc_bitmap_isincluded(nodes.get(), node_->nodeset) != 0;
  }

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
