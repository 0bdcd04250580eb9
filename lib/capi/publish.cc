// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/options.h"

namespace clockwise::capi {
namespace {

static_assert(CW_OUTCOME_UNCHANGED == static_cast<int>(Outcome::kUnchanged));
static_assert(CW_OUTCOME_HELD_BACK == static_cast<int>(Outcome::kHeldBack));
static_assert(CW_OUTCOME_SERVING == static_cast<int>(Outcome::kServing));
static_assert(CW_OUTCOME_SETTLED == static_cast<int>(Outcome::kSettled));

using Clock = std::chrono::steady_clock;

// A century from now at most, which the clock can hold.
Clock::time_point DeadlineIn(uint64_t wait_ms) {
  constexpr uint64_t kMost = uint64_t{100} * 365 * 24 * 3600 * 1000;
  return Clock::now() + std::chrono::milliseconds(std::min(wait_ms, kMost));
}

// Publishes `*ring` by `publish(ring, options)`, and frees what is left of it.
template <typename Publish>
cw_status PublishBy(cw_router* router, cw_ring** ring,
                    const cw_publish_options* options, uint64_t* epoch,
                    cw_outcome* outcome, cw_error* error, Publish publish) {
  return Guarded(error, [&]() -> Status {
    if (router == nullptr) return IsNull("router");
    if (ring == nullptr || *ring == nullptr) return IsNull("ring");
    const auto read = ThisVersion(options, cw_publish_options_init,
                                  "cw_publish_options_init");
    if (!read.ok()) return read.status();
    const PublishOptions how = {read.value().accept_remap != 0};
    const Result<Publication> done =
        publish(*router->router, std::move(Owned(*ring)->ring), how);
    if (!done.ok()) return done.status();
    cw_ring_free(*ring);
    *ring = nullptr;
    if (epoch != nullptr) *epoch = done.value().epoch;
    if (outcome != nullptr) {
      *outcome = static_cast<cw_outcome>(done.value().outcome);
    }
    return {};
  });
}

}  // namespace
}  // namespace clockwise::capi

using clockwise::PublishOptions;
using clockwise::Ring;
using clockwise::Router;
using clockwise::capi::PublishBy;

void cw_publish_options_init(cw_publish_options* options, size_t struct_size) {
  cw_publish_options filled{};
  filled.struct_size = struct_size;
  filled.accept_remap = PublishOptions().accept_remap ? 1 : 0;
  clockwise::capi::FillIn(options, filled, struct_size);
}

cw_status cw_router_publish(cw_router* router, cw_ring** ring,
                            const cw_publish_options* options, uint64_t* epoch,
                            cw_outcome* outcome, cw_error* error) {
  return PublishBy(router, ring, options, epoch, outcome, error,
                   [](Router& to, Ring&& published, PublishOptions how) {
                     return to.Publish(std::move(published), how);
                   });
}

cw_status cw_router_publish_and_wait(cw_router* router, cw_ring** ring,
                                     const cw_publish_options* options,
                                     uint64_t wait_ms, uint64_t* epoch,
                                     cw_outcome* outcome, cw_error* error) {
  const auto deadline = clockwise::capi::DeadlineIn(wait_ms);
  return PublishBy(router, ring, options, epoch, outcome, error,
                   [&](Router& to, Ring&& published, PublishOptions how) {
                     return to.PublishAndWait(std::move(published), deadline,
                                              how);
                   });
}
