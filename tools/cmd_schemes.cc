// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "cmd_schemes.h"

#include <nlohmann/json.hpp>
#include <string>

#include "clockwise/scheme.h"
#include "output.h"
#include "table.h"

#ifdef CLOCKWISE_HAS_COMPAT
#include "clockwise/compat.h"
#endif

namespace clockwise::tool {
namespace {

struct SchemesArgs {
  bool json = false;
};

std::string Joined(std::span<const std::string_view> names) {
  std::string text;
  for (std::string_view name : names) {
    text += text.empty() ? "" : ", ";
    text += name;
  }
  return text;
}

const char* KindOf(const Scheme& scheme) {
  return scheme.is_ring() ? "ring" : "other";
}

std::string ToText() {
  Table table({{"scheme"},
               {"kind"},
               {"monotone"},
               {"order"},
               {"params"},
               {"node params"},
               {"what it is; traps"}});
  for (const Scheme* scheme : Schemes()) {
    std::string about(scheme->about);
    if (!scheme->traps.empty()) about += "; " + std::string(scheme->traps);
    table.AddRow({std::string(scheme->id), KindOf(*scheme),
                  scheme->is_monotone ? "yes" : "no",
                  scheme->is_order_dependent ? "list" : "any",
                  Joined(scheme->ring_params), Joined(scheme->node_params),
                  about});
  }
  return table.ToString();
}

std::string ToJson() {
  auto schemes = nlohmann::ordered_json::array();
  for (const Scheme* scheme : Schemes()) {
    schemes.push_back({{"id", scheme->id},
                       {"about", scheme->about},
                       {"traps", scheme->traps},
                       {"kind", KindOf(*scheme)},
                       {"monotone", scheme->is_monotone},
                       {"order_dependent", scheme->is_order_dependent},
                       {"params", scheme->ring_params},
                       {"node_params", scheme->node_params}});
  }
  return schemes.dump(2) + '\n';
}

Exit Show(const SchemesArgs& args) {
  Print(args.json ? ToJson() : ToText());
  return Exit::kOk;
}

}  // namespace

void RegisterSchemes() {
#ifdef CLOCKWISE_HAS_COMPAT
  const Status status = RegisterPeerSchemes();
  if (!status.ok()) throw Failure(Exit::kRefused, status.message());
#endif
}

void AddSchemes(CLI::App& app, Action& action) {
  auto args = std::make_shared<SchemesArgs>();
  CLI::App& verb = AddVerb(app, "schemes", "List the schemes, a line each",
                           args, Show, action);
  AddFlag(verb, "--json", args->json, "Print JSON");
  SetFooter(
      verb,
      "Monotone: adding a node moves keys to it alone, removing one moves its\n"
      "keys alone. Order: whether the order of the nodes belongs to the\n"
      "placement. Parameters are given by --param NAME=VALUE, or in a members\n"
      "file; those of nodes in a members file only.\n\n"
      "Example:\n"
      "  clockwise route --scheme nginx-consistent --node 10.0.0.1:80 \\\n"
      "      --node 10.0.0.2:80 --key /index.html");
}

}  // namespace clockwise::tool
