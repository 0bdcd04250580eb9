// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Steering: from the keys of flows, 256 at a time, to the core of each, beside
// what ring_bench measures as a batch, on the same ring in the same rounds.
//
//   Steer/keys:packed/cores:16/ring:xxh3-64/ip:4/target:AVX2
//
// `ring_bench` is that batch: random bytes of a key's size, packed. The others
// have keys of flows between 2^16 clients and 8 services: `packed`; `words`, a
// key every 16 (IPv6: 40) bytes; `descriptors`, one every 64 bytes, as within a
// packet's descriptor, streamed from memory like the others; `hot`, the first
// 4,096 of these again and again, which caches hold. `symmetric` makes packed
// keys symmetric in place first. `frames` reads the keys from Ethernet frames
// of 64 bytes.
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clockwise/steer.h"
#include "contenders.h"
#include "keys.h"
#include "modes.h"
#include "rings.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {
namespace {

constexpr size_t kCell = 64;  // bytes of a descriptor, and of a frame
constexpr size_t kHot = 4096;

struct RingKind {
  const char* name;
  KeyHash key_hash;
  uint32_t width;
};
constexpr RingKind kDefault = {"xxh3-64", KeyHash::kXxh3, 64};
constexpr RingKind kRingKinds[] = {
    kDefault,
    {"xxh3-32", KeyHash::kXxh3, 32},
    {"murmur3-32", KeyHash::kMurmur3_32, 32},
};

Ring RingOf(const RingKind& kind, uint32_t cores) {
  SteerOptions options;
  options.cores = cores;
  options.width = kind.width;
  options.key_hash = kind.key_hash;
  return Take(BuildSteering(options));
}

// A TCP flow from a client to a service or, as often, back.
template <size_t kAddressBytes>
FlowTuple<kAddressBytes> RandomTuple(Random& random) {
  FlowTuple<kAddressBytes> tuple;
  const uint64_t bits = random();
  tuple.source[0] = tuple.destination[0] = kAddressBytes == 4 ? 10 : 0xFC;
  std::memcpy(&tuple.source[kAddressBytes - 2], &bits, 2);
  tuple.destination[1] = 1;
  tuple.destination[kAddressBytes - 1] = bits >> 16 & 7;
  tuple.source_port = static_cast<uint16_t>(0x8000 | bits >> 32);
  tuple.destination_port = 443;
  tuple.protocol = 6;
  if ((bits >> 63) != 0) {
    std::swap(tuple.source, tuple.destination);
    std::swap(tuple.source_port, tuple.destination_port);
  }
  return tuple;
}

// `key` is that of a flow of TCP over IPv4; `frame` is 0.
void WriteFrame(const FlowKey& key, uint8_t* frame) {
  frame[12] = 0x08;
  frame[14] = 0x45;
  frame[14 + 3] = kCell - 14;
  frame[14 + 9] = 6;
  std::memcpy(frame + 14 + 12, key.bytes().data(), 12);  // addresses and ports
}

// A key of kQueries flows every `stride` bytes.
struct KeyArray {
  KeyArray(size_t key_size, size_t key_stride)
      : size(key_size), stride(key_stride), bytes(key_stride * kQueries) {}

  [[nodiscard]] FixedKeys Keys(size_t first, size_t count) const {
    return {&bytes[first * stride], size, stride, count};
  }

  size_t size, stride;
  std::vector<uint8_t> bytes;
};

template <size_t kAddressBytes>
struct Case {
  static constexpr size_t kSize = 2 * kAddressBytes + 5;

  Case(const RingKind& kind, uint32_t cores) : ring(RingOf(kind, cores)) {
    Random random(cores);
    for (size_t i = 0; i < kQueries; ++i) {
      const FlowKey key(RandomTuple<kAddressBytes>(random));
      for (KeyArray* array : {&packed, &words, &descriptors, &symmetric}) {
        std::memcpy(&array->bytes[i * array->stride], key.bytes().data(),
                    kSize);
      }
      if (kAddressBytes == 4) WriteFrame(key, &frames[i * kCell]);
    }
    MakeSymmetric(0, kQueries);
    ring.width() == 32 ? Check<uint32_t>() : Check<uint64_t>();
  }

  void MakeSymmetric(size_t first, size_t count) const {
    uint8_t* keys = &symmetric.bytes[first * kSize];
    if (kAddressBytes == 4) return MakeSymmetricV4(keys, kSize, count);
    MakeSymmetricV6(keys, kSize, count);
  }
  void ReadFrames(size_t first, size_t count, uint8_t* keys) const {
    for (size_t i = 0; i < count; ++i) {
      const PacketFlow flow = ParseFrame({&frames[(first + i) * kCell], kCell});
      std::memcpy(keys + i * kSize, flow.key.bytes().data(), kSize);
    }
  }

  Ring ring;
  KeyBlock random_bytes{kSize, kSize, kQueries};
  KeyArray packed{kSize, kSize};
  KeyArray words{kSize, kAddressBytes == 4 ? 16 : 40};
  KeyArray descriptors{kSize, kCell};
  std::vector<uint8_t> frames = std::vector<uint8_t>(kCell * kQueries);
  // Made so once more in each round, which is the same work: no branch depends
  // on the keys.
  mutable KeyArray symmetric{kSize, kSize};

