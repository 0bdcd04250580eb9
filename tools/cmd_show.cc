// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_show.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "clockwise/scheme.h"
#include "output.h"
#include "shares.h"
#include "table.h"
#include "text.h"

namespace clockwise::tool {
namespace {

struct ShowArgs {
  MembersArgs members;
  bool json = false;
};

// Other schemes read parameters instead of vnodes.
bool IsNative(const Ring& ring) { return ring.scheme() == kNativeScheme; }

template <typename T>
std::string Line(const char* what, const T& value) {
  return fmt::format("{:<15} {}\n", what, value);
}

std::string ParamLines(const Params& params) {
  std::string text;
  for (const auto& [name, value] : params) {
    text += Line("param", Escaped(name) + '=' + Escaped(value));
  }
  return text;
}

// Of a placement that is no ring.
std::string Heading(const AnyPlacement& placement, const Params& params) {
  std::string text;
  if (!placement.name().empty())
    text += Line("name", Escaped(placement.name()));
  text += Line("scheme", placement.scheme());
  text += Line("digest", ToHex(placement.digest()));
  text += Line("key hash", KeyHashName(placement.key_hash()));
  text += Line("width", placement.width());
  text += Line("seed", placement.seed());
  text += ParamLines(params);
  text += Line("bytes", placement.bytes());
  text += Line("nodes", placement.node_count());
  text += Line("shares", fmt::format("of {} sample keys", kSampleKeys));
  return text;
}

std::string Heading(const Ring& ring) {
  const std::string epoch =
      ring.epoch() == 0 ? "0 (never published)" : std::to_string(ring.epoch());
  std::string text;
  if (!ring.name().empty()) text += Line("name", Escaped(ring.name()));
  text += Line("scheme", ring.scheme());
  text += Line("digest", ToHex(ring.digest()));
  text += Line("records digest", ToHex(ring.records_digest()));
  text += Line("epoch", epoch);
  text += Line("key hash", KeyHashName(ring.key_hash()));
  text += Line("width", ring.width());
  text += Line("seed", ring.seed());
  if (IsNative(ring)) text += Line("vnodes", ring.vnodes());
  text += ParamLines(ring.params().ToParams());
  text += Line("layout", LayoutName(ring.layout()));
  text += Line("bytes", ring.bytes());
  text += Line("nodes", ring.node_count());
  text += Line("points", ring.point_count());
  text += Line("collisions", ring.collisions());
  return text;
}

// What each node owns, as a fraction of all keys.
std::vector<double> SharesOf(const AnyPlacement& placement) {
  std::vector<double> shares;
  if (placement.ring() != nullptr) {
    for (HashCount share : ExactShares(*placement.ring())) {
      shares.push_back(ToFraction(share));
    }
  } else {
    for (uint64_t count : CountSample(placement)) {
      shares.push_back(static_cast<double>(count) / kSampleKeys);
    }
  }
  return shares;
}

std::string NodeTable(const AnyPlacement& placement) {
  using enum Table::Align;
  const bool is_ring = placement.ring() != nullptr;
  const auto shares = SharesOf(placement);
  std::vector<Table::Column> columns = {{"node"}, {"weight", kRight}};
  if (is_ring) columns.push_back({"points", kRight});
  for (const char* right : {"share", "percent"}) {
    columns.push_back({right, kRight});
  }
  for (const char* left : {"region", "zone", "rack", "address"}) {
    columns.push_back({left});
  }
  Table table(columns);
  for (NodeIndex slot : NodesById(placement)) {
    const NodeView node = placement.node(slot);
    std::vector<std::string> row = {Escaped(node.id), node.weight.ToString()};
    if (is_ring) row.push_back(std::to_string(node.points));
    row.push_back(fmt::format("{:.{}f}", shares[slot], is_ring ? 12 : 6));
    row.push_back(fmt::format("{:.4f}", shares[slot] * 100));
    for (std::string_view label :
         {node.region, node.zone, node.rack, node.address}) {
      row.push_back(Escaped(label));
    }
    table.AddRow(std::move(row));
  }
  return table.ToString();
}

nlohmann::ordered_json NodesJson(const AnyPlacement& placement) {
  const auto shares = SharesOf(placement);
  auto nodes = nlohmann::ordered_json::array();
  for (NodeIndex slot : NodesById(placement)) {
    const NodeView node = placement.node(slot);
    const auto thousandths = static_cast<double>(node.weight.thousandths());
    nlohmann::ordered_json json = {{"id", node.id},
                                   {"weight", thousandths / 1000}};
    if (placement.ring() != nullptr) json["points"] = node.points;
    json["share"] = shares[slot];
    json["region"] = node.region;
    json["zone"] = node.zone;
    json["rack"] = node.rack;
    json["address"] = node.address;
    nodes.push_back(std::move(json));
  }
  return nodes;
}

// Whole numbers above 2^53 - 1 are texts, as in members files.
nlohmann::ordered_json NumberJson(uint64_t value) {
  if (value >> 53 != 0) return std::to_string(value);
  return value;
}

nlohmann::ordered_json RingJson(const AnyPlacement& placement) {
  const Ring& ring = *placement.ring();
  nlohmann::ordered_json json = {
      {"name", ring.name()},
      {"scheme", ring.scheme()},
      {"digest", ToHex(ring.digest())},
      {"records_digest", ToHex(ring.records_digest())},
      {"epoch", NumberJson(ring.epoch())},
      {"key_hash", KeyHashName(ring.key_hash())},
      {"width", ring.width()},
      {"seed", NumberJson(ring.seed())},
      {"layout", LayoutName(ring.layout())},
      {"bytes", ring.bytes()},
      {"points", ring.point_count()},
      {"collisions", ring.collisions()},
      {"nodes", NodesJson(placement)},
  };
  if (IsNative(ring)) {
    json["vnodes"] = ring.vnodes();
  } else {
    json["params"] = ring.params().ToParams();
  }
  return json;
}

nlohmann::ordered_json OtherJson(const AnyPlacement& placement,
                                 const Params& params) {
  return {
      {"name", placement.name()},
      {"scheme", placement.scheme()},
      {"digest", ToHex(placement.digest())},
      {"key_hash", KeyHashName(placement.key_hash())},
      {"width", placement.width()},
      {"seed", NumberJson(placement.seed())},
      {"params", params},
      {"bytes", placement.bytes()},
      {"sample_keys", kSampleKeys},
      {"nodes", NodesJson(placement)},
  };
}

Exit Show(const ShowArgs& args) {
  MembersOrRing read = ReadMembers(args.members);
  const AnyPlacement placement = PlacementOf(read);
  const Ring* ring = placement.ring();
  const Params& params = read.members.options.params;
  if (args.json) {
    const auto json =
        ring != nullptr ? RingJson(placement) : OtherJson(placement, params);
    Print(json.dump(2) + '\n');
    return Exit::kOk;
  }
  const bool has_nodes = placement.node_count() > 0;
  Print((ring != nullptr ? Heading(*ring) : Heading(placement, params)) +
        (has_nodes ? "\n" + NodeTable(placement) : ""));
  return Exit::kOk;
}

}  // namespace

void AddShow(CLI::App& app, Action& action) {
  auto args = std::make_shared<ShowArgs>();
  CLI::App& verb =
      AddVerb(app, "show", "Describe the ring and each node's exact share",
              args, Show, action);
  AddMembersOptions(verb, args->members);
  AddFlag(verb, "--json", args->json, "One JSON object");
  SetFooter(
      verb,
      "A share is the fraction of the circle that a node owns: no sample, but\n"
      "the sum of its arcs. Schemes that are no rings have no arcs: theirs "
      "are\n"
      "shares of 1,048,576 sample keys.\n\n"
      "Examples:\n"
      "  clockwise show -m members.json\n"
      "  clockwise show --node a --node b=2 --vnodes 1024");
}

}  // namespace clockwise::tool
