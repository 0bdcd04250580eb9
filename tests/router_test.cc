// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Publishing: what is shown, what is refused, what waits, what is freed.
#include "clockwise/router.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "router_maker.h"

namespace clockwise {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RouterTest : public ::testing::TestWithParam<Flavour> {
 protected:
  Domain domain = MakeDomain(GetParam());
  Reader reader = MakeReader(domain);

  uint64_t ServingEpoch(const Router& router) {
    const Pin pin(reader);
    return router.Current(pin).epoch();
  }
};

INSTANTIATE_TEST_SUITE_P(Flavours, RouterTest,
                         ::testing::Values(Flavour::kQsbr, Flavour::kMemb,
                                           Flavour::kBp),
                         [](const auto& flavour) {
                           return std::string(FlavourName(flavour.param));
                         });

TEST_P(RouterTest, AnswersNobodyBeforeTheFirstRing) {
  const auto router = MakeRouter(domain);
  const Pin pin(reader);
  EXPECT_EQ(router->Current(pin).Owner("key"), kNoNode);
  EXPECT_EQ(router->Current(pin).epoch(), 0u);
}

TEST_P(RouterTest, ShowsARingAtOnce) {
  const auto router = MakeRouter(domain);
  const Ring same = EpochRing(5);
  EXPECT_EQ(PublishOk(*router, EpochRing(5)), Outcome::kServing);
  const Pin pin(reader);
  const PublishedRing& ring = router->Current(pin);
  EXPECT_EQ(ring.epoch(), 5u);
  EXPECT_EQ(ring.image()->epoch, 5u);
  for (const std::string& key : Keys("key-", 0, 100)) {
    EXPECT_EQ(ring.Owner(key), same.Owner(key));
    EXPECT_EQ(ring.ring().node(ring.Owner(key)).id, OwnerId(same, key));
  }
}

TEST_P(RouterTest, GivesEpochZeroTheNextEpoch) {
  const auto router = MakeRouter(domain);
  const auto first = router->Publish(EpochRing(0));
  EXPECT_EQ(first.value().epoch, 1u);
  PublishOk(*router, EpochRing(10));
  EXPECT_EQ(router->Publish(EpochRing(0)).value().epoch, 11u);
  EXPECT_EQ(ServingEpoch(*router), 11u);
}

TEST_P(RouterTest, LeavesTheSameRingAlone) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(3));
  EXPECT_EQ(PublishOk(*router, EpochRing(3)), Outcome::kUnchanged);
  EXPECT_EQ(router->stats().published, 1u);
}

TEST_P(RouterTest, RefusesAnEpochThatDoesNotRise) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(7));
  Ring stale = EpochRing(6);
  const auto refused = router->Publish(std::move(stale));
  EXPECT_EQ(refused.status().code(), Code::kStaleEpoch);
  EXPECT_EQ(refused.status().message(),
            "ring '': epoch 6 is below the newest, 7");
  EXPECT_EQ(stale.epoch(), 6u) << "a refused ring stays with its owner";
  EXPECT_EQ(ServingEpoch(*router), 7u);
}

TEST_P(RouterTest, RefusesOneEpochWithTwoContents) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(7));
  const auto other =
      MakeBuilder(WithVnodes(16), NumberedNodes("other", 0, 2)).Build(7);
  const auto refused = router->Publish(other.value().Copy(7).value());
  EXPECT_EQ(refused.status().code(), Code::kEpochConflict);
  EXPECT_NE(refused.status().message().find(ToHex(other.value().digest())),
            std::string::npos);
  EXPECT_EQ(ServingEpoch(*router), 7u);
}

// Ring 7 with the weight of one node changed on this host alone.
Ring LocalRing(uint64_t local, uint64_t thousandths) {
  const Ring wanted = EpochRing(7);
  RingBuilder builder = RingBuilder::From(wanted);
  EXPECT_TRUE(builder.SetWeight("n0", Weight::Thousandths(thousandths)).ok());
  return builder.BuildLocal(wanted, local).value();
}

