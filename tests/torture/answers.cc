// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "answers.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>

namespace clockwise::torture {
namespace {

Ring MakeTemplate(uint64_t number) {
  RingOptions options;
  options.vnodes = 10;
  options.width = 32;
  auto builder = RingBuilder::Create(options).value();
  for (uint64_t i = 0; i < 8 + number; ++i) {
    Node node;
    node.id = std::to_string(number) + "-" + std::to_string(i);
    if (!builder.Add(node).ok()) std::abort();
  }
  Ring ring = builder.Build().value();
  if (ring.image()->bytes > 4096) {
    std::fprintf(stderr, "torture: an image of more than 4 KiB\n");
    std::abort();
  }
  return ring;
}

}  // namespace

Answers::Answers(uint64_t seed) {
  std::mt19937_64 random(seed);
  for (uint64_t& hash : hashes_) hash = random();
  for (uint64_t number = 0; number < kTemplates; ++number) {
    templates_.push_back(MakeTemplate(number));
    for (size_t i = 0; i < kHashes; ++i) {
      owners_[number][i] = templates_.back().Owner(hashes_[i]);
    }
  }
}

void* PoisoningSource::Acquire(size_t bytes) noexcept {
  return DefaultBlockSource().Acquire(bytes);
}

void PoisoningSource::Release(void* block, size_t bytes) noexcept {
  std::memset(block, 0x5A, bytes);
  DefaultBlockSource().Release(block, bytes);
}

}  // namespace clockwise::torture
