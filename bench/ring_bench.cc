// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Routing end to end: from the 13 bytes of a flow key to its owner, through
// the hash and the ring, against the same hash and a Maglev table.
//
//   Route/xxh3:line/width:32/points:16000/mode:latency
//
// `xxh3_call` hashes through the library's function, as Ring::Owner(key) does;
// `xxh3` has the hash inlined for keys of 13 bytes. In mode `latency` the
// number of the next key is xor-ed with the last owner.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contenders.h"
#include "hash/xxh3_inline.h"
#include "keys.h"
#include "maglev.h"
#include "modes.h"
#include "rings.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {
namespace {

constexpr size_t kKeyBytes = 13;

// The hash functions of single keys.
struct Inlined {
  uint64_t operator()(const char* key) const {
    return hash_internal::Xxh3Inline(key, kKeyBytes, 0);
  }
};
struct Called {
  uint64_t operator()(const char* key) const {
    return Xxh3_64({key, kKeyBytes}, 0);
  }
};

Ring RingOf(uint32_t width, uint32_t points, KeyHash key_hash) {
  RingOptions options = Options(width, Layout::kLine);
  options.key_hash = key_hash;
  return Take(BuilderOf(options, points / kVnodes).Build());
}

template <int kWidth>
class Case {
 public:
  using T = detail::Position<kWidth>;

  explicit Case(uint32_t points)
      : keys(kKeyBytes, kKeyBytes, kQueries),
        xxh3(RingOf(kWidth, points, KeyHash::kXxh3)),
        fnv(RingOf(kWidth, points, KeyHash::kFnv1aFmix)),
        murmur(RingOf(kWidth, points,
                      kWidth == 32 ? KeyHash::kMurmur3_32 : KeyHash::kXxh3)),
        lower_bound(xxh3),
        maglev(points / kVnodes) {
    Check(xxh3);
    Check(fnv);
    Check(murmur);
  }

  [[nodiscard]] auto line_view() const {
    return detail::LineView<kWidth, false>(xxh3.image());
  }

  KeyBlock keys;
  Ring xxh3, fnv, murmur;  // equal points, other hashes of keys
  LowerBoundRing<T> lower_bound;
  MaglevTable maglev;

 private:
  void Check(const Ring& ring) const {
    std::vector<NodeIndex> owners(kQueries);
    for (size_t i = 0; i < kQueries; ++i) {
      const std::string_view key(keys.At(i), kKeyBytes);
      owners[i] = lower_bound.view()(ring.HashOf(key));
      Require(ring.Owner(key) == owners[i], "owner of a key");
    }
    std::vector<NodeIndex> batch(kQueries);
    for (int64_t target : Targets()) {
      UseTarget(target);
      ring.Owners(keys.Keys(0, kQueries), batch.data());
      Require(batch == owners, "owners of keys " + TargetName(target));
    }
  }
};

template <int kWidth>
const Case<kWidth>& CaseOf(uint32_t points) {
  static std::map<uint32_t, std::unique_ptr<Case<kWidth>>> cases;
  auto& kept = cases[points];
  if (!kept) kept = std::make_unique<Case<kWidth>>(points);
  return *kept;
}

template <int kWidth>
class Lister {
  using CaseType = Case<kWidth>;

 public:
  Lister(uint32_t points, Mode mode) : points_(points), mode_(mode) {}

  std::vector<Contender> Run() {
    Searches<Inlined>("xxh3");
    Searches<Called>("xxh3_call");
    if (mode_ == Mode::kBatch) {
      for (int64_t target : Targets()) Batches(target);
      return std::move(list_);
    }
    Single("xxh3_call:ring", [](const CaseType& c) {
      return [&ring = c.xxh3](const char* key) {
        return ring.Owner(std::string_view(key, kKeyBytes));
      };
    });
    return std::move(list_);
  }

 private:
  // `pick(case)` gives a function from a key to its owner.
  template <typename Pick>
  void Single(const std::string& name, Pick pick) {
    const auto run = [points = points_, mode = mode_, pick](size_t first,
                                                            size_t count) {
      const CaseType& c = CaseOf<kWidth>(points);
      const auto owner_of = [owner = pick(c), keys = c.keys.At(0)](
                                size_t i, NodeIndex last) {
        return owner(keys + ((i ^ last) % kQueries) * kKeyBytes);
      };
      return RunSingle(mode, owner_of, first, count);
    };
    list_.push_back({name, run});
  }

  template <typename HashOf>
  void Searches(const std::string& hash) {
    Single(hash + ":std_lower_bound", [](const CaseType& c) {
      return [view = c.lower_bound.view()](const char* key) {
        return view(HashOf()(key));
      };
    });
    Single(hash + ":maglev_65537", [](const CaseType& c) {
      return [view = c.maglev.view()](const char* key) {
        return view(HashOf()(key));
      };
    });
    Single(hash + ":line_view", [](const CaseType& c) {
      return [view = c.line_view()](const char* key) {
        return view.Owner(HashOf()(key));
      };
    });
  }

  void Batches(int64_t target) {
    Batch("xxh3", HashKind::kXxh3_64, &CaseType::xxh3, target);
    if (kWidth != 32) return;
    Batch("fnv1a-fmix", HashKind::kFnv1a32Fmix, &CaseType::fnv, target);
    Batch("murmur3-32", HashKind::kMurmur3_32, &CaseType::murmur, target);
  }

  void Batch(const std::string& hash, HashKind kind, Ring CaseType::*ring,
             int64_t target) {
    BatchOf(hash + "_batch:line", target, [ring](const CaseType& c) {
      return [&c, &r = c.*ring](size_t i, size_t some, NodeIndex* owners) {
        r.Owners(c.keys.Keys(i, some), owners);
      };
    });
    BatchOf(hash + "_batch:maglev_65537", target, [kind](const CaseType& c) {
      return [&c, kind, view = c.maglev.view()](size_t i, size_t some,
                                                NodeIndex* owners) {
        uint32_t hashes[kBatch];
        HashBatch(kind, 0, c.keys.Keys(i, some), hashes);
        for (size_t j = 0; j < some; ++j) owners[j] = view.At(hashes[j]);
      };
    });
  }

  // `pick(case)` gives a function that answers a batch.
  template <typename Pick>
  void BatchOf(const std::string& name, int64_t target, Pick pick) {
    const auto run = [points = points_, pick](size_t first, size_t count) {
      return RunBatches(pick(CaseOf<kWidth>(points)), first, count);
    };
    list_.push_back({name, run, target});
  }

  uint32_t points_;
  Mode mode_;
  std::vector<Contender> list_;
};

template <int kWidth>
Group GroupOf(uint32_t points, Mode mode) {
  return {"width:" + std::to_string(kWidth) +
              "/points:" + std::to_string(points) + "/mode:" + ModeName(mode),
          kQueries, 4096, [points] { CaseOf<kWidth>(points); },
          Lister<kWidth>(points, mode).Run()};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (uint32_t points : {1280u, 16000u, 160000u, 1600000u}) {
    for (Mode mode : {Mode::kLatency, Mode::kIndependent, Mode::kBatch}) {
      groups.push_back(GroupOf<32>(points, mode));
      groups.push_back(GroupOf<64>(points, mode));
    }
  }
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Route", Groups());
}
