// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Memory that runs out at any one allocation is a status: what was there goes
// on as before, and the same call succeeds once there is memory.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "failing_new.h"
#include "route/domain_core.h"
#include "router_maker.h"

namespace clockwise {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Calls `attempt` with one allocation more each time until it succeeds; after
// each failure `check`. Returns how often it failed. The status is looked at
// with memory.
int FailEach(
    const std::function<Status()>& attempt,
    const std::function<void()>& check = [] {}) {
  for (int allowed = 0;; ++allowed) {
    std::optional<Status> status;
    fail_allocations_after(allowed);
    status.emplace(attempt());
    const long failed = stop_failing();
    if (status->ok()) {
      EXPECT_EQ(failed, 0) << "of " << allowed << ": failed, but unnoticed";
      return allowed;
    }
    EXPECT_EQ(status->code(), Code::kOutOfMemory) << "of " << allowed;
    EXPECT_EQ(status->message(), "out of memory");
    check();
    if (testing::Test::HasFailure()) return allowed;
  }
}

// Moves the value of `result` out, and returns its status.
template <typename T>
Status Take(Result<T> result, std::optional<T>& out) {
  if (!result.ok()) return result.status();
  out.emplace(std::move(result).value());
  return Status();
}

std::vector<NodeIndex> OwnersIn(const RingView& ring) {
  const std::vector<std::string> keys = Keys("key-", 0, 100);
  std::vector<NodeIndex> owners;
  for (const std::string& key : keys) owners.push_back(ring.Owner(key));
  return owners;
}

// A source with a number of blocks to give.
class ScarceSource final : public BlockSource {
 public:
  explicit ScarceSource(int blocks) : left_(blocks) {}
  void* Acquire(size_t bytes) noexcept override {
    if (left_.fetch_sub(1) <= 0) return nullptr;
    return DefaultBlockSource().Acquire(bytes);
  }
  void Release(void* block, size_t bytes) noexcept override {
    DefaultBlockSource().Release(block, bytes);
  }

