// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_route.h"

#include <algorithm>
#include <span>

#include "clockwise/scheme.h"
#include "output.h"
#include "spread.h"
#include "text.h"

namespace clockwise::tool {
namespace {

struct RouteArgs {
  MembersArgs members;
  KeyArgs keys;
  std::optional<std::string> replicas;
  SpreadArgs spread;
  std::vector<std::string> exclude;
  bool json = false;
};

// One run of the verb.
class Job {
 public:
  Job(const AnyPlacement& placement, const RouteArgs& args)
      : placement_(placement),
        excluded_(placement, args.exclude),
        spreader_(SpreaderOf(placement, args, excluded_)),
        wanted_(spreader_ ? spreader_->wanted() : ReplicasOf(args).value_or(1)),
        is_json_(args.json),
        found_(std::max<uint64_t>(
            1, std::min<uint64_t>(wanted_, placement.slot_count()))),
        hashes_(KeySource::kBatch),
        owners_(KeySource::kBatch) {
    CheckReplicas(placement, wanted_, excluded_);
    for (NodeIndex slot = 0; slot < placement.slot_count(); ++slot) {
      ids_.emplace_back();
      if (is_json_) {
        AppendJson(ids_.back(), placement.node(slot).id);
      } else {
        AppendEscaped(ids_.back(), placement.node(slot).id);
      }
    }
  }

  Exit Run(KeySource& source) {
    Progress progress(/*are_results_printed=*/true);
    // Flushed once a batch, so that keys from a pipe are answered as they come.
    for (auto keys = source.Next(); !keys.empty(); keys = source.Next()) {
      Route(keys);
      output_.Flush();
      progress.Update(source.count());
    }
    return is_any_unowned_ ? Exit::kRefused : Exit::kOk;
  }

 private:
  static std::optional<uint64_t> ReplicasOf(const RouteArgs& args) {
    if (!args.replicas) return std::nullopt;
    return ParseCount("--replicas", *args.replicas, 0);
  }
  static std::optional<Spreader> SpreaderOf(const AnyPlacement& placement,
                                            const RouteArgs& args,
                                            const SlotSet& excluded) {
    if (!args.spread.is_asked) return std::nullopt;
    return std::make_optional<Spreader>(placement, args.spread,
                                        ReplicasOf(args), excluded);
  }

  void Route(std::span<const std::string_view> keys) {
    placement_.HashesOf(keys.data(), keys.size(), hashes_.data());
    const bool is_plain = excluded_.is_empty() && wanted_ <= 1 && !spreader_;
    if (is_plain && placement_.needs_key()) {
      placement_.Owners(keys.data(), keys.size(), owners_.data());
    } else if (is_plain) {
      placement_.Owners(hashes_.data(), keys.size(), owners_.data());
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      Spreader::Found found;
      if (spreader_) {
        found = spreader_->Find(hashes_[i]);
      } else if (!is_plain) {
        found.nodes = FindNodes(hashes_[i]);
      } else if (owners_[i] != kNoNode) {
        found.nodes = {&owners_[i], 1};
      }
      const bool is_owned = !found.nodes.empty();
      if (is_owned && !spreader_) found.owner = found.nodes[0];
      is_any_unowned_ |= !is_owned;
      if (is_json_) {
        AppendJsonLine(keys[i], hashes_[i], found);
      } else {
        AppendTextLine(keys[i], found.nodes);
      }
      output_.FlushIfLarge();
    }
  }

  // The owner and, up to the number wanted, the nodes after it.
  std::span<const NodeIndex> FindNodes(uint64_t hash) {
    if (excluded_.is_empty()) {
      return {found_.data(),
              placement_.Replicas(hash, found_.size(), found_.data())};
    }
    return {found_.data(), placement_.ring() != nullptr
                               ? FindOnRing(*placement_.ring(), hash)
                               : FindAmongAll(hash)};
  }

  // Fill `found_` with nodes that are not excluded, and return their number.
  size_t FindOnRing(const Ring& ring, uint64_t hash) {
    size_t count = 0;
    const auto is_excluded = [this](NodeIndex slot) {
      return excluded_.Contains(slot);
    };
    for (NodeIndex slot : ring.Clockwise(hash, is_excluded)) {
      found_[count++] = slot;
      if (count == found_.size()) break;
    }
    return count;
  }
  size_t FindAmongAll(uint64_t hash) {
    all_.resize(placement_.slot_count());
    all_.resize(placement_.Replicas(hash, all_.size(), all_.data()));
    std::erase_if(all_, [this](NodeIndex n) { return excluded_.Contains(n); });
    const size_t count = std::min(all_.size(), found_.size());
    std::copy_n(all_.begin(), count, found_.begin());
    return count;
  }

