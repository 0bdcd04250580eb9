// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "clockwise/detail/ring_image.h"
#include "clockwise/scheme.h"
#include "output.h"
#include "spread.h"
#include "table.h"
#include "text.h"

namespace clockwise::tool {
namespace {

struct ExplainArgs {
  MembersArgs members;
  std::string key;
  std::optional<std::string> replicas;
  SpreadArgs spread;
  std::vector<std::string> exclude;
  bool hex = false;
};

constexpr const char* kLine = "{:<9} {}\n";

// Where the hash falls in layout `line`; nothing in another.
std::string BucketLine(const Ring& ring, uint64_t hash) {
  const uint64_t lines = ring.image()->lines;
  if (ring.layout() != Layout::kLine || lines == 0) return {};
  const detail::Bucket bucket = ring.width() == 32
                                    ? detail::BucketOf<32>(hash, lines)
                                    : detail::BucketOf<64>(hash, lines);
  return fmt::format(
      kLine, "line",
      fmt::format("{} of {}, remainder {:04x}", bucket.line, lines,
                  static_cast<uint16_t>(bucket.key) ^ 0x8000u));
}

// Positions are as wide as the ring.
std::string PositionText(const Ring& ring, uint64_t position) {
  return Hex(position).substr(0, ring.width() / 4);
}

std::string PointLine(const Ring& ring, uint64_t hash) {
  const size_t point = ring.PointAt(hash);
  const uint64_t position = ring.PositionAt(point);
  const bool wraps = PositionText(ring, position) < PositionText(ring, hash);
  return fmt::format(
      kLine, "position",
      fmt::format("{}, point {} of {}{}", PositionText(ring, position),
                  point + 1, ring.point_count(),
                  wraps ? ", the first one: the hash is past the last" : ""));
}

// Walks clockwise and tells of each node when it is first met.
class Walk {
 public:
  Walk(const Ring& ring, const SlotSet& excluded)
      : ring_(ring),
        excluded_(excluded),
        is_met_(ring.slot_count(), false),
        table_({{"order", Table::Align::kRight},
                {"node"},
                {"zone"},
                {"position"},
                {"why"}}) {}

  // Returns the number of nodes taken: `wanted`, or as many as there are.
  uint64_t Run(uint64_t hash, uint64_t wanted) {
    const size_t points = ring_.point_count();
    size_t point = ring_.PointAt(hash);
    for (size_t i = 0; i < points && taken_ < wanted; ++i) {
      Meet(point);
      if (++point == points) point = 0;
    }
    return taken_;
  }

  [[nodiscard]] NodeIndex owner() const { return owner_; }
  [[nodiscard]] std::string ToString() const { return table_.ToString(); }

 private:
  void Meet(size_t point) {
    const NodeIndex slot = ring_.OwnerAt(point);
    if (is_met_[slot]) {
      ++repeats_;
      return;
    }
    is_met_[slot] = true;
    const bool is_excluded = excluded_.Contains(slot);
    std::string why = is_excluded   ? "skipped: excluded"
                      : taken_ == 0 ? "owner"
                                    : "replica";
    const uint64_t position = ring_.PositionAt(point);
    if (point > 0 && ring_.PositionAt(point - 1) == position) {
      why += ", by a point that another shadows";
    }
    if (repeats_ > 0) {
      why += fmt::format(", after {} {} of nodes met before", repeats_,
                         repeats_ == 1 ? "point" : "points");
      repeats_ = 0;
    }
    if (!is_excluded && taken_++ == 0) owner_ = slot;
    const NodeView node = ring_.node(slot);
    table_.AddRow({is_excluded ? "-" : std::to_string(taken_), Escaped(node.id),
                   Escaped(node.zone), PositionText(ring_, position), why});
  }

  const Ring& ring_;
  const SlotSet& excluded_;
  std::vector<bool> is_met_;
  Table table_;
  uint64_t taken_ = 0;
  uint64_t repeats_ = 0;
  NodeIndex owner_ = kNoNode;
};

// Why each replica is one, by topology.
class SpreadReasons {
 public:
  SpreadReasons(const Ring& ring, const SlotSet& excluded)
      : ring_(ring),
        excluded_(excluded),
        table_({{"order", Table::Align::kRight},
                {"node"},
                {"region"},
                {"zone"},
                {"rack"},
                {"why"}}) {}