 private:
  std::atomic<int> left_;
};

// A topology of as many NUMA nodes as there are sources.
Domain DomainOn(std::vector<std::unique_ptr<BlockSource>> sources,
                DomainOptions options = {}) {
  std::vector<CopyPlaces::Place> places;
  for (unsigned i = 0; i < sources.size(); ++i) {
    places.push_back({{i, {}}, std::move(sources[i])});
  }
  return DomainAccess::Create(std::move(options), CopyPlaces(std::move(places)))
      .value();
}

TEST(OutOfMemoryTest, RingsAreBuiltOnceThereIsMemory) {
  const Ring same = MakeRing({}, NumberedNodes("n", 0, 5));
  const RingBuilder full = MakeBuilder({}, NumberedNodes("n", 0, 5));
  std::optional<Ring> ring;
  EXPECT_GT(FailEach([&] { return Take(full.Build(), ring); }), 0);
  EXPECT_EQ(ring->digest(), same.digest());

  RingBuilder change = RingBuilder::From(same);
  ASSERT_TRUE(change.Add(MakeNode("a node with an id that is long")).ok());
  ASSERT_TRUE(change.Remove("n0").ok());
  const auto owners = OwnersIn(same);
  EXPECT_GT(FailEach([&] { return Take(change.Build(), ring); },
                     [&] { EXPECT_EQ(OwnersIn(same), owners); }),
            0);
  EXPECT_EQ(ring->digest(), MakeRing(change).digest());
}

TEST(OutOfMemoryTest, RingsAreBuiltOnceThereAreBlocks) {
  for (const uint32_t vnodes : {16u, 65536u}) {  // of the heap, and mapped
    const Ring base = MakeRing(WithVnodes(vnodes), NumberedNodes("n", 0, 6));
    RingBuilder change = RingBuilder::From(base);
    ASSERT_TRUE(change.SetWeight("n1", Weight::Thousandths(1100)).ok());
    int blocks = 0;
    for (;; ++blocks) {
      ScarceSource source(blocks);
      const auto built = change.Build(1, &source);
      const Status copied =
          built.ok() ? built.value().Copy(2, &source).status() : built.status();
      if (copied.ok()) break;
      EXPECT_EQ(copied.code(), Code::kOutOfMemory);
    }
    EXPECT_EQ(blocks, 4);  // two for each of the two rings
  }
}

class OutOfMemoryTest : public ::testing::TestWithParam<Flavour> {
 protected:
  Domain domain = MakeDomain(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Flavours, OutOfMemoryTest,
                         ::testing::Values(Flavour::kQsbr, Flavour::kMemb,
                                           Flavour::kBp),
                         [](const auto& flavour) {
                           return std::string(FlavourName(flavour.param));
                         });

TEST_P(OutOfMemoryTest, HandlesAreMadeOnceThereIsMemory) {
  DomainOptions options;
  options.flavour = GetParam();
  std::optional<Domain> made;
  EXPECT_GT(FailEach([&] { return Take(Domain::Create(options), made); }), 0);
  std::optional<std::unique_ptr<Router>> router;
  EXPECT_GT(FailEach([&] { return Take(Router::Create(*made), router); }), 0);
  PublishOk(**router, EpochRing(1));
  const Reader reader = MakeReader(*made);
  const Pin pin(reader);
  EXPECT_EQ((*router)->Current(pin).epoch(), 1u);
}

TEST_P(OutOfMemoryTest, ReadersAreMadeOnceThereIsMemory) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  std::vector<std::string> names(9, "a reader with a name that is long");
  std::optional<Reader> reader;
  EXPECT_GT(FailEach([&] {
              std::string name = std::move(names.back());
              names.pop_back();
              return Take(domain.Register(std::move(name)), reader);
            }),
            0);
  const Pin pin(*reader);
  EXPECT_EQ(router->Current(pin).epoch(), 1u);
}

// Registers on a thread of its own that ends at once, with memory for `allowed`
// allocations. Returns whether that was enough.
bool RegistersWith(const Domain& domain, int allowed) {
  Code code{};
  std::thread([&] {
    fail_allocations_after(allowed);
    const auto reader = domain.Register();
    stop_failing();
    code = reader.status().code();
  }).join();
  EXPECT_TRUE(code == Code::kOk || code == Code::kOutOfMemory);
  return code == Code::kOk;
}

// liburcu does not look at a thread that has ended, although its registration
// failed half way: where the list of threads has to grow.
TEST_P(OutOfMemoryTest, ThreadsThatWereNotRegisteredMayEnd) {
  const auto router = MakeRouter(domain);
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  bool has_failed = false;
  for (int more = 3; more > 0 && threads.size() < 1000;) {
    has_failed |= !RegistersWith(domain, 1);
    if (has_failed) --more;
    std::atomic<bool> is_ready{false};
    threads.emplace_back([&] {
      const Reader reader = MakeReader(domain);
      is_ready = true;
      while (!is_over) std::this_thread::sleep_for(milliseconds(1));
    });
    while (!is_ready) std::this_thread::yield();
    const auto done = router->PublishAndWait(EpochRing(0), After(seconds(10)));
    EXPECT_EQ(done.value().outcome, Outcome::kSettled);
  }
  EXPECT_TRUE(has_failed);
  EXPECT_FALSE(RegistersWith(domain, 0));
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

// What publishes a ring of the test below.
using PublishBy = std::function<Result<Publication>(Router&, Ring&&)>;

void PublishesOnceThereIsMemory(const Domain& domain, const PublishBy& publish,
                                uint64_t epoch) {
  const auto router = MakeRouter(domain, 4);
  PublishOk(*router, EpochRing(1));
  Reader reader = MakeReader(domain);
  const auto check = [&](const RingView& expected, uint64_t serving) {
    {
      const Pin pin(reader);
      EXPECT_EQ(router->Current(pin).epoch(), serving);
      EXPECT_EQ(OwnersIn(router->Current(pin)), OwnersIn(expected));
    }
    reader.Offline();
  };
  const Ring old = EpochRing(1);
  const Ring next = EpochRing(2);
  Ring ring = next.Copy(epoch).value();
  EXPECT_GT(FailEach([&] { return publish(*router, std::move(ring)).status(); },
                     [&] {
                       check(old, 1);
                       EXPECT_EQ(ring.digest(), next.digest());
                       EXPECT_EQ(ring.epoch(), epoch);
                       EXPECT_EQ(router->stats().newest_epoch, 1u);
                     }),
            0);
  check(next, 2);
  EXPECT_EQ(PublishOk(*router, EpochRing(3)), Outcome::kServing);
  check(EpochRing(3), 3);
  EXPECT_EQ(router->stats().published, 3u);
}

TEST_P(OutOfMemoryTest, RingsArePublishedOnceThereIsMemory) {
  for (const uint64_t epoch : {0u, 2u}) {
    PublishesOnceThereIsMemory(
        domain,
        [](Router& to, Ring&& ring) { return to.Publish(std::move(ring)); },
        epoch);
    PublishesOnceThereIsMemory(
        domain,
        [](Router& to, Ring&& ring) {
          return to.PublishAndWait(std::move(ring), After(seconds(10)));
        },
        epoch);
  }
}

TEST_P(OutOfMemoryTest, RefusalsAreToldOnceThereIsMemory) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(7));
  RingOptions other = WithVnodes(17);
  struct Case {
    Ring ring;
    Code code;
  };
  Case cases[] = {{EpochRing(6), Code::kStaleEpoch},
                  {EpochRing(8, other), Code::kRemapRefused},
                  {EpochRing(8).Copy(7).value(), Code::kEpochConflict}};
  for (Case& each : cases) {
    const int failures = FailEach([&]() -> Status {
      const auto refused = router->Publish(std::move(each.ring));
      stop_failing();  // to copy its status takes memory
      const bool is_told = refused.status().code() == each.code;
      return is_told ? Status() : refused.status();
    });
    EXPECT_GT(failures, 0);
    EXPECT_EQ(router->stats().serving_epoch, 7u);
  }
}