TEST_P(RouterTest, LocalRingsOfOneEpochFollowOneAnother) {
  const auto router = MakeRouter(domain);
  const auto local = [&] {
    const Pin pin(reader);
    return router->Current(pin).local();
  };
  PublishOk(*router, EpochRing(7));
  EXPECT_EQ(PublishOk(*router, LocalRing(1, 500)), Outcome::kServing);
  EXPECT_EQ(PublishOk(*router, LocalRing(3, 250)), Outcome::kServing);
  EXPECT_EQ(ServingEpoch(*router), 7u);
  EXPECT_EQ(local(), 3u);
  EXPECT_EQ(router->stats().serving_local, 3u);
  // What it stands in for, or itself, is no news.
  EXPECT_EQ(PublishOk(*router, EpochRing(7)), Outcome::kUnchanged);
  EXPECT_EQ(PublishOk(*router, LocalRing(3, 250)), Outcome::kUnchanged);
  EXPECT_EQ(PublishCode(*router, LocalRing(2, 250)), Code::kStaleEpoch);
  EXPECT_EQ(PublishCode(*router, LocalRing(3, 251)), Code::kEpochConflict);
  EXPECT_EQ(local(), 3u);
  // Back to full weights, and on to the next epoch.
  EXPECT_EQ(PublishOk(*router, LocalRing(4, 1000)), Outcome::kServing);
  PublishOk(*router, EpochRing(8));
  EXPECT_EQ(local(), 0u);
  EXPECT_EQ(PublishCode(*router, LocalRing(5, 500)), Code::kStaleEpoch);
}

TEST_P(RouterTest, LocalRingsOfAnotherBaseConflict) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(7));
  const Ring other = MakeBuilder(WithVnodes(16), NumberedNodes("other", 0, 2))
                         .Build(7)
                         .value();
  Result<Ring> local = RingBuilder::From(other).BuildLocal(other, 1);
  EXPECT_EQ(PublishCode(*router, std::move(local).value()),
            Code::kEpochConflict);
}

TEST_P(RouterTest, AwaitsALocalRingOfTheServingEpoch) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(7));
  const auto settled =
      router->PublishAndWait(LocalRing(1, 500), After(seconds(5)));
  EXPECT_EQ(settled.value().outcome, Outcome::kSettled);
  EXPECT_EQ(router->stats().serving_local, 1u);
}

TEST_P(RouterTest, ACompanionServesWithItsRing) {
  const auto router = MakeRouter(domain);
  const auto companion = [&]() -> const int* {
    const Pin pin(reader);
    return router->Current(pin).companion<int>();
  };
  EXPECT_EQ(companion(), nullptr);
  auto first = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = first;
  PublishOptions options;
  options.companion = std::move(first);
  ASSERT_TRUE(router->Publish(EpochRing(1), options).ok());
  options.companion = std::make_shared<int>(2);
  EXPECT_EQ(*companion(), 1);
  // The same ring again: not taken.
  ASSERT_TRUE(router->Publish(EpochRing(1), options).ok());
  EXPECT_EQ(*companion(), 1);
  const auto settled =
      router->PublishAndWait(EpochRing(2), After(seconds(5)), options);
  EXPECT_EQ(settled.value().outcome, Outcome::kSettled);
  EXPECT_EQ(*companion(), 2);
  EXPECT_TRUE(watch.expired()) << "let go of with its ring";
  PublishOk(*router, EpochRing(3));
  EXPECT_EQ(companion(), nullptr);
}

TEST_P(RouterTest, RefusesToRunOutOfEpochs) {
  const auto router = MakeRouter(domain);
  constexpr uint64_t kLast = std::numeric_limits<uint64_t>::max();
  PublishOk(*router, EpochRing(kLast));
  EXPECT_EQ(PublishCode(*router, EpochRing(0)), Code::kEpochExhausted);
}

