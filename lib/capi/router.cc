// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/router.h"

#include <chrono>

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/options.h"
#include "capi/reader.h"

namespace clockwise::capi {
namespace {

// The ring that answers, and its epoch; null and 0 without a pin.
const cw_ring* Answering(const cw_router* router, const cw_reader* reader,
                         uint64_t* epoch) noexcept {
  const cw_ring* ring = cw_router_current(router, reader);
  if (epoch != nullptr) *epoch = ring != nullptr ? View(ring).epoch() : 0;
  return ring;
}

}  // namespace
}  // namespace clockwise::capi

using clockwise::DomainAccess;
using clockwise::Status;
using clockwise::capi::Answering;
using clockwise::capi::Give;
using clockwise::capi::Guarded;
using clockwise::capi::IsNull;

void cw_router_options_init(cw_router_options* options, size_t struct_size) {
  cw_router_options filled{};
  filled.struct_size = struct_size;
  filled.max_live = clockwise::RouterOptions().max_live;
  clockwise::capi::FillIn(options, filled, struct_size);
}

cw_status cw_router_create(const cw_domain* domain,
                           const cw_router_options* options, cw_router** router,
                           cw_error* error) {
  return Guarded(router, error, [&]() -> Status {
    if (domain == nullptr) return IsNull("domain");
    const auto read = clockwise::capi::ThisVersion(
        options, cw_router_options_init, "cw_router_options_init");
    if (!read.ok()) return read.status();
    auto made =
        clockwise::Router::Create(domain->domain, {read.value().max_live});
    if (!made.ok()) return made.status();
    *router = new cw_router{std::move(made).value(),
                            DomainAccess::CoreOf(domain->domain)};
    return {};
  });
}

void cw_router_free(cw_router* router) { delete router; }

cw_status cw_router_domain(const cw_router* router, cw_domain** domain,
                           cw_error* error) {
  return Guarded(domain, error, [&]() -> Status {
    if (router == nullptr) return IsNull("router");
    *domain = new cw_domain{router->router->domain()};
    return {};
  });
}

const cw_ring* cw_router_current(const cw_router* router,
                                 const cw_reader* reader) {
  if (router == nullptr || reader == nullptr) return nullptr;
  const clockwise::Pin* pin = reader->PinOf(router->domain);
  if (pin == nullptr) return nullptr;
  return clockwise::capi::HandleOf(router->router->Current(*pin));
}

uint32_t cw_router_owner(const cw_router* router, const cw_reader* reader,
                         const void* key, size_t size, uint64_t* epoch) {
  const cw_ring* ring = Answering(router, reader, epoch);
  return ring != nullptr ? cw_ring_owner(ring, key, size) : CW_NO_NODE;
}

uint32_t cw_router_owner_of_hash(const cw_router* router,
                                 const cw_reader* reader, uint64_t hash,
                                 uint64_t* epoch) {
  const cw_ring* ring = Answering(router, reader, epoch);
  return ring != nullptr ? cw_ring_owner_of_hash(ring, hash) : CW_NO_NODE;
}

// A batch refuses a ring that is NULL.
cw_status cw_router_owners(const cw_router* router, const cw_reader* reader,
                           const void* const* keys, const size_t* sizes,
                           size_t count, uint32_t* owners, uint64_t* epoch) {
  return cw_ring_owners(Answering(router, reader, epoch), keys, sizes, count,
                        owners);
}

cw_status cw_router_owners_fixed(const cw_router* router,
                                 const cw_reader* reader, const void* keys,
                                 size_t size, size_t stride, size_t count,
                                 uint32_t* owners, uint64_t* epoch) {
  return cw_ring_owners_fixed(Answering(router, reader, epoch), keys, size,
                              stride, count, owners);
}

cw_status cw_router_owners_of_hashes(const cw_router* router,
                                     const cw_reader* reader,
                                     const uint64_t* hashes, size_t count,
                                     uint32_t* owners, uint64_t* epoch) {
  return cw_ring_owners_of_hashes(Answering(router, reader, epoch), hashes,
                                  count, owners);
}

cw_status cw_router_get_stats(const cw_router* router, cw_router_stats* stats,
                              size_t struct_size, cw_error* error) {
  return Guarded(error, [&]() -> Status {
    if (router == nullptr) return IsNull("router");
    if (stats == nullptr) return IsNull("stats");
    const clockwise::RouterStats from = router->router->stats();
    const cw_router_stats filled{from.serving_epoch, from.newest_epoch,
                                 from.published, from.replaced, from.live};
    clockwise::capi::FillIn(stats, filled, struct_size);
    return {};
  });
}
