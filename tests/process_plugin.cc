// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A module of a host: publishes, reads, and leaves a domain behind that still
// has rings to free.
#include "clockwise/clockwise.h"

extern "C" __attribute__((visibility("default"))) int RunPlugin() {
  using namespace clockwise;
  const auto make_ring = [](uint64_t epoch) {
    auto builder = RingBuilder::Create({}).value();
    Node node;
    node.id = "a";
    if (!builder.Add(node).ok()) std::abort();
    return builder.Build(epoch).value();
  };
  const Domain domain = Domain::Default().value();
  auto router = Router::Create(domain).value();
  if (!router->Publish(make_ring(1)).ok()) return 1;
  {
    const Reader reader = domain.Register("plugin").value();
    const Pin pin(reader);
    if (router->Current(pin).Owner("key") != 0) return 2;
  }
  if (!router->Publish(make_ring(2)).ok()) return 3;
  const Domain own = Domain::Create({}).value();
  auto other = Router::Create(own).value();
  return other->Publish(make_ring(1)).ok() ? 0 : 4;
}
