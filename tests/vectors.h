// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Files of answers in tests/golden that other systems gave, or programs that
// share no code with this library.
//
// Each says in "scheme" and "source" what answered. Its keys are "keys", as
// UTF-8 text, followed by "keys_hex", the bytes of those that are not text.
// Answers are in the order of these keys: in "hashes" by the name of the hash,
// or in "cases", where owner[i] is the index of a node in the case's "nodes".
// Numbers of 64 bits that no double holds are decimal strings.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace clockwise {

inline std::string BytesOfHex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    const std::string pair(hex.substr(i, 2));
    bytes.push_back(static_cast<char>(std::stoi(pair, nullptr, 16)));
  }
  return bytes;
}

class Vectors {
 public:
  // Opens tests/golden/NAME.json.
  explicit Vectors(const std::string& name)
      : json_(nlohmann::json::parse(
            std::ifstream(std::string(GOLDEN_DIR "/") + name + ".json"))) {
    if (!json_.contains("keys")) return;
    for (const auto& key : json_["keys"]) keys_.push_back(key);
    for (const auto& hex : json_["keys_hex"]) {
      keys_.push_back(BytesOfHex(hex.get<std::string>()));
    }
  }

  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  const nlohmann::json& operator[](const char* field) const {
    return json_.at(field);
  }
  // The case of that name.
  [[nodiscard]] const nlohmann::json& Case(std::string_view name) const {
    for (const auto& c : json_.at("cases")) {
      if (c.at("name") == name) return c;
    }
    throw std::out_of_range(std::string(name));
  }

 private:
  nlohmann::json json_;
  std::vector<std::string> keys_;
};

}  // namespace clockwise
