// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "capi/input.h"

#include <cstring>
#include <string>

#include "capi/handles.h"
#include "capi/options.h"

namespace clockwise::capi {
namespace {

static_assert(CW_KEY_HASH_XXH3 == static_cast<int>(KeyHash::kXxh3));
static_assert(CW_KEY_HASH_FNV1A_FMIX == static_cast<int>(KeyHash::kFnv1aFmix));
static_assert(CW_KEY_HASH_MURMUR3_32 == static_cast<int>(KeyHash::kMurmur3_32));
static_assert(CW_LAYOUT_SORTED == static_cast<int>(Layout::kSorted));
static_assert(CW_LAYOUT_EYTZINGER == static_cast<int>(Layout::kEytzinger));
static_assert(CW_LAYOUT_SPLUS == static_cast<int>(Layout::kSplus));
static_assert(CW_LAYOUT_LINE == static_cast<int>(Layout::kLine));

Status ReadBytes(const char* what, const cw_bytes& bytes, std::string& out) {
  if (!IsBytes(bytes.data, bytes.size)) return IsNull(what);
  out = Text(bytes.data, bytes.size);
  return {};
}

}  // namespace

Result<Node> ReadNode(const cw_node* given) {
  if (given == nullptr) return IsNull("node");
  Node node;
  const struct {
    const char* what;
    const cw_bytes& from;
    std::string& to;
  } texts[] = {{"node.id", given->id, node.id},
               {"node.region", given->region, node.region},
               {"node.zone", given->zone, node.zone},
               {"node.rack", given->rack, node.rack},
               {"node.address", given->address, node.address}};
  for (const auto& [what, from, to] : texts) {
    if (Status status = ReadBytes(what, from, to); !status.ok()) return status;
  }
  node.weight = Weight::Thousandths(given->thousandths);
  return node;
}

Result<RingOptions> ReadOptions(const cw_ring_options* given) {
  const auto read =
      ThisVersion(given, cw_ring_options_init, "cw_ring_options_init");
  if (!read.ok()) return read.status();
  const cw_ring_options& from = read.value();
  RingOptions options;
  Status status = ReadBytes("options.name", from.name, options.name);
  if (!status.ok()) return status;
  status = ReadBytes("options.scheme", from.scheme, options.scheme);
  if (!status.ok()) return status;
  options.seed = from.seed;
  options.max_points = from.max_points;
  options.vnodes = from.vnodes;
  options.width = from.width;
  if (from.key_hash < CW_KEY_HASH_XXH3 ||
      from.key_hash > CW_KEY_HASH_MURMUR3_32) {
    return NamesNothing("key_hash", from.key_hash);
  }
  options.key_hash = static_cast<KeyHash>(from.key_hash);
  if (from.layout < CW_LAYOUT_AUTO || from.layout > CW_LAYOUT_LINE) {
    return NamesNothing("layout", from.layout);
  }
  if (from.layout != CW_LAYOUT_AUTO) {
    options.layout = static_cast<Layout>(from.layout);
  }
  return options;
}

}  // namespace clockwise::capi

// Their names are literals, ended by NUL.
const char* cw_key_hash_name(unsigned key_hash) {
  if (key_hash > CW_KEY_HASH_MURMUR3_32) return "unknown";
  return KeyHashName(static_cast<clockwise::KeyHash>(key_hash)).data();
}

const char* cw_layout_name(int layout) {
  if (layout < CW_LAYOUT_SORTED || layout > CW_LAYOUT_LINE) return "unknown";
  return LayoutName(static_cast<clockwise::Layout>(layout)).data();
}

cw_bytes cw_text(const char* text) { return {text, std::strlen(text)}; }

void cw_ring_options_init(cw_ring_options* options, size_t struct_size) {
  const clockwise::RingOptions defaults;
  cw_ring_options filled{};
  filled.struct_size = struct_size;
  filled.scheme = clockwise::capi::ToBytes(clockwise::kNativeScheme);
  filled.seed = defaults.seed;
  filled.max_points = defaults.max_points;
  filled.vnodes = defaults.vnodes;
  filled.width = defaults.width;
  filled.key_hash = static_cast<int32_t>(defaults.key_hash);
  filled.layout = CW_LAYOUT_AUTO;
  clockwise::capi::FillIn(options, filled, struct_size);
}

void cw_node_init(cw_node* node) {
  *node = {};
  node->thousandths = clockwise::Weight().thousandths();
}
