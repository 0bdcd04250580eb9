// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Any bytes as a ring file: refused with a fault, or a ring that answers as its
// points do and is the same file again. libFuzzer's entry points; the mutator
// keeps checksums right, and often the digest, so that what is tried is
// validation.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "../ring_file_maker.h"
#include "fuzz_seal.h"

namespace clockwise {
namespace {

// Blocks of exactly the bytes asked for, so that a read beyond them is seen.
class ExactSource final : public BlockSource {
 public:
  void* Acquire(size_t bytes) noexcept override {
    void* block = nullptr;
    return posix_memalign(&block, 64, bytes) == 0 ? block : nullptr;
  }
  void Release(void* block, size_t) noexcept override { std::free(block); }
};

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "ring file: %s\n", what.c_str());
  std::abort();
}

// Of explicit points nothing is derived: a ring built anew is the same.
void TryDeriving(std::span<const std::byte> bytes, RingLoadOptions options) {
  options.check = RingFileCheck::kDerive;
  RingFileFault fault;
  const auto ring = ParseRing(bytes, options, &fault);
  if (ring.ok() || fault == RingFileFault::kDerivedPoints) {
    if (ring.ok() || ParseRing(bytes).value().scheme() == "clockwise-1") return;
  }
  Fail("built anew it is another: " + ring.status().message());
}

void TryFile(std::span<const std::byte> bytes) {
  static ExactSource source;
  RingLoadOptions options;
  options.source = &source;
  RingFileFault fault;
  const auto ring = ParseRing(bytes, options, &fault);
  if (ring.ok() != (fault == RingFileFault::kNone)) Fail("fault and status");
  if (!ring.ok()) return;
  if (!NodesHoldTogether(ring.value())) Fail("nodes do not hold together");
  if (ring.value().point_count() < 24 && !AnswersNaively(ring.value())) {
    Fail("an answer is wrong");
  }
  const auto again = SerializeRing(ring.value());
  if (!again.ok() || again.value().size() != bytes.size() ||
      std::memcmp(again.value().data(), bytes.data(), bytes.size()) != 0) {
    Fail("is another file again");
  }
  // A build costs more than all before it: for one file in eight, by the
  // image's checksum.
  if ((std::to_integer<unsigned>(bytes[64]) & 7) == 0) {
    TryDeriving(bytes, options);
  }
}

}  // namespace
}  // namespace clockwise

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clockwise::TryFile({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}

#ifdef CLOCKWISE_LIBFUZZER
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned seed) {
  using namespace clockwise;
  SeedMutator mutator(seed);
  std::string file(reinterpret_cast<const char*>(data), size);
  if (mutator.OneIn(16) || size < 128) {
    size = LLVMFuzzerMutate(data, size, max_size);
    file.assign(reinterpret_cast<const char*>(data), size);
  } else {
    mutator.ChangeFields(file);
  }
  if (!mutator.OneIn(32)) Reseal(file);
  if (mutator.OneIn(4)) FixDigest(file);
  size = std::min(file.size(), max_size);
  std::memcpy(data, file.data(), size);
  return size;
}
#endif
