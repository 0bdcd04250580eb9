// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What a Membership knows: what serves, what is wanted, and what is to be done.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "clockwise/membership.h"

namespace clockwise {

struct Membership::Core {
  // What is wanted and does not serve yet.
  struct Pending {
    Members members;
    std::optional<Ring> ring;   // of them, where it is built already
    uint64_t newest_epoch = 0;  // of members that were wanted before
    bool is_confirmed = false;
    Duration first{};   // when it became unlike what serves
    Duration latest{};  // when it last changed
  };

  // Changes of what is wanted (membership_core.cc).
  Status Consider(Members members, Duration now, bool is_confirmed,
                  std::optional<Ring> built = std::nullopt);
  // `edit` changes the newest members, whose epoch is not their owner's then.
  template <typename Edit>
  Status Change(Edit edit, Duration now, bool is_confirmed) {
    if (Newest() == nullptr) return NothingToChange();
    Members members = *Newest();
    if (Status refused = edit(members); !refused.ok()) return refused;
    members.epoch = 0;
    return Consider(std::move(members), now, is_confirmed);
  }
  // The latest members that were accepted; null before the first.
  [[nodiscard]] const Members* Newest() const;
  [[nodiscard]] uint64_t ServingEpoch() const;
  // The highest that members were accepted under.
  [[nodiscard]] uint64_t NewestEpoch() const;
  [[nodiscard]] static bool AreSame(const Members& members,
                                    const std::optional<Ring>& built,
                                    const Members& other,
                                    const Ring* other_ring);
  [[nodiscard]] bool IsKnown(const Members& members,
                             const std::optional<Ring>& built) const;
  [[nodiscard]] bool IsServing(const Members& members,
                               const std::optional<Ring>& built) const;
  [[nodiscard]] Status NothingToChange() const;
  [[nodiscard]] Status CheckEpoch(const Members& members) const;
  [[nodiscard]] bool IsConfirmedByRepeat(const Members& members) const;

  // From what is wanted to what serves (membership_step.cc).
  MembershipReport Step(Duration now);
  [[nodiscard]] std::optional<Duration> Due() const;
  void FollowClock(Duration now);
  void StepWanted(Duration now, MembershipReport& report);
  void StepHealth(MembershipReport& report);
  [[nodiscard]] Result<uint64_t> NextEpoch() const;
  Result<Ring> BuildUnder(uint64_t epoch);
  Result<Ring> Build();
  Result<Ring> BuildAfterRestart();
  Result<Ring> BuildTracked();
  Status PublishInPlaceOf(const Ring& wanted, uint64_t next_local,
                          bool accepts_remap);
  Status RecordAndPublish(const Ring& wanted, uint64_t next_local);
  void Commit(Ring&& next, uint64_t next_local);
  void Fail(const Status& status, Duration now, MembershipReport& report);

  MembershipOptions options;
  PublishRing publish;
  HealthTracker* health = nullptr;

  std::optional<Ring> ring;  // wanted and published, at full weight
  Members serving;           // what `ring` was built of, with its epoch
  uint64_t local = 0;
  bool has_new_levels = false;  // since what serves was built
  std::optional<Pending> pending;
  std::optional<Members> suspicious;  // the latest that were refused as such
  MembershipStats stats;
};

}  // namespace clockwise
