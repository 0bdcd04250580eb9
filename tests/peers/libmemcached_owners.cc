// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which servers libmemcached chooses. Each line of standard input is
//   {"distribution": "ketama", "hash": "md5", "keys": ["6b6579"],
//    "servers": [{"host": "10.0.0.1", "port": 11211, "weight": 1}]}
// with keys in hex, and each line of the output the owners' indices. Nothing is
// sent to a server.
#include <libmemcached/memcached.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace {

using nlohmann::json;

using Client = std::unique_ptr<memcached_st, decltype(&memcached_free)>;

const std::map<std::string, memcached_hash_t> kHashes = {
    {"default", MEMCACHED_HASH_DEFAULT},   {"md5", MEMCACHED_HASH_MD5},
    {"crc", MEMCACHED_HASH_CRC},           {"fnv1_64", MEMCACHED_HASH_FNV1_64},
    {"fnv1a_64", MEMCACHED_HASH_FNV1A_64}, {"fnv1_32", MEMCACHED_HASH_FNV1_32},
    {"fnv1a_32", MEMCACHED_HASH_FNV1A_32}, {"murmur", MEMCACHED_HASH_MURMUR},
    {"jenkins", MEMCACHED_HASH_JENKINS},   {"murmur3", MEMCACHED_HASH_MURMUR3},
};

void Check(memcached_return_t code) {
  if (code == MEMCACHED_SUCCESS) return;
  throw std::runtime_error(memcached_strerror(nullptr, code));
}

void Set(memcached_st* client, memcached_behavior_t behavior, uint64_t value) {
  Check(memcached_behavior_set(client, behavior, value));
}

void SetDistribution(memcached_st* client, const std::string& distribution) {
  if (distribution == "ketama") {
    Set(client, MEMCACHED_BEHAVIOR_KETAMA, 1);
  } else if (distribution == "ketama-weighted") {
    Set(client, MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1);
  } else if (distribution == "ketama-spy") {
    Set(client, MEMCACHED_BEHAVIOR_DISTRIBUTION,
        MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA_SPY);
  } else if (distribution == "ketama-spy-weighted") {
    Set(client, MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1);
    Set(client, MEMCACHED_BEHAVIOR_DISTRIBUTION,
        MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA_SPY);
  } else if (distribution == "modula") {
    Set(client, MEMCACHED_BEHAVIOR_DISTRIBUTION, MEMCACHED_DISTRIBUTION_MODULA);
  } else {
    throw std::runtime_error("unknown distribution " + distribution);
  }
}

void AddServer(memcached_st* client, const json& server) {
  const auto host = server.at("host").get<std::string>();
  const auto weight = server.at("weight").get<uint32_t>();
  Check(host.starts_with('/')
            ? memcached_server_add_unix_socket_with_weight(client, host.c_str(),
                                                           weight)
            : memcached_server_add_with_weight(client, host.c_str(),
                                               server.at("port"), weight));
}

// The distribution comes first: the weighted ones set a hash of their own.
Client MakeClient(const json& request) {
  Client client(memcached_create(nullptr), memcached_free);
  SetDistribution(client.get(), request.at("distribution"));
  Set(client.get(), MEMCACHED_BEHAVIOR_HASH,
      kHashes.at(request.at("hash").get<std::string>()));
  for (const json& server : request.at("servers")) {
    AddServer(client.get(), server);
  }
  return client;
}

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

void Answer(const json& request) {
  const Client client = MakeClient(request);
  for (const json& hex : request.at("keys")) {
    const std::string key = FromHex(hex);
    std::cout << memcached_generate_hash(client.get(), key.data(), key.size())
              << ' ';
  }
  std::cout << '\n';
}

}  // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      Answer(json::parse(line));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "libmemcached_owners: %s\n", error.what());
    return 1;
  }
  return 0;
}
