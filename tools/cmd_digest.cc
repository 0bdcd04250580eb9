// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_digest.h"

#include "clockwise/scheme.h"
#include "output.h"

namespace clockwise::tool {
namespace {

Exit Digest(const MembersArgs& args) {
  const AnyPlacement placement = ReadPlacement(args);
  Print(ToHex(placement.digest()) + '\n');
  return Exit::kOk;
}

}  // namespace

void AddDigest(CLI::App& app, Action& action) {
  auto args = std::make_shared<MembersArgs>();
  CLI::App& verb =
      AddVerb(app, "digest", "Print the digest: equal digests, equal owners",
              args, Digest, action);
  AddMembersOptions(verb, *args);
  SetFooter(
      verb,
      "The digest covers all that placement depends on: name, scheme, width,\n"
      "seed, key hash, and the nodes' ids, weights and labels; not addresses,\n"
      "epoch, layout or the order of nodes.\n\n"
      "Example:\n"
      "  clockwise digest -m members.json");
}

}  // namespace clockwise::tool
