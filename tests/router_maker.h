// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Short ways to make domains and routers in tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "clockwise/clockwise.h"
#include "ring_maker.h"
#include "sanitized.h"

namespace clockwise {

// Sanitizers take a multiple of the time.
inline const double kSlack = IsSanitized() ? 0.05 : 1;

inline Domain MakeDomain(DomainOptions options) {
  auto domain = Domain::Create(std::move(options));
  EXPECT_TRUE(domain.ok()) << domain.status().message();
  return std::move(domain).value();
}

inline Domain MakeDomain(Flavour flavour) {
  DomainOptions options;
  options.flavour = flavour;
  return MakeDomain(options);
}

inline std::unique_ptr<Router> MakeRouter(const Domain& domain,
                                          uint32_t max_live = 8) {
  auto router = Router::Create(domain, {max_live});
  EXPECT_TRUE(router.ok()) << router.status().message();
  return std::move(router).value();
}

inline Reader MakeReader(const Domain& domain, std::string name = "test") {
  auto reader = domain.Register(std::move(name));
  EXPECT_TRUE(reader.ok()) << reader.status().message();
  return std::move(reader).value();
}

// Ring `epoch` of a router: nodes n0, n1, … as many as the epoch says.
inline Ring EpochRing(uint64_t epoch, RingOptions options = WithVnodes(16)) {
  const auto builder =
      MakeBuilder(std::move(options),
                  NumberedNodes("n", 0, static_cast<int>(epoch % 7) + 1));
  auto ring = builder.Build(epoch);
  EXPECT_TRUE(ring.ok()) << ring.status().message();
  return std::move(ring).value();
}

// Publishes and returns the outcome.
inline Outcome PublishOk(Router& router, Ring ring) {
  const auto publication = router.Publish(std::move(ring));
  EXPECT_TRUE(publication.ok()) << publication.status().message();
  return publication.ok() ? publication.value().outcome : Outcome::kUnchanged;
}

inline Code PublishCode(Router& router, Ring ring,
                        PublishOptions options = {}) {
  return router.Publish(std::move(ring), options).status().code();
}

inline std::chrono::steady_clock::time_point After(
    std::chrono::milliseconds delay) {
  return std::chrono::steady_clock::now() + delay;
}

// Whether `is_true` comes to hold within `limit`.
template <typename F>
bool Eventually(F&& is_true,
                std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  const auto deadline = After(limit);
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace clockwise
