// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Changes to ring files that leave them worth trying.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace clockwise {

// Draws changes of fields, which lie on their own alignment.
class SeedMutator {
 public:
  explicit SeedMutator(unsigned seed) : random_(seed) {}

  bool OneIn(uint32_t n) { return random_() % n == 0; }
  // Sets, shifts, swaps or copies a few of the file's fields, mostly within its
  // image and node table; its size stays.
  void ChangeFields(std::string& file);

 private:
  size_t Below(size_t n) { return random_() % n; }
  void ChangeOne(std::string& file);

  std::minstd_rand random_;
};

// Gives a file whose points and nodes are sound the digest that it should have,
// and a header that agrees; leaves any other as it is.
void FixDigest(std::string& file);

}  // namespace clockwise
