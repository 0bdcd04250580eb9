// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Fields given as texts, one at a time.
#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "base/parse_unsigned.h"
#include "clockwise/members.h"
#include "clockwise/scheme.h"
#include "members/check_scheme.h"
#include "members/fields.h"

namespace clockwise {
namespace {

using schema::Field;
using schema::Holds;

// What a file would hold in place of `text`; the text itself, which the field
// then refuses, where it is no such value.
schema::Scalar ToScalar(Holds holds, std::string_view text) {
  if (holds == Holds::kCount) {
    if (const auto count = ParseUnsigned(text)) return *count;
  }
  if (holds == Holds::kWeight) {
    if (const auto weight = Weight::Parse(text); weight.ok()) {
      return static_cast<double>(weight.value().thousandths()) / 1000;
    }
  }
  return text;
}

constexpr std::string_view kParams = "params.";

Status Refuse(std::string why) { return {Code::kBadMembers, std::move(why)}; }

// `field` is the one called `name`, null if there is none.
Status Set(const Field* field, std::string_view name, std::string_view text,
           Members& members) {
  if (field == nullptr || !field->IsScalar()) {
    return Refuse("unknown field '" + std::string(name) + '\'');
  }
  std::string why = field->set(ToScalar(field->holds, text), members);
  return why.empty() ? Status() : Refuse(std::move(why));
}

}  // namespace

Status SetField(std::string_view name, std::string_view text,
                Members& members) try {
  if (name.starts_with(kParams)) {
    name.remove_prefix(kParams.size());
    const Scheme* scheme = FindScheme(members.options.scheme);
    std::string why =
        RefusalOfParam(name, members.options.scheme,
                       scheme != nullptr ? scheme->ring_params
                                         : std::span<const std::string_view>());
    if (why.empty()) {
      why = schema::SetParam(name, text, members.options.params);
    }
    return why.empty() ? Status() : Refuse(std::move(why));
  }
  const Field* field = schema::FindField(schema::FileFields(), name);
  if (field == nullptr) field = schema::FindField(schema::RingFields(), name);
  return Set(field, name, text, members);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Status SetField(std::string_view name, std::string_view text, Node& node) try {
  if (name.starts_with(kParams)) {
    std::string why =
        schema::SetParam(name.substr(kParams.size()), text, node.params);
    return why.empty() ? Status() : Refuse(std::move(why));
  }
  Members members;
  members.nodes.push_back(node);
  Status status =
      Set(schema::FindField(schema::NodeFields(), name), name, text, members);
  if (status.ok()) node = std::move(members.nodes.back());
  return status;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
