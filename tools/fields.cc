// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "fields.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "text.h"

namespace clockwise::tool {
namespace {

// Above it, a double cannot tell whole numbers apart, and many JSON writers use
// one.
constexpr uint64_t kMaxJsonNumber = (uint64_t{1} << 53) - 1;

std::string Wanted(const char* what, const Scalar& value) {
  return fmt::format("{}; {} is wanted", ToText(value), what);
}

// Applies `set` to a text.
template <typename Set>
std::string WithText(const Scalar& value, Set set) {
  const auto* text = std::get_if<std::string_view>(&value);
  return text != nullptr ? set(*text) : Wanted("a text", value);
}

// Applies `set` to a whole number.
template <typename Set>
std::string WithNumber(const Scalar& value, Set set) {
  const auto* number = std::get_if<uint64_t>(&value);
  return number != nullptr ? set(*number) : Wanted("a whole number", value);
}

// Takes a whole number below 2^53, or a larger one as a text of digits.
std::string SetUint64(const Scalar& value, uint64_t& out) {
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    const auto number = ParseUnsigned(*text);
    if (!number) return Wanted("a whole number below 2^64", value);
    out = *number;
    return {};
  }
  return WithNumber(value, [&](uint64_t number) -> std::string {
    if (number > kMaxJsonNumber) {
      return fmt::format("{0} is above 2^53 - 1; write it as \"{0}\"", number);
    }
    out = number;
    return {};
  });
}

std::string SetSchema(const Scalar& value, Members&) {
  const auto* number = std::get_if<uint64_t>(&value);
  return number != nullptr && *number == 1 ? std::string()
                                           : Wanted("schema 1", value);
}

std::string SetMaxPoints(const Scalar& value, Members& members) {
  return WithNumber(value, [&](uint64_t number) -> std::string {
    if (number < 1 || number > kMaxPointsLimit) {
      return fmt::format("{}; 1 to {}", number, kMaxPointsLimit);
    }
    members.options.max_points = number;
    return {};
  });
}

// The thousandths that a JSON number is; none where it is no whole count of
// them, or none that a weight may have.
std::optional<uint64_t> ThousandthsOf(const Scalar& value) {
  double number = -1;
  if (const auto* real = std::get_if<double>(&value)) number = *real;
  if (const auto* whole = std::get_if<uint64_t>(&value)) {
    number = static_cast<double>(*whole);
  }
  if (const auto* signed_zero = std::get_if<int64_t>(&value)) {
    number = static_cast<double>(*signed_zero);  // JSON has -0
  }
  constexpr auto kMax = static_cast<double>(Weight::kMaxThousandths);
  const double thousandths = std::round(number * 1000);
  if (!(thousandths >= 0 && thousandths <= kMax)) return std::nullopt;
  // The division rounds to the double that the decimal text is read as.
  if (thousandths / 1000 != number) return std::nullopt;
  return static_cast<uint64_t>(thousandths);
}

std::string SetWeight(const Scalar& value, Members& members) {
  const auto thousandths = ThousandthsOf(value);
  if (!thousandths) {
    return fmt::format(
        "{}; a weight is a number from 0 to 1000000 with at most 3 decimals",
        ToText(value));
  }
  members.nodes.back().weight = Weight::Thousandths(*thousandths);
  return {};
}

std::string SetAddress(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) -> std::string {
    if (text.size() > kMaxAddressBytes) {
      return fmt::format("{} bytes; at most {}", text.size(), kMaxAddressBytes);
    }
    members.nodes.back().address = text;
    return {};
  });
}

template <std::string Node::*kLabel>
std::string SetLabelOf(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) {
    return SetLabel(text, members.nodes.back().*kLabel);
  });
}

// The field of an option that is a text, or a whole number.
template <std::string (*kSet)(std::string_view, RingOptions&)>
std::string SetOption(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) {
    return kSet(text, members.options);
  });
}
template <std::string (*kSet)(uint64_t, RingOptions&)>
std::string SetOption(const Scalar& value, Members& members) {
  return WithNumber(
      value, [&](uint64_t number) { return kSet(number, members.options); });
}

constexpr Field kFileFields[] = {
    {"schema", Holds::kScalar, SetSchema},
    {"name", Holds::kScalar, SetOption<SetRingName>},
    {"epoch", Holds::kScalar,
     [](const Scalar& value, Members& members) {
       return SetUint64(value, members.epoch);
     }},
    {"ring", Holds::kRing},
    {"nodes", Holds::kNodes},
};

constexpr Field kRingFields[] = {
    {"scheme", Holds::kScalar, SetOption<SetScheme>},
    {"vnodes", Holds::kScalar, SetOption<SetVnodes>},
    {"width", Holds::kScalar, SetOption<SetWidth>},
    {"seed", Holds::kScalar,
     [](const Scalar& value, Members& members) {
       return SetUint64(value, members.options.seed);
     }},
    {"key_hash", Holds::kScalar, SetOption<SetKeyHash>},
    {"layout", Holds::kScalar, SetOption<SetLayout>},
    {"max_points", Holds::kScalar, SetMaxPoints},
    {"params", Holds::kParams},
};

constexpr Field kNodeFields[] = {
    {"id", Holds::kScalar,
     [](const Scalar& value, Members& members) {
       return WithText(value, [&](std::string_view text) {
         return SetId(text, members.nodes.back());
       });
     }},
    {"weight", Holds::kScalar, SetWeight},
    {"region", Holds::kScalar, SetLabelOf<&Node::region>},
    {"zone", Holds::kScalar, SetLabelOf<&Node::zone>},
    {"rack", Holds::kScalar, SetLabelOf<&Node::rack>},
    {"address", Holds::kScalar, SetAddress},
    {"params", Holds::kParams},
};

}  // namespace

std::string ToText(const Scalar& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    return fmt::format("'{}'", *text);
  }
  if (const auto* flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return fmt::format("{}", *real);
  }
  if (const auto* whole = std::get_if<uint64_t>(&value)) {
    return fmt::format("{}", *whole);
  }
  if (const auto* negative = std::get_if<int64_t>(&value)) {
    return fmt::format("{}", *negative);
  }
  return "null";
}

std::span<const Field> FileFields() { return kFileFields; }
std::span<const Field> RingFields() { return kRingFields; }
std::span<const Field> NodeFields() { return kNodeFields; }

}  // namespace clockwise::tool