TEST_P(RouterTest, RefusesAnotherRecipeUnlessAccepted) {
  RingOptions base = WithVnodes(16);
  base.name = "a";
  struct Case {
    const char* what;
    RingOptions options;
  };
  std::vector<Case> cases(5, Case{"", base});
  cases[0] = {"name 'b' instead of 'a'", base};
  cases[0].options.name = "b";
  cases[1].what = "width 32 instead of 64";
  cases[1].options.width = 32;
  cases[2].what = "seed 1 instead of 0";
  cases[2].options.seed = 1;
  cases[3].what = "key hash 'fnv1a-fmix' instead of 'xxh3'";
  cases[3].options.key_hash = KeyHash::kFnv1aFmix;
  cases[4].what = "vnodes 17 instead of 16";
  cases[4].options.vnodes = 17;
  for (const Case& c : cases) {
    const auto router = MakeRouter(domain);
    PublishOk(*router, EpochRing(1, base));
    const auto refused = router->Publish(EpochRing(2, c.options));
    EXPECT_EQ(refused.status().code(), Code::kRemapRefused) << c.what;
    EXPECT_NE(refused.status().message().find(c.what), std::string::npos)
        << refused.status().message();
    EXPECT_EQ(ServingEpoch(*router), 1u);
    EXPECT_TRUE(router->Publish(EpochRing(2, c.options), {true}).ok());
    EXPECT_EQ(ServingEpoch(*router), 2u);
  }
}

TEST_P(RouterTest, RefusesToPublishUnderAPin) {
  const auto router = MakeRouter(domain);
  const Pin pin(reader);
  EXPECT_EQ(PublishCode(*router, EpochRing(1)), Code::kWouldDeadlock);
  EXPECT_EQ(
      router->PublishAndWait(EpochRing(1), After(seconds(1))).status().code(),
      Code::kWouldDeadlock);
}

TEST_P(RouterTest, PublishesFromAnOnlineReaderWithoutPins) {
  const auto router = MakeRouter(domain);
  { const Pin pin(reader); }
  for (uint64_t epoch = 1; epoch <= 3; ++epoch) {
    const auto done =
        router->PublishAndWait(EpochRing(epoch), After(seconds(5)));
    EXPECT_EQ(done.value().outcome, Outcome::kSettled);
  }
  EXPECT_EQ(router->stats().live, 1u);
}

TEST_P(RouterTest, KeepsWhatAPinHolds) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  const Ring same = EpochRing(1);
  const Pin pin(reader);
  const PublishedRing& held = router->Current(pin);
  std::thread([&] {
    for (uint64_t epoch = 2; epoch < 6; ++epoch) {
      EXPECT_EQ(PublishOk(*router, EpochRing(epoch)), Outcome::kServing);
    }
  }).join();
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(held.epoch(), 1u);
  for (const std::string& key : Keys("key-", 0, 100)) {
    EXPECT_EQ(held.Owner(key), same.Owner(key));
  }
  EXPECT_EQ(router->Current(pin).epoch(), 5u);
}

TEST_P(RouterTest, HoldsTheNewestBackAtMaxLive) {
  for (const uint32_t max_live : {3u, 8u}) {
    const auto router = MakeRouter(domain, max_live);
    PublishOk(*router, EpochRing(1));
    std::optional<Pin> pin(std::in_place, reader);
    ASSERT_EQ(router->Current(*pin).epoch(), 1u);
    std::thread([&] {
      uint64_t epoch = 1;
      for (uint32_t shown = 2; shown < max_live; ++shown) {
        EXPECT_EQ(PublishOk(*router, EpochRing(++epoch)), Outcome::kServing);
      }
      EXPECT_EQ(PublishOk(*router, EpochRing(50)), Outcome::kHeldBack);
      EXPECT_EQ(PublishOk(*router, EpochRing(51)), Outcome::kHeldBack);
      EXPECT_EQ(PublishCode(*router, EpochRing(50)), Code::kStaleEpoch);
      EXPECT_EQ(PublishOk(*router, EpochRing(51)), Outcome::kUnchanged);
    }).join();
    EXPECT_EQ(router->Current(*pin).epoch(), max_live - 1);
    EXPECT_EQ(router->stats().live, max_live);
    EXPECT_EQ(router->stats().newest_epoch, 51u);
    EXPECT_EQ(router->stats().replaced, 1u);
    pin.reset();
    reader.Quiescent();
    EXPECT_TRUE(Eventually([&] {
      reader.Quiescent();
      return router->stats().live == 1;
    }));
    EXPECT_EQ(ServingEpoch(*router), 51u);
    reader.Offline();
  }
}

TEST_P(RouterTest, WaitsForReadersOfOlderRings) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  std::optional<Pin> pin(std::in_place, reader);
  std::thread([&] {
    const auto done =
        router->PublishAndWait(EpochRing(2), After(milliseconds(50)));
    EXPECT_EQ(done.value().outcome, Outcome::kServing);
  }).join();
  pin.reset();
  reader.Offline();
  const auto done = router->PublishAndWait(EpochRing(3), After(seconds(5)));
  EXPECT_EQ(done.value().outcome, Outcome::kSettled);
  EXPECT_EQ(router->stats().live, 1u);
}

