// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The demonstration: routes real keys, adds a node, and times a lookup. Checks
// each claim that it prints, and fails where one does not hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <deque>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/members.h"
#include "failure.h"
#include "keys.h"
#include "output.h"
#include "table.h"

namespace clockwise::tool {
namespace {

constexpr int kBarWidth = 40;

void Claim(bool holds, const char* what) {
  if (!holds) throw Failure(Exit::kRefused, std::string("not so: ") + what);
}

// A bar of `part` (0 to 1) of the full width, in eighths of a character.
std::string Bar(double part) {
  constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths =
      static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * 8 * kBarWidth));
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  return bar + kEighths[eighths % 8];
}

double Over(size_t part, size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string Percent(double share) {
  return fmt::format("{:.2f}%", 100 * share);
}

// Keys from standard input, NUL-separated.
class Keys {
 public:
  Keys() {
    KeyArgs args;
    args.files = {"-"};
    args.nul_separated = true;
    KeySource source(args);
    for (auto keys = source.Next(); !keys.empty(); keys = source.Next()) {
      std::string& block = blocks_.emplace_back();
      for (std::string_view key : keys) block += key;
      size_t begin = 0;
      for (std::string_view key : keys) {
        views_.push_back(std::string_view(block).substr(begin, key.size()));
        begin += key.size();
      }
    }
    if (views_.empty()) throw Failure(Exit::kRefused, "no keys to route");
  }

  [[nodiscard]] size_t size() const { return views_.size(); }
  [[nodiscard]] const std::vector<std::string_view>& views() const {
    return views_;
  }

 private:
  std::deque<std::string> blocks_;  // a deque: what views point to stays put
  std::vector<std::string_view> views_;
};

std::vector<NodeIndex> Route(const Ring& ring, const Keys& keys) {
  std::vector<NodeIndex> owners(keys.size());
  ring.Owners(keys.views().data(), keys.size(), owners.data());
  return owners;
}

std::string ShowShares(const Ring& ring, const std::vector<NodeIndex>& owners) {
  std::vector<size_t> counts(ring.slot_count(), 0);
  for (NodeIndex owner : owners) ++counts[owner];
  uint64_t weights = 0;
  for (NodeIndex slot : ring.slots_by_id()) {
    weights += ring.node(slot).weight.thousandths();
  }
  const auto most = std::ranges::max(counts);
  using enum Table::Align;
  Table table({{"node"},
               {"weight", kRight},
               {"keys", kRight},
               {"share", kRight},
               {"due", kRight},
               {"share of keys"}});
  for (NodeIndex slot : ring.slots_by_id()) {
    const NodeView node = ring.node(slot);
    table.AddRow({std::string(node.id), node.weight.ToString(),
                  std::to_string(counts[slot]),
                  Percent(Over(counts[slot], owners.size())),
                  Percent(Over(node.weight.thousandths(), weights)),
                  Bar(Over(counts[slot], most))});
  }
  return table.ToString();
}

// Adds a node and tells which keys move, beside what `hash % n` would move.
std::string ShowMoves(const Ring& ring, const Keys& keys,
                      const std::vector<NodeIndex>& before) {
  RingBuilder builder = RingBuilder::From(ring);
  const Node node{.id = "cache-9",
                  .weight = Weight::Whole(1),
                  .region = {},
                  .zone = "c",
                  .rack = {},
                  .address = {}};
  ThrowIfError(builder.Add(node));
  const Ring grown = ValueOf(builder.Build(ring.epoch() + 1));
  const std::vector<NodeIndex> after = Route(grown, keys);
  const NodeIndex added = grown.Find(node.id);
  const uint64_t n = ring.node_count();
  size_t moved = 0;
  size_t moved_elsewhere = 0;
  size_t moved_by_modulo = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (before[i] != after[i]) ++moved;
    if (before[i] != after[i] && after[i] != added) ++moved_elsewhere;
    const uint64_t hash = ring.HashOf(keys.views()[i]);
    if (hash % n != hash % (n + 1)) ++moved_by_modulo;
  }
  Claim(moved_elsewhere == 0, "keys move to the new node only");
  Claim(moved < moved_by_modulo, "fewer keys move than with hash % n");
  const double by_ring = Over(moved, keys.size());
  const double by_modulo = Over(moved_by_modulo, keys.size());
  return fmt::format(
      "A ninth node joins, {} with weight {}. Keys that move:\n"
      "  clockwise  {:>6}  {}\n"
      "  hash % n   {:>6}  {}\n"
      "All {} keys that moved went to {}; none moved between the others.\n",
      node.id, node.weight.ToString(), Percent(by_ring), Bar(by_ring),
      Percent(by_modulo), Bar(by_modulo), moved, node.id);
}

