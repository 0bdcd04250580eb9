// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_show.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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

std::string Heading(const Ring& ring) {
  const auto line = [](const char* what, const auto& value) {
    return fmt::format("{:<15} {}\n", what, value);
  };
  const std::string epoch =
      ring.epoch() == 0 ? "0 (never published)" : std::to_string(ring.epoch());
  std::string text;
  if (!ring.name().empty()) text += line("name", Escaped(ring.name()));
  text += line("scheme", ring.scheme());
  text += line("digest", ToHex(ring.digest()));
  text += line("records digest", ToHex(ring.records_digest()));
  text += line("epoch", epoch);
  text += line("key hash", KeyHashName(ring.key_hash()));
  text += line("width", ring.width());
  text += line("seed", ring.seed());
  if (IsNative(ring)) text += line("vnodes", ring.vnodes());
  ring.params().ForEach([&](std::string_view name, std::string_view value) {
    text += line("param", Escaped(name) + '=' + Escaped(value));
  });
  text += line("layout", LayoutName(ring.layout()));
  text += line("bytes", ring.bytes());
  text += line("nodes", ring.node_count());
  text += line("points", ring.point_count());
  text += line("collisions", ring.collisions());
  return text;
}

std::string NodeTable(const Ring& ring) {
  using enum Table::Align;
  const auto shares = ExactShares(ring);
  Table table({{"node"},
               {"weight", kRight},
               {"points", kRight},
               {"share", kRight},
               {"percent", kRight},
               {"region"},
               {"zone"},
               {"rack"},
               {"address"}});
  for (NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    const double share = ToFraction(shares[slot]);
    table.AddRow({Escaped(node.id), node.weight.ToString(),
                  std::to_string(node.points), fmt::format("{:.12f}", share),
                  fmt::format("{:.4f}", share * 100), Escaped(node.region),
                  Escaped(node.zone), Escaped(node.rack),
                  Escaped(node.address)});
  }
  return table.ToString();
}

nlohmann::ordered_json NodesJson(const Ring& ring) {
  const auto shares = ExactShares(ring);
  auto nodes = nlohmann::ordered_json::array();
  for (NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    const auto thousandths = static_cast<double>(node.weight.thousandths());
    nodes.push_back({{"id", node.id},
                     {"weight", thousandths / 1000},
                     {"points", node.points},
                     {"share", ToFraction(shares[slot])},
                     {"region", node.region},
                     {"zone", node.zone},
                     {"rack", node.rack},
                     {"address", node.address}});
  }
  return nodes;
}

// Whole numbers above 2^53 - 1 are texts, as in members files.
nlohmann::ordered_json NumberJson(uint64_t value) {
  if (value >> 53 != 0) return std::to_string(value);
  return value;
}

std::string ToJson(const Ring& ring) {
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
      {"nodes", NodesJson(ring)},
  };
  if (IsNative(ring)) {
    json["vnodes"] = ring.vnodes();
  } else {
    json["params"] = ring.params().ToParams();
  }
  return json.dump(2) + '\n';
}

Exit Show(const ShowArgs& args) {
  const Ring ring = ValueOf(BuildRing(ReadMembers(args.members)));
  if (args.json) {
    Print(ToJson(ring));
  } else {
    const bool has_nodes = ring.node_count() > 0;
    Print(Heading(ring) + (has_nodes ? "\n" + NodeTable(ring) : ""));
  }
  return Exit::kOk;
}

}  // namespace

void AddShow(CLI::App& app, Action& action) {
  auto args = std::make_shared<ShowArgs>();
  CLI::App* verb =
      AddVerb(app, "show", "Describe the ring and each node's exact share",
              args, Show, action);
  AddMembersOptions(*verb, args->members);
  verb->add_flag("--json", args->json, "One JSON object");
  verb->footer(
      "A share is the fraction of the circle that a node owns: no sample, but\n"
      "the sum of its arcs.\n\n"
      "Examples:\n"
      "  clockwise show -m members.json\n"
      "  clockwise show --node a --node b=2 --vnodes 1024");
}

}  // namespace clockwise::tool