TEST_P(RouterTest, LivesWithTwoRings) {
  const auto router = MakeRouter(domain, 2);
  EXPECT_EQ(PublishCode(*router, EpochRing(1)), Code::kInvalidOptions);
  const auto publish = [&](uint64_t epoch, milliseconds limit) {
    return router->PublishAndWait(EpochRing(epoch), After(limit));
  };
  EXPECT_EQ(publish(1, seconds(5)).value().outcome, Outcome::kSettled);
  std::optional<Pin> pin(std::in_place, reader);
  std::thread([&] {
    EXPECT_EQ(publish(2, milliseconds(30)).value().outcome, Outcome::kServing);
    Ring third = EpochRing(3);
    const auto late =
        router->PublishAndWait(std::move(third), After(milliseconds(30)));
    EXPECT_EQ(late.status().code(), Code::kGraceTimeout);
    EXPECT_EQ(third.epoch(), 3u) << "a ring not taken stays with its owner";
    EXPECT_EQ(router->stats().live, 2u);
  }).join();
  pin.reset();
  reader.Offline();
  EXPECT_EQ(publish(3, seconds(5)).value().outcome, Outcome::kSettled);
}

TEST_P(RouterTest, NamesTheReaderThatStalls) {
  std::mutex mutex;
  std::vector<Stall> stalls;
  DomainOptions options;
  options.flavour = GetParam();
  options.stall_after = milliseconds(100);
  options.on_stall = [&](const Stall& stall) {
    const std::lock_guard lock(mutex);
    stalls.push_back(stall);
  };
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return stalls.size();
  };
  const Domain watched = MakeDomain(options);
  const auto router = MakeRouter(watched);
  PublishOk(*router, EpochRing(1));
  Reader sleeper = MakeReader(watched, "sleeper");
  std::optional<Pin> pin(std::in_place, sleeper);
  std::thread([&] { PublishOk(*router, EpochRing(2)); }).join();
  EXPECT_TRUE(Eventually([&] { return count() == 1; }));
  pin.reset();
  sleeper.Offline();
  EXPECT_TRUE(Eventually([&] { return count() == 2; }));
  for (const Stall& stall : stalls) {
    EXPECT_EQ(stall.reader, "sleeper");
    EXPECT_EQ(stall.thread, gettid());
    EXPECT_GE(stall.age, milliseconds(100));
  }
  EXPECT_FALSE(stalls[0].has_ended);
  EXPECT_LT(stalls[0].age, milliseconds(1000));
  EXPECT_TRUE(stalls[1].has_ended);
}

TEST_P(RouterTest, OneQuiescentStateServesManyRouters) {
  std::vector<std::unique_ptr<Router>> routers;
  for (int i = 0; i < 200; ++i) {
    routers.push_back(MakeRouter(domain, 3));
    PublishOk(*routers.back(), EpochRing(1));
  }
  {
    const Pin pin(reader);
    for (auto& router : routers) EXPECT_EQ(router->Current(pin).epoch(), 1u);
  }
  for (uint64_t epoch = 2; epoch < 5; ++epoch) {
    for (auto& router : routers) PublishOk(*router, EpochRing(epoch));
    reader.Quiescent();
  }
  EXPECT_TRUE(Eventually([&] {
    reader.Quiescent();
    for (auto& router : routers) {
      if (router->stats().live != 1) return false;
    }
    return true;
  }));
  for (auto& router : routers) EXPECT_EQ(ServingEpoch(*router), 4u);
}

TEST_P(RouterTest, GoesOnWithoutThreadsThatForgot) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  reader.Offline();
  std::thread([&] {
    // Ends inside a read section, its reader never dropped.
    static auto& forgotten = *new std::vector<Reader*>;
    static auto& pins = *new std::vector<Pin*>;
    forgotten.push_back(new Reader(MakeReader(domain, "forgotten")));
    pins.push_back(new Pin(*forgotten.back()));
    EXPECT_EQ(router->Current(*pins.back()).epoch(), 1u);
  }).join();
  const auto done = router->PublishAndWait(EpochRing(2), After(seconds(5)));
  EXPECT_EQ(done.value().outcome, Outcome::kSettled);
}

