// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_tune.h"

#include <fmt/format.h>

#include "clockwise/scheme.h"
#include "output.h"
#include "picture.h"
#include "tune_report.h"

namespace clockwise::tool {
namespace {

struct TuneArgs {
  MembersArgs members;
  std::string peak = "1.2";
  std::string max_vnodes = "4096";
  bool json = false;
  std::optional<std::string> picture;
};

// A ratio is read as a weight is: at most three decimals, whatever the locale.
Weight ParsePeak(const std::string& text) {
  const auto peak = Weight::Parse(text);
  if (peak.ok() && peak.value() > Weight()) return peak.value();
  throw Failure(Exit::kMisuse,
                fmt::format("--peak: '{}' is no number above 1 with at most "
                            "three decimals",
                            text));
}

uint32_t ParseMaxVnodes(const std::string& text) {
  const uint64_t most = ParseCount("--max-vnodes", text, 1);
  if (most <= kMaxVnodes) return static_cast<uint32_t>(most);
  throw Failure(Exit::kMisuse,
                fmt::format("--max-vnodes: {} is above {}", most, kMaxVnodes));
}

void CheckScheme(const Members& members) {
  if (members.options.scheme == kNativeScheme) return;
  throw Failure(Exit::kMisuse,
                fmt::format("scheme {} has no vnodes to choose; only {} has",
                            members.options.scheme, kNativeScheme));
}

// Doubling counts, the last one, and those that were found.
void Measure(TuneReport& report) {
  const auto most = static_cast<uint32_t>(report.sweep.size());
  std::vector<uint32_t> shown = {most, report.least, report.steady,
                                 report.by_chance};
  for (uint32_t vnodes = 1; vnodes < most; vnodes *= 2) {
    shown.push_back(vnodes);
  }
  Members members = report.members;
  for (const uint32_t vnodes : shown) {
    if (vnodes == 0 || vnodes > most) continue;
    members.options.vnodes = vnodes;
    report.bytes[vnodes] = ValueOf(BuildRing(members)).bytes();
  }
}

TuneReport MakeReport(const TuneArgs& args) {
  TuneReport report;
  report.wanted = ParsePeak(args.peak);
  const uint32_t max_vnodes = ParseMaxVnodes(args.max_vnodes);
  report.members = ReadMembers(args.members).members;
  CheckScheme(report.members);
  const auto& [source, options, epoch, nodes] = report.members;
  auto sweep = SweepVnodes(options, nodes, max_vnodes);
  if (!sweep.ok()) {
    const bool is_many = sweep.status().code() == Code::kTooManyPoints;
    throw Failure(Exit::kRefused,
                  fmt::format("{}: {}{}", source, sweep.status().message(),
                              is_many ? "; give less --max-vnodes" : ""));
  }
  report.sweep = std::move(sweep).value();
  const double wanted = static_cast<double>(report.wanted.thousandths()) / 1000;
  report.least = LeastVnodes(report.sweep, wanted);
  report.steady = LeastSteadyVnodes(report.sweep, wanted);
  report.by_chance = LeastVnodesByChance(nodes, wanted);
  Measure(report);
  return report;
}

Exit Tune(const TuneArgs& args) {
  if (args.picture) CheckPictureName(*args.picture);
  const TuneReport report = MakeReport(args);
  Print(args.json ? ToJson(report) : ToText(report));
  if (args.picture) DrawPicture(ToJson(report), *args.picture);
  return Exit::kOk;
}

constexpr const char* kFooter =
    "The peak is the largest ratio of a node's exact share of the circle to\n"
    "what its weight is due, `low` the smallest, `deviation` how far ratios\n"
    "are from 1 (root mean square). Every count up to --max-vnodes is tried;\n"
    "shown are powers of two and what was found. All that holds for these\n"
    "nodes and this seed only: a larger count may be worse by chance. For\n"
    "memberships to come go by `peak by chance`, about what rings of such\n"
    "weights have. Only rings of clockwise-1 are tuned; vnodes of the members\n"
    "are not read. Changing the vnodes of a ring moves keys between all "
    "nodes.\n"
    "\n"
    "JSON: `least` vnodes that keep the peak, `steady`: and all counts up to\n"
    "`max_vnodes` do, `by_chance`; null where there are none. `curve` has\n"
    "[vnodes, peak, peak by chance].\n"
    "\n"
    "Examples:\n"
    "  clockwise tune -m members.json --peak 1.1\n"
    "  clockwise tune --node a --node b=4 --max-vnodes 65536 --picture t.svg";

}  // namespace

void AddTune(CLI::App& app, Action& action) {
  auto args = std::make_shared<TuneArgs>();
  CLI::App& verb =
      AddVerb(app, "tune", "How many vnodes keep shares near their due", args,
              Tune, action);
  AddMembersOptions(verb, args->members);
  AddOption(verb, "--peak", args->peak,
            "The largest ratio of a share to its due that is wanted "
            "(1.2)")
      .Type("P");
  AddOption(verb, "--max-vnodes", args->max_vnodes,
            "The most vnodes that are tried (4096)")
      .Type("V");
  AddFlag(verb, "--json", args->json, "One JSON object");
  AddOption(verb, "--picture", args->picture,
            "Draw peaks against vnodes: FILE.svg or FILE.png")
      .Type("FILE");
  SetFooter(verb, kFooter);
}

}  // namespace clockwise::tool
