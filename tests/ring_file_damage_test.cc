// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Damaged ring files: refused, or the same ring in every answer. In memory.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "ring_file_maker.h"
#include "ring_maker.h"

namespace clockwise {
namespace {

using enum RingFileFault;

RingFileFault FaultOf(std::string_view file) {
  RingFileFault fault = kNone;
  const auto ring = ParseRing(BytesOf(file), {}, &fault);
  EXPECT_EQ(ring.ok(), fault == kNone);
  return fault;
}

// Two nodes, three points: a file of a few hundred bytes.
std::string SmallFile() {
  RingOptions options = WithVnodes(1);
  options.layout = Layout::kSorted;
  return SerializeRing(MakeRing(options, {MakeNode("a", Weight::Whole(2)),
                                          MakeNode("b")}))
      .value();
}

std::string FileOf4KiB() {
  RingOptions options = WithVnodes(40);
  return SerializeRing(MakeRing(options, NumberedNodes("n", 0, 4))).value();
}

// Files with everything in them that a file can have.
std::vector<std::string> RichFiles() {
  std::vector<std::string> files;
  std::vector<Node> nodes = NumberedNodes("n", 0, 3);
  nodes[0].weight = Weight::Thousandths(2500);
  nodes[1].zone = "z";
  for (uint32_t width : {32u, 64u}) {
    for (int layout = 0; layout < 4; ++layout) {
      RingOptions options = WithVnodes(9);
      options.width = width;
      options.layout = static_cast<Layout>(layout);
      files.push_back(SerializeRing(MakeRing(options, nodes)).value());
    }
  }
  for (Ties ties : {Ties::kSmallestId, Ties::kFirstAdded, Ties::kLastAdded}) {
    RingOptions options = WithVnodes(1);
    options.scheme = "points";
    options.ties = ties;
    options.params = {{"p", "1"}, {"q", ""}};
    RingBuilder builder = MakeBuilder(options);
    for (const char* id : {"b", "a", "c"}) {
      Node node = MakeNode(id);
      node.params["x"] = id;
      EXPECT_TRUE(builder.Add(node, {{7, 7, 1ull << 63}}).ok());
    }
    files.push_back(SerializeRing(MakeRing(builder)).value());
  }
  // Where most points share a bucket.
  std::vector<std::pair<uint64_t, std::string>> points;
  for (uint64_t i = 0; i < 40; ++i) points.emplace_back(i, "n");
  files.push_back(
      SerializeRing(MakePointRing(64, Layout::kLine, points)).value());
  files.push_back(
      SerializeRing(MakePointRing(64, std::nullopt, points)).value());
  return files;
}

TEST(RingFileDamageTest, NoFileCutShortOrLengthenedIsRead) {
  const std::string file = FileOf4KiB();
  ASSERT_EQ(FaultOf(file), kNone);
  EXPECT_EQ(FaultOf(""), kNotRingFile);
  for (size_t size = 1; size < file.size(); ++size) {
    ASSERT_EQ(FaultOf(std::string_view(file).substr(0, size)), kTruncated)
        << size;
  }
  EXPECT_EQ(FaultOf(file + '\0'), kTrailingBytes);
  EXPECT_EQ(FaultOf(file + file), kTrailingBytes);
}

// A checksum for each part: two flips in different parts are at least one in
// each, and either is seen whatever the other is.
TEST(RingFileDamageTest, NoFlipOfOneOrTwoBitsIsRead) {
  std::string file = SmallFile();
  ASSERT_LE(file.size(), 1024u);
  const size_t header = WordAt(file, ring_file_offset::kImageAt);
  const size_t table = WordAt(file, ring_file_offset::kTableAt);
  const auto flip = [&](size_t bit) {
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ 1 << bit % 8);
  };
  size_t first = 0;
  for (size_t end : {header, table, file.size()}) {
    for (size_t a = first * 8; a < end * 8; ++a) {
      flip(a);
      ASSERT_NE(FaultOf(file), kNone) << "bit " << a;
      flip(a);
    }
    first = end;
  }
  // Pairs within a part, by that part's checksum alone where it is one of
  // XXH3; all of the header's through the loader.
  for (size_t a = 0; a < header * 8; ++a) {
    flip(a);
    for (size_t b = a + 1; b < header * 8; ++b) {
      flip(b);
      ASSERT_NE(FaultOf(file), kNone) << "bits " << a << " and " << b;
      flip(b);
    }
    flip(a);
  }
  const std::pair<size_t, size_t> parts[] = {{header, table},
                                             {table, file.size()}};
  for (const auto& [begin, end] : parts) {
    const std::string_view part =
        std::string_view(file).substr(begin, end - begin);
    const uint64_t right = Xxh3_64(part);
    for (size_t a = begin * 8; a < end * 8; ++a) {
      flip(a);
      for (size_t b = a + 1; b < end * 8; ++b) {
        flip(b);
        ASSERT_NE(Xxh3_64(part), right) << "bits " << a << " and " << b;
        flip(b);
      }
      flip(a);
    }
  }
}

TEST(RingFileDamageTest, NoOtherValueOfAByteIsRead) {
  std::string file = FileOf4KiB();
  ASSERT_GE(file.size(), 3500u);
  for (char& byte : file) {
    const char right = byte;
    for (int other = 1; other < 256; ++other) {
      byte = static_cast<char>(right ^ other);
      ASSERT_NE(FaultOf(file), kNone);
    }
    byte = right;
  }
}

// Checksums made right again: what is left is validation.
TEST(RingFileDamageTest, SealedDamageIsRefusedOrAnswersRightly) {
  std::map<RingFileFault, int> seen;
  for (std::string file : RichFiles()) {
    ASSERT_EQ(JudgeRingFile(file), "");
    for (size_t at = 0; at < file.size(); ++at) {
      const std::string whole = file;
      for (int other : {1, 2, 4, 8, 16, 32, 64, 128, 0xFF}) {
        file[at] = static_cast<char>(whole[at] ^ other);
        Reseal(file);
        RingFileFault fault;
        ASSERT_EQ(JudgeRingFile(file, {}, &fault), "") << "byte " << at;
        ++seen[fault];
        file = whole;
      }
    }
  }
  // Checksums are made right again; of the rest, what one byte can bring about.
  for (RingFileFault fault :
       {kNotRingFile,   kByteOrder,  kVersion,      kHeaderSize, kReserved,
        kParts,         kKeyHash,    kDisagreement, kOptions,    kTooManyNodes,
        kTooManyPoints, kSections,   kRecords,      kNode,       kWeight,
        kNodeOrder,     kPointOrder, kOwner,        kCounts,     kSearch,
        kDigest,        kBaseDigest}) {
    EXPECT_GT(seen[fault], 0) << RingFileFaultName(fault);
  }
}

// What a change of one byte in a sealed file is called.
struct Change {
  const char* what;
  size_t part;  // offset of the part's offset in the header; 0: the header
  size_t at;
  char value;
  RingFileFault fault;
};

TEST(RingFileDamageTest, FaultsAreToldApart) {
  using namespace ring_file_offset;
  const Change changes[] = {
      {"magic", 0, 1, 'c', kNotRingFile},
      {"byte order", 0, 8, 0x0A, kByteOrder},
      {"version", 0, 12, 2, kVersion},
      {"reserved", 0, 120, 1, kReserved},
      {"epoch", 0, kEpoch, 9, kDisagreement},
      {"fingerprint", 0, kSeedFingerprint, 9, kDisagreement},
      {"image magic", kImageAt, 0, 0, kOptions},
      {"width", kImageAt, 96, 33, kOptions},
      {"layout", kImageAt, 97, 4, kOptions},
      {"key hash", kImageAt, 98, 1, kKeyHash},
      {"key hash unknown", kImageAt, 98, 7, kKeyHash},
      {"is_wide", kImageAt, 99, 1, kSections},
      {"points", kImageAt, 72, 4, kCounts},
      {"many points", kImageAt, 75, 9, kTooManyPoints},
      {"slots", kImageAt, 76, 3, kDisagreement},
      {"many slots", kImageAt, 78, 17, kTooManyNodes},
      {"nodes", kImageAt, 80, 1, kCounts},
      {"collisions", kImageAt, 84, 1, kCounts},
      {"positions at", kImageAt, 121, 2, kSections},
      {"local", kImageAt, 64, 1, kBaseDigest},
      {"owner", kImageAt, 256 + 64, 2, kOwner},
      {"owner after the last", kImageAt, 256 + 64 + 6, 1, kReserved},
      {"position", kImageAt, 256 + 7, static_cast<char>(0xFF), kPointOrder},
      {"after the positions", kImageAt, 256 + 24, 0, kReserved},
      {"members", kTableAt, 28, 1, kCounts},
      {"vnodes", kTableAt, 32, 0, kOptions},
      {"ties", kTableAt, 43, 3, kOptions},
      {"native ties", kTableAt, 43, 1, kOptions},
      {"layout asked", kTableAt, 42, 6, kOptions},
      {"another layout asked", kTableAt, 42, 4, kOptions},
      {"reserved2", kTableAt, 50, 1, kReserved},
      {"points of a node", kTableAt, 64 + 12, 3, kCounts},
      {"weight", kTableAt, 64 + 11, 0x70, kWeight},
      {"hole", kTableAt, 64 + 16, 0, kReserved},
      {"text at", kTableAt, 64, 0, kNodeOrder},
      {"address", kTableAt, 64 + 21, 8, kNode},
      {"by id", kTableAt, 128, 1, kNodeOrder},
      {"after the texts", kTableAt, 255, 1, kReserved},
  };
  const std::string whole = SmallFile();
  for (const Change& change : changes) {
    std::string file = whole;
    const size_t part = change.part != 0 ? WordAt(file, change.part) : 0;
    ASSERT_NE(file[part + change.at], change.value) << change.what;
    file[part + change.at] = change.value;
    Reseal(file);
    EXPECT_EQ(RingFileFaultName(FaultOf(file)), RingFileFaultName(change.fault))
        << change.what;
  }
}

// What no digest tells: whose point comes first where two have one position.
TEST(RingFileDamageTest, TiesOutOfOrderAreFound) {
  const Ring ring =
      MakePointRing(64, Layout::kSorted, {{5, "a"}, {5, "b"}, {9, "c"}});
  std::string file = SerializeRing(ring).value();
  const size_t owners =
      WordAt(file, ring_file_offset::kImageAt) + ring.image()->owners_at;
  std::swap(file[owners], file[owners + 2]);
  file[owners + 6] = file[owners];  // closes the circle
  Reseal(file);
  EXPECT_EQ(FaultOf(file), kPointOrder);
}

// Where each line overflows, lines do not tell where their points begin.
TEST(RingFileDamageTest, StartsOfOverflowingLinesAreFound) {
  std::vector<std::pair<uint64_t, std::string>> points;
  for (uint64_t i = 0; i < 16; ++i) points.emplace_back(~i << 32, "n");
  const Ring ring = MakePointRing(32, Layout::kLine, points);
  ASSERT_EQ(ring.image()->lines, 2u);
  ASSERT_EQ(ring.image()->splus_levels, 0u);
  for (uint32_t end : {15u, 17u, 200u, ~0u}) {
    std::string file = SerializeRing(ring).value();
    const size_t starts =
        WordAt(file, ring_file_offset::kImageAt) + ring.image()->starts_at;
    ASSERT_EQ(LoadLe32(file.data() + starts + 8), 16u);
    StoreLe32(file.data() + starts + 8, end);
    Reseal(file);
    EXPECT_EQ(FaultOf(file), kSearch) << end;
  }
}

// Where none was asked for, the layout is the one that a builder picks.
TEST(RingFileDamageTest, LayoutsThatNoBuilderPicksAreFound) {
  std::vector<std::pair<uint64_t, std::string>> even, clustered;
  for (uint64_t i = 0; i < 40; ++i) {
    even.emplace_back(i << 58, "n");
    clustered.emplace_back(i, "n");
  }
  for (const Ring& ring : {MakePointRing(64, Layout::kSplus, even),
                           MakePointRing(64, Layout::kSorted, even),
                           MakePointRing(64, Layout::kLine, clustered)}) {
    std::string file = SerializeRing(ring).value();
    ASSERT_EQ(FaultOf(file), kNone);
    file[WordAt(file, ring_file_offset::kTableAt) + 42] = 0;
    Reseal(file);
    EXPECT_EQ(FaultOf(file), kOptions) << LayoutName(ring.layout());
  }
}

// A digest of them in another order could be made.
TEST(RingFileDamageTest, ParametersOutOfOrderAreFound) {
  RingOptions options = WithVnodes(1);
  options.scheme = "points";
  options.params = {{"p", "1"}, {"q", "2"}};
  RingBuilder builder = MakeBuilder(options);
  Node node = MakeNode("n");
  node.params = {{"s", "1"}, {"t", "2"}};
  ASSERT_TRUE(builder.Add(node, {{7}}).ok());
  const std::string whole = SerializeRing(MakeRing(builder)).value();
  for (const auto& [name, fault] : {std::pair("p1", kOptions), {"s1", kNode}}) {
    std::string file = whole;
    file[file.find(name)] = 'x';
    Reseal(file);
    EXPECT_EQ(FaultOf(file), fault) << name;
  }
}

// The same text in another place is another file, and not a builder's.
TEST(RingFileDamageTest, TextsInAnotherPlaceAreFound) {
  RingOptions options = WithVnodes(1);
  options.name = "b";
  std::string file =
      SerializeRing(MakeRing(options, {MakeNode("a"), MakeNode("b")})).value();
  const size_t record = WordAt(file, ring_file_offset::kTableAt) + 64 + 24;
  ASSERT_NE(WordAt(file, record), 0u);
  StoreLe64(file.data() + record, 0);
  Reseal(file);
  EXPECT_EQ(FaultOf(file), kRecords);
}

// Whoever moves points and seals the file is found where points are derived.
TEST(RingFileDamageTest, MovedPointsAreFoundByDerivingThem) {
  std::string file = SmallFile();
  const size_t image = WordAt(file, ring_file_offset::kImageAt);
  file[image + 256] = static_cast<char>(file[image + 256] ^ 1);
  Reseal(file);
  EXPECT_EQ(JudgeRingFile(file), "");
  RingLoadOptions options;
  options.check = RingFileCheck::kDerive;
  RingFileFault fault;
  EXPECT_EQ(ParseRing(BytesOf(file), options, &fault).status().message(),
            "ring file: derived_points: its ids and weights give other points");
  EXPECT_EQ(fault, kDerivedPoints);
}

TEST(RingFileDamageTest, TrustedFilesAreCheckedByHeaderSizesAndDigest) {
  RingLoadOptions trusted;
  trusted.check = RingFileCheck::kTrustedWriterOnly;
  std::string file = SmallFile();
  const auto fault_of = [&] {
    RingFileFault fault;
    (void)ParseRing(BytesOf(file), trusted, &fault);
    return fault;
  };
  EXPECT_EQ(fault_of(), kNone);
  file[ring_file_offset::kDigest] ^= 1;
  EXPECT_EQ(fault_of(), kHeaderChecksum);
  Reseal(file);
  EXPECT_EQ(fault_of(), kDisagreement);
  file = SmallFile();
  file.pop_back();
  EXPECT_EQ(fault_of(), kTruncated);
}

// A file that claims to be large takes no memory by that.
TEST(RingFileDamageTest, ClaimsReserveNothing) {
  class Counting final : public BlockSource {
   public:
    void* Acquire(size_t bytes) noexcept override {
      most = std::max(most, bytes);
      return DefaultBlockSource().Acquire(bytes);
    }
    void Release(void* block, size_t bytes) noexcept override {
      DefaultBlockSource().Release(block, bytes);
    }
    size_t most = 0;
  };
  Counting source;
  RingLoadOptions options;
  options.source = &source;
  const std::string whole = SmallFile();
  for (size_t field :
       {size_t{ring_file_offset::kFileBytes}, ring_file_offset::kImageBytes,
        ring_file_offset::kTableBytes}) {
    for (uint64_t claim : {uint64_t{1} << 62, ~uint64_t{63}, uint64_t{1} << 40,
                           uint64_t{1} << 39}) {
      std::string file = whole;
      StoreLe64(file.data() + field, claim);
      Reseal(file);
      RingFileFault fault;
      EXPECT_FALSE(ParseRing(BytesOf(file), options, &fault).ok());
      EXPECT_EQ(fault, kParts);
    }
  }
  EXPECT_LE(source.most, whole.size());
}

// Many bytes at once, sealed, over all kinds of files.
TEST(RingFileDamageTest, RandomDamageIsRefusedOrAnswersRightly) {
  std::mt19937_64 random(1);
  for (const std::string& whole : RichFiles()) {
    for (int round = 0; round < 400; ++round) {
      std::string file = whole;
      for (uint64_t n = 1 + random() % 4; n > 0; --n) {
        file[random() % file.size()] = static_cast<char>(random());
      }
      Reseal(file);
      ASSERT_EQ(JudgeRingFile(file), "") << "round " << round;
    }
  }
}

}  // namespace
}  // namespace clockwise
