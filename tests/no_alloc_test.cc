// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Lookups allocate nothing and cannot throw.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "ring_maker.h"

namespace {

std::atomic<int> allocations{0};

void* Counted(std::size_t bytes) {
  ++allocations;
  if (void* data = std::malloc(bytes)) return data;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return Counted(bytes); }
void* operator new[](std::size_t bytes) { return Counted(bytes); }
void operator delete(void* data) noexcept { std::free(data); }
void operator delete[](void* data) noexcept { std::free(data); }
void operator delete(void* data, std::size_t) noexcept { std::free(data); }
void operator delete[](void* data, std::size_t) noexcept { std::free(data); }

namespace clockwise {
namespace {

using std::declval;
static_assert(noexcept(declval<const Ring&>().Owner(uint64_t{})));
static_assert(noexcept(declval<const Ring&>().Owner(std::string_view())));
static_assert(noexcept(declval<const Ring&>().HashOf(std::string_view())));
static_assert(noexcept(declval<Line32View>().Owner(0)));
static_assert(noexcept(declval<const Ring&>().Prefetch()));
static_assert(noexcept(declval<const Ring&>().Replicas(0, 0, nullptr)));
static_assert(noexcept(declval<const Ring&>().Clockwise(0)));
static_assert(noexcept(declval<const Ring&>().Owners(FixedKeys(), nullptr)));

class NoAllocTest : public testing::TestWithParam<Layout> {};

INSTANTIATE_TEST_SUITE_P(Layouts, NoAllocTest,
                         testing::Values(Layout::kSorted, Layout::kEytzinger,
                                         Layout::kSplus, Layout::kLine));

TEST_P(NoAllocTest, LookupsAllocateNothing) {
  RingOptions options = WithVnodes(3);
  options.layout = GetParam();
  const Ring ring = MakeRing(options, NumberedNodes("n", 0, 3000));
  constexpr size_t kKeys = 600;
  const std::vector<std::string> keys = Keys("key-", 0, kKeys);
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  const std::string tuples(kKeys * 13, 't');
  std::vector<uint64_t> hashes(kKeys);
  std::vector<NodeIndex> owners(3000);

  const int before = allocations;
  ring.Prefetch();
  for (size_t i = 0; i < kKeys; ++i) {
    hashes[i] = ring.HashOf(views[i]);
    owners[0] = ring.Owner(hashes[i]) + ring.Owner(views[i]);
  }
  ring.Owners(hashes.data(), kKeys, owners.data());
  ring.Owners(views.data(), kKeys, owners.data());
  ring.Owners(FixedKeys{tuples.data(), 13, 13, kKeys}, owners.data());
  for (size_t count : {1u, 3u, 16u, 17u, 3000u}) {
    EXPECT_EQ(ring.Replicas(hashes[0], count, owners.data()), count);
  }
  size_t met = 0;
  for (NodeIndex node :
       ring.Clockwise(hashes[0], [](NodeIndex n) { return n % 2 == 0; })) {
    met += node % 2;
  }
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(met, 1500u);
}

TEST(SpreadNoAllocTest, LookupsAllocateNothing) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 3000);
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].zone = i % 2 == 0 ? "z0" : "z1";
  }
  const Ring ring = MakeRing(WithVnodes(3), nodes);
  const SpreadIndex index = SpreadIndex::Build(ring).value();
  SpreadPolicy policy;
  policy.count = 8;
  policy.near = Locality{"", "z1", ""};
  const SpreadPlan plan = index.Plan(ring, policy).value();
  policy.count = 3000;
  const SpreadPlan all = index.Plan(ring, policy).value();
  policy.count = 0;
  policy.zone_counts = {{std::nullopt, "z0", 2}, {std::nullopt, "none", 1}};
  const SpreadPlan counts = index.Plan(ring, policy).value();
  SpreadScratch scratch = SpreadScratch::Create(ring.slot_count()).value();
  std::vector<NodeIndex> found(3000);
  const auto is_out = [](NodeIndex n) { return n % 2 == 0; };
  static_assert(noexcept(index.Replicas(ring, 1, plan, found)));
  static_assert(noexcept(index.Replicas(ring, 1, plan, found, is_out)));
  static_assert(noexcept(index.Clockwise(ring, 1)));

  const int before = allocations;
  for (uint64_t hash = 0; hash < 100; ++hash) {
    EXPECT_EQ(index.Replicas(ring, hash, plan, found).count, 8u);
    EXPECT_EQ(index.Replicas(ring, hash, plan, found, is_out).count, 8u);
    EXPECT_EQ(index.Replicas(ring, hash, counts, found).count, 3u);
  }
  EXPECT_EQ(index.Replicas(ring, 1, all, found, scratch).count, 3000u);
  EXPECT_EQ(index.Replicas(ring, 1, all, found, is_out, &scratch).count, 1500u);
  size_t met = 0;
  for (NodeIndex node : index.Clockwise(ring, 1)) met += node < 3000;
  EXPECT_EQ(met, 3000u);
  EXPECT_EQ(allocations, before);
}

TEST(BoundedLoadNoAllocTest, PlacingAndReleasingAllocateNothing) {
  const Ring ring = MakeRing(WithVnodes(3), NumberedNodes("n", 0, 50));
  LoadTable loads = std::move(LoadTable::Create(50)).value();
  const BoundedLoad bounded =
      std::move(BoundedLoad::Build(ring, loads, {.factor = 100})).value();
  const NodeIndex list[] = {3, 1, 4};
  const auto is_odd = [](NodeIndex node) { return node % 2 == 1; };
  static_assert(noexcept(bounded.Acquire(ring, 0)));
  static_assert(noexcept(bounded.Acquire(list, ring, 0)));
  static_assert(noexcept(bounded.AcquireOfTwo(list, 0)));
  std::vector<Ticket> tickets(400);

  const int before = allocations;
  for (size_t i = 0; i < 400; i += 4) {
    tickets[i] = bounded.Acquire(ring, 0);
    tickets[i + 1] = bounded.Acquire(ring, 0, {.is_excluded = is_odd});
    tickets[i + 2] = bounded.Acquire(list, ring, 0);
    tickets[i + 3] = bounded.AcquireOfTwo(list, i);
  }
  for (Ticket& ticket : tickets) ticket.Release();
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(loads.total(), 0u);
}

}  // namespace
}  // namespace clockwise
