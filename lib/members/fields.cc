// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "members/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "base/parse_unsigned.h"
#include "clockwise/scheme.h"
#include "placement/params.h"

namespace clockwise::schema {
namespace {

// Above it, a double cannot tell whole numbers apart, and many JSON writers use
// one.
constexpr uint64_t kMaxJsonNumber = (uint64_t{1} << 53) - 1;

constexpr KeyHash kKeyHashes[] = {KeyHash::kXxh3, KeyHash::kFnv1aFmix,
                                  KeyHash::kMurmur3_32};
constexpr Layout kLayouts[] = {Layout::kSorted, Layout::kEytzinger,
                               Layout::kSplus, Layout::kLine};

std::string Quoted(std::string_view text) {
  return '\'' + std::string(text) + '\'';
}

std::string Wanted(const char* what, const Scalar& value) {
  return ToText(value) + "; " + what + " is wanted";
}

// "unknown WHAT 'text'; known: a, b".
template <typename Kinds, typename Name>
std::string Unknown(const char* what, std::string_view text, const Kinds& kinds,
                    Name name) {
  std::string known;
  for (const auto kind : kinds) {
    known += known.empty() ? "" : ", ";
    known += name(kind);
  }
  return std::string("unknown ") + what + ' ' + Quoted(text) +
         "; known: " + known;
}

// Applies `set` to a text.
template <typename Set>
std::string WithText(const Scalar& value, Set set) {
  const auto* text = std::get_if<std::string_view>(&value);
  return text != nullptr ? set(*text) : Wanted("a text", value);
}

// Applies `set` to a whole number from `least` to `most`.
template <typename Set>
std::string WithCount(const Scalar& value, uint64_t least, uint64_t most,
                      Set set) {
  const auto* count = std::get_if<uint64_t>(&value);
  if (count == nullptr) return Wanted("a whole number", value);
  if (*count < least || *count > most) {
    return std::to_string(*count) + "; " + std::to_string(least) + " to " +
           std::to_string(most);
  }
  set(*count);
  return {};
}

// Takes a text of at most `limit` bytes.
std::string SetText(std::string_view text, size_t limit, std::string& out) {
  if (text.size() > limit) {
    return std::to_string(text.size()) + " bytes; at most " +
           std::to_string(limit);
  }
  out = text;
  return {};
}

// Takes a whole number below 2^53, or a larger one as a text of digits.
std::string SetUint64(const Scalar& value, uint64_t& out) {
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    const auto number = ParseUnsigned(*text);
    if (!number) return Wanted("a whole number below 2^64", value);
    out = *number;
    return {};
  }
  const auto* number = std::get_if<uint64_t>(&value);
  if (number == nullptr) return Wanted("a whole number", value);
  if (*number > kMaxJsonNumber) {
    const std::string digits = std::to_string(*number);
    return digits + " is above 2^53 - 1; write it as \"" + digits + '"';
  }
  out = *number;
  return {};
}

std::string SetSchema(const Scalar& value, Members&) {
  const auto* number = std::get_if<uint64_t>(&value);
  return number != nullptr && *number == 1 ? std::string()
                                           : Wanted("schema 1", value);
}

std::string SetName(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) {
    return SetText(text, kMaxLabelBytes, members.options.name);
  });
}

std::string SetEpoch(const Scalar& value, Members& members) {
  return SetUint64(value, members.epoch);
}

std::string SetScheme(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) -> std::string {
    if (FindScheme(text) == nullptr) {
      return Unknown("scheme", text, Schemes(),
                     [](const Scheme* scheme) { return scheme->id; });
    }
    members.options.scheme = text;
    return {};
  });
}

std::string SetVnodes(const Scalar& value, Members& members) {
  return WithCount(value, 1, kMaxVnodes, [&](uint64_t count) {
    members.options.vnodes = static_cast<uint32_t>(count);
  });
}

std::string SetWidth(const Scalar& value, Members& members) {
  const auto* width = std::get_if<uint64_t>(&value);
  if (width == nullptr) return Wanted("a whole number", value);
  if (*width != 32 && *width != 64) return ToText(value) + "; 32 or 64";
  members.options.width = static_cast<uint32_t>(*width);
  return {};
}

std::string SetSeed(const Scalar& value, Members& members) {
  return SetUint64(value, members.options.seed);
}

