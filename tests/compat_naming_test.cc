// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What peers call a server that was given no name, or no number, of its own:
// rings where it is left out are those where it is spelled out.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "clockwise/compat.h"

namespace clockwise {
namespace {

// The ring of nodes "0", "1", … with these parameters.
Ring RingOf(std::string_view scheme, const std::vector<Params>& nodes) {
  EXPECT_TRUE(RegisterPeerSchemes().ok());
  Members members;
  members.options.scheme = scheme;
  for (const Params& params : nodes) {
    Node node;
    node.id = std::to_string(members.nodes.size());
    node.params = params;
    members.nodes.push_back(std::move(node));
  }
  return BuildRing(members).value();
}

void ExpectSameOwners(const Ring& given, const Ring& wanted) {
  for (int i = 0; i < 500; ++i) {
    const std::string key = "key-" + std::to_string(i);
    ASSERT_EQ(given.node(given.Owner(key)).id,
              wanted.node(wanted.Owner(key)).id)
        << key;
  }
}

TEST(CompatNamingTest, TwemproxyNamesSocketsWithAColon) {
  ExpectSameOwners(
      RingOf("twemproxy-ketama", {{{"host", "/run/a.sock"}},
                                  {{"host", "/run/b.sock"}, {"port", "0"}}}),
      RingOf("twemproxy-ketama",
             {{{"name", "/run/a.sock:"}}, {{"name", "/run/b.sock:"}}}));
}

// The second would be 2 and the third 3, but 3 is the first one's; the last has
// the place after the one before it.
TEST(CompatNamingTest, HaproxyNumbersServersWithWhatIsFree) {
  ExpectSameOwners(RingOf("haproxy-consistent", {{{"puid", "3"}}, {}, {}, {}}),
                   RingOf("haproxy-consistent", {{{"puid", "3"}},
                                                 {{"puid", "2"}},
                                                 {{"puid", "4"}},
                                                 {{"puid", "5"}}}));
  ExpectSameOwners(RingOf("haproxy-consistent", {{}, {{"puid", "9"}}, {}}),
                   RingOf("haproxy-consistent",
                          {{{"puid", "1"}}, {{"puid", "9"}}, {{"puid", "3"}}}));
}

}  // namespace
}  // namespace clockwise
