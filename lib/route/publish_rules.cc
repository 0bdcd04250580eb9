// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "route/publish_rules.h"

#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

#include "placement/moved_share.h"

namespace clockwise {
namespace {

std::string Title(const Ring& ring) {
  return "ring '" + std::string(ring.name()) + "'";
}

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// "seed 7 instead of 0"; empty where the two place keys by the same recipe.
std::string RecipeDifference(const Ring& newest, const Ring& next) {
  const auto differ = [](const char* what, auto is, auto was) {
    using std::to_string;
    std::string text = std::string(what) + " ";
    if constexpr (std::is_convertible_v<decltype(is), std::string_view>) {
      return text + Quoted(is) + " instead of " + Quoted(was);
    } else {
      return text + to_string(is) + " instead of " + to_string(was);
    }
  };
  if (next.name() != newest.name()) {
    return differ("name", next.name(), newest.name());
  }
  if (next.scheme() != newest.scheme()) {
    return differ("scheme", next.scheme(), newest.scheme());
  }
  if (next.width() != newest.width()) {
    return differ("width", next.width(), newest.width());
  }
  if (next.seed() != newest.seed()) {
    return differ("seed", next.seed(), newest.seed());
  }
  if (next.key_hash() != newest.key_hash()) {
    return differ("key hash", KeyHashName(next.key_hash()),
                  KeyHashName(newest.key_hash()));
  }
  if (next.vnodes() != newest.vnodes()) {
    return differ("vnodes", next.vnodes(), newest.vnodes());
  }
  if (next.params() != newest.params()) return "other parameters";
  return {};
}

std::string Percent(double share) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f %%", 100 * share);
  return text;
}

// Whether both stand for one ring, and `next` is the later one.
bool MayFollowOfOneEpoch(const Ring& newest, const Ring& next) {
  return next.base_digest() == newest.base_digest() &&
         next.local() > newest.local();
}

Status Conflict(const Ring& next, const char* what, Hash128 digest,
                Hash128 published) {
  return {Code::kEpochConflict,
          Title(next) + ": epoch " + std::to_string(next.epoch()) + " has " +
              what + " " + ToHex(digest) + ", but was published with " +
              ToHex(published)};
}

// What to do with a ring of the newest one's epoch that does not follow it.
Result<uint64_t> OfOneEpoch(const Ring& newest, const Ring& next) {
  if (next.base_digest() != newest.base_digest()) {
    return Conflict(next, "digest", next.base_digest(), newest.base_digest());
  }
  if (next.local() == 0) return uint64_t{0};
  if (next.local() < newest.local()) {
    return Status(Code::kStaleEpoch,
                  Title(next) + ": local " + std::to_string(next.local()) +
                      " of epoch " + std::to_string(next.epoch()) +
                      " is below the newest, " +
                      std::to_string(newest.local()));
  }
  if (next.digest() == newest.digest()) return uint64_t{0};
  return Conflict(next, "local digest", next.digest(), newest.digest());
}

}  // namespace

Result<uint64_t> NextEpoch(const Ring* newest, const Ring& next,
                           const PublishOptions& options) {
  if (newest == nullptr) return next.epoch() != 0 ? next.epoch() : 1;
  const uint64_t last = newest->epoch();
  if (next.epoch() == last && !MayFollowOfOneEpoch(*newest, next)) {
    return OfOneEpoch(*newest, next);
  }
  if (next.epoch() != 0 && next.epoch() < last) {
    return Status(Code::kStaleEpoch,
                  Title(next) + ": epoch " + std::to_string(next.epoch()) +
                      " is below the newest, " + std::to_string(last));
  }
  if (next.epoch() == 0 && last == std::numeric_limits<uint64_t>::max()) {
    return Status(Code::kEpochExhausted,
                  Title(next) + ": no epoch is above " + std::to_string(last));
  }
  if (!options.accept_remap) {
    const std::string difference = RecipeDifference(*newest, next);
    if (!difference.empty()) {
      return Status(Code::kRemapRefused,
                    Title(next) + ": " + difference + ": " +
                        Percent(MovedShare(*newest, next)) +
                        " of the keys would move; accept_remap publishes it");
    }
  }
  return next.epoch() != 0 ? next.epoch() : last + 1;
}

}  // namespace clockwise