  template <typename T>
  void Check() const {
    CheckOwners<T>(random_bytes.Keys(0, kQueries), "owners of random bytes");
    CheckOwners<T>(packed.Keys(0, kQueries), "cores of packed keys");
    CheckOwners<T>(words.Keys(0, kQueries), "cores of keys in words");
    CheckOwners<T>(descriptors.Keys(0, kQueries), "cores of descriptors");
    CheckOwners<T>(symmetric.Keys(0, kQueries), "cores of symmetric keys");
    if (kAddressBytes != 4) return;
    std::vector<uint8_t> read(packed.bytes.size());
    ReadFrames(0, kQueries, read.data());
    Require(read == packed.bytes, "keys of frames");
  }

  template <typename T>
  void CheckOwners(FixedKeys keys, const std::string& what) const {
    const LowerBoundRing<T> reference(ring);
    std::vector<NodeIndex> owners(kQueries);
    const char* key = static_cast<const char*>(keys.data);
    for (NodeIndex& owner : owners) {
      owner = reference.view()(ring.HashOf({key, kSize}));
      key += keys.stride;
    }
    std::vector<NodeIndex> batch(kQueries);
    for (int64_t target : Targets()) {
      UseTarget(target);
      ring.Owners(keys, batch.data());
      Require(batch == owners, what + " " + TargetName(target));
    }
  }
};

template <size_t kAddressBytes>
const Case<kAddressBytes>& CaseOf(const RingKind& kind, uint32_t cores) {
  using Built = std::unique_ptr<Case<kAddressBytes>>;
  static std::map<std::pair<std::string, uint32_t>, Built> cases;
  auto& kept = cases[{kind.name, cores}];
  if (!kept) kept = std::make_unique<Case<kAddressBytes>>(kind, cores);
  return *kept;
}

template <size_t kAddressBytes>
class Lister {
  using CaseType = Case<kAddressBytes>;

 public:
  Lister(const RingKind& kind, uint32_t cores) : kind_(kind), cores_(cores) {}

  std::vector<Contender> Run() {
    for (int64_t target : Targets()) {
      target_ = target;
      AddArrays();
      AddSymmetric();
      if (kAddressBytes == 4) AddFrames();
    }
    return std::move(list_);
  }

 private:
  // `owners_of(case, i, count, owners)` answers items [i, i + count).
  template <typename OwnersOf>
  void Add(const std::string& name, OwnersOf owners_of) {
    const auto run = [kind = kind_, cores = cores_, owners_of](size_t first,
                                                               size_t count) {
      const CaseType& c = CaseOf<kAddressBytes>(kind, cores);
      return RunBatches(
          [&c, owners_of](size_t i, size_t some, NodeIndex* owners) {
            owners_of(c, i, some, owners);
          },
          first, count);
    };
    list_.push_back({"keys:" + name, run, target_});
  }

  // `keys_of(case, i, count)` is where items [i, i + count) are.
  template <typename KeysOf>
  void AddKeys(const std::string& name, KeysOf keys_of) {
    Add(name,
        [keys_of](const CaseType& c, size_t i, size_t some, NodeIndex* owners) {
          c.ring.Owners(keys_of(c, i, some), owners);
        });
  }

  void AddArrays() {
    AddKeys("ring_bench", [](const CaseType& c, size_t i, size_t some) {
      return c.random_bytes.Keys(i, some);
    });
    AddKeys("packed", [](const CaseType& c, size_t i, size_t some) {
      return c.packed.Keys(i, some);
    });
    AddKeys("words", [](const CaseType& c, size_t i, size_t some) {
      return c.words.Keys(i, some);
    });
    AddKeys("descriptors", [](const CaseType& c, size_t i, size_t some) {
      return c.descriptors.Keys(i, some);
    });
    AddKeys("hot", [](const CaseType& c, size_t i, size_t some) {
      return c.descriptors.Keys(i % kHot, some);
    });
  }

  void AddSymmetric() {
    AddKeys("symmetric", [](const CaseType& c, size_t i, size_t some) {
      c.MakeSymmetric(i, some);
      return c.symmetric.Keys(i, some);
    });
  }

  void AddFrames() {
    Add("frames",
        [](const CaseType& c, size_t i, size_t some, NodeIndex* owners) {
          uint8_t keys[kBatch * CaseType::kSize];
          c.ReadFrames(i, some, keys);
          c.ring.Owners({keys, CaseType::kSize, CaseType::kSize, some}, owners);
        });
  }

  RingKind kind_;
  uint32_t cores_;
  int64_t target_ = 0;
  std::vector<Contender> list_;
};

template <size_t kAddressBytes>
Group GroupOf(const RingKind& kind, uint32_t cores) {
  return {"cores:" + std::to_string(cores) + "/ring:" + kind.name +
              (kAddressBytes == 4 ? "/ip:4" : "/ip:6"),
          kQueries, 4096, [kind, cores] { CaseOf<kAddressBytes>(kind, cores); },
          Lister<kAddressBytes>(kind, cores).Run()};
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (const RingKind& kind : kRingKinds) {
    groups.push_back(GroupOf<4>(kind, 16));
    groups.push_back(GroupOf<16>(kind, 16));
  }
  groups.push_back(GroupOf<4>(kDefault, 128));
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Steer", Groups());
}
