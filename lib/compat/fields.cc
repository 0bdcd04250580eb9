// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "compat/fields.h"

#include <algorithm>
#include <charconv>

#include "base/parse_unsigned.h"

namespace clockwise::compat_internal {
namespace {

Status BadWeight(const Node& node, const std::string& wanted) {
  const std::string weight(
      ParamOf(node.params, "weight").value_or(node.weight.ToString()));
  return {Code::kBadWeight,
          "node '" + node.id + "': weight " + weight + "; " + wanted};
}

bool IsDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
}

// Splits "host:port"; more than one colon is an address without a port.
HostPort SplitId(std::string_view id) {
  HostPort split;
  split.host = id;
  const size_t colon = id.rfind(':');
  if (colon == std::string_view::npos) return split;
  const bool is_bracketed = id.front() == '[' && id[colon - 1] == ']';
  if (id.find(':') != colon && !is_bracketed) return split;
  if (!IsDigits(id.substr(colon + 1))) return split;
  split.host = is_bracketed ? id.substr(1, colon - 2) : id.substr(0, colon);
  split.has_port = true;
  split.port = static_cast<uint32_t>(std::min<uint64_t>(
      ParseUnsigned(id.substr(colon + 1)).value_or(65536), 65536));
  return split;
}

}  // namespace

Result<bool> FlagParam(const Members& members, std::string_view name) {
  const auto text = ParamOf(members.options.params, name);
  if (!text || *text == "false") return false;
  if (*text == "true") return true;
  return BadParam(name, *text, "true or false");
}

Result<PeerHash> HashParam(const Members& members, std::string_view name,
                           std::string_view peer, std::string_view otherwise) {
  const auto text = ParamOf(members.options.params, name).value_or(otherwise);
  if (const auto hash = ParsePeerHash(peer, text)) return *hash;
  return BadParam(name, text, "a hash of " + std::string(peer));
}

Result<uint32_t> WholeWeight(const Node& node, uint32_t most) {
  const uint64_t thousandths = node.weight.thousandths();
  std::optional<uint64_t> whole;
  if (thousandths % 1000 == 0) whole = thousandths / 1000;
  if (const auto text = ParamOf(node.params, "weight")) {
    whole = ParseUnsigned(*text);
  }
  if (whole && *whole <= most) return static_cast<uint32_t>(*whole);
  return BadWeight(node, "a whole number up to " + std::to_string(most));
}

Result<double> ExactWeight(const Node& node) {
  const auto text = ParamOf(node.params, "weight");
  if (!text) return static_cast<double>(node.weight.thousandths()) / 1000;
  double weight = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, weight);
  if (error == std::errc() && stop == end && weight >= 0 && weight <= 1e6) {
    return weight;
  }
  return BadWeight(node, "a decimal number from 0 to 1000000");
}

Result<std::vector<uint32_t>> WholeWeights(const Members& members,
                                           uint32_t most) {
  std::vector<uint32_t> weights;
  for (const Node& node : members.nodes) {
    const auto weight = WholeWeight(node, most);
    if (!weight.ok()) return weight.status();
    weights.push_back(weight.value());
  }
  return weights;
}

Result<bool> IsThere(const Node& node) {
  const uint64_t thousandths = node.weight.thousandths();
  if (thousandths == 1000 || thousandths == 0) return thousandths != 0;
  return BadWeight(node, "this scheme has none: 1, or 0 to drain");
}

Result<HostPort> HostPortOf(const Node& node) {
  HostPort at = SplitId(node.id);
  if (const auto host = ParamOf(node.params, "host")) {
    at = {std::string(*host), 0, false};
  }
  const auto port = ParamOf(node.params, "port");
  if (port) {
    at.has_port = true;
    at.port = static_cast<uint32_t>(
        std::min<uint64_t>(ParseUnsigned(*port).value_or(65536), 65536));
  }
  if (at.port > 65535) {
    return Status(Code::kBadNode,
                  "node '" + node.id + "': a port is 0 to 65535");
  }
  return at;
}

}  // namespace clockwise::compat_internal
