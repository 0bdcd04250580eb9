// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Functions to disassemble: what a single lookup becomes in its caller.
// Compiled into an object only, with no CPU flags:
//
//   objdump -d --no-show-raw-insn -M intel bench/libcodegen.a
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "clockwise/detail/search.h"
#include "clockwise/metrics.h"
#include "clockwise/ring.h"
#include "clockwise/router.h"

namespace clockwise::codegen {

NodeIndex RingOwner(const Ring& ring, uint64_t hash);
NodeIndex RingOwnerOfKey(const Ring& ring, std::string_view key);
NodeIndex Line32Owner(Line32View view, uint64_t hash);
NodeIndex Line64Owner(Line64View view, uint64_t hash);
NodeIndex WideLine32Owner(detail::LineView<32, true> view, uint64_t hash);
uint64_t RingLoop(const Ring& ring, const uint64_t* hashes, size_t count);
uint64_t Line32Loop(Line32View view, const uint64_t* hashes, size_t count);
NodeIndex RouterOwner(const Router& router, const Pin& pin, uint64_t hash);
void RouterTurn(const Router& router, Reader& reader, const uint64_t* hashes,
                size_t count, NodeIndex* owners);
void CountOne(CountCollector::Thread& thread, NodeIndex node);
void CountBatch(CountCollector::Thread& thread, const NodeIndex* nodes,
                size_t count);
size_t SortedIndex(const detail::SortedView<32, false>& view, uint64_t hash);
size_t SplusIndex(const detail::SplusView<32, false>& view, uint64_t hash);

NodeIndex RingOwner(const Ring& ring, uint64_t hash) {
  return ring.Owner(hash);
}

NodeIndex RingOwnerOfKey(const Ring& ring, std::string_view key) {
  return ring.Owner(key);
}

NodeIndex Line32Owner(Line32View view, uint64_t hash) {
  return view.Owner(hash);
}

NodeIndex Line64Owner(Line64View view, uint64_t hash) {
  return view.Owner(hash);
}

NodeIndex WideLine32Owner(detail::LineView<32, true> view, uint64_t hash) {
  return view.Owner(hash);
}

uint64_t RingLoop(const Ring& ring, const uint64_t* hashes, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += ring.Owner(hashes[i]);
  return sum;
}

uint64_t Line32Loop(Line32View view, const uint64_t* hashes, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += view.Owner(hashes[i]);
  return sum;
}

NodeIndex RouterOwner(const Router& router, const Pin& pin, uint64_t hash) {
  return router.Current(pin).Owner(hash);
}

// A turn of a worker's loop.
void RouterTurn(const Router& router, Reader& reader, const uint64_t* hashes,
                size_t count, NodeIndex* owners) {
  {
    const Pin pin(reader);
    for (size_t i = 0; i < count; ++i) {
      owners[i] = router.Current(pin).Owner(hashes[i]);
    }
  }
  reader.Quiescent();
}

void CountOne(CountCollector::Thread& thread, NodeIndex node) {
  thread.Count(node);
}

void CountBatch(CountCollector::Thread& thread, const NodeIndex* nodes,
                size_t count) {
  thread.Count(nodes, count);
}

size_t SortedIndex(const detail::SortedView<32, false>& view, uint64_t hash) {
  return view.Index(hash);
}

size_t SplusIndex(const detail::SplusView<32, false>& view, uint64_t hash) {
  return view.Index(hash);
}

}  // namespace clockwise::codegen
