// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Members as the library reads them; cli_members_test.py has what the schema
// refuses, field by field.
#include "clockwise/members.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "ring_maker.h"

namespace clockwise {
namespace {

constexpr std::string_view kText =
    R"({"schema": 1, "name": "sessions", "epoch": 7,
        "ring": {"vnodes": 64, "width": 32, "seed": "18446744073709551615",
                 "key_hash": "murmur3-32", "layout": "sorted"},
        "nodes": [{"id": "a", "weight": 1.5, "region": "eu", "zone": "z",
                   "rack": "r", "address": "10.0.0.1:80"},
                  {"id": "b", "weight": 0}]})";

// A path that no other test uses.
std::string PathOf(const std::string& name) {
  return testing::TempDir() + "members_test." + std::to_string(getpid()) + '.' +
         name;
}

std::string WriteFile(const std::string& name, std::string_view text) {
  const std::string path = PathOf(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

void ExpectRefused(const Status& status, Code code,
                   const std::vector<std::string>& says) {
  EXPECT_EQ(status.code(), code) << status.message();
  for (const std::string& part : says) {
    EXPECT_NE(status.message().find(part), std::string::npos)
        << status.message() << " does not say " << part;
  }
}

TEST(MembersTest, ReadsEveryField) {
  const Members members = ParseMembers(kText, "here").value();
  EXPECT_EQ(members.source, "here");
  EXPECT_EQ(members.epoch, 7u);
  const RingOptions& options = members.options;
  EXPECT_EQ(options.name, "sessions");
  EXPECT_EQ(options.scheme, kNativeScheme);
  EXPECT_EQ(options.vnodes, 64u);
  EXPECT_EQ(options.width, 32u);
  EXPECT_EQ(options.seed, ~uint64_t{0});
  EXPECT_EQ(options.key_hash, KeyHash::kMurmur3_32);
  EXPECT_EQ(options.layout, Layout::kSorted);
  EXPECT_EQ(options.max_points, kDefaultMaxPoints);
  Node a = MakeNode("a", Weight::Thousandths(1500));
  a.region = "eu";
  a.zone = "z";
  a.rack = "r";
  a.address = "10.0.0.1:80";
  EXPECT_EQ(members.nodes,
            (std::vector<Node>{a, MakeNode("b", Weight::Whole(0))}));
}

TEST(MembersTest, BuildsTheRingThatABuilderWould) {
  const Members members = ParseMembers(kText).value();
  const Ring ring = BuildRing(members).value();
  EXPECT_EQ(ring.epoch(), 7u);
  EXPECT_EQ(ring.records_digest(),
            MakeRing(members.options, members.nodes).records_digest());
}

TEST(MembersTest, OfARingGiveTheSameRing) {
  Members given = ParseMembers(kText).value();
  given.options.max_points = 1000;
  const Ring ring = BuildRing(given).value();
  Members found = MembersOf(ring).value();
  EXPECT_EQ(found.source, "");
  EXPECT_EQ(found.epoch, given.epoch);
  EXPECT_EQ(found.nodes, given.nodes);
  EXPECT_EQ(found.options.name, given.options.name);
  EXPECT_EQ(found.options.layout, given.options.layout);
  EXPECT_EQ(found.options.max_points, 1000u);
  EXPECT_EQ(BuildRing(found).value().digest(), ring.digest());
  // By id, whatever their slots.
  RingBuilder builder = RingBuilder::From(ring);
  ASSERT_TRUE(builder.Remove("a").ok());
  ASSERT_TRUE(builder.Add(MakeNode("c")).ok());
  ASSERT_TRUE(builder.Add(MakeNode("a")).ok());
  found = MembersOf(builder.Build(8).value()).value();
  ASSERT_EQ(found.nodes.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found.nodes[i].id, std::string(1, static_cast<char>('a' + i)));
  }
}

TEST(MembersTest, LoadsAFile) {
  const std::string path = WriteFile("good", kText);
  const Members members = LoadMembers(path).value();
  EXPECT_EQ(members.source, path);
  EXPECT_EQ(members.nodes, ParseMembers(kText).value().nodes);
  unlink(path.c_str());
}

TEST(MembersTest, RefusesWhatTheSchemaDoesNotAllowByPlaceAndField) {
  const struct {
    const char* text;
    std::vector<std::string> says;
  } cases[] = {
      {"", {"here: is empty"}},
      {"{", {"here:1:2: ", "syntax error"}},
      {"{\"schema\": 1,\n  oops}", {"here:2:3: "}},
      {"{\"schema\": 1}}", {"here:1:14: "}},
      {"[]", {"here:1:1: ", "an object is wanted"}},
      {R"({"schema": 2})", {"here:1:12: schema: 2; schema 1 is wanted"}},
      {R"({"nodes": []})", {"here:1:1: schema: missing"}},
      {R"({"schema": 1, "a": 1})", {"here:1:15: a: unknown field"}},
      {R"({"schema": 1, "ring": {"vnodes": 0}})",
       {"here:1:34: ring.vnodes: 0; 1 to 65536"}},
      {R"({"schema": 1, "ring": {"params": {"x": 1}}})",
       {"ring.params.x: unknown parameter 'x'"}},
      {R"({"schema": 1, "nodes": [{"id": "a"}, {"id": "a"}]})",
       {"here:1:45: nodes[1].id: 'a' is the id of nodes[0] at 1:32"}},
      {R"({"schema": 1, "nodes": [{"id": "a", "weight": 1.0005}]})",
       {"nodes[0].weight: 1.0005; a weight is"}},
  };
  for (const auto& [text, says] : cases) {
    const auto members = ParseMembers(text, "here");
    ExpectRefused(members.status(), Code::kBadMembers, says);
  }
}

TEST(MembersTest, RefusesFilesThatCannotBeReadByName) {
  const std::string none = PathOf("none");
  ExpectRefused(LoadMembers(none).status(), Code::kIo, {none, "No such file"});
  const std::string folder = testing::TempDir();
  ExpectRefused(LoadMembers(folder).status(), Code::kIo,
                {folder, "is a directory"});
  ExpectRefused(LoadMembers("/dev/zero").status(), Code::kIo,
                {"/dev/zero: is not a regular file"});
  const std::string fifo = PathOf("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  ExpectRefused(LoadMembers(fifo).status(), Code::kIo,
                {fifo + ": is not a regular file"});
  unlink(fifo.c_str());
}

TEST(MembersTest, RefusesFilesAbove256MiB) {
  const std::string path = WriteFile("large", "x");
  ASSERT_EQ(truncate(path.c_str(), off_t{kMaxMembersBytes} + 1), 0);
  ExpectRefused(LoadMembers(path).status(), Code::kIo,
                {path + ": is larger than 256 MiB"});
  unlink(path.c_str());
}

TEST(MembersTest, PassesTheBuildersReasonsOnWithTheSource) {
  Members members = ParseMembers(kText, "here").value();
  members.options.max_points = 1;
  ExpectRefused(BuildRing(members).status(), Code::kTooManyPoints,
                {"here: ring 'sessions': needs 96 points; at most 1"});
  members.options.width = 64;
  ExpectRefused(BuildRing(members).status(), Code::kInvalidOptions,
                {"here: ring 'sessions': key hash murmur3-32 needs width 32"});
  members.options = {};
  members.nodes.push_back(MakeNode(""));
  ExpectRefused(BuildRing(members).status(), Code::kBadNodeId, {"here: "});
}

TEST(MembersTest, TakesFieldsAsTexts) {
  Members members;
  const std::pair<const char*, const char*> fields[] = {
      {"name", "sessions"},      {"epoch", "7"},
      {"vnodes", "64"},          {"width", "32"},
      {"layout", "sorted"},      {"seed", "18446744073709551615"},
      {"scheme", "clockwise-1"}, {"key_hash", "murmur3-32"}};
  for (const auto& [name, text] : fields) {
    EXPECT_TRUE(SetField(name, text, members).ok()) << name;
  }
  Node node;
  EXPECT_TRUE(SetField("id", "a", node).ok());
  EXPECT_TRUE(SetField("weight", "1.5", node).ok());
  EXPECT_TRUE(SetField("zone", "z", node).ok());
  EXPECT_EQ(node.weight, Weight::Thousandths(1500));
  EXPECT_EQ(node.zone, "z");
  members.nodes.push_back(node);
  EXPECT_EQ(BuildRing(members).value().image()->points, 96u);
  EXPECT_EQ(members.epoch, 7u);
  EXPECT_EQ(members.options.seed, ~uint64_t{0});
}

TEST(MembersTest, RefusedFieldsChangeNothing) {
  Members members;
  members.options.layout = Layout::kLine;
  const std::pair<const char*, const char*> fields[] = {
      {"vnodes", "0"},     {"vnodes", "1e3"}, {"vnodes", ""},
      {"layout", "round"}, {"seed", "-1"},    {"width", "48"},
      {"ring", "{}"},      {"params.x", "1"}, {"frob", "1"}};
  for (const auto& [name, text] : fields) {
    EXPECT_EQ(SetField(name, text, members).code(), Code::kBadMembers) << name;
  }
  EXPECT_EQ(members.options.layout, Layout::kLine);
  EXPECT_EQ(members.options.vnodes, RingOptions().vnodes);
  Node node = MakeNode("a");
  for (const auto& [name, text] :
       {std::pair("id", ""), {"id", "a\x7f"}, {"weight", "1e3"}}) {
    EXPECT_EQ(SetField(name, text, node).code(), Code::kBadMembers) << name;
  }
  EXPECT_EQ(node, MakeNode("a"));
}

}  // namespace
}  // namespace clockwise