// Copies that cannot be placed are read elsewhere, even if there is no memory
// to say so.
TEST_P(OutOfMemoryTest, CopiesAreSharedWithoutBlocks) {
  for (int blocks = 0; blocks < 5; ++blocks) {
    std::atomic<int> lines{0};
    DomainOptions options;
    options.flavour = GetParam();
    options.on_log = [&](std::string_view line) {
      lines += line.find("copy") != std::string_view::npos ? 1 : 100;
    };
    std::vector<std::unique_ptr<BlockSource>> sources;
    sources.push_back(std::make_unique<ScarceSource>(blocks));
    sources.push_back(nullptr);
    sources.push_back(std::make_unique<ScarceSource>(blocks));
    const Domain wide = DomainOn(std::move(sources), options);
    const auto router = MakeRouter(wide);
    Reader reader = MakeReader(wide);
    for (uint64_t epoch = 1; epoch < 4; ++epoch) {
      const Ring same = EpochRing(epoch);
      Ring ring = EpochRing(epoch);
      FailEach([&] { return router->Publish(std::move(ring)).status(); });
      for (unsigned node = 0; node < 3; ++node) {
        ASSERT_TRUE(reader.RebindToNode(node).ok());
        const Pin pin(reader);
        EXPECT_EQ(router->Current(pin).epoch(), epoch);
        EXPECT_EQ(OwnersIn(router->Current(pin)), OwnersIn(same));
      }
      reader.Offline();
    }
    EXPECT_TRUE(wide.is_numa_degraded());
    EXPECT_EQ(lines, 1);
  }
}

// The watch has no caller to tell: it tries again.
TEST_P(OutOfMemoryTest, StallsAreToldOnceThereIsMemory) {
  std::atomic<int> stalls{0};
  DomainOptions options;
  options.flavour = GetParam();
  options.stall_after = milliseconds(20);
  options.on_stall = [&](const Stall& stall) {
    if (stall.reader == "a sleeper whose name is long") ++stalls;
  };
  const Domain watched = MakeDomain(options);
  const auto router = MakeRouter(watched);
  PublishOk(*router, EpochRing(1));
  Reader sleeper = MakeReader(watched, "a sleeper whose name is long");
  std::optional<Pin> pin(std::in_place, sleeper);
  std::thread([&] { PublishOk(*router, EpochRing(2)); }).join();
  for (int allowed = 0; allowed < 2; ++allowed) {
    fail_allocations_after(allowed);
    std::this_thread::sleep_for(milliseconds(60));
    EXPECT_GT(stop_failing(), 0) << "the watch did not look";
  }
  EXPECT_TRUE(Eventually([&] { return stalls == 1; }));
  pin.reset();
  sleeper.Offline();
  EXPECT_TRUE(Eventually([&] { return stalls == 2; }));
}

TEST_P(OutOfMemoryTest, NoThreadIsAStatus) {
  if (kSlack != 1) GTEST_SKIP() << "not under sanitizers";
  pthread_attr_t usual, huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  // More than a process may map.
  ASSERT_EQ(pthread_attr_setstacksize(&huge, size_t{1} << 47), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  DomainOptions options;
  options.flavour = GetParam();
  const auto refused = Domain::Create(options);
  ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
  EXPECT_EQ(refused.status().code(), Code::kNoThread);
  EXPECT_TRUE(Domain::Create(options).ok());
}

// Exit codes of a child; 0 is success.
int MakeFit(const Domain& domain, Router& router) {
  alarm(20);  // a hang is a failure
  for (int allowed = 0;; ++allowed) {
    fail_allocations_after(allowed);
    const Status fit = domain.AfterForkChild();
    stop_failing();
    if (fit.ok() != (fit.code() != Code::kOutOfMemory)) return 1;
    static_cast<void>(domain.grace_periods());
    if (fit.ok()) break;
    if (router.Publish(EpochRing(0)).status().code() != Code::kForked) return 2;
  }
  const auto done = router.PublishAndWait(EpochRing(0), After(seconds(10)));
  return done.ok() && done.value().outcome == Outcome::kSettled ? 0 : 3;
}

TEST_P(OutOfMemoryTest, ChildrenAreMadeFitOnceThereIsMemory) {
  if (kSlack != 1) GTEST_SKIP() << "not under sanitizers";
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(MakeFit(domain, *router));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// The last of the file: it makes the one domain of the process.
TEST(OutOfMemoryDefaultTest, TheDefaultDomainIsMadeOnceThereIsMemory) {
  std::optional<Domain> domain;
  EXPECT_GT(FailEach([&] { return Take(Domain::Default(), domain); }), 0);
  EXPECT_TRUE(Router::Create(*domain).ok());
}

}  // namespace
}  // namespace clockwise
