// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_pack.h"

#include <fmt/format.h>

#include "clockwise/ring_file.h"
#include "output.h"

namespace clockwise::tool {
namespace {

struct PackArgs {
  MembersArgs members;
  std::string output;
};

Exit Pack(const PackArgs& args) {
  const AnyPlacement placement = ReadPlacement(args.members);
  if (placement.ring() == nullptr) {
    throw Failure(Exit::kMisuse,
                  fmt::format("scheme {} is no ring: only rings have files",
                              placement.scheme()));
  }
  ThrowIfError(SaveRing(*placement.ring(), args.output));
  Print(ToHex(placement.digest()) + '\n');
  return Exit::kOk;
}

}  // namespace

void AddPack(CLI::App& app, Action& action) {
  auto args = std::make_shared<PackArgs>();
  CLI::App& verb =
      AddVerb(app, "pack", "Write the built ring to a file that -r FILE loads",
              args, Pack, action);
  AddMembersOptions(verb, args->members);
  AddOption(verb, "-o,--output", args->output, "Ring file to write")
      .Type("FILE")
      .Required();
  SetFooter(
      verb,
      "All processes of a host that load the file share its pages. It is\n"
      "replaced whole, by renaming, or stays as it was; the output is the\n"
      "digest. With -r and --layout a file is laid out anew.\n\n"
      "Examples:\n"
      "  clockwise pack -m members.json -o sessions.cwr\n"
      "  clockwise route -r sessions.cwr --key user:42\n"
      "  clockwise pack -r sessions.cwr --layout sorted -o small.cwr");
}

}  // namespace clockwise::tool
