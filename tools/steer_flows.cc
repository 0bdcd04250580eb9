// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The example program for steering: packets of a capture file, or random flows,
// to cores. How even is the load, and what does steering cost?
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "capture.h"
#include "clockwise/steer.h"
#include "command_line.h"
#include "flow_keys.h"
#include "output.h"
#include "program.h"
#include "steer_report.h"
#include "text.h"

namespace clockwise::tool {
namespace {

constexpr uint64_t kMaxFlows = 20'000'000;

struct SteerArgs {
  std::string file;
  std::optional<std::string> flows, seed, cores;
  std::vector<std::string> drain;
  bool ipv6 = false;
  bool symmetric = false;
  bool list = false;
  bool json = false;
};

constexpr const char* kFooter =
    "--list writes a line for each packet: its number, its core and its key "
    "in\n"
    "hex, separated by tabs. Packets of random flows are one a flow.\n\n"
    "Examples:\n"
    "  clockwise-steer --cores 16 --symmetric capture.pcap\n"
    "  clockwise-steer --cores 16 --flows 1000000 --drain 3\n\n"
    "Exit codes: 0, done; 1, the file is refused; 2, misuse.";

uint64_t Number(const char* option, const std::string& text, uint64_t least,
                uint64_t most) {
  const auto value = ParseUnsigned(text);
  if (!value || *value < least || *value > most) {
    throw Failure(Exit::kMisuse,
                  fmt::format("{}: '{}' is not a whole number from {} to {}",
                              option, text, least, most));
  }
  return *value;
}

uint32_t CoreNumber(const char* option, const std::string& text,
                    uint64_t least) {
  return static_cast<uint32_t>(Number(option, text, least, kMaxCores));
}

Ring Take(Result<Ring> ring, const std::string& option) {
  if (!ring.ok()) {
    throw Failure(Exit::kMisuse, option + ": " + ring.status().message());
  }
  return std::move(ring).value();
}

Ring RingOf(const SteerArgs& args) {
  SteerOptions options;
  options.cores = CoreNumber("--cores", *args.cores, 1);
  Ring ring = Take(BuildSteering(options), "--cores");
  for (const std::string& core : args.drain) {
    ring = Take(DrainCore(ring, CoreNumber("--drain", core, 0)), "--drain");
  }
  return ring;
}

// The flow of the next packet; nothing at the end.
using Source = std::function<std::optional<PacketFlow>()>;

// A TCP flow from anywhere to one of 256 services.
template <size_t kAddressBytes>
FlowKey RandomFlow(std::mt19937_64& random) {
  FlowTuple<kAddressBytes> tuple;
  for (uint8_t& byte : tuple.source) byte = static_cast<uint8_t>(random());
  tuple.destination[0] = kAddressBytes == 4 ? 10 : 0xFC;
  tuple.destination.back() = static_cast<uint8_t>(random());
  tuple.source_port = static_cast<uint16_t>(random());
  tuple.destination_port = 443;
  tuple.protocol = 6;
  return FlowKey(tuple);
}

Source RandomFlows(const SteerArgs& args) {
  const uint64_t flows = Number("--flows", *args.flows, 1, kMaxFlows);
  const uint64_t seed = Number("--seed", args.seed.value_or("0"), 0, ~0ull);
  const auto next = args.ipv6 ? RandomFlow<16> : RandomFlow<4>;
  return
      [next, left = flows,
       random = std::mt19937_64(seed)]() mutable -> std::optional<PacketFlow> {
        if (left == 0) return std::nullopt;
        --left;
        return PacketFlow{PacketKind::kFlow, next(random)};
      };
}

Source CapturedFlows(const std::string& file) {
  // Shared, since what a std::function holds must be copyable.
  const auto capture = std::make_shared<Capture>(file);
  return [capture] { return capture->Next(); };
}

Source SourceOf(const SteerArgs& args) {
  Source next = args.flows ? RandomFlows(args) : CapturedFlows(args.file);
  if (!args.symmetric) return next;
  return [next] {
    auto flow = next();
    if (flow) flow->key = flow->key.Symmetric();
    return flow;
  };
}

void List(const Ring& ring, const Source& next) {
  Output output;
  for (uint64_t number = 1; const auto flow = next(); ++number) {
    std::string& out = output.buffer();
    if (flow->kind == PacketKind::kFlow) {
      out += fmt::format("{}\t{}\t", number, ring.Owner(flow->key.bytes()));
      AppendHex(out, flow->key.bytes());
      out += '\n';
    } else {
      const bool is_ip = flow->kind == PacketKind::kTooShort;
      out += fmt::format("{}\t-\t{}\n", number, is_ip ? "too short" : "not IP");
    }
    output.FlushIfLarge();
  }
  output.Flush();
}

SteerReport Report(const Ring& ring, const SteerArgs& args,
                   const Source& next) {
  SteerReport report{.ring = ring};
  FlowKeys keys;
  while (const auto flow = next()) {
    report.not_ip += flow->kind == PacketKind::kNotIp;
    report.too_short += flow->kind == PacketKind::kTooShort;
    if (flow->kind == PacketKind::kFlow) keys.Add(flow->key);
  }
  report.source = args.flows ? "random flows" : args.file;
  if (keys.size() == 0) {
    throw Failure(Exit::kRefused, report.source + ": no packet has a flow");
  }
  const FlowKeys distinct = keys.Distinct();
  report.is_symmetric = args.symmetric;
  report.packets = keys.size();
  report.flows = distinct.size();
  report.packets_by_core = keys.CountByCore(ring);
  report.flows_by_core = distinct.CountByCore(ring);
  report.nanoseconds = keys.NanosecondsPerKey(ring);
  return report;
}

void AddOptions(CLI::App& app, SteerArgs& args) {
  AddOption(app, "FILE", args.file,
            "Capture file (pcap, pcapng); - is standard input")
      .Type("");
  AddOption(app, "--flows", args.flows,
            "So many random flows, in place of a file")
      .Type("N")
      .Excludes("FILE");
  AddOption(app, "--seed", args.seed, "Seed of the random flows (0)")
      .Type("N")
      .Needs("--flows");
  AddFlag(app, "--ipv6", args.ipv6, "Random flows are of IPv6")
      .Needs("--flows");
  AddOption(app, "--cores", args.cores, "Cores to steer to, 1 to 65536")
      .Type("N")
      .Required();
  AddRepeated(app, "--drain", args.drain,
              "Take no flows to this core; repeatable")
      .Type("CORE");
  AddFlag(app, "--symmetric", args.symmetric,
          "Both directions of a flow go to one core");
  AddFlag(app, "--list", args.list, "Tell the core of each packet");
  AddFlag(app, "--json", args.json, "One JSON object").Excludes("--list");
}

Exit Run(int argc, char** argv) {
  const auto program =
      MakeProgram("clockwise-steer", "Steers the flows of a capture to cores.");
  SetFooter(*program, kFooter);
  SteerArgs args;
  AddOptions(*program, args);
  if (!ParseArguments(*program, argc, argv)) return Exit::kOk;
  if (args.file.empty() && !args.flows) {
    throw Failure(Exit::kMisuse,
                  "no FILE and no --flows; see clockwise-steer --help");
  }
  const Ring ring = RingOf(args);
  const Source next = SourceOf(args);
  if (args.list) {
    List(ring, next);
  } else {
    const SteerReport report = Report(ring, args, next);
    Print(args.json ? ToJson(report) : ToText(report));
  }
  return Exit::kOk;
}

}  // namespace
}  // namespace clockwise::tool

int main(int argc, char** argv) {
  using namespace clockwise::tool;
  return RunProgram("clockwise-steer", argc, argv, Run);
}