TEST_P(RouterTest, AReaderMayOutliveItsThread) {
  std::optional<Reader> kept;
  std::thread([&] { kept.emplace(MakeReader(domain)); }).join();
  kept.reset();
}

TEST_P(RouterTest, RingsOutliveTheirRouterUnderAPin) {
  auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  const Ring same = EpochRing(1);
  const Pin pin(reader);
  const PublishedRing& held = router->Current(pin);
  router.reset();
  std::this_thread::sleep_for(milliseconds(20));
  for (const std::string& key : Keys("key-", 0, 100)) {
    EXPECT_EQ(held.Owner(key), same.Owner(key));
  }
}

TEST_P(RouterTest, PinsNest) {
  const auto router = MakeRouter(domain);
  PublishOk(*router, EpochRing(1));
  const Pin outer(reader);
  const PublishedRing& held = router->Current(outer);
  { const Pin inner(reader); }
  reader.Quiescent();  // has no effect under a pin
  reader.Offline();
  std::thread([&] {
    const auto done =
        router->PublishAndWait(EpochRing(2), After(milliseconds(50)));
    EXPECT_EQ(done.value().outcome, Outcome::kServing);
  }).join();
  EXPECT_EQ(held.epoch(), 1u);
}

TEST_P(RouterTest, TwoDomainsOfAFlavourShareTheThread) {
  const Domain other = MakeDomain(GetParam());
  const auto router = MakeRouter(domain);
  const auto other_router = MakeRouter(other);
  PublishOk(*router, EpochRing(1));
  PublishOk(*other_router, EpochRing(2));
  {
    const Reader second = MakeReader(other);
    const Pin pin(reader);
    const Pin other_pin(second);
    EXPECT_EQ(router->Current(pin).epoch(), 1u);
    EXPECT_EQ(other_router->Current(other_pin).epoch(), 2u);
  }
  EXPECT_EQ(ServingEpoch(*router), 1u);
}

TEST_P(RouterTest, ManyPublishersOneOrder) {
  const auto router = MakeRouter(domain, 3);
  std::atomic<bool> done{false};
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int n = 0; n < 200; ++n) PublishOk(*router, EpochRing(0));
    });
  }
  std::thread watcher([&] {
    Reader own = MakeReader(domain, "watcher");
    uint64_t last = 0;
    while (!done) {
      {
        const Pin pin(own);
        const uint64_t epoch = router->Current(pin).epoch();
        EXPECT_GE(epoch, last);
        last = epoch;
      }
      own.Quiescent();
    }
  });
  reader.Offline();
  for (std::thread& writer : writers) writer.join();
  EXPECT_TRUE(Eventually([&] { return router->stats().live == 1; }));
  done = true;
  watcher.join();
  EXPECT_EQ(ServingEpoch(*router), 800u);
}

TEST(DomainTest, RefusesOptionsOutOfRange) {
  DomainOptions options;
  options.stall_after = milliseconds(9);
  EXPECT_EQ(Domain::Create(options).status().code(), Code::kInvalidOptions);
  options.stall_after = std::chrono::hours(2);
  EXPECT_EQ(Domain::Create(options).status().code(), Code::kInvalidOptions);
  options = {};
  options.flavour = static_cast<Flavour>(3);
  EXPECT_EQ(Domain::Create(options).status().code(), Code::kInvalidOptions);
  const Domain domain = MakeDomain(Flavour::kMemb);
  EXPECT_EQ(Router::Create(domain, {1}).status().code(), Code::kInvalidOptions);
  EXPECT_EQ(Router::Create(domain, {1025}).status().code(),
            Code::kInvalidOptions);
}

TEST(DomainTest, ThereIsOneByDefault) {
  const Domain a = Domain::Default().value();
  const Domain b = Domain::Default().value();
  const auto router = MakeRouter(a);
  PublishOk(*router, EpochRing(1));
  const Reader reader = MakeReader(b);
  const Pin pin(reader);
  EXPECT_EQ(router->Current(pin).epoch(), 1u);
}

}  // namespace
}  // namespace clockwise
