// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What may be wanted.
#include "control/membership_core.h"

#include <algorithm>
#include <string>
#include <utility>

#include "control/wanted_members.h"

namespace clockwise {

const Members* Membership::Core::Newest() const {
  if (pending) return &pending->members;
  return ring ? &serving : nullptr;
}

uint64_t Membership::Core::ServingEpoch() const {
  return ring ? ring->epoch() : options.last_epoch;
}

uint64_t Membership::Core::NewestEpoch() const {
  if (!pending) return ServingEpoch();
  return std::max(pending->newest_epoch, pending->members.epoch);
}

// Whether `members`, built or not, are those of `other`, built or not. The
// points of rings that are built elsewhere may differ though their nodes do
// not.
bool Membership::Core::AreSame(const Members& members,
                               const std::optional<Ring>& built,
                               const Members& other, const Ring* other_ring) {
  if (!HaveSameContent(members, other)) return false;
  if (!built || members.options.scheme == kNativeScheme) return true;
  return other_ring != nullptr && built->digest() == other_ring->digest();
}

bool Membership::Core::IsKnown(const Members& members,
                               const std::optional<Ring>& built) const {
  const Members* newest = Newest();
  if (newest == nullptr ||
      (members.epoch != 0 && members.epoch != newest->epoch)) {
    return false;
  }
  const std::optional<Ring>& newest_ring = pending ? pending->ring : ring;
  return AreSame(members, built, *newest,
                 newest_ring ? &*newest_ring : nullptr);
}

bool Membership::Core::IsServing(const Members& members,
                                 const std::optional<Ring>& built) const {
  return ring && members.epoch == serving.epoch &&
         NewestEpoch() == serving.epoch &&
         AreSame(members, built, serving, &*ring);
}

Status Membership::Core::NothingToChange() const {
  return {Code::kInvalidOptions,
          "membership: no members were wanted yet that could be changed"};
}

// Of members that are neither the newest nor what serves.
Status Membership::Core::CheckEpoch(const Members& members) const {
  const uint64_t newest = NewestEpoch();
  if (members.epoch == 0 || members.epoch > newest) return {};
  const std::string epoch =
      TitleOf(members) + ": epoch " + std::to_string(members.epoch);
  if (members.epoch < newest) {
    return {Code::kStaleEpoch,
            epoch + " is below the newest, " + std::to_string(newest)};
  }
  // After a restart only the digest tells, when the ring is built.
  if (Newest() == nullptr) return {};
  return {Code::kEpochConflict,
          epoch +
              " was wanted with another content; a change, of an address "
              "as well, takes a new epoch"};
}

bool Membership::Core::IsConfirmedByRepeat(const Members& members) const {
  return options.confirm_by_repeat && suspicious &&
         suspicious->epoch == members.epoch &&
         HaveSameContent(*suspicious, members);
}

Status Membership::Core::Consider(Members members, Duration now,
                                  bool is_confirmed,
                                  std::optional<Ring> built) {
  if (IsKnown(members, built)) return {};
  if (IsServing(members, built)) {
    pending.reset();
    return {};
  }
  if (Status refused = CheckEpoch(members); !refused.ok()) return refused;
  if (Status refused = CheckMembers(members, options); !refused.ok()) {
    return refused;
  }
  const bool was_confirmed = pending && pending->is_confirmed;
  if (ring && !is_confirmed && !IsConfirmedByRepeat(members)) {
    Status refused = CheckDrop(was_confirmed ? pending->members : serving,
                               members, options.max_drop_percent);
    if (!refused.ok()) {
      if (options.confirm_by_repeat) suspicious = std::move(members);
      return refused;
    }
  }
  suspicious.reset();
  const uint64_t epoch = NewestEpoch();
  const Duration first = pending ? pending->first : now;
  pending = Pending{std::move(members),
                    std::move(built),
                    epoch,
                    is_confirmed || was_confirmed,
                    first,
                    now};
  ++stats.changes;
  return {};
}

}  // namespace clockwise