  void AppendTextLine(std::string_view key, std::span<const NodeIndex> nodes) {
    std::string& out = output_.buffer();
    AppendEscaped(out, key);
    if (nodes.empty() && wanted_ > 0) out += "\t-";
    for (NodeIndex slot :
         nodes.first(std::min<size_t>(nodes.size(), wanted_))) {
      out += '\t';
      out += ids_[slot];
    }
    out += '\n';
  }

  void AppendJsonLine(std::string_view key, uint64_t hash,
                      const Spreader::Found& found) {
    std::string& out = output_.buffer();
    if (IsUtf8(key)) {
      out += "{\"key\":";
      AppendJson(out, key);
    } else {
      out += "{\"key_hex\":\"";
      AppendHex(out, key);
      out += '"';
    }
    out += ",\"hash\":\"" + Hex(hash) + "\",\"owner\":";
    out += found.owner == kNoNode ? "null" : ids_[found.owner];
    out += ",\"replicas\":[";
    const auto nodes =
        found.nodes.first(std::min<size_t>(found.nodes.size(), wanted_));
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0) out += ',';
      out += ids_[nodes[i]];
    }
    out += "],\"short_by\":" + std::to_string(wanted_ - nodes.size());
    if (spreader_) {
      out += found.is_relaxed ? ",\"relaxed\":true" : ",\"relaxed\":false";
    }
    out += "}\n";
  }

  const AnyPlacement& placement_;
  const SlotSet excluded_;
  std::optional<Spreader> spreader_;  // with --spread
  const uint64_t wanted_;
  const bool is_json_;
  std::vector<NodeIndex> found_;
  std::vector<NodeIndex> all_;
  std::vector<uint64_t> hashes_;
  std::vector<NodeIndex> owners_;
  std::vector<std::string> ids_;  // as they are printed
  bool is_any_unowned_ = false;
  Output output_;
};

Exit Route(const RouteArgs& args) {
  const AnyPlacement placement = ReadPlacement(args.members);
  Job job(placement, args);
  KeyArgs keys = args.keys;
  if (keys.keys.empty() && keys.files.empty()) keys.files = {"-"};
  KeySource source(keys);
  return job.Run(source);
}

}  // namespace

void AddRoute(CLI::App& app, Action& action) {
  auto args = std::make_shared<RouteArgs>();
  CLI::App& verb =
      AddVerb(app, "route", "Print the owner of each key", args, Route, action);
  AddMembersOptions(verb, args->members);
  AddKeyFileOptions(verb, args->keys);
  AddRepeated(verb, "--key", args->keys.keys,
              "A key; repeatable, in place of files")
      .Type("KEY")
      .Group("Keys");
  AddOption(verb, "--replicas", args->replicas,
            "Distinct nodes a key, its owner first (1)")
      .Type("N");
  AddSpreadOptions(verb, args->spread);
  AddSpreadAnswerOptions(verb, args->spread);
  AddExcludeOption(verb, args->exclude);
  AddFlag(verb, "--json", args->json,
          "A JSON object a line: key (key_hex if it is not UTF-8), "
          "hash, owner, replicas (owner first), short_by; with --spread "
          "relaxed: whether they share a zone or miss their zone counts");
  SetFooter(
      verb,
      "Without FILE and --key, keys come from standard input. Each line of "
      "the\n"
      "output is a key, its owner and further replicas, with tabs between; -\n"
      "where there is no owner, and then the exit code is 1. Tab, newline,\n"
      "backslash and bytes that do not print are escaped, as \\t \\n \\\\ "
      "\\xNN.\n\n"
      "Examples:\n"
      "  clockwise route -m members.json keys.txt\n"
      "  clockwise route -m members.json --key user:42 --replicas 3 --json\n"
      "  clockwise route -m members.json --replicas 3 --spread --near eu/a\n"
      "  clockwise route -m members.json --spread --zone-counts a=2,b=1\n"
      "  find /usr -print0 | clockwise route -0 --node a --node b=2");
}

}  // namespace clockwise::tool