  std::string Run(const SpreadIndex& index, uint64_t hash,
                  std::span<const NodeIndex> replicas) {
    for (size_t i = 0; i < replicas.size(); ++i) {
      const NodeView node = ring_.node(replicas[i]);
      table_.AddRow({std::to_string(i + 1), Escaped(node.id),
                     Escaped(node.region), Escaped(node.zone),
                     Escaped(node.rack),
                     (i == 0 ? "first" : UseBefore(node, replicas.first(i))) +
                         PassedOver(index, hash, replicas.first(i + 1))});
    }
    return table_.ToString();
  }

 private:
  std::string UseBefore(const NodeView& node,
                        std::span<const NodeIndex> before) const {
    int region = 0, zone = 0, rack = 0;
    for (NodeIndex slot : before) {
      const NodeView other = ring_.node(slot);
      if (other.region != node.region) continue;
      ++region;
      if (other.zone != node.zone) continue;
      ++zone;
      rack += other.rack == node.rack;
    }
    return fmt::format("its region had {}, its zone {}, its rack {}", region,
                       zone, rack);
  }

  // Nodes clockwise before the last one taken, and not taken.
  std::string PassedOver(const SpreadIndex& index, uint64_t hash,
                         std::span<const NodeIndex> taken) const {
    constexpr int kNamed = 5;
    std::string names;
    int count = 0;
    for (NodeIndex slot : index.Clockwise(ring_, hash)) {
      if (slot == taken.back()) break;
      if (std::find(taken.begin(), taken.end(), slot) != taken.end()) continue;
      if (++count > kNamed) continue;
      names += (count > 1 ? ", " : "") + Escaped(ring_.node(slot).id) +
               (excluded_.Contains(slot) ? " (excluded)" : "");
    }
    if (count == 0) return {};
    if (count > kNamed) names += fmt::format(" and {} more", count - kNamed);
    return "; passed over " + names;
  }

