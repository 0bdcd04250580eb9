// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings written to files and loaded again are the same rings.
#include "clockwise/ring_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "placement/build.h"
#include "ring_file_maker.h"
#include "ring_maker.h"

namespace clockwise {
namespace {

// A folder of the test's own.
class RingFileTest : public ::testing::Test {
 protected:
  RingFileTest() {
    std::string name = ::testing::TempDir() + "ring_file_XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    path = (folder / "ring.cwr").string();
  }
  ~RingFileTest() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
  std::string path;
};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void ExpectSameRing(const Ring& a, const Ring& b) {
  ASSERT_EQ(a.image()->bytes, b.image()->bytes);
  EXPECT_EQ(std::memcmp(a.image(), b.image(), a.image()->bytes), 0);
  EXPECT_EQ(a.digest(), b.digest());
  EXPECT_EQ(a.records_digest(), b.records_digest());
  EXPECT_EQ(a.epoch(), b.epoch());
  EXPECT_EQ(a.name(), b.name());
  EXPECT_EQ(a.vnodes(), b.vnodes());
}

std::vector<Node> RichNodes() {
  std::vector<Node> nodes = NumberedNodes("cache-", 0, 9);
  nodes[1].weight = Weight::Thousandths(2500);
  nodes[2].weight = Weight::Whole(0);
  nodes[3].region = "eu";
  nodes[3].zone = "a";
  nodes[4].rack = "r1";
  nodes[5].address = "10.0.0.5:11211";
  return nodes;
}

// Saves it, and loads it in each way there is.
void ExpectRoundTrip(const Ring& ring, const std::string& path) {
  const Status saved = SaveRing(ring, path);
  ASSERT_TRUE(saved.ok()) << saved.message();
  EXPECT_EQ(ReadFile(path), SerializeRing(ring).value());
  for (LoadMode mode : {LoadMode::kMap, LoadMode::kCopy}) {
    for (RingFileCheck check : {RingFileCheck::kFull, RingFileCheck::kDerive,
                                RingFileCheck::kTrustedWriterOnly}) {
      RingLoadOptions options;
      options.mode = mode;
      options.check = check;
      const auto loaded = LoadRing(path, options);
      ASSERT_TRUE(loaded.ok()) << loaded.status().message();
      ExpectSameRing(ring, loaded.value());
    }
  }
  EXPECT_EQ(JudgeRingFile(ReadFile(path)), "");
}

TEST_F(RingFileTest, HoldsAnyNativeRing) {
  for (uint32_t width : {32u, 64u}) {
    for (int layout = -1; layout < 4; ++layout) {
      RingOptions options = WithVnodes(40);
      options.name = "sessions";
      options.width = width;
      options.seed = 0x0123456789ABCDEF;
      if (layout >= 0) options.layout = static_cast<Layout>(layout);
      if (width == 32) options.key_hash = KeyHash::kMurmur3_32;
      ExpectRoundTrip(MakeRing(options, RichNodes()), path);
    }
  }
}

TEST_F(RingFileTest, HoldsRingsOfFewPoints) {
  for (int nodes = 0; nodes < 4; ++nodes) {
    for (uint32_t vnodes : {1u, 7u, 8u, 9u, 16u, 17u}) {
      for (int layout = -1; layout < 4; ++layout) {
        RingOptions options = WithVnodes(vnodes);
        if (layout >= 0) options.layout = static_cast<Layout>(layout);
        const Ring ring = MakeRing(options, NumberedNodes("n", 0, nodes));
        EXPECT_EQ(JudgeRingFile(SerializeRing(ring).value()), "")
            << nodes << " nodes of " << vnodes << ", layout " << layout;
      }
    }
  }
}

TEST_F(RingFileTest, HoldsHolesEpochAndLocalRings) {
  const Ring first = MakeRing(WithVnodes(30), RichNodes());
  RingBuilder builder = RingBuilder::From(first);
  ASSERT_TRUE(builder.Remove("cache-4").ok());
  const Ring wanted = builder.Build(7).value();
  ExpectRoundTrip(wanted, path);
  RingBuilder half = RingBuilder::From(wanted);
  ASSERT_TRUE(half.SetWeight("cache-5", Weight::Thousandths(500)).ok());
  ExpectRoundTrip(half.BuildLocal(wanted, 3).value(), path);
}

// Rings that lines do not fit: a tree for what overflows, or in place of them.
TEST_F(RingFileTest, HoldsClusteredRings) {
  for (uint32_t width : {32u, 64u}) {
    for (size_t clustered : {2u, 20u, 200u, 400u}) {
      for (int layout = -1; layout < 4; ++layout) {
        std::vector<std::pair<uint64_t, std::string>> points;
        for (uint64_t i = 0; i < 400; ++i) {
          const uint64_t base = i < clustered ? i : i * 0x00A3D70A3D70A3D7;
          points.emplace_back(base << 32, "n" + std::to_string(i % 5));
        }
        std::optional<Layout> asked;
        if (layout >= 0) asked = static_cast<Layout>(layout);
        const Ring ring = MakePointRing(width, asked, points);
        EXPECT_EQ(JudgeRingFile(SerializeRing(ring).value()), "")
            << clustered << " of width " << width << ", layout " << layout;
      }
    }
  }
}

// The order in which nodes were added belongs to such rings and their digests.
TEST_F(RingFileTest, HoldsRingsWhoseTiesGoByOrder) {
  for (Ties ties : {Ties::kFirstAdded, Ties::kLastAdded}) {
    RingOptions options = WithVnodes(1);
    options.scheme = "points";
    options.ties = ties;
    options.params = {{"hash", "md5"}, {"port", "11211"}};
    RingBuilder builder = MakeBuilder(options);
    for (const char* id : {"c", "a", "d", "b"}) {
      Node node = MakeNode(id);
      node.params["name"] = id;
      ASSERT_TRUE(builder.Add(node, {{5, 5, 9, 1ull << 40}}).ok());
    }
    const Ring ring = MakeRing(builder);
    ExpectRoundTrip(ring, path);
    EXPECT_EQ(LoadRing(path).value().node(ring.Owner(4)).id,
              ties == Ties::kFirstAdded ? "c" : "b");
  }
}

TEST_F(RingFileTest, HoldsWideRings) {
  std::vector<Node> nodes = NumberedNodes("n", 0, 65600);
  const Ring ring = MakeRing(WithVnodes(1), nodes);
  ASSERT_NE(ring.image()->is_wide, 0);
  const std::string file = SerializeRing(ring).value();
  const auto loaded = ParseRing(BytesOf(file));
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  ExpectSameRing(ring, loaded.value());
}

TEST_F(RingFileTest, LoadsInAnotherLayout) {
  RingOptions options = WithVnodes(50);
  const Ring ring = MakeRing(options, RichNodes());
  ASSERT_TRUE(SaveRing(ring, path).ok());
  for (Layout layout :
       {Layout::kSorted, Layout::kEytzinger, Layout::kSplus, Layout::kLine}) {
    RingLoadOptions load;
    load.layout = layout;
    const auto loaded = LoadRing(path, load);
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    EXPECT_EQ(loaded.value().layout(), layout);
    EXPECT_EQ(loaded.value().digest(), ring.digest());
    EXPECT_TRUE(AnswersNaively(loaded.value()));
    EXPECT_EQ(JudgeRingFile(SerializeRing(loaded.value()).value()), "");
  }
}

uint64_t FirstByte(std::string_view key, uint64_t) noexcept {
  return key.empty() ? 0 : uint64_t{static_cast<uint8_t>(key[0])} << 56;
}
void FirstBytes(const std::string_view* keys, size_t count, uint64_t seed,
                uint64_t* hashes) noexcept {
  for (size_t i = 0; i < count; ++i) hashes[i] = FirstByte(keys[i], seed);
}
void FirstBytesFixed(FixedKeys keys, uint64_t, uint64_t* hashes) noexcept {
  for (size_t i = 0; i < keys.count; ++i) hashes[i] = 0;
}
const KeyHasher kFirstByte{"first-byte", FirstByte, FirstBytes,
                           FirstBytesFixed};

TEST_F(RingFileTest, ResolvesAKeyHashByItsName) {
  const auto number = static_cast<KeyHash>(200);
  ASSERT_TRUE(RegisterKeyHasher(number, kFirstByte).ok());
  RingOptions options = WithVnodes(20);
  options.key_hash = number;
  const Ring ring = MakeRing(options, RichNodes());
  ExpectRoundTrip(ring, path);
  EXPECT_EQ(LoadRing(path).value().Owner("abc"), ring.Owner("abc"));
  // The file does not know the number, and one without that hasher refuses it.
  std::string file = ReadFile(path);
  EXPECT_EQ(file.find("first-byte"), 128u + 11u);
  file[128 + 11] = 'F';
  Reseal(file);
  RingFileFault fault;
  const auto refused = ParseRing(BytesOf(file), {}, &fault);
  EXPECT_EQ(fault, RingFileFault::kKeyHash);
  EXPECT_EQ(refused.status().message(),
            "ring file: key_hash: no library here has key hash 'First-byte'");
}

// Publishing gives a ring of epoch 0 its number, in the mapping's own page.
TEST_F(RingFileTest, MappedRingsAreServedChangedAndOutliveTheirName) {
  const Ring built = MakeRing(WithVnodes(40), RichNodes());
  ASSERT_TRUE(SaveRing(built, path).ok());
  const std::string file = ReadFile(path);
  Ring loaded = LoadRing(path).value();
  std::filesystem::remove(path);
  RingBuilder builder = RingBuilder::From(loaded);
  ASSERT_TRUE(builder.Remove("cache-1").ok());
  EXPECT_EQ(builder.Build().value().node_count(), 8u);
  EXPECT_TRUE(AnswersNaively(loaded));

  ASSERT_TRUE(SaveRing(built, path).ok());
  Ring again = LoadRing(path).value();
  Domain domain = Domain::Create({.flavour = Flavour::kQsbr}).value();
  const auto router = Router::Create(domain).value();
  ASSERT_TRUE(router->Publish(std::move(again)).ok());
  Reader reader = domain.Register().value();
  {
    const Pin pin(reader);
    EXPECT_EQ(router->Current(pin).Owner("k"), built.Owner("k"));
    EXPECT_EQ(router->Current(pin).epoch(), 1u);
  }
  EXPECT_EQ(ReadFile(path), file) << "publishing wrote to the file";
}

TEST_F(RingFileTest, TellsFilesThatCannotBeRead) {
  EXPECT_EQ(LoadRing(path).status().code(), Code::kIo);
  EXPECT_EQ(LoadRing(folder.string()).status().code(), Code::kIo);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(LoadRing(path).status().message(), path + ": no regular file");
  std::filesystem::remove(path);
  std::ofstream(path) << "{\"schema\": 1}";
  RingFileFault fault;
  const auto refused = LoadRing(path, {}, &fault);
  EXPECT_EQ(refused.status().code(), Code::kBadRingFile);
  EXPECT_EQ(fault, RingFileFault::kNotRingFile);
  EXPECT_EQ(refused.status().message(),
            path + ": not_ring_file: does not begin as a ring file does");
}

TEST_F(RingFileTest, FaultsHaveNames) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kRingFileFaultCount; ++i) {
    names.insert(RingFileFaultName(static_cast<RingFileFault>(i)));
  }
  EXPECT_EQ(names.size(), kRingFileFaultCount);
  EXPECT_EQ(RingFileFaultName(static_cast<RingFileFault>(kRingFileFaultCount)),
            "unknown");
}

// The file of another build, and of hosts of either byte order.
TEST_F(RingFileTest, StaysWhatItWas) {
  for (const char* name : {"line", "splus-32", "points"}) {
    const std::string file =
        ReadFile(std::string(GOLDEN_DIR) + "/ring_files/" + name);
    ASSERT_FALSE(file.empty()) << name;
    EXPECT_EQ(JudgeRingFile(file), "") << name;
    EXPECT_TRUE(ParseRing(BytesOf(file)).ok()) << name;
  }
}

}  // namespace
}  // namespace clockwise
