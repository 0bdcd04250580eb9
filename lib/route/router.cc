// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/router.h"

#include <new>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "route/router_core.h"

namespace clockwise {
namespace {

constexpr uint32_t kLeastLive = 2;
constexpr uint32_t kMostLive = 1024;

}  // namespace

Router::Router(const Domain& domain, const RouterOptions& options)
    : current_(nullptr),
      domain_(domain.core_),
      core_(
          std::make_shared<RouterCore>(current_, *domain_, options.max_live)) {}

Result<std::unique_ptr<Router>> Router::Create(const Domain& domain,
                                               RouterOptions options) try {
  if (options.max_live < kLeastLive || options.max_live > kMostLive) {
    return Status(Code::kInvalidOptions,
                  "max_live " + std::to_string(options.max_live) + "; " +
                      std::to_string(kLeastLive) + " to " +
                      std::to_string(kMostLive));
  }
  if (Status forked = domain.core_->RefuseIfForked("a router"); !forked.ok()) {
    return forked;
  }
  return std::unique_ptr<Router>(new Router(domain, options));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Router::~Router() { core_->Close(); }

Result<Publication> Router::Publish(Ring&& ring, PublishOptions options) {
  return core_->Publish(std::move(ring), options, std::nullopt);
}

Result<Publication> Router::PublishAndWait(
    Ring&& ring, std::chrono::steady_clock::time_point deadline,
    PublishOptions options) {
  return core_->Publish(std::move(ring), options, deadline);
}

RouterStats Router::stats() const { return core_->stats(); }
Domain Router::domain() const noexcept { return Domain(domain_); }

}  // namespace clockwise