std::string SetKeyHash(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) -> std::string {
    const auto key_hash = ParseKeyHash(text);
    if (!key_hash) return Unknown("key hash", text, kKeyHashes, KeyHashName);
    members.options.key_hash = *key_hash;
    return {};
  });
}

std::string SetLayout(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) -> std::string {
    const auto layout = ParseLayout(text);
    if (!layout) return Unknown("layout", text, kLayouts, LayoutName);
    members.options.layout = layout;
    return {};
  });
}

std::string SetMaxPoints(const Scalar& value, Members& members) {
  return WithCount(value, 1, kMaxPointsLimit,
                   [&](uint64_t count) { members.options.max_points = count; });
}

bool HasControlByte(std::string_view bytes) {
  return std::any_of(bytes.begin(), bytes.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
}

std::string SetId(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) -> std::string {
    if (text.empty()) return "an id has 1 to 255 bytes, and this one is empty";
    if (text.size() <= kMaxIdBytes && HasControlByte(text)) {
      return Quoted(text) + " has a control character";
    }
    return SetText(text, kMaxIdBytes, members.nodes.back().id);
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
    return ToText(value) +
           "; a weight is a number from 0 to 1000000 with at most 3 decimals";
  }
  members.nodes.back().weight = Weight::Thousandths(*thousandths);
  return {};
}

template <std::string Node::*kText, size_t kLimit>
std::string SetNodeText(const Scalar& value, Members& members) {
  return WithText(value, [&](std::string_view text) {
    return SetText(text, kLimit, members.nodes.back().*kText);
  });
}

constexpr Field kFileFields[] = {
    {"schema", Holds::kCount, SetSchema},
    {"name", Holds::kText, SetName},
    {"epoch", Holds::kText, SetEpoch},
    {"ring", Holds::kRing},
    {"nodes", Holds::kNodes},
};

constexpr Field kRingFields[] = {
    {"scheme", Holds::kText, SetScheme},
    {"vnodes", Holds::kCount, SetVnodes},
    {"width", Holds::kCount, SetWidth},
    {"seed", Holds::kText, SetSeed},
    {"key_hash", Holds::kText, SetKeyHash},
    {"layout", Holds::kText, SetLayout},
    {"max_points", Holds::kCount, SetMaxPoints},
    {"params", Holds::kParams},
};

constexpr Field kNodeFields[] = {
    {"id", Holds::kText, SetId},
    {"weight", Holds::kWeight, SetWeight},
    {"region", Holds::kText, SetNodeText<&Node::region, kMaxLabelBytes>},
    {"zone", Holds::kText, SetNodeText<&Node::zone, kMaxLabelBytes>},
    {"rack", Holds::kText, SetNodeText<&Node::rack, kMaxLabelBytes>},
    {"address", Holds::kText, SetNodeText<&Node::address, kMaxAddressBytes>},
    {"params", Holds::kParams},
};

}  // namespace

std::string ToText(const Scalar& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    return Quoted(*text);
  }
  if (const auto* flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* real = std::get_if<double>(&value)) {
    char digits[32];
    return {digits, std::to_chars(digits, std::end(digits), *real).ptr};
  }
  if (const auto* whole = std::get_if<uint64_t>(&value)) {
    return std::to_string(*whole);
  }
  if (const auto* negative = std::get_if<int64_t>(&value)) {
    return std::to_string(*negative);
  }
  return "null";
}

std::span<const Field> FileFields() { return kFileFields; }
std::span<const Field> RingFields() { return kRingFields; }
std::span<const Field> NodeFields() { return kNodeFields; }

const Field* FindField(std::span<const Field> fields, std::string_view name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::string SetParam(std::string_view name, const Scalar& value, Params& params,
                     size_t& bytes) {
  const auto* text = std::get_if<std::string_view>(&value);
  if (text == nullptr && (std::holds_alternative<double>(value) ||
                          std::holds_alternative<std::nullptr_t>(value))) {
    return ToText(value) + "; a text is wanted";
  }
  std::string taken = text != nullptr ? std::string(*text) : ToText(value);
  std::string why = RefusalOf(name, taken, bytes);
  if (why.empty()) params.insert_or_assign(std::string(name), std::move(taken));
  return why;
}

std::string SetParam(std::string_view name, const Scalar& value,
                     Params& params) {
  Params others = params;
  if (const auto old = others.find(name); old != others.end()) {
    others.erase(old);
  }
  size_t bytes = PackedBytes(others);
  return SetParam(name, value, params, bytes);
}

}  // namespace clockwise::schema
