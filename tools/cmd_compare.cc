// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compare_report.h"
#include "output.h"
#include "picture.h"

namespace clockwise::tool {
namespace {

constexpr std::string_view kDefaultSchemes[] = {
    kNativeScheme, "modulo", "jump",        "maglev",
    "rendezvous",  "slots",  "multi-probe", "anchor"};
constexpr size_t kMostRemoved = 8;

struct CompareArgs {
  MembersArgs members;
  KeyArgs keys;
  std::vector<std::string> schemes, views;
  std::optional<std::string> made;
  std::string added = "new-node";
  bool json = false;
  std::optional<std::string> picture;
};

std::vector<std::string> SplitAtCommas(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (std::string_view rest : texts) {
    for (size_t comma = 0; comma != std::string_view::npos;) {
      comma = rest.find(',');
      parts.emplace_back(rest.substr(0, comma));
      if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
    }
  }
  return parts;
}

// Those named, or the members' own and this library's. Throws Failure.
std::vector<const Scheme*> SchemesOf(const CompareArgs& args,
                                     const Members& members) {
  std::vector<std::string> names = SplitAtCommas(args.schemes);
  if (names.empty()) {
    names.assign(std::begin(kDefaultSchemes), std::end(kDefaultSchemes));
    const std::string& own = members.options.scheme;
    if (std::ranges::find(names, own) == names.end()) {
      names.insert(names.begin(), own);
    }
  }
  std::vector<const Scheme*> schemes;
  for (const std::string& name : names) {
    const Scheme* scheme = FindScheme(name);
    if (scheme == nullptr) {
      throw Failure(Exit::kMisuse,
                    fmt::format("--schemes: no scheme '{}'; `clockwise "
                                "schemes` lists them",
                                name));
    }
    if (std::ranges::find(schemes, scheme) != schemes.end()) {
      throw Failure(Exit::kMisuse,
                    fmt::format("--schemes: '{}' is given twice", name));
    }
    schemes.push_back(scheme);
  }
  return schemes;
}

// The places of nodes that have a weight.
std::vector<size_t> PlacedOf(const Members& members) {
  std::vector<size_t> placed;
  for (size_t i = 0; i < members.nodes.size(); ++i) {
    if (members.nodes[i].weight.thousandths() > 0) placed.push_back(i);
  }
  if (placed.empty()) {
    throw Failure(Exit::kRefused,
                  fmt::format("{}: no node has a weight; nothing to compare",
                              members.source));
  }
  return placed;
}

Node NewNode(const CompareArgs& args, const Members& members, uint64_t weight) {
  Node node;
  const Status status = SetField("id", args.added, node);
  if (!status.ok()) {
    throw Failure(Exit::kMisuse,
                  fmt::format("--new-node: {}", status.message()));
  }
  if (std::ranges::find(members.nodes, node.id, &Node::id) !=
      members.nodes.end()) {
    throw Failure(Exit::kMisuse, fmt::format("--new-node: '{}' is a node "
                                             "already; give another id",
                                             node.id));
  }
  node.weight = Weight::Thousandths(weight);
  return node;
}

CompareChanges ChangesOf(const CompareArgs& args, const Members& members) {
  const std::vector<size_t> placed = PlacedOf(members);
  uint64_t all = 0;
  for (const size_t i : placed) all += members.nodes[i].weight.thousandths();
  const uint64_t mean = (all + placed.size() / 2) / placed.size();
  CompareChanges changes;
  changes.added = NewNode(args, members, mean);
  const auto total = static_cast<double>(all);
  changes.least_added =
      static_cast<double>(mean) / (total + static_cast<double>(mean));
  if (placed.size() > kMostRemoved) {
    changes.removed = {placed.back()};
  } else if (placed.size() > 1) {
    changes.removed = placed;
  }
  for (const size_t i : changes.removed) {
    const auto weight =
        static_cast<double>(members.nodes[i].weight.thousandths());
    changes.least_removed +=
        weight / total / static_cast<double>(changes.removed.size());
  }
  for (const std::string& path : SplitAtCommas(args.views)) {
    changes.other_views.push_back(ValueOf(LoadMembers(path)));
  }
  return changes;
}

// The schemes that place the members. Schemes that were asked for by name must.
std::vector<Contender> ContendersOf(const CompareArgs& args,
                                    const Members& members,
                                    const CompareChanges& changes,
                                    CompareReport& report) {
  std::vector<Contender> contenders;
  for (const Scheme* scheme : SchemesOf(args, members)) {
    auto contender = Contender::Create(members, *scheme, changes);
    if (contender.ok()) {
      contenders.push_back(std::move(contender).value());
      continue;
    }
    const std::string& why = contender.status().message();
    if (!args.schemes.empty() || scheme->id == members.options.scheme) {
      throw Failure(Exit::kRefused,
                    fmt::format("scheme {}: {}", scheme->id, why));
    }
    report.left_out.push_back({std::string(scheme->id), why});
  }
  return contenders;
}

// Calls take(keys) for those of the files, or for keys that are made: user:0,
// user:1, ….
template <typename Take>
uint64_t ForEachBatch(const CompareArgs& args, Take take) {
  Progress progress;
  if (!args.keys.files.empty()) {
    KeySource source(args.keys);
    for (auto keys = source.Next(); !keys.empty(); keys = source.Next()) {
      take(keys);
      progress.Update(source.count());
    }
    if (source.count() > 0) return source.count();
    throw Failure(Exit::kRefused, "the files hold no keys");
  }
  const uint64_t made =
      ParseCount("--keys-made", args.made.value_or("1000000"), 1);
  std::vector<std::string> texts(KeySource::kBatch);
  std::vector<std::string_view> keys(KeySource::kBatch);
  for (uint64_t first = 0; first < made; first += KeySource::kBatch) {
    const auto count = static_cast<size_t>(
        std::min<uint64_t>(KeySource::kBatch, made - first));
    for (size_t i = 0; i < count; ++i) {
      texts[i] = fmt::format("user:{}", first + i);
      keys[i] = texts[i];
    }
    take(std::span<const std::string_view>(keys.data(), count));
    progress.Update(first + count);
  }
  return made;
}

CompareReport MakeReport(const CompareArgs& args) {
  const Members members = ReadMembers(args.members).members;
  const CompareChanges changes = ChangesOf(args, members);
  CompareReport report;
  std::vector<Contender> contenders =
      ContendersOf(args, members, changes, report);
  KeyBatch batch;
  TimedKeys timed;
  report.keys = ForEachBatch(args, [&](std::span<const std::string_view> keys) {
    batch.Set(keys);
    timed.Add(keys);
    for (Contender& contender : contenders) contender.Count(batch);
  });
  report.is_made = args.keys.files.empty();
  report.nodes = PlacedOf(members).size();
  report.removed = changes.removed.size();
  report.views = changes.other_views.size() + 1;
  report.least_added = changes.least_added;
  report.least_removed = changes.least_removed;
  std::vector<const AnyPlacement*> placements;
  for (const Contender& contender : contenders) {
    report.rows.push_back(RowOf(contender));
    placements.push_back(&contender.placement());
  }
  const std::vector<LookupTime> times = TimeLookups(placements, timed);
  for (size_t i = 0; i < times.size(); ++i) report.rows[i].time = times[i];
  return report;
}

Exit Compare(const CompareArgs& args) {
  if (args.made && !args.keys.files.empty()) {
    throw Failure(Exit::kMisuse, "--keys-made excludes files of keys");
  }
  if (args.picture) CheckPictureName(*args.picture);
  const CompareReport report = MakeReport(args);
  Print(args.json ? ToJson(report) : ToText(report));
  if (args.picture) DrawPicture(ToJson(report), *args.picture);
  return Exit::kOk;
}

constexpr const char* kFooter =
    "`peak` and `low` are the largest and smallest ratio of a node's share of\n"
    "the keys to what its weight is due, `by chance` about the peak that\n"
    "points and keys explain, `peak/mean` the most keys of a node over the\n"
    "mean. `moved +1` is the share of keys that get another owner when a node\n"
    "of mean weight is added at the end of the list; `moved -1` when one is\n"
    "removed: the mean over each of up to 8 nodes, the last alone of more.\n"
    "`for fair shares` is what has to move at least: the due of that node; "
    "one\n"
    "that gets less than its due moves less.\n"
    "`slots` is handed its table, `anchor` keeps the order of removals; all\n"
    "others are built anew. `jump` moves keys of survivors too unless the\n"
    "node that leaves is the last of the list.\n"
    "A scheme that does not take the members (their weights, say) is left\n"
    "out, or refused if --schemes names it. Parameters are given to the\n"
    "members' own scheme only.\n"
    "\n"
    "With --views the members of -m are one client's view and each file\n"
    "another's: how many owners a key has over all of them, and the share of\n"
    "keys on which they do not agree.\n"
    "\n"
    "Examples:\n"
    "  clockwise compare -m members.json keys.txt\n"
    "  clockwise compare -m members.json --schemes clockwise-1,maglev \\\n"
    "      --views stale.json,partial.json --picture compare.svg";

void AddCompareOptions(CLI::App& verb, CompareArgs& args) {
  AddRepeated(verb, "--schemes", args.schemes,
              "Schemes to compare (the members' own, and of this library "
              "clockwise-1, modulo, jump, maglev, rendezvous, slots, "
              "multi-probe and anchor)")
      .Type("NAME,...");
  AddOption(verb, "--keys-made", args.made,
            "Without FILE: so many keys user:0, user:1, ... (1000000)")
      .Type("N")
      .Group("Keys");
  AddOption(verb, "--new-node", args.added,
            "The id of the node that is added (new-node)")
      .Type("ID");
  AddRepeated(verb, "--views", args.views,
              "Members files of clients that know other members")
      .Type("FILE,...");
  AddFlag(verb, "--json", args.json, "One JSON object");
  AddOption(verb, "--picture", args.picture,
            "Draw what moves: FILE.svg or FILE.png")
      .Type("FILE");
}

}  // namespace

void AddCompare(CLI::App& app, Action& action) {
  auto args = std::make_shared<CompareArgs>();
  CLI::App& verb =
      AddVerb(app, "compare", "Schemes side by side", args, Compare, action);
  AddMembersOptions(verb, args->members);
  AddKeyFileOptions(verb, args->keys);
  AddCompareOptions(verb, *args);
  SetFooter(verb, kFooter);
}

}  // namespace clockwise::tool