// Processor time, which other work on the machine does not count into.
double Nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 +
         static_cast<double>(now.tv_nsec);
}

struct Contender {
  const char* name;
  std::function<void(std::vector<NodeIndex>&)> run;
  double best = 1e18;  // nanoseconds a key
};

// Runs the contenders in turn, so that all meet the same disturbances, and
// keeps each one's best. Each must give the answers of `owners`.
void Time(std::vector<Contender>& contenders,
          const std::vector<NodeIndex>& owners) {
  constexpr size_t kMinLookups = 10'000'000;
  const size_t rounds =
      std::clamp<size_t>(kMinLookups / owners.size(), 5, 1000);
  std::vector<NodeIndex> answers(owners.size());
  for (size_t round = 0; round < rounds; ++round) {
    for (Contender& contender : contenders) {
      const double begin = Nanoseconds();
      contender.run(answers);
      const double each =
          (Nanoseconds() - begin) / static_cast<double>(owners.size());
      contender.best = std::min(contender.best, each);
      Claim(answers == owners, "all ways to look up give the same owners");
    }
  }
}

std::string ShowTimes(const Ring& ring, const Keys& keys,
                      const std::vector<NodeIndex>& owners) {
  std::vector<uint64_t> positions;
  std::vector<NodeIndex> point_owners;
  for (size_t i = 0; i < ring.point_count(); ++i) {
    positions.push_back(ring.PositionAt(i));
    point_owners.push_back(ring.OwnerAt(i));
  }
  point_owners.push_back(point_owners[0]);  // past the last point
  const auto each = [&keys](auto owner_of) {
    return [&keys, owner_of](std::vector<NodeIndex>& answers) {
      std::ranges::transform(keys.views(), answers.begin(), owner_of);
    };
  };
  const auto search = [&](std::string_view key) {
    const auto found =
        std::lower_bound(positions.begin(), positions.end(), ring.HashOf(key));
    return point_owners[static_cast<size_t>(found - positions.begin())];
  };
  std::vector<Contender> contenders = {
      {"one key at a time",
       each([&ring](std::string_view key) { return ring.Owner(key); })},
      {"keys in batches",
       [&](std::vector<NodeIndex>& answers) {
         ring.Owners(keys.views().data(), keys.size(), answers.data());
       }},
      {"std::lower_bound", each(search)},
  };
  Time(contenders, owners);
  const double slowest = contenders.back().best;
  std::string text = "A lookup, hash of the key included, in ns:\n";
  for (const Contender& contender : contenders) {
    text += fmt::format("  {:<18} {:>6.1f}  {}", contender.name, contender.best,
                        Bar(contender.best / slowest));
    const bool is_ours = &contender != &contenders.back();
    text += is_ours
                ? fmt::format("  {:.1f}x faster\n", slowest / contender.best)
                : "  over the same points\n";
  }
  return text;
}

void Run(const char* members) {
  const Ring ring = ValueOf(BuildRing(ValueOf(LoadMembers(members))));
  const Keys keys;
  const std::vector<NodeIndex> owners = Route(ring, keys);
  Print(fmt::format("{} keys over {} nodes, {} points, {} bytes:\n\n{}\n",
                    keys.size(), ring.node_count(), ring.point_count(),
                    ring.bytes(), ShowShares(ring, owners)));
  Print(ShowMoves(ring, keys, owners) + '\n');
  Print(ShowTimes(ring, keys, owners) + '\n');
}

}  // namespace
}  // namespace clockwise::tool

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: clockwise-demo MEMBERS <KEYS\n", stderr);
    return 2;
  }
  try {
    clockwise::tool::Run(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "clockwise-demo: %s\n", error.what());
    return 1;
  }
}
