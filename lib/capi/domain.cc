// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/options.h"

namespace clockwise::capi {
namespace {

static_assert(CW_FLAVOUR_QSBR == static_cast<int>(Flavour::kQsbr));
static_assert(CW_FLAVOUR_MEMB == static_cast<int>(Flavour::kMemb));
static_assert(CW_FLAVOUR_BP == static_cast<int>(Flavour::kBp));

using std::chrono::milliseconds;

cw_stall ToStall(const Stall& stall) noexcept {
  return {ToBytes(stall.reader), stall.thread,
          static_cast<uint64_t>(stall.age.count()), stall.has_ended ? 1 : 0};
}

// Both callbacks fit into std::function without allocating.
void SetCallbacks(const cw_domain_options& from, DomainOptions& options) {
  if (const auto on_stall = from.on_stall) {
    options.on_stall = [on_stall, user = from.user](const Stall& stall) {
      const cw_stall told = ToStall(stall);
      on_stall(user, &told);
    };
  }
  if (const auto on_log = from.on_log) {
    options.on_log = [on_log, user = from.user](std::string_view line) {
      on_log(user, ToBytes(line));
    };
  }
}

Result<DomainOptions> ReadDomainOptions(const cw_domain_options* given) {
  const auto read =
      ThisVersion(given, cw_domain_options_init, "cw_domain_options_init");
  if (!read.ok()) return read.status();
  const cw_domain_options& from = read.value();
  if (from.flavour < CW_FLAVOUR_QSBR || from.flavour > CW_FLAVOUR_BP) {
    return NamesNothing("flavour", from.flavour);
  }
  DomainOptions options;
  options.flavour = static_cast<Flavour>(from.flavour);
  options.numa_copies = from.numa_copies != 0;
  // Far out of range, if it is, but within what milliseconds hold.
  options.stall_after =
      milliseconds(std::min(from.stall_after_ms, uint64_t{1} << 53));
  SetCallbacks(from, options);
  return options;
}

}  // namespace
}  // namespace clockwise::capi

using clockwise::Domain;
using clockwise::Status;
using clockwise::capi::Give;
using clockwise::capi::Guarded;
using clockwise::capi::IsNull;

const char* cw_flavour_name(unsigned flavour) {
  if (flavour > CW_FLAVOUR_BP) return "unknown";
  // A literal, ended by NUL.
  return FlavourName(static_cast<clockwise::Flavour>(flavour)).data();
}

void cw_domain_options_init(cw_domain_options* options, size_t struct_size) {
  const clockwise::DomainOptions defaults;
  cw_domain_options filled{};
  filled.struct_size = struct_size;
  filled.flavour = static_cast<int32_t>(defaults.flavour);
  filled.numa_copies = defaults.numa_copies ? 1 : 0;
  filled.stall_after_ms = static_cast<uint64_t>(defaults.stall_after.count());
  clockwise::capi::FillIn(options, filled, struct_size);
}

cw_status cw_domain_create(const cw_domain_options* options, cw_domain** domain,
                           cw_error* error) {
  return Guarded(domain, error, [&]() -> Status {
    auto read = clockwise::capi::ReadDomainOptions(options);
    if (!read.ok()) return read.status();
    return Give(Domain::Create(std::move(read).value()), domain);
  });
}

cw_status cw_domain_default(cw_domain** domain, cw_error* error) {
  return Guarded(domain, error,
                 [&] { return Give(Domain::Default(), domain); });
}

void cw_domain_free(cw_domain* domain) { delete domain; }

uint32_t cw_domain_copy_count(const cw_domain* domain) {
  return domain->domain.copy_count();
}

int cw_domain_is_numa_degraded(const cw_domain* domain) {
  return domain->domain.is_numa_degraded() ? 1 : 0;
}

cw_flavour cw_domain_flavour(const cw_domain* domain) {
  return static_cast<cw_flavour>(domain->domain.flavour());
}

uint64_t cw_domain_grace_periods(const cw_domain* domain) {
  return domain->domain.grace_periods();
}

cw_status cw_domain_after_fork_child(const cw_domain* domain, cw_error* error) {
  return Guarded(error, [&]() -> Status {
    if (domain == nullptr) return IsNull("domain");
    return domain->domain.AfterForkChild();
  });
}

cw_status cw_numa_nodes(void (*visit)(void* user, unsigned os_index,
                                      const unsigned* cpus, size_t cpu_count),
                        void* user, cw_error* error) {
  return Guarded(error, [&]() -> Status {
    if (visit == nullptr) return IsNull("visit");
    for (const clockwise::NumaNode& node : clockwise::NumaNodes()) {
      visit(user, node.os_index, node.cpus.data(), node.cpus.size());
    }
    return {};
  });
}