  const Ring& ring_;
  const SlotSet& excluded_;
  Table table_;
};

std::string KeyOf(const ExplainArgs& args) {
  KeyArgs key;
  key.keys = {args.key};
  key.hex = args.hex;
  return std::string(KeySource(key).Next()[0]);
}

// Why there is no owner.
std::string Unowned(const Ring& ring) {
  if (ring.node_count() == 0) return "the ring has no nodes";
  if (ring.point_count() == 0) return "all nodes have weight 0";
  return "all nodes with points are excluded";
}

std::string KeyLines(const AnyPlacement& placement, std::string_view key,
                     uint64_t hash) {
  return fmt::format(kLine, "key",
                     fmt::format("{} ({} {})", Escaped(key), key.size(),
                                 key.size() == 1 ? "byte" : "bytes")) +
         fmt::format(kLine, "hash",
                     fmt::format("{}, {} with seed {}",
                                 Hex(hash).substr(0, placement.width() / 4),
                                 KeyFunctionName(placement.key_hash(),
                                                 placement.width()),
                                 placement.seed()));
}

// The nodes of a placement that is no ring, best first: all that it has, or the
// owner.
std::vector<NodeIndex> NodesFor(const AnyPlacement& placement,
                                std::string_view key, uint64_t hash) {
  std::vector<NodeIndex> nodes(placement.slot_count());
  if (placement.has_replicas()) {
    nodes.resize(placement.Replicas(hash, nodes.size(), nodes.data()));
    return nodes;
  }
  const NodeIndex owner = placement.Owner(key);
  return owner != kNoNode ? std::vector{owner} : std::vector<NodeIndex>();
}

// The same for a placement that is no ring.
Exit ExplainOther(const AnyPlacement& placement, const ExplainArgs& args,
                  uint64_t wanted, const SlotSet& excluded) {
  const std::string key = KeyOf(args);
  const uint64_t hash = placement.HashOf(key);
  Table table({{"order", Table::Align::kRight}, {"node"}, {"zone"}, {"why"}});
  std::string owner = "- (no node is left for it)";
  uint64_t taken = 0;
  for (NodeIndex index : NodesFor(placement, key, hash)) {
    if (taken == wanted) break;
    const NodeView node = placement.node(index);
    const bool is_excluded = excluded.Contains(index);
    if (!is_excluded && taken++ == 0) owner = Escaped(node.id);
    table.AddRow({is_excluded ? "-" : std::to_string(taken), Escaped(node.id),
                  Escaped(node.zone),
                  is_excluded  ? "skipped: excluded"
                  : taken == 1 ? "owner"
                               : "replica"});
  }
  std::string text = KeyLines(placement, key, hash);
  text += fmt::format(kLine, "owner", owner);
  if (taken > 0) text += '\n' + table.ToString();
  if (taken > 0 && taken < wanted && placement.has_replicas()) {
    text += fmt::format("short by {} of {}\n", wanted - taken, wanted);
  }
  Print(text);
  return taken > 0 ? Exit::kOk : Exit::kRefused;
}

// The rest of the answer by topology.
Exit ExplainSpread(const Ring& ring, const ExplainArgs& args,
                   Spreader& spreader, const SlotSet& excluded,
                   const std::string& above, uint64_t hash) {
  const Spreader::Found found = spreader.Find(hash);
  const bool is_owned = !found.nodes.empty();
  std::string text =
      above + fmt::format(kLine, "owner",
                          is_owned ? Escaped(ring.node(found.owner).id)
                                   : fmt::format("- ({})", Unowned(ring)));
  if (is_owned) {
    text +=
        "\n" +
        SpreadReasons(ring, excluded).Run(spreader.index(), hash, found.nodes);
  }
  if (is_owned && found.nodes.size() < spreader.wanted()) {
    text +=
        fmt::format("short by {} of {}\n",
                    spreader.wanted() - found.nodes.size(), spreader.wanted());
  }
  if (found.is_relaxed) {
    text += args.spread.zone_counts ? "relaxed: zone counts are not met\n"
                                    : "relaxed: replicas share a zone\n";
  }
  Print(text);
  return is_owned ? Exit::kOk : Exit::kRefused;
}

Exit Explain(const ExplainArgs& args) {
  uint64_t wanted = ParseCount("--replicas", args.replicas.value_or("3"), 1);
  const AnyPlacement placement = ReadPlacement(args.members);
  const SlotSet excluded(placement, args.exclude);
  std::optional<Spreader> spreader;
  if (args.spread.is_asked) {
    const bool is_counted = !args.replicas && args.spread.zone_counts;
    spreader.emplace(placement, args.spread,
                     is_counted ? std::nullopt : std::optional(wanted),
                     excluded);
  }
  if (!args.replicas && !placement.has_replicas()) wanted = 1;
  CheckReplicas(placement, wanted, excluded);
  if (placement.ring() == nullptr) {
    return ExplainOther(placement, args, wanted, excluded);
  }
  const Ring& ring = *placement.ring();
  const std::string key = KeyOf(args);
  const uint64_t hash = ring.HashOf(key);
  std::string text = KeyLines(placement, key, hash);
  if (ring.point_count() > 0) {
    text += BucketLine(ring, hash) + PointLine(ring, hash);
  }
  if (spreader) {
    return ExplainSpread(ring, args, *spreader, excluded, text, hash);
  }
  Walk walk(ring, excluded);
  const uint64_t taken = walk.Run(hash, wanted);
  const bool is_owned = walk.owner() != kNoNode;
  text += fmt::format(kLine, "owner",
                      is_owned ? Escaped(ring.node(walk.owner()).id)
                               : fmt::format("- ({})", Unowned(ring)));
  if (ring.point_count() > 0) text += "\n" + walk.ToString();
  if (is_owned && taken < wanted) {
    text += fmt::format("short by {} of {}\n", wanted - taken, wanted);
  }
  Print(text);
  return is_owned ? Exit::kOk : Exit::kRefused;
}

}  // namespace

void AddExplain(CLI::App& app, Action& action) {
  auto args = std::make_shared<ExplainArgs>();
  CLI::App& verb = AddVerb(app, "explain", "Show why a key has its owner", args,
                           Explain, action);
  AddMembersOptions(verb, args->members);
  AddOption(verb, "KEY", args->key,
            "The key; put -- before one that begins with -")
      .Type("")
      .Required();
  AddFlag(verb, "--hex", args->hex, "KEY is hex, two digits a byte");
  AddOption(verb, "--replicas", args->replicas, "Distinct nodes to list (3)")
      .Type("N");
  AddSpreadOptions(verb, args->spread);
  AddExcludeOption(verb, args->exclude);
  SetFooter(
      verb,
      "Examples:\n"
      "  clockwise explain -m members.json user:42\n"
      "  clockwise explain -m members.json --exclude cache-2 user:42\n"
      "  clockwise explain -m members.json --spread --replicas 4 user:42");
}

}  // namespace clockwise::tool
