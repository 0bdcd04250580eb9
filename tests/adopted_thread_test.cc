// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Threads that the host program registered with liburcu itself. To register one
// twice aborts; one unregistered behind its host's back is not waited for.
#include <gtest/gtest.h>
#include <urcu/urcu-bp.h>
#include <urcu/urcu-memb.h>
#include <urcu/urcu-qsbr.h>

#include <atomic>
#include <string>
#include <thread>

#include "router_maker.h"

namespace clockwise {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// liburcu's own functions, as a host calls them.
struct Host {
  Flavour flavour;
  void (*register_thread)();
  void (*unregister_thread)();
  void (*read_lock)();
  void (*read_unlock)();
  void (*synchronize)();
};

void Nothing() {}

constexpr Host kHosts[] = {
    {Flavour::kQsbr, urcu_qsbr_register_thread, urcu_qsbr_unregister_thread,
     Nothing, urcu_qsbr_quiescent_state, urcu_qsbr_synchronize_rcu},
    {Flavour::kMemb, urcu_memb_register_thread, urcu_memb_unregister_thread,
     urcu_memb_read_lock, urcu_memb_read_unlock, urcu_memb_synchronize_rcu},
    {Flavour::kBp, urcu_bp_register_thread, Nothing, urcu_bp_read_lock,
     urcu_bp_read_unlock, urcu_bp_synchronize_rcu}};

class AdoptedThreadTest : public ::testing::TestWithParam<Host> {
 protected:
  Domain domain = MakeDomain(GetParam().flavour);
  std::unique_ptr<Router> router = MakeRouter(domain);

  Outcome PublishFor(uint64_t epoch, milliseconds limit) {
    return router->PublishAndWait(EpochRing(epoch), After(limit))
        .value()
        .outcome;
  }
  // From a thread that does not read.
  Outcome PublishElsewhere(uint64_t epoch, milliseconds limit) {
    Outcome outcome{};
    std::thread([&] { outcome = PublishFor(epoch, limit); }).join();
    return outcome;
  }
};

INSTANTIATE_TEST_SUITE_P(Flavours, AdoptedThreadTest,
                         ::testing::ValuesIn(kHosts), [](const auto& host) {
                           return std::string(FlavourName(host.param.flavour));
                         });

TEST_P(AdoptedThreadTest, StaysRegisteredWithoutItsReaders) {
  const Host& host = GetParam();
  EXPECT_EQ(PublishFor(1, seconds(10)), Outcome::kSettled);
  std::thread([&] {
    host.register_thread();
    for (uint64_t epoch = 1; epoch < 7; epoch += 2) {
      Reader reader = MakeReader(domain, "adopted");
      {
        const Pin pin(reader);
        const PublishedRing& held = router->Current(pin);
        EXPECT_EQ(held.epoch(), epoch);
        // Its pins are waited for.
        EXPECT_EQ(PublishElsewhere(epoch + 1, milliseconds(30)),
                  Outcome::kServing);
        EXPECT_EQ(held.epoch(), epoch);
      }
      reader.Offline();
      EXPECT_EQ(PublishElsewhere(epoch + 2, seconds(10)), Outcome::kSettled);
    }
    // The host reads as before: it is still waited for.
    if (host.flavour == Flavour::kQsbr) urcu_qsbr_thread_online();
    host.read_lock();
    std::atomic<bool> is_over{false};
    std::thread writer([&] {
      host.synchronize();
      is_over = true;
    });
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_FALSE(is_over);
    host.read_unlock();
    // The grace period may have begun after that quiescent state of QSBR.
    while (!is_over) {
      if (host.flavour == Flavour::kQsbr) urcu_qsbr_quiescent_state();
      std::this_thread::sleep_for(milliseconds(1));
    }
    writer.join();
    host.unregister_thread();
  }).join();
  EXPECT_EQ(PublishFor(8, seconds(10)), Outcome::kSettled);
}

TEST_P(AdoptedThreadTest, PinsNestWithSectionsOfTheHost) {
  const Host& host = GetParam();
  EXPECT_EQ(PublishFor(1, seconds(10)), Outcome::kSettled);
  std::thread([&] {
    host.register_thread();
    {
      Reader reader = MakeReader(domain);
      host.read_lock();
      const PublishedRing* held = nullptr;
      {
        const Pin pin(reader);
        held = &router->Current(pin);
        EXPECT_EQ(held->epoch(), 1u);
      }
      // The section of the host goes on.
      EXPECT_EQ(PublishElsewhere(2, milliseconds(30)), Outcome::kServing);
      EXPECT_EQ(held->epoch(), 1u);
      host.read_unlock();
      reader.Offline();
      EXPECT_EQ(PublishElsewhere(3, seconds(10)), Outcome::kSettled);
    }
    host.unregister_thread();
  }).join();
}

// The host registers a thread that has ended its reader already.
TEST_P(AdoptedThreadTest, IsTheHostsAgainAfterAReader) {
  const Host& host = GetParam();
  EXPECT_EQ(PublishFor(1, seconds(10)), Outcome::kSettled);
  std::thread([&] {
    {
      const Reader reader = MakeReader(domain);
      const Pin pin(reader);
      EXPECT_EQ(router->Current(pin).epoch(), 1u);
    }
    host.register_thread();
    { const Reader reader = MakeReader(domain); }
    host.unregister_thread();
  }).join();
  EXPECT_EQ(PublishFor(2, seconds(10)), Outcome::kSettled);
}

}  // namespace
}  // namespace clockwise
