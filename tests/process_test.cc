// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What processes do to a library that has threads: fork, signals, dlclose,
// thousands of threads.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "router_maker.h"

namespace clockwise {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class ProcessTest : public ::testing::TestWithParam<Flavour> {};

INSTANTIATE_TEST_SUITE_P(Flavours, ProcessTest,
                         ::testing::Values(Flavour::kQsbr, Flavour::kMemb,
                                           Flavour::kBp),
                         [](const auto& flavour) {
                           return std::string(FlavourName(flavour.param));
                         });

// Readers and a writer that never rest, so that a fork finds locks taken.
class Busy {
 public:
  Busy(const Domain& domain, Router& router) {
    for (int i = 0; i < 2; ++i) {
      threads_.emplace_back([&] { Read(domain, router); });
    }
    threads_.emplace_back([&] {
      while (!is_over_) PublishOk(router, EpochRing(0));
    });
  }
  ~Busy() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void Read(const Domain& domain, const Router& router) {
    Reader reader = MakeReader(domain, "busy");
    while (!is_over_) {
      {
        const Pin pin(reader);
        const PublishedRing& ring = router.Current(pin);
        EXPECT_EQ(ring.epoch(), ring.image()->epoch);
      }
      reader.Quiescent();
    }
  }

  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

// Exit codes of a child; 0 is success.
int InChild(const Domain& domain, Router& router, Reader& reader,
            const PublishedRing& held, NodeIndex owner) {
  alarm(20);  // a hang is a failure
  const auto serving = [&] {
    const Pin pin(reader);
    return router.Current(pin).epoch();
  };
  if (held.Owner("key") != owner) return 1;
  if (serving() == 0) return 2;
  if (router.Publish(EpochRing(0)).status().code() != Code::kForked) return 3;
  if (domain.Register().status().code() != Code::kForked) return 4;
  if (Router::Create(domain).status().code() != Code::kForked) return 5;
  static_cast<void>(router.stats());
  if (!domain.AfterForkChild().ok()) return 6;
  if (held.Owner("key") != owner) return 7;
  return 0;
}

// After the pin that the parent held has ended.
int InFitChild(const Domain& domain, Router& router, Reader& reader) {
  for (int i = 0; i < 5; ++i) {
    const auto done = router.PublishAndWait(EpochRing(0), After(seconds(10)));
    if (!done.ok()) return 8;
    if (done.value().outcome != Outcome::kSettled) return 9;
    const Pin pin(reader);
    if (router.Current(pin).epoch() != done.value().epoch) return 10;
  }
  int result = 0;
  reader.Offline();
  std::thread([&] {  // a thread of the child reads, and is waited for
    Reader own = MakeReader(domain);
    std::optional<Pin> pin(std::in_place, own);
    const PublishedRing& ring = router.Current(*pin);
    const uint64_t epoch = ring.epoch();
    std::thread([&] {
      const auto done =
          router.PublishAndWait(EpochRing(0), After(milliseconds(20)));
      if (!done.ok() || done.value().outcome != Outcome::kServing) result = 11;
    }).join();
    if (ring.epoch() != epoch) result = 12;
    pin.reset();
    own.Offline();
    if (!Eventually([&] { return router.stats().live == 1; })) result = 13;
  })
      .join();
  return result;
}

int ExitCodeOf(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  return WEXITSTATUS(status);
}

TEST_P(ProcessTest, ForksUnderLoad) {
  // Their allocators may be locked in the child of a process with threads.
  if (kSlack != 1) GTEST_SKIP() << "not under sanitizers";
  const Domain domain = MakeDomain(GetParam());
  const auto router = MakeRouter(domain, 3);
  PublishOk(*router, EpochRing(1));
  Reader reader = MakeReader(domain);
  const Busy busy(domain, *router);
  for (int i = 0; i < 100; ++i) {
    std::optional<Pin> pin(std::in_place, reader);
    const PublishedRing& held = router->Current(*pin);
    const NodeIndex owner = held.Owner("key");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int result = InChild(domain, *router, reader, held, owner);
      pin.reset();
      if (result == 0) result = InFitChild(domain, *router, reader);
      _exit(result);
    }
    pin.reset();
    reader.Offline();
    ASSERT_EQ(ExitCodeOf(child), 0) << "child " << i;
  }
}

// Exit codes of a worker; 0 is success.
int InWorker(Flavour flavour) {
  alarm(20);  // a hang is a failure
  DomainOptions options;
  options.flavour = flavour;
  const auto domain = Domain::Create(options);
  if (!domain.ok()) return 1;
  const auto router = MakeRouter(domain.value());
  for (int i = 0; i < 10; ++i) {
    PublishOk(*router, EpochRing(0));
    std::thread([&] {  // unregistered when it ends
      const Reader reader = MakeReader(domain.value());
      const Pin pin(reader);
      EXPECT_NE(router->Current(pin).epoch(), 0u);
    })
        .join();
    const auto done = router->PublishAndWait(EpochRing(0), After(seconds(10)));
    if (!done.ok() || done.value().outcome != Outcome::kSettled) return 2;
  }
  return ::testing::Test::HasFailure() ? 3 : 0;
}

// A server that forks its workers before it has a domain. Run in a process of
// its own, since other tests make domains.
TEST_P(ProcessTest, ForksBeforeThereIsADomain) {
  if (kSlack != 1) GTEST_SKIP() << "not under sanitizers";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const pid_t worker = fork();
        if (worker == 0) _exit(InWorker(GetParam()));
        _exit(ExitCodeOf(worker));
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_P(ProcessTest, AForkedChildRefusesToMakeADomain) {
  if (kSlack != 1) GTEST_SKIP() << "not under sanitizers";
  const Domain domain = MakeDomain(GetParam());
  const pid_t child = fork();
  if (child == 0) {
    if (Domain::Create({}).status().code() != Code::kForked) _exit(1);
    if (!domain.AfterForkChild().ok()) _exit(2);
    _exit(Domain::Create({}).ok() ? 0 : 3);
  }
  EXPECT_EQ(ExitCodeOf(child), 0);
}

TEST_P(ProcessTest, ThreadsComeAndGo) {
  const Domain domain = MakeDomain(GetParam());
  const auto router = MakeRouter(domain, 3);
  PublishOk(*router, EpochRing(1));
  std::atomic<bool> is_over{false};
  std::thread writer([&] {
    while (!is_over) {
      PublishOk(*router, EpochRing(0));
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  for (int i = 0; i < 10'000; ++i) {
    std::thread([&] {
      auto reader = std::make_unique<Reader>(MakeReader(domain));
      {
        const Pin pin(*reader);
        EXPECT_NE(router->Current(pin).epoch(), 0u);
      }
      static auto& forgotten = *new std::vector<Reader*>;
      if (i % 2 == 0) forgotten.push_back(reader.release());
    }).join();
  }
  is_over = true;
  writer.join();
  EXPECT_TRUE(Eventually([&] { return router->stats().live == 1; }));
}

// What the signal handler of the test below reads.
const PublishedRing* pinned = nullptr;
std::atomic<uint64_t> signals{0};
std::atomic<uint64_t> wrong{0};
uint64_t pinned_hash = 0;
NodeIndex pinned_owner = 0;

void OnSignal(int) {
  if (pinned->Owner(pinned_hash) != pinned_owner) ++wrong;
  if (pinned->Owner("in a signal") == kNoNode) ++wrong;
  ++signals;
}

TEST_P(ProcessTest, LooksUpInSignalHandlers) {
  const Domain domain = MakeDomain(GetParam());
  const auto router = MakeRouter(domain, 3);
  PublishOk(*router, EpochRing(1));
  Reader reader = MakeReader(domain);
  signals = wrong = 0;
  {
    const Pin pin(reader);
    pinned = &router->Current(pin);
    pinned_hash = pinned->HashOf("key");
    pinned_owner = pinned->Owner(pinned_hash);
    struct sigaction action {};
    action.sa_handler = OnSignal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, nullptr);
    itimerval every{{0, 200}, {0, 200}};
    setitimer(ITIMER_PROF, &every, nullptr);
    std::thread writer([&] {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_BLOCK, &all, nullptr);
      for (int i = 0; i < 50; ++i) PublishOk(*router, EpochRing(0));
    });
    uint64_t sum = 0;
    EXPECT_TRUE(Eventually([&] {
      for (uint64_t h = 0; h < 100'000; ++h) {
        sum += router->Current(pin).Owner(h << 40);
      }
      return signals > 20;
    }));
    EXPECT_NE(sum, 1u);
    every = {};
    setitimer(ITIMER_PROF, &every, nullptr);
    writer.join();
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(PluginTest, IsLoadedAndUnloaded) {
  for (int i = 0; i < 100; ++i) {
    void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(plugin, nullptr) << dlerror();
    const auto run = reinterpret_cast<int (*)()>(dlsym(plugin, "RunPlugin"));
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(dlclose(plugin), 0);
  }
}

}  // namespace
}  // namespace clockwise
