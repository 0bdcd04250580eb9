// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <span>
#include <string_view>
#include <utility>

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/input.h"

namespace clockwise::capi {
namespace {

// Applies `change` to a builder and a node.
template <typename Change>
cw_status WithNode(cw_builder* builder, const cw_node* given, cw_error* error,
                   Change change) {
  return Guarded(error, [&]() -> Status {
    if (builder == nullptr) return IsNull("builder");
    const Result<Node> node = ReadNode(given);
    if (!node.ok()) return node.status();
    return change(builder->builder, node.value());
  });
}

// Applies `change` to a builder and an id.
template <typename Change>
cw_status WithId(cw_builder* builder, const char* id, size_t id_size,
                 cw_error* error, Change change) {
  return Guarded(error, [&]() -> Status {
    if (builder == nullptr) return IsNull("builder");
    if (!IsBytes(id, id_size)) return IsNull("id");
    return change(builder->builder, Text(id, id_size));
  });
}

}  // namespace
}  // namespace clockwise::capi

using clockwise::Node;
using clockwise::RingBuilder;
using clockwise::Status;
using clockwise::Weight;
using clockwise::capi::Give;
using clockwise::capi::Guarded;
using clockwise::capi::IsNull;
using clockwise::capi::View;
using clockwise::capi::WithId;
using clockwise::capi::WithNode;

cw_status cw_builder_create(const cw_ring_options* options,
                            cw_builder** builder, cw_error* error) {
  return Guarded(builder, error, [&]() -> Status {
    auto read = clockwise::capi::ReadOptions(options);
    if (!read.ok()) return read.status();
    return Give(RingBuilder::Create(std::move(read).value()), builder);
  });
}

cw_status cw_builder_from_ring(const cw_ring* ring, cw_builder** builder,
                               cw_error* error) {
  return Guarded(builder, error, [&]() -> Status {
    if (ring == nullptr) return IsNull("ring");
    *builder = new cw_builder{RingBuilder::From(View(ring).ring())};
    return {};
  });
}

void cw_builder_free(cw_builder* builder) { delete builder; }

cw_status cw_builder_add(cw_builder* builder, const cw_node* node,
                         cw_error* error) {
  return WithNode(builder, node, error, [](RingBuilder& to, const Node& added) {
    return to.Add(added);
  });
}

cw_status cw_builder_add_points(cw_builder* builder, const cw_node* node,
                                const uint64_t* positions, size_t count,
                                cw_error* error) {
  return WithNode(builder, node, error,
                  [&](RingBuilder& to, const Node& added) -> Status {
                    if (positions == nullptr && count > 0) {
                      return IsNull("positions");
                    }
                    return to.Add(added, std::span(positions, count));
                  });
}

cw_status cw_builder_update(cw_builder* builder, const cw_node* node,
                            cw_error* error) {
  return WithNode(
      builder, node, error,
      [](RingBuilder& to, const Node& changed) { return to.Update(changed); });
}

cw_status cw_builder_set_weight(cw_builder* builder, const char* id,
                                size_t id_size, uint64_t thousandths,
                                cw_error* error) {
  return WithId(builder, id, id_size, error,
                [&](RingBuilder& to, std::string_view changed) {
                  return to.SetWeight(changed,
                                      Weight::Thousandths(thousandths));
                });
}

cw_status cw_builder_remove(cw_builder* builder, const char* id, size_t id_size,
                            cw_error* error) {
  return WithId(builder, id, id_size, error,
                [](RingBuilder& to, std::string_view removed) {
                  return to.Remove(removed);
                });
}

cw_status cw_builder_build(const cw_builder* builder, uint64_t epoch,
                           cw_ring** ring, cw_error* error) {
  return Guarded(ring, error, [&]() -> Status {
    if (builder == nullptr) return IsNull("builder");
    return Give(builder->builder.Build(epoch), ring);
  });
}
